"""A USB stick in the box: it asks, saves everything or restores it, and pulling it out loses nothing."""

from __future__ import annotations

import itertools
import queue
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.app import backup
from companion.app.cli import main
from companion.app.stick import ENDING, IN, RESULT, TO_DO, Attendant, Sticks, Told
from companion.box import Box
from companion.core import Button, ChoosePage, ConfirmPage, Pressed, Said, Stick, TroublePage
from companion.journal import JOURNAL, Journal, JournalLocked
from companion.library import Tagbook
from companion.table import Desk, Machine, Referee, Snapshot, Table
from tests.patience import PATIENCE
from tests.pick import GAME, setup_for

SYSTEMD = Path(__file__).parents[2] / "systemd"


class Home:
    """A box at home: its data with one game, its folder in /run, a stick, and a table that shows what it asks."""

    def __init__(self, path: Path) -> None:
        self.data, self.folder, self.stick = path / "data", path / "run", path / "stick"
        for each in (self.data, self.folder, self.stick):
            each.mkdir()
        self.journal = Journal.open(self.data / JOURNAL)
        clock = itertools.count(1_790_000_000.0).__next__
        referee = Referee.begin(GAME, setup_for(2), ("Ada", "Ben"), "strict", self.journal, clock)
        self.ended = threading.Event()
        self.sticks = Sticks(self.folder, self._tell, self._end)
        self.table = Table(Desk(referee, Tagbook(), Box(), machine=Machine(use_stick=self.sticks.use)))
        self.table.start()
        self.latest = self.table.latest()
        self.results: queue.SimpleQueue[Told | None] = queue.SimpleQueue()

    def _tell(self, stick: Stick | None, said: Said | None) -> None:
        self.table.stick(stick, said)

    def _end(self) -> None:
        self.journal.close()
        self.ended.set()

    def attendant(self, patience: float = PATIENCE) -> None:
        """systemd has mounted a stick."""
        attendant = Attendant(self.folder, self.stick, self.data, itertools.count(1_790_000_500.0).__next__)
        threading.Thread(target=lambda: self.results.put(attendant.attend(patience)), daemon=True).start()

    def asks(self) -> Snapshot:
        """The table, once the box asks about the stick."""
        while self.table.snapshot.stick is None:
            self.sticks.look()
            self.latest.wait(0.05)
        return self.table.snapshot

    def press(self, button: Button, held: bool = False) -> Snapshot:
        self.latest.wait(0)
        self.table.put(Pressed(button, held))
        assert self.latest.wait(PATIENCE) is not None
        return self.table.snapshot

    def result(self) -> Told | None:
        return self.results.get(timeout=PATIENCE)

    def close(self) -> None:
        self.latest.close()
        self.table.stop()
        self.journal.close()


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    found = Home(tmp_path)
    yield found
    found.close()


def rows(scene: Snapshot) -> list[str]:
    assert isinstance(scene.page, ChoosePage)
    return [item.key for item in scene.page.items]


def test_a_stick_is_asked_about_and_everything_is_saved_on_it(home: Home) -> None:
    home.attendant()
    assert rows(home.asks()) == ["stick.row.save", "stick.row.no"]
    shown = home.press("ok")
    assert shown.stick is None
    assert isinstance(shown.flash, TroublePage)
    assert shown.flash.said.key == "stick.save.going"
    result = home.result()
    (saved,) = home.stick.iterdir()
    assert result == Told("stick.saved", saved.name)
    assert saved.name.startswith("table-companion-2026-09-")
    assert JOURNAL in backup.look(saved).files
    home.latest.wait(0)
    home.sticks.look()
    assert home.latest.wait(PATIENCE) is not None
    assert isinstance(home.table.snapshot.flash, TroublePage)
    assert home.table.snapshot.flash.said.key == "stick.saved"
    assert sorted(path.name for path in home.folder.iterdir()) == [], "and nothing is left lying about"


def test_saved_twice_in_a_minute_both_stay(home: Home) -> None:
    for _ in range(2):
        home.attendant()
        home.asks()
        home.press("ok")
        result = home.result()
        assert result is not None
        assert result.key == "stick.saved"
        home.sticks.look()
    assert len(list(home.stick.iterdir())) == 2


def test_back_or_nothing_leaves_the_stick_alone(home: Home) -> None:
    ways: tuple[tuple[Button, ...], ...] = (("back",), ("next", "ok"))
    for presses in ways:
        home.attendant()
        home.asks()
        for button in presses:
            home.press(button)
        assert home.result() is None
        home.sticks.look()
    assert list(home.stick.iterdir()) == []


def test_bringing_back_replaces_all_only_when_ok_is_held(home: Home) -> None:
    backup.make(home.data, home.stick / f"old{ENDING}", 1_791_000_000.0)
    home.attendant()
    assert rows(home.asks()) == ["stick.row.save", "stick.row.restore", "stick.row.no"]
    home.press("next")
    assert isinstance(home.press("ok").page, ConfirmPage)
    assert isinstance(home.press("ok").page, ConfirmPage), "a short OK does not"
    assert rows(home.press("back")) == ["stick.row.save", "stick.row.restore", "stick.row.no"]
    home.press("ok")
    home.press("ok", held=True)
    assert home.ended.wait(PATIENCE), "the companion ends, and systemd starts it again"
    assert home.result() == Told("stick.restored", time.strftime("%Y-%m-%d", time.localtime(1_791_000_000)))
    assert (home.data / "before-restore-1" / JOURNAL).exists(), "what was there is kept"


def test_the_journal_is_not_touched_while_the_companion_has_it(home: Home) -> None:
    """The control: without releasing it, nothing is restored."""
    saved = home.stick / f"old{ENDING}"
    backup.make(home.data, saved, 1_791_000_000.0)
    with pytest.raises(JournalLocked):
        backup.restore(saved, home.data)


def test_a_stick_that_is_taken_out_is_no_longer_asked_about(home: Home) -> None:
    home.attendant()
    home.asks()
    (home.folder / IN).unlink()  # what the unit does when the stick is removed
    home.latest.wait(0)
    home.sticks.look()
    assert home.latest.wait(PATIENCE) is not None
    assert home.table.snapshot.stick is None
    home.sticks.use("no")
    home.result()


def test_what_fails_is_said_and_what_is_no_backup_is_not_offered(home: Home) -> None:
    (home.stick / f"holiday{ENDING}").write_bytes(b"PK nonsense")
    home.attendant()
    assert rows(home.asks()) == ["stick.row.save", "stick.row.no"]
    for path in home.stick.iterdir():
        path.unlink()
    home.stick.rmdir()
    home.press("ok")
    result = home.result()
    assert result is not None
    assert result.key == "stick.save.failed"
    heard: list[tuple[Stick | None, Said | None]] = []
    Sticks(home.folder, lambda stick, said: heard.append((stick, said))).look()
    assert [said and said.key for _, said in heard] == ["stick.save.failed"]


def test_nobody_who_answers_lets_it_go(home: Home) -> None:
    home.attendant(patience=0.0)
    assert home.result() is None
    assert not (home.folder / IN).exists()


@pytest.mark.parametrize("words", [b"", b"{", b'{"saved":3}', b"\xff"])
def test_a_file_that_is_not_ours_is_no_stick(home: Home, words: bytes) -> None:
    (home.folder / IN).write_bytes(words)
    (home.folder / RESULT).write_bytes(words)
    heard: list[object] = []
    Sticks(home.folder, lambda *told: heard.append(told)).look()
    assert heard == []


def test_the_unit_runs_this_where_the_companion_listens(home: Home) -> None:
    unit = (SYSTEMD / "table-companion-stick.service").read_text()
    assert "companion stick /media/table-companion /run/table-companion --data /var/lib/table-companion\n" in unit
    assert f"/run/table-companion/{IN} /run/table-companion/{TO_DO}\n" in unit
    assert 'SYSTEMD_WANTS}+="table-companion-stick.service"' in (SYSTEMD / "61-table-companion-stick.rules").read_text()
    assert "RuntimeDirectoryPreserve=restart\n" in (SYSTEMD / "table-companion.service").read_text(), "for the result"
    (home.folder / TO_DO).write_text("save")
    words = ["stick", str(home.stick), str(home.folder), "--data", str(home.data)]
    told = CliRunner().invoke(main, words)
    assert told.exit_code == 0, told.output
    assert "stick.saved" in told.output


def test_a_machine_whose_clock_stood_still_says_when_it_was_saved(home: Home) -> None:
    """A phone told the companion the time: only entries know it, and the newer of two backups must say so."""
    (home.folder / TO_DO).write_text("save")
    told = Attendant(home.folder, home.stick, home.data, lambda: 1_500_000_000.0).attend()
    assert told is not None
    assert told.what.startswith("table-companion-2026-09-")
    assert backup.look(home.stick / told.what).made >= 1_790_000_000.0, "the newest entry"


@pytest.fixture
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Undoes whatever time zone the block sets."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("zone")
def test_a_file_on_a_stick_is_called_by_the_hours_of_the_box(home: Home) -> None:
    (home.data / "settings.toml").write_text('time_zone = "Pacific/Kiritimati"\n')
    (home.folder / TO_DO).write_text("save")
    words = ["stick", str(home.stick), str(home.folder), "--data", str(home.data)]
    told = CliRunner().invoke(main, words)
    (saved,) = home.stick.iterdir()
    made = backup.look(saved).made
    assert told.exit_code == 0, told.output
    hours = [time.strftime("%Y-%m-%d-%H%M", time.gmtime(made + ahead)) for ahead in (14 * 3600, 0)]
    assert hours[0] in saved.name
    assert hours[1] not in saved.name, "the control"
