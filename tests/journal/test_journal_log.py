"""The newest entries are in SQLite's log: if it was damaged, cut or thrown away, that is noticed before it is used."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import Raw

from companion.core import SeatId, Seq
from companion.journal import Did, Entry, Journal, JournalDamaged, JournalError, Opened, Saved, TookBack, salvage, wal
from tests.journal.disk import compiler
from tests.patience import PATIENCE

HEADER, FRAME = 32, 24 + 4096
ENTRIES = 20


class Card:
    """A card as it was when the box lost power: the journal, its log and its witness."""

    def __init__(self, folder: Path, table: str, truth: list[Entry]) -> None:
        self.path = folder / "games.journal"
        self.log = folder / "games.journal-wal"
        self.witness = folder / "games.journal.witness"
        self.table = table
        self.truth = truth

    def flip(self, at: int, bit: int = 3) -> None:
        content = bytearray(self.log.read_bytes())
        content[at] ^= 1 << bit
        self.log.write_bytes(content)

    def commits(self) -> list[int]:
        """The slots of the log that end a transaction."""
        return [n for n, frame in enumerate(wal.frames(self.log.read_bytes(), 4096)) if frame.commits]

    def read(self) -> list[Entry]:
        with Journal.open(self.path) as journal:
            return list(journal.entries(self.table))

    def bytes(self) -> dict[str, bytes]:
        """What holds entries; SQLite may leave an index and an empty log."""
        parts = (part for part in self.path.parent.iterdir() if not part.name.endswith((".lock", "-shm")))
        return {part.name: content for part in parts if (content := part.read_bytes())}

    def assert_damaged(self, match: str) -> None:
        """Both doors say so, and neither changes a byte."""
        before = self.bytes()
        for door in (Journal.open, Journal.look):
            with pytest.raises(JournalDamaged, match=match):
                door(self.path)
        assert self.bytes() == before


def act(n: int) -> Did:
    return Did(Raw(b'"' + b"act " * (30 + n * 37 % 700) + b'"'), ())


def copied(path: Path, folder: Path, table: str, truth: list[Entry]) -> Card:
    """A copy elsewhere of what is on the card now."""
    folder.mkdir()
    for ending in ("", "-wal", ".witness"):
        shutil.copy(path.with_name(path.name + ending), folder)
    return Card(folder, table, truth)


@pytest.fixture
def card(tmp_path: Path, opened: Opened) -> Card:
    path = tmp_path / "games.journal"
    with Journal.open(path) as journal:
        table = journal.create(opened, 1.0, "s")
        for n in range(ENTRIES - 1):
            journal.append(table, act(n), None, 2.0 + n, "s")
        return copied(path, tmp_path / "card", table, list(journal.entries(table)))


def test_a_card_that_lost_its_power_opens_with_all_that_was_shown(card: Card) -> None:
    assert card.read() == card.truth


def test_one_flipped_bit_in_the_log_is_named_and_nothing_is_touched(card: Card) -> None:
    middle = card.commits()[ENTRIES // 2]
    card.flip(HEADER + middle * FRAME + 24 + 900)
    card.assert_damaged(r"games\.journal-wal: frame \d+ is sound, but one before it is not.*salvage")


@pytest.mark.parametrize("at", [0, 5, 17, 30], ids=["magic", "version", "salt", "sum"])
def test_a_flipped_bit_in_the_beginning_of_the_log_is_named(card: Card, at: int) -> None:
    card.flip(at)
    card.assert_damaged("its beginning is not as it was written")


def test_salvage_brings_back_what_stands_behind_the_flipped_bit(card: Card) -> None:
    commits = card.commits()
    for slot in range(commits[ENTRIES // 2 - 1] + 1, commits[ENTRIES // 2] + 1):
        card.flip(HEADER + slot * FRAME + 24 + 4090)  # cells are at the end of a page
    card.assert_damaged("sound")
    (saved,) = salvage(card.path, card.path.with_name("new"))
    assert saved == Saved(card.table, ENTRIES, (), ()), "a later frame tells of the entry, too"
    with Journal.look(card.path.with_name("new")) as journal:
        assert list(journal.entries(card.table)) == card.truth


def test_a_flipped_bit_in_the_last_entry_is_told_by_the_witness(card: Card) -> None:
    card.flip(HEADER + card.commits()[-1] * FRAME + 24 + 4000)
    card.assert_damaged(f"entry {ENTRIES} of table {card.table} was recorded and is not there any more")
    (saved,) = salvage(card.path, card.path.with_name("new"))
    assert (saved.kept, *saved.lost, *saved.unusable) == (ENTRIES - 1, ENTRIES)


@pytest.mark.parametrize("left", [0, 20, HEADER, HEADER + 5 * FRAME, HEADER + 12 * FRAME + 1000])
def test_a_log_that_was_cut_is_told_by_the_witness(card: Card, left: int) -> None:
    card.log.write_bytes(card.log.read_bytes()[:left])
    card.assert_damaged(f"entry {ENTRIES} of table {card.table} was recorded and is not there")


def test_a_log_that_was_thrown_away_is_told_by_the_witness(card: Card) -> None:
    card.log.unlink()
    card.assert_damaged(r"was recorded and is not there|no such table|application id")


def test_a_torn_last_entry_is_no_damage_where_no_witness_tells_of_it(card: Card) -> None:
    """What a power cut leaves: the witness, written after the sync, can't name an entry that wasn't synced."""
    card.witness.unlink()
    torn = bytearray(card.log.read_bytes())
    torn[HEADER + card.commits()[-1] * FRAME + 2048 :] = bytes(len(torn) - HEADER - card.commits()[-1] * FRAME - 2048)
    card.log.write_bytes(torn)
    assert card.read() == card.truth[:-1]


def test_frames_of_a_transaction_that_failed_are_no_damage(card: Card) -> None:
    """It failed, and another one overwrote its beginning: nothing continues from the commit that is left of it."""
    card.witness.unlink()
    log, commits = card.log.read_bytes(), card.commits()
    opening = HEADER + (commits[1] + 1) * FRAME
    written_over = log[:opening] + log[-FRAME:] + log[opening + FRAME :]
    one, two = (HEADER + (commits[n] + 1) * FRAME for n in (5, 6))
    assert wal.damage(written_over[:two]) is not None, "two commits, the second after the first: they were synced"
    card.log.write_bytes(written_over[:opening] + written_over[opening:][:FRAME] + log[one - FRAME : one])
    assert card.read() == card.truth[:1]


@pytest.mark.parametrize("content", [b"", b"\n", b"zz 9", b"\xff\xfe", b"q1w2 99 0f 1234\n", b"p" * 600])
def test_a_damaged_witness_tells_nothing(card: Card, content: bytes) -> None:
    card.witness.write_bytes(content)
    assert card.read() == card.truth


def test_an_older_witness_is_no_trouble(card: Card) -> None:
    """After a power cut it may name an entry before the last, because it isn't synced."""
    older = card.witness.read_bytes()
    with Journal.open(card.path) as journal:
        for n in range(3):
            journal.append(card.table, act(n), None, 99.0, "s")
    card.witness.write_bytes(older)
    assert len(card.read()) == ENTRIES + 3


def test_after_another_course_of_the_game_the_witness_objects(card: Card) -> None:
    """An older copy of the file was put back and played on: the entry that was shown isn't the one that is there."""
    told = card.witness.read_bytes()
    card.witness.unlink()
    card.log.write_bytes(card.log.read_bytes()[: HEADER + (card.commits()[5] + 1) * FRAME])
    with Journal.open(card.path) as journal:
        (row,) = journal.games()
        for n in range(row.seq, ENTRIES):
            journal.append(card.table, TookBack(Seq(1), SeatId(0)), None, 500.0 + n, "s")
    card.witness.write_bytes(told)
    card.assert_damaged("was recorded and is not there any more")


def test_a_game_that_was_forgotten_is_not_missed(card: Card) -> None:
    with Journal.open(card.path) as journal:
        journal.forget(card.table)
    with Journal.open(card.path) as journal:
        assert journal.games() == ()


def test_an_imported_game_has_a_witness_too(card: Card, tmp_path: Path) -> None:
    with Journal.open(card.path) as journal:
        journal.export(card.table, tmp_path / "game.jsonl")
    other = Card(tmp_path / "other", card.table, card.truth)
    with Journal.open(other.path) as journal:
        journal.tidy()
        before = other.path.read_bytes()
        journal.import_(tmp_path / "game.jsonl")
    other.path.write_bytes(before)
    with pytest.raises(JournalDamaged, match=f"entry {ENTRIES} of table {card.table}"):
        Journal.open(other.path)


def test_what_is_damaged_in_the_file_is_not_mixed_with_its_log(card: Card, tmp_path: Path) -> None:
    """If it were allowed to write, SQLite would merge the log into the damaged file and remove it."""
    with Journal.open(card.path) as journal:
        journal.append(card.table, act(1), None, 99.0, "s")
        other = copied(card.path, tmp_path / "other", card.table, card.truth)
    content = other.path.read_bytes()
    other.path.write_bytes(content[:4096] + bytes(4 * 4096) + content[5 * 4096 :])
    before = other.bytes()
    assert before[other.log.name]
    with pytest.raises(JournalError):
        other.read()
    assert other.bytes() == before


def test_tidied_up_everything_stands_in_the_file_alone(card: Card) -> None:
    with Journal.open(card.path) as journal:
        journal.append(card.table, act(1), None, 99.0, "s")
        before = journal.is_tidy
        assert (before, journal.tidy(), journal.is_tidy) == (False, True, True)
        alone = card.path.with_name("alone.journal")
        alone.write_bytes(card.path.read_bytes())
    with Journal.open(alone) as journal:
        assert len(list(journal.entries(card.table))) == ENTRIES + 1


def test_a_journal_that_was_moved_away_is_not_tidied_into_nothing(card: Card) -> None:
    with Journal.open(card.path) as journal:
        journal.append(card.table, act(1), None, 99.0, "s")
        in_log = card.log.read_bytes()
        card.path.unlink()
        assert not journal.tidy()
        assert card.log.read_bytes() == in_log


SYNCS = """
from pathlib import Path; from msgspec import Raw; import sys, tempfile
from companion.core.ids import GameId, SeatId, Seq
from companion.journal import Journal, Opened, TookBack
from tests.journal.disk import Disk, start_on_disk
start_on_disk()
def syncs(do):
    with disk.noting() as calls:
        do()
    return sum(call.kind == "S" for call in calls)
with tempfile.TemporaryDirectory() as folder:
    disk = Disk(Path(folder))
    with Journal.open(Path(folder) / "games.journal") as journal:
        table = journal.create(Opened(GameId("g"), 1, Raw(b"{}"), (), "strict"), 0.0, "s")
        told = []
        for n in range(20):
            told.append(syncs(lambda: journal.append(table, TookBack(Seq(1), SeatId(0)), None, 1.0, "s")))
            if n % 4 == 3 and "tidies" in sys.argv:
                journal.tidy()
            elif n % 4 == 3:
                journal._db.execute("PRAGMA wal_checkpoint(RESTART)")
        print(*told)
"""


@pytest.mark.slow
@pytest.mark.skipif(compiler() is None, reason="needs a C compiler")
@pytest.mark.parametrize(("way", "most"), [("tidies", 1), ("only moves", 2)])
def test_an_entry_costs_one_sync_also_after_tidying_up(
    tmp_path: Path, environment: Callable[..., dict[str, str]], way: str, most: int
) -> None:
    """The control moves entries into the file without starting a new log: the next entry pays for that."""
    script = tmp_path / "syncs.py"
    script.write_text(SYNCS)
    told = subprocess.run(
        [sys.executable, script, way], env=environment(), capture_output=True, text=True, timeout=PATIENCE, check=True
    ).stdout.split()
    assert max(map(int, told)) == most
