"""A card that loses pages: the loss is noticed when the journal is opened, and what is sound can be saved."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec import Raw

from companion.app.changeover import put_aside
from companion.core import Act, Asked, SeatId, Seq
from companion.journal import Did, Entry, Journal, JournalError, JournalLocked, Opened, Saved, alone, salvage
from companion.journal.leaves import read_pages
from companion.journal.store import Row

Play = Callable[[Journal], tuple[str, tuple[Entry, ...]]]
PAGE = 4096


def record(path: Path, opened: Opened, entries: int) -> str:
    """A long evening: bodies of every length, some longer than a page, commands from phones, kept states."""
    dice = random.Random(1)
    with Journal.open(path, _synchronous="OFF") as journal:
        table = journal.create(opened, 1.0, "s")
        for n in range(entries - 1):
            size = dice.choice((40, 120, 200, 400, 9000 if n % 50 == 0 else 90))
            body = Did(Raw(b'"' + dice.randbytes(size // 2).hex().encode() + b'"'), ())
            cause = Asked(f"phone-{n}", SeatId(0), n, Act(Raw(b"{}"))) if n % 3 else None
            entry = journal.append(table, body, cause, 2.0 + n, f"state {n}")
            if entry.seq % 200 == 0:
                journal.keep(table, entry.seq, b"kept " * 3000)
    return table


def without_page(whole: bytes, page: int) -> bytes:
    return whole[: page * PAGE] + bytes(PAGE) + whole[(page + 1) * PAGE :]


def read(path: Path) -> list[Entry]:
    """What the companion reads when it starts; raises a named error if the file isn't as it was written."""
    with Journal.open(path) as journal:
        return [entry for row in journal.games() for entry in journal.entries(row.table)]


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory, opened: Opened) -> Path:
    path = tmp_path_factory.mktemp("evening") / "games.journal"
    record(path, opened, 600)
    return path


def losses(evening: Path, room: Path, step: int) -> Iterator[Path]:
    """The journal with one page lost, for every `step`-th page."""
    whole = evening.read_bytes()
    for page in range(0, len(whole) // PAGE, step):
        path = room / "games.journal"
        for old in room.iterdir():
            old.unlink()
        path.write_bytes(without_page(whole, page))
        yield path


def test_a_lost_page_is_noticed_at_start_and_the_rest_is_saved(evening: Path, tmp_path: Path) -> None:
    truth = read(evening)
    noticed = harmless = 0
    for path in losses(evening, tmp_path, 5):
        try:
            assert read(path) == truth, "a lost page changed what is read, and nobody noticed"
            harmless += 1
        except JournalError:
            noticed += 1
        saved = salvage(path, path.with_name("new"))
        assert_sound(path.with_name("new"), truth, saved)
    assert noticed > 10 * harmless


def assert_sound(path: Path, truth: list[Entry], saved: tuple[Saved, ...]) -> None:
    """What was saved is the beginning of the truth, and the report says how much of it."""
    found = read(path)
    assert found == truth[: len(found)]
    assert sum(game.kept for game in saved) == len(found)
    for game in saved:
        told = {*range(1, game.kept + 1), *game.lost, *game.unusable}
        assert told == set(range(1, max(told) + 1)), "the report leaves nothing out"
    with Journal.open(path) as journal:
        assert [problem for row in journal.games() for problem in journal.verify(row.table)] == []


def test_an_entry_whose_number_was_hit_is_not_one_of_a_billion(evening: Path, tmp_path: Path) -> None:
    """One high bit of its number: listing everything missing before it would take more memory than there is."""
    path = Path(shutil.copy(evening, tmp_path))
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE entries SET id = id + (1 << 30) WHERE id = (1 << 32) + 300")
    (saved,) = salvage(path, tmp_path / "new")
    assert (saved.kept, saved.lost, saved.unusable[0]) == (299, (300,), 301)
    assert len(saved.unusable) == 300


def test_a_build_without_the_chain_would_take_wrong_entries_over(
    evening: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: entries that somebody changed are saved as if they were true."""
    path = Path(shutil.copy(evening, tmp_path))
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE entries SET state = 'forged' WHERE seq = 300")
    (sound,) = salvage(path, tmp_path / "sound")
    assert (sound.kept, sound.lost, sound.unusable[0]) == (299, (), 300)
    monkeypatch.setattr(Row, "follows", lambda row, chain: True)
    (forged,) = salvage(path, tmp_path / "forged")
    assert forged.kept == 600


def test_what_is_only_in_the_log_is_saved_too(tmp_path: Path, play: Play) -> None:
    path = tmp_path / "games.journal"
    with Journal.open(path) as journal:
        table, told = play(journal)
        copy = tmp_path / "card" / "games.journal"
        copy.parent.mkdir()
        for ending in ("", "-wal"):
            shutil.copy(path.with_name(path.name + ending), copy.with_name(copy.name + ending))
    log = copy.with_name("games.journal-wal")
    assert log.stat().st_size > 0
    (saved,) = salvage(copy, tmp_path / "new")
    assert saved == Saved(table, 1 + len(told), (), ())
    log.write_bytes(log.read_bytes()[:-5000])
    (cut,) = salvage(copy, tmp_path / "cut")
    assert 0 < cut.kept < saved.kept


def test_several_games_keep_their_ids_and_what_was_put_away_stays_away(
    tmp_path: Path, play: Play, opened: Opened
) -> None:
    path = tmp_path / "games.journal"
    with Journal.open(path) as journal:
        first, _ = play(journal)
        second = journal.create(opened, 5.0, "s")
        journal.archive(first, True)
    salvage(path, tmp_path / "new")
    with Journal.open(tmp_path / "new") as journal:
        assert [(row.table, row.archived) for row in journal.games()] == [(first, True), (second, False)]
        assert journal.command(first, "phone-1") is not None


def test_the_first_page_gone_still_leaves_the_entries(evening: Path, tmp_path: Path) -> None:
    path = tmp_path / "games.journal"
    path.write_bytes(without_page(evening.read_bytes(), 0))
    (saved,) = salvage(path, tmp_path / "new")
    assert saved.kept == 600
    assert read(tmp_path / "new") == read(evening)


@pytest.mark.parametrize("content", [b"", b"\0" * 20_000, random.Random(3).randbytes(60_000)])
def test_rubbish_gives_an_empty_journal_and_no_invention(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "games.journal"
    path.write_bytes(content)
    assert salvage(path, tmp_path / "new") == ()
    assert read(tmp_path / "new") == []


def test_broken_cells_are_passed_over(evening: Path, tmp_path: Path) -> None:
    """Noise inside pages: nothing untrue is saved, whatever the noise says."""
    truth, whole = read(evening), evening.read_bytes()
    dice = random.Random(5)
    for n in range(25):
        noisy = bytearray(whole)
        for _ in range(40):
            noisy[dice.randrange(PAGE, len(noisy))] = dice.randrange(256)
        path = tmp_path / f"{n}.journal"
        path.write_bytes(noisy)
        assert_sound(path.with_name(f"{n}.new"), truth, salvage(path, path.with_name(f"{n}.new")))


def test_the_damaged_file_is_kept_aside(evening: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(evening, tmp_path))
    for n in (1, 2):
        before = path.read_bytes()
        salvage(path, tmp_path / "new")
        aside = put_aside(path, tmp_path / "new")
        assert aside.name == f"games.journal.damaged-{n}"
        assert aside.read_bytes() == before
    assert len(read(path)) == 600


def test_a_journal_that_is_being_played_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.journal"
    with Journal.open(path), pytest.raises(JournalLocked), alone(path):
        pass
    with alone(path), pytest.raises(JournalLocked):
        Journal.open(path)


def test_an_existing_file_is_not_written_over(evening: Path, tmp_path: Path) -> None:
    (tmp_path / "new").write_text("mine")
    with pytest.raises(JournalError, match="there already"):
        salvage(evening, tmp_path / "new")
    assert (tmp_path / "new").read_text() == "mine"


def test_pages_are_read_as_sqlite_reads_them(evening: Path) -> None:
    pages = read_pages(evening.read_bytes(), b"", PAGE)
    assert b"".join(page for n in sorted(pages) for page in pages[n]) == evening.read_bytes()
    assert Seq(1) == read(evening)[0].seq
