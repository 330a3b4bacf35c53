"""Backup, restore and forget: everything of the owner's as one file; and an evening that is really gone."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from companion.app import backup
from companion.core import Pressed, SeatId
from companion.journal import JOURNAL, Journal, NoSuchTable, Seated, TookBack
from companion.library import TAGS, Tagbook

from .conftest import Companion, Evening

AT = 1_760_000_000.0
FIXTURES = Path(__file__).parents[1] / "formats"


def contents(data: Path) -> dict[str, object]:
    """What the owner has: games entry by entry, and the other files byte by byte."""
    with Journal.look(data / JOURNAL) as journal:
        games: list[object] = [(row, list(journal.entries(row.table))) for row in journal.games()]
    names = ("tags.toml", "settings.toml", "packs/actionworks/mine/pack.toml")
    return {"games": games, **{name: (data / name).read_bytes() for name in names if (data / name).exists()}}


@pytest.fixture
def owned(data: Path, evening: Evening) -> dict[str, object]:
    evening(12)
    evening(5, ("Zoë", "Ben"))
    (data / "settings.toml").write_text('language = "fr"\n')
    (data / "tags.toml").write_text("")
    (data / "packs/actionworks/mine").mkdir(parents=True)
    (data / "packs/actionworks/mine/pack.toml").write_text('# mine\nname = "x"\n')
    return contents(data)


def test_what_was_saved_comes_back_and_what_was_here_is_kept(
    companion: Companion, evening: Evening, data: Path, owned: dict[str, object], tmp_path: Path
) -> None:
    file = tmp_path / "evening.backup"
    assert companion("backup", file).exit_code == 0
    evening(7)
    (data / "settings.toml").write_text('language = "en"\n')
    later = contents(data)
    told = companion("restore", file)
    assert told.exit_code == 0, told.stderr
    assert contents(data) == owned
    assert contents(data / "before-restore-1") == later


def test_a_backup_is_made_while_a_game_is_played(
    companion: Companion, data: Path, owned: dict[str, object], tmp_path: Path
) -> None:
    with Journal.open(data / JOURNAL):
        assert companion("backup", tmp_path / "b").exit_code == 0
        refused = companion("restore", tmp_path / "b")
        assert refused.exit_code == 1
        assert "another program has this journal open" in refused.stderr
    assert companion("restore", tmp_path / "b").exit_code == 0
    assert contents(data) == owned


def test_an_empty_box_is_saved_and_restored_too(companion: Companion, tmp_path: Path) -> None:
    assert companion("backup", tmp_path / "b").exit_code == 0
    assert companion("restore", tmp_path / "b").exit_code == 0


def test_a_file_there_is_not_written_over(companion: Companion, tmp_path: Path) -> None:
    (tmp_path / "b").write_text("mine")
    assert companion("backup", tmp_path / "b").exit_code == 1
    assert (tmp_path / "b").read_text() == "mine"


def changed(source: Path, target: Path, name: str, content: bytes | None, hashed: bool = False) -> Path:
    """A copy of a backup with one file changed (None: left out); `hashed` puts its new hash into the manifest."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        manifest = json.loads(old.read("manifest.json"))
        if hashed and content is not None:
            manifest["files"][name] = backup._hash(content)
        for info in old.infolist():
            if info.filename not in (name, "manifest.json"):
                new.writestr(info, old.read(info))
        if name == "manifest.json":
            new.writestr(name, content or b"")
        else:
            new.writestr("manifest.json", json.dumps(manifest))
            if content is not None:
                new.writestr(name, content)
    return target


@pytest.mark.parametrize(
    ("name", "content", "hashed", "says"),
    [
        ("tags.toml", b"rubbish = [", False, "not as it was saved"),
        ("tags.toml", b"rubbish = [", True, "tags.toml"),
        ("settings.toml", b"prot = 1", True, "prot"),
        ("games.journal", None, False, "cannot be read"),
        ("games.journal", b"no journal", True, "not a journal"),
        ("../escape", b"x", True, "does not belong in a backup"),
        ("unknown", b"x", True, "does not belong in a backup"),
        ("manifest.json", b'{"holds":"a cake","format":1,"version":"","made":0,"files":{}}', False, "a cake"),
        ("manifest.json", b'{"holds":"table companion backup","format":9,"version":"9","made":0,"files":{}}', False,
         "newer companion"),
    ],
)  # fmt: skip
def test_a_backup_that_was_changed_is_refused_whole(
    companion: Companion, data: Path, owned: dict[str, object], tmp_path: Path,
    name: str, content: bytes | None, hashed: bool, says: str,
) -> None:  # fmt: skip
    companion("backup", tmp_path / "b")
    told = companion("restore", changed(tmp_path / "b", tmp_path / "bad", name, content, hashed))
    assert told.exit_code == 1
    assert says in told.stderr
    assert "Nothing was restored" in told.stderr
    assert contents(data) == owned
    assert sorted(path.name for path in data.iterdir() if path.name.startswith((".restore", "before"))) == []


def test_a_cut_file_is_refused(companion: Companion, data: Path, owned: dict[str, object], tmp_path: Path) -> None:
    companion("backup", tmp_path / "b")
    (tmp_path / "b").write_bytes((tmp_path / "b").read_bytes()[:-100])
    assert companion("restore", tmp_path / "b").exit_code == 1
    assert contents(data) == owned


def test_in_mid_game_an_update_gets_no_backup(
    companion: Companion, evening: Evening, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The installer asks for one before it changes anything."""
    table = evening(12)  # its last entry is of 1_700_000_660
    monkeypatch.setattr("companion.app.cli.backup.time.time", lambda: 1_700_001_000.0)
    assert companion("backup", tmp_path / "untouched", "--unless-playing").exit_code == 0, "nobody did anything yet"
    with Journal.open(data / JOURNAL) as journal:
        last = list(journal.entries(table))[-1]
        journal.append(table, Seated(SeatId(0), "Ada", ""), Pressed("ok"), last.at, last.state)
    assert companion("backup", tmp_path / "seated", "--unless-playing").exit_code == 0, "who sat down did not play"
    with Journal.open(data / JOURNAL) as journal:
        journal.append(table, TookBack(last.seq, SeatId(0)), Pressed("ok"), last.at, last.state)
    refused = companion("backup", tmp_path / "b", "--unless-playing")
    assert refused.exit_code == 1
    assert f"Game {table}" in refused.stderr
    assert "is being played" in refused.stderr, "an update that is refused knows by these words why (systemd/switch.py)"
    assert not (tmp_path / "b").exists()
    monkeypatch.setattr("companion.app.cli.backup.time.time", lambda: 1_700_100_000.0)
    assert companion("backup", tmp_path / "b", "--unless-playing").exit_code == 0


def tables(data: Path) -> list[str]:
    with Journal.look(data / JOURNAL) as journal:
        return [row.table for row in journal.games()]


def bytes_in(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def test_a_forgotten_evening_leaves_no_byte_behind(companion: Companion, evening: Evening, data: Path) -> None:
    evening(40, ("Wilhelmina", "Ben"))
    kept = evening(12)
    (forgotten,) = set(tables(data)) - {kept}
    assert b"Wilhelmina" in bytes_in(data)
    told = companion("games", "forget", forgotten, "--yes")
    assert told.exit_code == 0, told.stderr
    assert b"Wilhelmina" not in bytes_in(data)
    assert companion("journal", "check").exit_code == 0
    with Journal.open(data / JOURNAL) as journal:
        assert [row.table for row in journal.games()] == [kept]
        with pytest.raises(NoSuchTable):
            journal.forget(forgotten)


def test_while_the_journal_is_open_nothing_is_left_in_its_log_either(evening: Evening, data: Path) -> None:
    evening(12)
    with Journal.open(data / JOURNAL) as journal:
        played = [row.table for row in journal.games()]
        journal.archive(played[0], True)
        journal.forget(played[0])
        assert b"Chlo" not in bytes_in(data)


def test_deleting_alone_would_leave_bytes(evening: Evening, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: without secure deletion and wiping, names can be found in the file."""
    evening(40, ("Wilhelmina", "Ben"))
    monkeypatch.setattr("companion.journal.store.wipe", lambda db: db.execute("PRAGMA secure_delete = OFF"))
    with Journal.open(data / JOURNAL) as journal:
        journal._db.execute("PRAGMA secure_delete = OFF")
        journal.forget(journal.games()[0].table)
        assert b"Wilhelmina" in bytes_in(data)


def test_forgetting_asks_first(companion: Companion, evening: Evening, data: Path) -> None:
    table = evening(5)
    assert companion("games", "forget", table, keys="n\n").exit_code == 1
    assert tables(data) == [table]


@pytest.mark.parametrize("file", sorted(FIXTURES.glob("*.backup")), ids=lambda path: path.stem)
def test_every_released_format_opens(companion: Companion, data: Path, file: Path) -> None:
    """Backups made by every version that changed a format; they are never regenerated."""
    told = companion("restore", file)
    assert told.exit_code == 0, told.stderr
    assert companion("journal", "check").exit_code == 0
    with Journal.open(data / JOURNAL) as journal:
        rows = journal.games()
        assert rows
        assert all(row.seq > 3 for row in rows)
    assert len(Tagbook.load(data / TAGS).all()) == 3
    listed = companion("games", "--archived")
    assert "damaged" not in listed.stdout
    assert "unreadable" not in listed.stdout


def test_there_are_formats_to_open() -> None:
    formats = {path.stem for path in FIXTURES.glob("*.backup")}
    assert formats >= {"journal-1"}
