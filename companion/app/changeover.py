"""Replacing several files at once: one rename decides, and whatever is interrupted gets finished.

The new files are put in a folder, with a plan of what they replace and where that is kept. Until that folder gets its
final name, everything is as it was. From then on the new files count, and if the program that started does not get to
put them in place, the next one does.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

import msgspec
from msgspec import Struct

from companion.core import CompanionError
from companion.journal import JOURNAL, alone, parts, sync_folder

FOLDER: Final = ".changeover"
"""The decided changeover, in the data folder."""
_DRAFT: Final = ".changeover-"
"""How the names of undecided ones begin."""
_NEW: Final = "new"
_PLAN: Final = "plan.json"


class NotFinished(CompanionError, OSError):
    """The files of a decided changeover could not be put in place; they are intact in its folder."""


class _Plan(Struct, frozen=True):
    """The names of the new files, and the paths under which replaced ones are kept."""

    new: tuple[str, ...]
    kept: dict[str, str]


def change_over(data: Path, fresh: Path, kept: Mapping[str, str]) -> None:
    """Move the contents of the folder `fresh`, which must be in `data`, into `data`.

    Existing files named in `kept` make way and are kept at the paths given there. The caller holds the journal's lock.
    """
    room = Path(mkdtemp(dir=data, prefix=_DRAFT))
    try:
        plan = _Plan(tuple(sorted(path.name for path in fresh.iterdir())), dict(kept))
        (room / _PLAN).write_bytes(msgspec.json.encode(plan))
        fresh.rename(room / _NEW)
        _sync(room)
        room.rename(data / FOLDER)
    except BaseException:
        shutil.rmtree(room, ignore_errors=True)
        raise
    _finish(data)
    for left in data.glob(f"{_DRAFT}*"):
        shutil.rmtree(left, ignore_errors=True)


def put_aside(path: Path, new: Path) -> Path:
    """Replace the journal at `path` with `new`; returns the path where the old one is kept in full.

    The caller holds the journal's lock.
    """
    data = path.parent
    names = (path.with_name(f"{path.name}.damaged-{n}") for n in range(1, 10_000))
    aside = next(name for name in names if not any(part.exists() for part in parts(name)))
    fresh = Path(mkdtemp(dir=data, prefix=_DRAFT))
    new.rename(fresh / path.name)
    change_over(data, fresh, {old.name: then.name for old, then in zip(parts(path), parts(aside), strict=True)})
    return aside


def finish(data: Path) -> None:
    """Finish an interrupted changeover, if there is one; JournalLocked while another program is at it."""
    if (data / FOLDER).is_dir():
        with alone(data / JOURNAL):
            _finish(data)


def _finish(data: Path) -> None:
    decided = data / FOLDER
    if not decided.is_dir():
        return  # another program was quicker
    try:
        if (decided / _PLAN).exists():
            _carry_out(data, decided, msgspec.json.decode((decided / _PLAN).read_bytes(), type=_Plan))
            (decided / _PLAN).unlink()  # from here on, only an empty folder is left to remove
            sync_folder(decided)
        shutil.rmtree(decided)
        sync_folder(data)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        what = f"{decided}: the new files cannot be put in their places ({error})"
        raise NotFinished(f"{what}. They are intact in there: make {data} writable and try again.") from error


def _carry_out(data: Path, decided: Path, plan: _Plan) -> None:
    if all((decided / _NEW / name).exists() for name in plan.new):  # none is in place yet, so what is there is old
        for name, place in plan.kept.items():
            if (data / name).exists():
                (data / place).parent.mkdir(mode=0o700, exist_ok=True)
                (data / name).rename(data / place)
                sync_folder((data / place).parent)
        sync_folder(data)
    for name in plan.new:
        if (decided / _NEW / name).exists():
            (decided / _NEW / name).rename(data / name)
            sync_folder(data)


def _sync(room: Path) -> None:
    """Make everything in a folder as durable as the name that it will get."""
    for folder, _, files in os.walk(room):
        for name in files:
            fd = os.open(Path(folder) / name, os.O_RDONLY)
            try:
                os.fsync(fd)
            finally:
                os.close(fd)
        sync_folder(Path(folder))
