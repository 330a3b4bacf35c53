"""A restore, or a salvaged journal put in place, that is interrupted at any moment: all old, or all new."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import stat
import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.app import backup, changeover
from companion.journal import JOURNAL, Journal, alone, salvage

from .conftest import Companion, Evening

CHANGES = ("os.rename", "os.mkdir", "os.rmdir", "os.remove", "os.link", "os.truncate")
KILLED, FAILED = 9, 1


def killed_before(change: int, do: Callable[[], object]) -> bool:
    """Do it in another process that is killed before its n-th change to a folder; returns whether it got that far."""
    child = os.fork()
    if child == 0:
        left = iter(range(change))

        def watch(event: str, _facts: tuple[Any, ...]) -> None:
            if event in CHANGES and next(left, None) is None:
                os._exit(KILLED)

        status = FAILED
        try:
            sys.addaudithook(watch)
            do()
            status = 0
        finally:
            os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (0, KILLED)
    return status == KILLED


def contents(data: Path) -> tuple[object, ...]:
    """Every entry of every game, and the other files."""
    with Journal.look(data / JOURNAL) as journal:
        games = [(row, list(journal.entries(row.table))) for row in journal.games()]
    names = ("tags.toml", "settings.toml", "packs/actionworks/mine/pack.toml")
    return games, [(data / name).read_bytes() if (data / name).exists() else None for name in names]


def each_kill(data: Path, do: Callable[[], object], after: Callable[[], None]) -> Iterator[int]:
    """The data after `do` was killed before each of its changes and the next command has run."""
    whole = data.with_name("whole")
    shutil.copytree(data, whole)
    change = 0
    while killed_before(change, do):
        after()
        yield change
        shutil.rmtree(data)
        shutil.copytree(whole, data)
        change += 1


@pytest.fixture
def saved(companion: Companion, evening: Evening, data: Path, tmp_path: Path) -> tuple[Path, tuple[object, ...]]:
    """A backup of an evening, and its content; meanwhile another evening was played, and left a log behind."""
    evening(12)
    (data / "settings.toml").write_text('language = "fr"\n')
    (data / "packs/actionworks/mine").mkdir(parents=True)
    (data / "packs/actionworks/mine/pack.toml").write_text("# mine\n")
    file, before = tmp_path / "evening.backup", contents(data)
    assert companion("backup", file).exit_code == 0
    evening(7)
    (data / "settings.toml").write_text('language = "en"\n')
    (data / "tags.toml").write_text("")
    return file, before


@pytest.mark.slow
def test_killed_at_any_moment_a_restore_leaves_all_old_or_all_new(
    companion: Companion, data: Path, saved: tuple[Path, tuple[object, ...]]
) -> None:
    file, new = saved
    old = contents(data)
    outcomes = []
    for _ in each_kill(data, lambda: backup.restore(file, data), lambda: assert_works(companion)):
        found = contents(data)
        assert found in (old, new)
        outcomes.append(found == new)
    assert outcomes == sorted(outcomes), "one moment decides"
    assert {False, True} == set(outcomes)
    assert len(outcomes) > 10


def assert_works(companion: Companion) -> None:
    told = companion("journal", "check")
    assert (told.exit_code, told.stderr) == (0, "")


@pytest.mark.slow
def test_killed_at_any_moment_a_salvaged_journal_takes_the_place_or_does_not(
    companion: Companion, evening: Evening, data: Path
) -> None:
    evening(12)
    with closing(sqlite3.connect(data / JOURNAL, isolation_level=None)) as db:
        db.execute("UPDATE entries SET state = 'changed' WHERE seq = 7")
    damaged = (data / JOURNAL).read_bytes()

    def put_in_place() -> None:
        with alone(data / JOURNAL):
            salvage(data / JOURNAL, data / "new")
            changeover.put_aside(data / JOURNAL, data / "new")

    for _ in each_kill(data, put_in_place, lambda: None):
        told = companion("journal", "check")
        assert "There are no games" not in told.stdout + told.stderr
        if told.exit_code == 0:
            assert (data / f"{JOURNAL}.damaged-1").read_bytes() == damaged
        else:
            assert (data / JOURNAL).read_bytes() == damaged


def test_what_was_restored_is_its_owners_alone(
    companion: Companion, data: Path, saved: tuple[Path, tuple[object, ...]]
) -> None:
    assert companion("restore", saved[0]).exit_code == 0
    for path in (data / JOURNAL, data / "settings.toml", *(data / "packs").rglob("*"), data / "before-restore-1"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


def test_a_backup_is_its_owners_alone(saved: tuple[Path, tuple[object, ...]]) -> None:
    assert stat.S_IMODE(saved[0].stat().st_mode) == 0o600


def archive(path: Path, manifest: str, **others: bytes) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("manifest.json", manifest)
        for name, content in others.items():
            made.writestr(name, content)


def bad_stream(path: Path) -> None:
    archive(path, json.dumps({"holds": backup.HOLDS, "format": 1, "version": "1", "made": 0, "files": {"x": ""}}))
    content = bytearray(path.read_bytes())
    content[45:60] = b"\xff" * 15
    path.write_bytes(content)


def deep(path: Path) -> None:
    archive(path, '{"x":' + "[" * 100_000 + "]" * 100_000 + "}")


def with_password(path: Path) -> None:
    archive(path, "{}")
    content = bytearray(path.read_bytes())
    for at in (content.index(b"PK\3\4") + 6, content.index(b"PK\1\2") + 8):
        content[at] |= 1
    path.write_bytes(content)


def unknown_method(path: Path) -> None:
    archive(path, "{}")
    content = bytearray(path.read_bytes())
    for at in (content.index(b"PK\3\4") + 8, content.index(b"PK\1\2") + 10):
        content[at] = 99
    path.write_bytes(content)


@pytest.mark.parametrize("hostile", [bad_stream, deep, with_password, unknown_method])
def test_a_hostile_backup_is_refused_by_name(
    companion: Companion, evening: Evening, data: Path, tmp_path: Path, hostile: Callable[[Path], None]
) -> None:
    evening(5)
    before = contents(data)
    hostile(tmp_path / "b")
    told = companion("restore", tmp_path / "b")
    assert told.exit_code == 1
    assert "cannot be read" in told.stderr
    assert "Nothing was restored" in told.stderr
    assert contents(data) == before


@pytest.mark.parametrize("where", ["body", "cause", "whole line"])
def test_a_hostile_export_is_refused_by_name(
    companion: Companion, evening: Evening, data: Path, tmp_path: Path, where: str
) -> None:
    table = evening(5)
    file, nest = tmp_path / "game.jsonl", "[" * 100_000 + "]" * 100_000
    assert companion("export", table, file, "--with-secrets").exit_code == 0
    lines = file.read_text().splitlines()
    line = json.loads(lines[3])
    if where == "whole line":
        lines[3] = nest
    else:
        lines[3] = json.dumps({**line, where: "NEST"}).replace('"NEST"', '{"type":"did","x":' + nest + "}")
    file.write_text("\n".join(lines) + "\n")
    told = companion("import", file)
    assert told.exit_code == 1
    assert "line 4" in told.stderr
    assert "Nothing was imported" in told.stderr
