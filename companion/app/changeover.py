"""Several files that take the place of others together: one rename decides, and whatever was cut short is finished.

The new files are laid in a folder, with a plan of what gives way to them and where it is kept. Until that folder gets
its name, everything is as it was; from then on the new files count, and the first program that comes puts them in
their places, should the one that began not have come to it.
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
"""The decided one, in the data folder."""
_DRAFT: Final = ".changeover-"
"""How those begin that were not decided."""
_NEW: Final = "new"
_PLAN: Final = "plan.json"


class NotFinished(CompanionError, OSError):
    """The files of a decided change-over could not be put in their places; they are whole in its folder."""


class _Plan(Struct, frozen=True):
    """The names of what is new, and for what gives way the path under which it is kept."""

    new: tuple[str, ...]
    kept: dict[str, str]


def change_over(data: Path, fresh: Path, kept: Mapping[str, str]) -> None:
    """Put what lies in the folder `fresh` into `data`, where it must lie, too.

    What is there under the names of `kept` gives way and is kept under the paths of `kept`. The caller holds the
    journal alone.
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
    """Put the journal `new` in the place of the one at `path`, which keeps all its bytes; gives the path of those.

    The caller holds the journal alone.
    """
    data = path.parent
    names = (path.with_name(f"{path.name}.damaged-{n}") for n in range(1, 10_000))
    aside = next(name for name in names if not any(part.exists() for part in parts(name)))
    fresh = Path(mkdtemp(dir=data, prefix=_DRAFT))
    new.rename(fresh / path.name)
    change_over(data, fresh, {old.name: then.name for old, then in zip(parts(path), parts(aside), strict=True)})
    return aside


def finish(data: Path) -> None:
    """Finish what was decided and cut short, if anything was; JournalLocked while another program is at it."""
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
            (decided / _PLAN).unlink()  # from here on there is only an empty folder to be removed
            sync_folder(decided)
        shutil.rmtree(decided)
        sync_folder(data)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        what = f"{decided}: the new files cannot be put in their places ({error})"
        raise NotFinished(f"{what}. They are whole in there: make {data} writable and try again.") from error


def _carry_out(data: Path, decided: Path, plan: _Plan) -> None:
    if all((decided / _NEW / name).exists() for name in plan.new):  # none is in its place: what is there is old
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
    """Make everything in a folder as lasting as the name that it will get."""
    for folder, _, files in os.walk(room):
        for name in files:
            fd = os.open(Path(folder) / name, os.O_RDONLY)
            try:
                os.fsync(fd)
            finally:
                os.close(fd)
        sync_folder(Path(folder))
