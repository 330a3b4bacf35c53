"""A full, read-only, locked, newer or failing disk is named; nothing is lost, forged or done twice."""

from __future__ import annotations

import errno
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest
from msgspec import Raw

from companion.core import Act, Asked, CompanionError, Name, SeatId, Seq, say
from companion.journal import (
    Did,
    Entry,
    Journal,
    JournalDamaged,
    JournalError,
    JournalFailed,
    JournalFull,
    JournalGone,
    JournalLocked,
    JournalNewer,
    JournalReadOnly,
    NoSuchTable,
    NotAJournal,
    Opened,
    TookBack,
)
from tests.patience import PATIENCE

Play = Callable[[Journal], tuple[str, tuple[Entry, ...]]]
Run = Callable[..., "subprocess.CompletedProcess[str]"]

BIG = Did(Raw(b'"' + b"x" * 3000 + b'"'), ())
SMALL = TookBack(Seq(1), SeatId(0))

is_root = os.geteuid() == 0


def fill(journal: Journal, table: str) -> tuple[JournalError, int]:
    """Append until the journal says no; returns the error and the number of the last entry reported."""
    told = 1
    for n in range(5000):
        try:
            told = journal.append(table, BIG, None, n, "s").seq
        except JournalError as error:
            return error, told
    raise AssertionError("this disk is never full")


def assert_goes_on(journal: Journal, table: str, told: int) -> None:
    """Exactly what was reported is there, and the next entry has the next number."""
    assert [entry.seq for entry in journal.entries(table)] == list(range(1, told + 1))
    assert journal.append(table, SMALL, None, 9000.0, "s").seq == told + 1
    assert journal.verify(table) == ()


def limited(pages: list[int], *args: object, **options: object) -> sqlite3.Connection:
    db = sqlite3.connect(*args, **options)  # type: ignore[call-overload]
    db.execute(f"PRAGMA max_page_count = {pages[0]}")
    return db  # type: ignore[no-any-return]


def test_a_file_that_may_not_grow_is_full_and_goes_on_when_there_is_room(tmp_path: Path, opened: Opened) -> None:
    path = tmp_path / "journal.db"
    pages = [40]
    with Journal.open(path, _connect=partial(limited, pages)) as journal:
        table = journal.create(opened, 0, "s")
        error, told = fill(journal, table)
        assert isinstance(error, JournalFull)
        for _ in range(3):
            with pytest.raises(JournalFull, match="Free some space"):
                journal.append(table, BIG, None, 0, "s")
        with pytest.raises(JournalFull):
            journal.create(Opened(opened.game, 1, Raw(b'"' + b"x" * 9000 + b'"'), ("Ada",), "strict"), 1, "s")
        assert len(journal.games()) == 1
        assert not journal.keep(table, Seq(1), b"x" * 9000), "no room for a kept state is no trouble"
        journal._db.execute("PRAGMA max_page_count = 100000")
        assert_goes_on(journal, table, told)


def use_up(ballast: Path) -> None:
    """Write until the disk has no room for another byte."""
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"x" * 4096)


@contextmanager
def small_disk(at: Path, size: str) -> Iterator[Path]:
    at.mkdir()
    mounted = is_root and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", at], capture_output=True, check=False
    )
    if not mounted or mounted.returncode:
        pytest.skip("mounting a small disk needs root")
    try:
        yield at
    finally:
        subprocess.run(["umount", at], check=True)


def test_a_full_disk_pauses_and_goes_on_when_there_is_room(tmp_path: Path, opened: Opened) -> None:
    with small_disk(tmp_path / "card", "1m") as card:
        ballast = card / "photos.zip"
        ballast.write_bytes(b"x" * 500_000)
        with Journal.open(card / "journal.db") as journal:
            table = journal.create(opened, 0, "s")
            error, told = fill(journal, table)
            assert isinstance(error, JournalFull)
            assert told > 10
            with pytest.raises(JournalFull):
                journal.append(table, BIG, None, 0, "s")
            ballast.unlink()
            assert_goes_on(journal, table, told)


def test_a_journal_on_a_full_disk_opens_again_when_there_is_room(tmp_path: Path, opened: Opened) -> None:
    with small_disk(tmp_path / "card", "1m") as card:
        with Journal.open(card / "journal.db") as journal:
            table = journal.create(opened, 0, "s")
            told = journal.append(table, BIG, None, 0, "s").seq
        ballast = card / "photos.zip"
        use_up(ballast)
        with pytest.raises(JournalFull):
            Journal.open(card / "journal.db")
        with pytest.raises(JournalFull):
            Journal.open(card / "new.db")
        ballast.unlink()
        with Journal.open(card / "journal.db") as journal:
            assert_goes_on(journal, table, told)
        Journal.open(card / "new.db").close()


def test_a_read_only_disk_is_named_and_can_still_be_read(tmp_path: Path, play: Play) -> None:
    with small_disk(tmp_path / "card", "1m") as card:
        with Journal.open(card / "journal.db") as journal:
            table, told = play(journal)
        subprocess.run(["mount", "-o", "remount,ro", card], check=True)
        with pytest.raises(JournalReadOnly, match="new one"):
            Journal.open(card / "journal.db")
        with Journal.look(card / "journal.db") as look:
            assert tuple(look.entries(table, Seq(1))) == told
            with pytest.raises(JournalReadOnly):
                look.append(table, SMALL, None, 0, "s")
            look.export(table, tmp_path / "rescued.jsonl")


OPEN = """
import os, sys; from pathlib import Path; from companion.journal import Journal, JournalError
if "as nobody" in sys.argv and os.geteuid() == 0:
    os.setuid(65534)  # file permissions do not bind root
try:
    Journal.open(Path(sys.argv[1])).close()
    print("opened")
except JournalError as error:
    print(type(error).__name__)
"""


@pytest.fixture
def folder_of_another() -> Iterator[Path]:
    """A folder in which file permissions apply to the other process's user (who can't enter pytest's own folders)."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        folder.chmod(0o755)


@pytest.mark.parametrize("locked_up", ["folder", "file", "log"])
def test_without_permission_to_write(folder_of_another: Path, play: Play, elsewhere: Run, locked_up: str) -> None:
    path = folder_of_another / "journal.db"
    with Journal.open(path) as journal:
        table, told = play(journal)
    before = path.read_bytes()
    path.chmod(0o666 if locked_up == "log" else 0o444)
    path.with_name("journal.db.lock").chmod(0o666)
    if locked_up == "log":
        path.with_name("journal.db-wal").touch(0o400)
    folder_of_another.chmod(0o555 if locked_up == "folder" else 0o777)
    assert elsewhere(OPEN, path, "as nobody").stdout == "JournalReadOnly\n"
    assert path.read_bytes() == before
    folder_of_another.chmod(0o755)
    path.chmod(0o600)
    with Journal.open(path) as journal:
        assert tuple(journal.entries(table, Seq(1))) == told


def test_a_folder_where_nothing_may_be_made(folder_of_another: Path, elsewhere: Run) -> None:
    folder_of_another.chmod(0o555)
    for path in (folder_of_another / "journal.db", folder_of_another / "deeper" / "journal.db"):
        assert elsewhere(OPEN, path, "as nobody").stdout == "JournalReadOnly\n"


def test_another_program_has_it_open(tmp_path: Path, elsewhere: Run, play: Play) -> None:
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        assert elsewhere(OPEN, path).stdout == "JournalLocked\n"
        play(journal)
        with pytest.raises(JournalLocked, match=rf"process {os.getpid()} .*Stop that program"):
            Journal.open(path)
        assert elsewhere(OPEN, path).stdout == "JournalLocked\n", "a failed attempt does not free the lock"
    assert elsewhere(OPEN, path).stdout == "opened\n"


def test_a_browser_that_holds_the_database_is_waited_for_shortly(journal: Journal, play: Play) -> None:
    table, told = play(journal)
    browser = sqlite3.connect(journal.path, isolation_level=None)
    browser.execute("BEGIN IMMEDIATE")
    with pytest.raises(JournalLocked):
        journal.append(table, SMALL, None, 0, "s")
    browser.close()
    assert_goes_on(journal, table, told[-1].seq)


BROWSE = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1]); db.execute("SELECT count(*) FROM entries").fetchone(); db.close()
"""


@pytest.mark.parametrize("peeks", ["through SQLite", "by hand"])
def test_a_look_in_the_same_program_does_not_free_the_writers_locks(
    journal: Journal, play: Play, elsewhere: Run, peeks: str
) -> None:
    """The last reader to leave clears the log away, so the writer must not be overlooked. A manual peek is the
    control.
    """
    play(journal)
    if peeks == "by hand":
        journal.path.read_bytes()
    else:
        Journal.look(journal.path).close()
    elsewhere(BROWSE, journal.path)
    assert journal.path.with_name("journal.db-wal").exists() == (peeks == "through SQLite")


def test_a_newer_format_is_left_alone(tmp_path: Path, play: Play) -> None:
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        play(journal)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA user_version = 2")
    db.execute("ALTER TABLE tables ADD COLUMN novelty TEXT")
    db.close()
    before = path.read_bytes()
    for door in (Journal.open, Journal.look):
        with pytest.raises(JournalNewer, match=r"format is 2.*up to 1.*Update the companion"):
            door(path)
    assert path.read_bytes() == before


def test_a_write_that_fails_is_named_and_may_be_tried_again(journal: Journal, play: Play) -> None:
    """Real write errors: the system refuses to let this process's files grow."""
    table, told = play(journal)
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = journal.path.with_name("journal.db-wal").stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, old[1]))
    try:
        for _ in range(3):
            with pytest.raises(JournalFailed, match="Check card, cable and power"):
                journal.append(table, BIG, None, 0, "s")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
    assert_goes_on(journal, table, told[-1].seq)


FAILING_SYNC = r"""
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/syscall.h>
static int failing(void) { return access(getenv("SYNC_FAILS"), F_OK) == 0; }
int fsync(int fd) { if (failing()) { errno = EIO; return -1; } return syscall(SYS_fsync, fd); }
int fdatasync(int fd) { if (failing()) { errno = EIO; return -1; } return syscall(SYS_fdatasync, fd); }
"""
PLAY_ON = """
import os, sys; from pathlib import Path; from msgspec import Raw
from companion.core.ids import GameId, SeatId, Seq
from companion.journal import Journal, JournalError, Opened, TookBack
switch = Path(os.environ["SYNC_FAILS"])
def append():
    try:
        print(journal.append(table, TookBack(Seq(1), SeatId(0)), None, 1.0, "s").seq)
    except JournalError as error:
        print(type(error).__name__)
with Journal.open(Path(sys.argv[1])) as journal:
    table = journal.create(Opened(GameId("g"), 1, Raw(b"{}"), (), "strict"), 0.0, "s")
    append()
    switch.touch(); append(); append(); switch.unlink()
    append(); append()
    print([entry.seq for entry in journal.entries(table)], journal.verify(table))
"""


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_a_sync_that_fails_is_never_told_as_done(tmp_path: Path, environment: Callable[..., dict[str, str]]) -> None:
    """Real fsync errors, from a library in front of the system's own."""
    source, library = tmp_path / "sync.c", tmp_path / "sync.so"
    source.write_text(FAILING_SYNC)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    surroundings = environment(LD_PRELOAD=str(library), SYNC_FAILS=str(tmp_path / "switch"))
    done = subprocess.run(
        [sys.executable, "-c", PLAY_ON, tmp_path / "journal.db"],
        env=surroundings, capture_output=True, text=True, timeout=PATIENCE, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines() == ["2", "JournalFailed", "JournalFailed", "3", "4", "[1, 2, 3, 4] ()"]
    with Journal.open(tmp_path / "journal.db") as journal:
        assert journal.games()[0].seq == 4


class PretendDisk(sqlite3.Connection):
    """A disk that can misbehave: `lies` writes and then reports failure, `deaf` fails to read, `stuck` to sync."""

    faults: frozenset[str] = frozenset()

    def execute(self, sql: str, *args: object) -> sqlite3.Cursor:
        if ("deaf" in self.faults and sql.startswith("SELECT")) or ("stuck" in self.faults and "checkpoint" in sql):
            raise self.failure(sqlite3.SQLITE_IOERR_READ)
        cursor = super().execute(sql, *args)  # type: ignore[arg-type]
        if "lies" in self.faults and sql.startswith("INSERT"):
            raise self.failure(sqlite3.SQLITE_IOERR_FSYNC)
        return cursor

    @staticmethod
    def failure(code: int) -> sqlite3.OperationalError:
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = code
        return error


class Doubtful:
    """A journal on a pretend disk, a table with two entries, and the wish that will fail."""

    def __init__(self, path: Path, opened: Opened) -> None:
        self.disks: list[PretendDisk] = []
        self.journal = Journal.open(path, _connect=self.connect)
        self.table = self.journal.create(opened, 0, "s")
        self.journal.append(self.table, SMALL, None, 1, "s")
        self.cause = Asked("phone-7", SeatId(0), 1, Act(Raw(b"{}")))

    def connect(self, *args: object, **options: object) -> sqlite3.Connection:
        self.disks.append(sqlite3.connect(*args, factory=PretendDisk, **options))  # type: ignore[call-overload]
        return self.disks[-1]

    def fail(self, *faults: str) -> None:
        self.disks[-1].faults = frozenset(faults)

    def wish(self, at: float) -> Entry:
        return self.journal.append(self.table, BIG, self.cause, at, "after")


@pytest.fixture
def doubtful(tmp_path: Path, opened: Opened) -> Iterator[Doubtful]:
    doubtful = Doubtful(tmp_path / "journal.db", opened)
    yield doubtful
    doubtful.fail()
    doubtful.journal.close()


def test_an_entry_that_reached_the_disk_after_all_counts(doubtful: Doubtful) -> None:
    doubtful.fail("lies")
    entry = doubtful.wish(2.0)
    doubtful.fail()
    assert entry.seq == 3
    assert doubtful.journal.command(doubtful.table, "phone-7") == entry
    assert_goes_on(doubtful.journal, doubtful.table, 3)


@pytest.mark.parametrize("fault", ["deaf", "stuck"])
def test_an_entry_in_doubt_is_not_added_twice(doubtful: Doubtful, fault: str) -> None:
    doubtful.fail("lies", fault)
    for _ in range(2):
        with pytest.raises(JournalFailed):
            doubtful.wish(2.0)
    doubtful.fail()
    entry = doubtful.wish(5.0)
    assert (entry.seq, entry.at, entry.body, entry.cause) == (3, 2.0, BIG, doubtful.cause)
    assert_goes_on(doubtful.journal, doubtful.table, 3)


def test_another_wish_does_not_pass_an_entry_in_doubt(doubtful: Doubtful) -> None:
    doubtful.fail("lies", "deaf")
    with pytest.raises(JournalFailed):
        doubtful.wish(2.0)
    doubtful.fail()
    with pytest.raises(JournalFailed, match=r"entry 3 .*never shown.*read it first"):
        doubtful.journal.append(doubtful.table, SMALL, None, 3, "s")
    doubtful.journal.settle(doubtful.table)
    assert [entry.body for entry in doubtful.journal.entries(doubtful.table, Seq(2))] == [BIG]
    assert_goes_on(doubtful.journal, doubtful.table, 3)


def test_an_entry_in_doubt_that_is_not_there_is_added(doubtful: Doubtful) -> None:
    doubtful.journal._db.execute("PRAGMA query_only = ON")
    doubtful.fail("deaf")
    with pytest.raises(JournalReadOnly):
        doubtful.wish(2.0)
    doubtful.fail()
    doubtful.journal._db.execute("PRAGMA query_only = OFF")
    entry = doubtful.wish(5.0)
    assert (entry.seq, entry.at) == (3, 5.0)
    assert_goes_on(doubtful.journal, doubtful.table, 3)


def test_a_sync_on_a_card_that_turns_read_only_is_not_believed(
    journal: Journal, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Linux reports success although nothing was written; writing the witness afterwards reveals it."""
    table, told = play(journal)

    def turned(*_: object) -> int:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    with monkeypatch.context() as worn:
        worn.setattr("companion.journal.witness.os.pwrite", turned)
        for _ in range(2):
            with pytest.raises(JournalReadOnly, match=f"while entry {told[-1].seq + 1} was written"):
                journal.append(table, SMALL, None, 7.0, "s")
    entry = journal.append(table, SMALL, None, 9.0, "s")
    assert (entry.seq, entry.at) == (told[-1].seq + 1, 7.0), "in doubt until then, and not added twice"
    assert_goes_on(journal, table, entry.seq)


def test_a_file_moved_away_is_noticed_at_once(journal: Journal, play: Play, tmp_path: Path) -> None:
    table, told = play(journal)
    journal.path.rename(tmp_path / "tidied away.db")
    with pytest.raises(JournalGone, match="moved away, deleted or replaced") as raised:
        journal.append(table, SMALL, None, 0, "s")
    assert raised.value.said == say("trouble.journal-gone", file=Name("journal.db")), "not that all is recorded"
    (tmp_path / "tidied away.db").rename(journal.path)
    assert_goes_on(journal, table, told[-1].seq)


def test_a_log_tidied_away_is_noticed_and_closing_saves_it(tmp_path: Path, play: Play) -> None:
    with Journal.open(tmp_path / "journal.db") as journal:
        table, told = play(journal)
        (tmp_path / "journal.db-wal").unlink()
        with pytest.raises(JournalGone, match=r"journal\.db-wal: this was moved away"):
            journal.append(table, SMALL, None, 0, "s")
    with Journal.open(tmp_path / "journal.db") as journal:
        assert_goes_on(journal, table, told[-1].seq)


def test_a_file_deleted_in_mid_game_is_written_anew_when_the_companion_stops(tmp_path: Path, play: Play) -> None:
    """It is still open, so nothing is lost yet: neither what was in the file nor what is in its log."""
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        table, told = play(journal)
        journal.tidy()
        told = (*told, journal.append(table, SMALL, None, 9.0, "s"))
        path.unlink()
        with pytest.raises(JournalGone):
            journal.append(table, SMALL, None, 0, "s")
    assert path.stat().st_mode & 0o777 == 0o600
    assert not path.with_name("journal.db-wal").exists()
    with Journal.open(path) as journal:
        assert tuple(journal.entries(table, Seq(1))) == told
        assert_goes_on(journal, table, told[-1].seq)


def test_another_file_in_its_place_is_left_alone_when_the_companion_stops(tmp_path: Path, play: Play) -> None:
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        play(journal)
        path.unlink()
        path.write_bytes(b"somebody's")
    assert path.read_bytes() == b"somebody's"


def test_a_folder_in_its_place(tmp_path: Path) -> None:
    (tmp_path / "journal.db").mkdir()
    with pytest.raises(NotAJournal, match="folder"):
        Journal.open(tmp_path / "journal.db")


def test_looking_at_what_is_not_there_makes_nothing(tmp_path: Path) -> None:
    with pytest.raises(NotAJournal, match="no such file"):
        Journal.look(tmp_path / "journal.db")
    assert list(tmp_path.iterdir()) == []


def test_a_half_made_file_from_a_power_cut_is_made_anew(tmp_path: Path) -> None:
    for ending in (".new", ".new-wal", ".new-journal"):
        (tmp_path / f"journal.db{ending}").write_bytes(b"half")
    with Journal.open(tmp_path / "journal.db") as journal:
        assert journal.games() == ()
    assert {path.name for path in tmp_path.iterdir()} == {"journal.db", "journal.db.lock", "journal.db.witness"}


def test_it_may_be_closed_twice(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "journal.db")
    journal.close()
    journal.close()
    Journal.open(tmp_path / "journal.db").close()


@pytest.mark.parametrize(
    ("kind", "parent"),
    [
        (JournalNewer, ValueError),
        (JournalDamaged, ValueError),
        (NotAJournal, ValueError),
        (JournalLocked, OSError),
        (JournalFull, OSError),
        (JournalReadOnly, PermissionError),
        (JournalFailed, OSError),
        (NoSuchTable, LookupError),
    ],
)
def test_every_error_has_two_parents_and_says_what_to_do(kind: type[JournalError], parent: type[Exception]) -> None:
    error = kind(Path("/data/journal.db"), "found this")
    assert isinstance(error, CompanionError)
    assert isinstance(error, parent)
    assert str(error) == f"/data/journal.db: {kind.what}: found this. {kind.cure}"
    assert error.said.key.startswith("trouble.journal-")
    assert dict(error.said.facts).keys() == {"file"}
