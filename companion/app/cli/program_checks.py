"""Checking the program and its data: Python, packages, folder, settings, tags, journal, games, texts."""

from __future__ import annotations

import os
import shutil
import struct
import sys
import time
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import msgspec

from companion.app.opening import texts_folders
from companion.core import CompanionError, Game, Name
from companion.journal import JOURNAL, GameRow, Journal, is_there
from companion.library import LANGS, SETTINGS, TAGS, Tagbook, load_settings, po, shelf
from companion.table import Found, Referee, ailing, fine, wrong

from .options import text_of

OLDEST_PYTHON: Final = (3, 11)
PACKAGES: Final = (
    "a2wsgi", "click", "flask", "gpiozero", "luma.oled", "msgspec", "pillow", "pyserial", "segno", "uvicorn",
)  # fmt: skip
FIRST_BAD_PILLOW: Final = 14
ROOM: Final = 20 * 1024 * 1024
"""Bytes that should be free: an evening's entries take less than one of these megabytes."""


def program(data: Path) -> Iterator[Found]:
    yield python(sys.version_info[:3])
    yield packages()
    yield folder(data)
    yield settings_in(data)
    yield tagbook_in(data)
    yield from journal_in(data)
    for game_id in shelf.games():
        yield from game(game_id)
    for each in shelf.left_out():
        yield ailing("game-left-out", game=Name(each.game), package=Name(each.package), why=Name(each.why))


def python(version: tuple[int, int, int]) -> Found:
    shown = ".".join(map(str, version))
    if version[:2] < OLDEST_PYTHON:
        return wrong("python-old", version=Name(shown))
    return fine("python", version=Name(shown))


def packages() -> Found:
    missing = []
    for name in PACKAGES:
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            missing.append(name)
        else:
            if name == "pillow" and int(version.split(".")[0]) >= FIRST_BAD_PILLOW:
                missing.append(f"pillow<{FIRST_BAD_PILLOW}")
    if missing:
        return wrong("packages-missing", names=Name(", ".join(missing)))
    return fine("packages", n=len(PACKAGES))


def folder(data: Path) -> Found:
    """The data folder, or the one it would be created in."""
    there = next(path for path in (data, *data.absolute().parents) if path.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        return wrong("folder-locked", path=Name(str(there)))
    free = shutil.disk_usage(there).free
    if free < ROOM:
        return wrong("folder-full", path=Name(str(data)), n=free // 1024)
    return fine("folder" if there == data else "folder-new", path=Name(str(data)), n=free // 1024**2)


def settings_in(data: Path) -> Found:
    try:
        load_settings(data)
    except CompanionError as error:
        return wrong("settings-wrong", why=Name(text_of(error)))
    return fine("settings" if (data / SETTINGS).exists() else "settings-none", path=Name(SETTINGS))


def tagbook_in(data: Path) -> Found:
    try:
        tags = Tagbook.load(data / TAGS).all()
    except CompanionError as error:
        return wrong("tagbook-wrong", why=Name(text_of(error)))
    return fine("tagbook", n=len(tags))


def journal_in(data: Path) -> Iterator[Found]:
    """The journal as a file, then each of its games, entry by entry."""
    if not is_there(data / JOURNAL):
        yield fine("journal-none")
        return
    try:
        with Journal.look(data / JOURNAL) as journal:
            rows = journal.games()
            yield fine("journal", n=len(rows))
            for row in rows:
                yield _recorded(journal, row)
    except CompanionError as error:
        yield wrong("journal-wrong", why=Name(text_of(error)))


def _recorded(journal: Journal, row: GameRow) -> Found:
    table = Name(row.table)
    problems = journal.verify(row.table)
    if problems:
        return wrong("record-changed", table=table, seq=problems[0].seq, n=len(problems))
    try:
        Referee(shelf.open(row.game), journal, row.table, time.time).replay()
    except (CompanionError, msgspec.MsgspecError) as error:
        return ailing("record-lost", table=table, why=Name(text_of(error)))
    return fine("record", table=table, game=Name(row.game), n=row.seq)


def game(game_id: str) -> Iterator[Found]:
    """A game on the shelf with its pack and its texts."""
    try:
        found = shelf.open(game_id)
        pieces = found.pieces(shelf.pack(found))
    except CompanionError as error:
        yield wrong("game-wrong", game=Name(game_id), why=Name(text_of(error)))
        return
    yield fine("game", game=Name(game_id), low=found.seats[0], high=found.seats[1], n=len(pieces))
    yield texts(found)


def texts(found: Game[Any, Any]) -> Found:
    """Both languages must have the same keys, everywhere."""
    count, gaps = 0, []
    for where in texts_folders(found):
        keys = {lang: _keys(where / f"{lang}.mo") for lang in LANGS}
        every = frozenset().union(*keys.values())
        count += len(every)
        for lang in LANGS:
            lacks = sorted(every - keys[lang]) if keys[lang] else []
            gaps += [f"{where / lang}.mo: {key}" for key in lacks]
            gaps += [] if keys[lang] else [f"{where / lang}.mo"]
    if gaps:
        shown = [*gaps[:5], *(["…"] if len(gaps) > 5 else [])]
        return wrong("texts-missing", game=Name(found.id), what=Name("\n".join(shown)))
    return fine("texts", game=Name(found.id), n=count)


def _keys(path: Path) -> frozenset[str]:
    """The keys in a file of texts, with their surfaces; none if it cannot be read."""
    try:
        content = path.read_bytes() if path.exists() else po.compiled(path.with_suffix(".po"))
        order = "<" if content.startswith(b"\xde\x12\x04\x95") else ">"
        count, at = struct.unpack_from(f"{order}II", content, 8)
        spans = [struct.unpack_from(f"{order}II", content, at + 8 * n) for n in range(count)]
    except (OSError, ValueError, struct.error):
        return frozenset()
    whole = (content[start : start + length].decode("utf-8", "replace") for length, start in spans)
    return frozenset(key.split("\0")[0].replace("\x04", ": ") for key in whole if key)
