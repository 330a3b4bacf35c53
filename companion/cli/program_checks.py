"""Looking at the program itself and at its data: Python, packages, folder, settings, tags, journal, games, texts."""

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

from companion import settings, shelf
from companion.core.errors import CompanionError
from companion.core.game import Game
from companion.journal import JOURNAL, GameRow, Journal
from companion.opening import texts_folders
from companion.referee import Referee
from companion.tagbook import TAGS, Tagbook
from companion.texts import LANGS

from .doctor import Line, ailing, fine, wrong
from .options import text_of

OLDEST_PYTHON: Final = (3, 11)
PACKAGES: Final = (
    "a2wsgi", "click", "flask", "gpiozero", "luma.oled", "msgspec", "pillow", "pyserial", "segno", "uvicorn",
)  # fmt: skip
FIRST_BAD_PILLOW: Final = 14
ROOM: Final = 20 * 1024 * 1024
"""Bytes that should be free: an evening's entries take less than one of these megabytes."""


def program(data: Path) -> Iterator[Line]:
    yield python(sys.version_info[:3])
    yield packages()
    yield folder(data)
    yield settings_in(data)
    yield tagbook_in(data)
    yield from journal_in(data)
    for game_id in shelf.games():
        yield from game(game_id)


def python(version: tuple[int, int, int]) -> Line:
    shown = ".".join(map(str, version))
    if version[:2] < OLDEST_PYTHON:
        return wrong(f"Python {shown} is too old.", "Install Python 3.11 or newer, then start with ./run")
    return fine(f"Python {shown}")


def packages() -> Line:
    missing = []
    for name in PACKAGES:
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            missing.append(name)
        else:
            if name == "pillow" and int(version.split(".")[0]) >= FIRST_BAD_PILLOW:
                missing.append(f"pillow older than {FIRST_BAD_PILLOW} (it is {version})")
    if missing:
        return wrong(f"Python packages are missing: {', '.join(missing)}.", "Start with ./run, which installs them.")
    return fine(f"{len(PACKAGES)} Python packages")


def folder(data: Path) -> Line:
    """The data folder, or the one in which it would be made."""
    there = next(path for path in (data, *data.absolute().parents) if path.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        return wrong(f"{there} cannot be written to.", "Make it writable for this user, or choose another with --data.")
    free = shutil.disk_usage(there).free
    if free < ROOM:
        return wrong(f"Only {free // 1024} KiB are free for {data}.", "Free some space on that disk.")
    return fine(f"Data folder {data}, {free // 1024**2} MiB free{'' if there == data else ', not made yet'}")


def settings_in(data: Path) -> Line:
    try:
        settings.load(data)
    except CompanionError as error:
        return wrong(f"Settings that cannot be used:\n{text_of(error)}", f"Repair {data / settings.FILE}.")
    return fine(f"Settings {'from ' + settings.FILE if (data / settings.FILE).exists() else 'as they come'}")


def tagbook_in(data: Path) -> Line:
    try:
        tags = Tagbook.load(data / TAGS).all()
    except CompanionError as error:
        return wrong(f"A tagbook that cannot be read:\n{text_of(error)}", f"Repair the lines above in {data / TAGS}.")
    return fine(f"Tagbook with {len(tags)} tags")


def journal_in(data: Path) -> Iterator[Line]:
    """The journal as a file, then each of its games, entry by entry."""
    if not (data / JOURNAL).exists():
        yield fine("Journal: none yet; the first game makes it")
        return
    try:
        with Journal.look(data / JOURNAL) as journal:
            rows = journal.games()
            yield fine(f"Journal with {len(rows)} games")
            for row in rows:
                yield _recorded(journal, row)
    except CompanionError as error:
        yield wrong("The journal cannot be read.", text_of(error))


def _recorded(journal: Journal, row: GameRow) -> Line:
    problems = journal.verify(row.table)
    if problems:
        found = "\n".join(f"entry {each.seq}: {each.kind}, {each.found}" for each in problems)
        cure = "Copy the data folder away. Then import an export of this game, or put it away: companion games archive "
        return wrong(f"Game {row.table} is not as it was written:\n{found}", cure + row.table)
    try:
        Referee(shelf.open(row.game), journal, row.table, time.time).replay()
    except (CompanionError, msgspec.MsgspecError) as error:
        return ailing(f"Game {row.table} cannot be replayed: {text_of(error)}", f"See: companion replay {row.table}")
    return fine(f"Game {row.table}, {row.game}, {row.seq} entries, state as recorded")


def game(game_id: str) -> Iterator[Line]:
    """A game of the shelf with its pack and its texts."""
    try:
        found = shelf.open(game_id)
        pieces = found.pieces(shelf.pack(found))
    except CompanionError as error:
        yield wrong(f"Game {game_id} cannot be opened: {text_of(error)}", "Install the companion again.")
        return
    yield fine(f"{game_id} for {found.seats[0]} to {found.seats[1]} seats, {len(pieces)} pieces")
    yield texts(found)


def texts(found: Game[Any, Any]) -> Line:
    """Both languages have the same keys, everywhere."""
    count, gaps = 0, []
    for where in texts_folders(found):
        keys = {lang: _keys(where / f"{lang}.mo") for lang in LANGS}
        every = frozenset().union(*keys.values())
        count += len(every)
        for lang in LANGS:
            lacks = sorted(every - keys[lang]) if keys[lang] else []
            gaps += [f"{where / lang}.mo lacks {key}" for key in lacks]
            gaps += [] if keys[lang] else [f"{where / lang}.mo is missing or empty"]
    if gaps:
        more = [f"and {len(gaps) - 5} more"] if len(gaps) > 5 else []
        return wrong(
            "\n".join([f"Texts of {found.id}:", *gaps[:5], *more]), "Start with ./run, or: python hatch_build.py"
        )
    return fine(f"{count} texts for {found.id}, in {' and '.join(LANGS)}")


def _keys(path: Path) -> frozenset[str]:
    """The keys of a compiled file of texts, surfaces before them; none if it cannot be read."""
    try:
        content = path.read_bytes()
        order = "<" if content.startswith(b"\xde\x12\x04\x95") else ">"
        count, at = struct.unpack_from(f"{order}II", content, 8)
        spans = [struct.unpack_from(f"{order}II", content, at + 8 * n) for n in range(count)]
    except (OSError, struct.error):
        return frozenset()
    whole = (content[start : start + length].decode("utf-8", "replace") for length, start in spans)
    return frozenset(key.split("\0")[0].replace("\x04", ": ") for key in whole if key)
