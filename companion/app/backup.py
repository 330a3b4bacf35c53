"""Everything the owner has, as one file: games, tags, packs and settings; and restoring it."""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec
from msgspec import Struct

from companion import __version__
from companion.app.changeover import change_over
from companion.core import CompanionError
from companion.journal import JOURNAL, Journal, alone, is_there, parts
from companion.library import SETTINGS, TAGS, Tagbook, load_settings, write_whole

FORMAT: Final = 1
HOLDS: Final = "table companion backup"
_MANIFEST: Final = "manifest.json"
_PACKS: Final = "packs"
_LARGEST: Final = 512 * 1024 * 1024
_UNREADABLE: Final = (
    *(OSError, ValueError, LookupError, EOFError, RuntimeError, struct.error),
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError),
)
"""What reading a hostile archive may raise; RuntimeError covers passwords, unknown methods and recursion."""


class BackupUnusable(CompanionError, ValueError):
    """The file is not a whole, unchanged backup; nothing was restored."""

    def __init__(self, path: Path, found: str) -> None:
        super().__init__(f"{path}: {found}. Nothing was restored; choose another backup.")


class Manifest(Struct, frozen=True):
    """What a backup says about itself: which program made it and when, and the hash of every file in it."""

    holds: str
    format: int
    version: str
    made: float
    files: dict[str, str]


def make(data: Path, target: Path, at: float) -> Manifest:
    """Write a backup of `data` to `target`, whole or not at all; works while a game is played.

    It contains every secret of unfinished games. `at` is the machine's time; the backup is dated `not_before` it.
    """
    at = not_before(data, at)
    with TemporaryDirectory(dir=target.absolute().parent, prefix=f".{target.name}.") as room:
        files = dict(_files(data, Path(room)))
        hashes = {name: _hash(path.read_bytes()) for name, path in files.items()}
        manifest = Manifest(HOLDS, FORMAT, __version__, at, hashes)
        draft = Path(room) / "backup"
        with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(_MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))
            for name, path in files.items():
                archive.write(path, name)
        write_whole(target, draft.read_bytes(), mode=0o600)
    return manifest


def not_before(data: Path, at: float) -> float:
    """The machine's time, or that of the newest entry if the machine has no clock of its own and is behind: a phone may
    have told the companion the time, and of two backups the newer one must have the later date."""
    if not is_there(data / JOURNAL):
        return at
    with Journal.look(data / JOURNAL) as journal:
        return max([at, *(row.last for row in journal.games())])


def look(path: Path) -> Manifest:
    """What a backup says about itself; BackupUnusable if it is not one."""
    try:
        with zipfile.ZipFile(path) as archive:
            return _manifest(path, archive)
    except BackupUnusable:
        raise
    except _UNREADABLE as error:
        raise BackupUnusable(path, f"it cannot be read ({error})") from error


def restore(path: Path, data: Path) -> tuple[Manifest, Path]:
    """Replace what is in `data` with a backup. What was there is kept in the returned folder.

    Everything is read and checked first; JournalLocked if a companion is playing on `data`. If this is interrupted,
    either nothing has changed or `changeover.finish` completes it.
    """
    with TemporaryDirectory(dir=data, prefix=".restore-") as room:
        fresh = Path(room) / "new"
        fresh.mkdir(mode=0o700)
        manifest = _unpack(path, fresh)
        _check(path, fresh)
        with alone(data / JOURNAL):
            aside = next(name for n in range(1, 10_000) if not (data / (name := f"before-restore-{n}")).exists())
            names = (*(part.name for part in parts(Path(JOURNAL))), TAGS, SETTINGS, _PACKS)
            change_over(data, fresh, {name: f"{aside}/{name}" for name in names})
            (data / aside).mkdir(mode=0o700, exist_ok=True)
    return manifest, data / aside


def _files(data: Path, room: Path) -> Iterator[tuple[str, Path]]:
    """Every file of the owner by its name in the backup; for the journal, a self-contained copy."""
    if is_there(data / JOURNAL):
        with Journal.look(data / JOURNAL) as journal:
            journal.copy(room / JOURNAL)
        yield JOURNAL, room / JOURNAL
    for name in (TAGS, SETTINGS):
        if (data / name).is_file():
            yield name, data / name
    for path in sorted((data / _PACKS).rglob("*")):
        if path.is_file():
            yield path.relative_to(data).as_posix(), path


def _unpack(path: Path, room: Path) -> Manifest:
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = _manifest(path, archive)
            for name, expected in manifest.files.items():
                target = room / name
                if not target.resolve().is_relative_to(room.resolve()) or not _is_ours(name):
                    raise BackupUnusable(path, f"it holds {name!r}, which does not belong in a backup")
                content = archive.read(name)
                if _hash(content) != expected:
                    raise BackupUnusable(path, f"{name} is not as it was saved")
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
    except BackupUnusable:
        raise
    except _UNREADABLE as error:
        raise BackupUnusable(path, f"it cannot be read ({error})") from error
    for each in room.rglob("*"):
        each.chmod(0o700 if each.is_dir() else 0o600)
    return manifest


def _manifest(path: Path, archive: zipfile.ZipFile) -> Manifest:
    if sum(info.file_size for info in archive.infolist()) > _LARGEST:
        raise BackupUnusable(path, "it is far larger than any backup")
    manifest = msgspec.json.decode(archive.read(_MANIFEST), type=Manifest)
    if manifest.holds != HOLDS:
        raise BackupUnusable(path, f"it says that it holds {manifest.holds!r} instead of {HOLDS!r}")
    if manifest.format > FORMAT:
        raise BackupUnusable(path, f"a newer companion ({manifest.version}) made it; update this one first")
    return manifest


def _is_ours(name: str) -> bool:
    return name in (JOURNAL, TAGS, SETTINGS) or name.startswith(f"{_PACKS}/")


def _check(path: Path, room: Path) -> None:
    """Whether the companion could start with this: every part is opened by the code that will open it."""
    try:
        if (room / JOURNAL).exists():
            with Journal.look(room / JOURNAL) as journal:
                problems = [each for row in journal.games() for each in journal.verify(row.table)]
            if problems:
                raise BackupUnusable(path, f"its journal is damaged ({problems[0].found})")
        Tagbook.load(room / TAGS)
        load_settings(room)
    except BackupUnusable:
        raise
    except CompanionError as error:
        raise BackupUnusable(path, str(error)) from error
    for left in parts(room / JOURNAL)[1:]:
        left.unlink(missing_ok=True)


def _hash(content: bytes) -> str:
    return blake2b(content, digest_size=16).hexdigest()
