"""A box without network: the first phone that sits down says what time it is, and where."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.clock import JUMPED, LEAP, Clock, has_no_zone, use_zone
from companion.app.machine import Spoken, machine
from companion.box import Box
from companion.core import Asked, Claim, Join, Pressed, Said, SeatId
from companion.journal import JOURNAL, Journal
from companion.library import Settings, Tagbook, load_settings
from companion.table import Desk, Machine, Referee, Table
from tests.patience import PATIENCE
from tests.pick import GAME, setup_for

STALE = 1_763_000_000.0
"""What the machine's clock shows: when it was last switched off."""
EVENING = 1_795_000_000.0


class Pretend:
    """A machine whose clock stood still while it was off; `is_set` once the network has set it."""

    def __init__(self) -> None:
        self.wall, self.steady, self.is_set = STALE, 50.0, False
        self.told: list[Said | None] = []

    def clock(self, newest: float = STALE) -> Clock:
        clock = Clock(newest, lambda: self.wall, lambda: self.steady, lambda: self.is_set)
        clock.tells(self.told.append)
        return clock

    def passes(self, seconds: float) -> None:
        self.wall += seconds
        self.steady += seconds


def test_from_the_hint_on_entries_have_the_right_time() -> None:
    room = Pretend()
    clock = room.clock()
    before = clock()
    assert clock.hint(EVENING)
    room.passes(60)
    assert clock() == EVENING + 60
    assert before == STALE, "what was recorded stays"
    assert room.told == [], "and it is no jump"


def test_only_the_first_phone_is_believed_and_only_where_it_is_needed() -> None:
    room = Pretend()
    clock = room.clock()
    assert not clock.hint(STALE + LEAP / 2), "nearly right is right"
    assert clock.hint(EVENING)
    assert not clock.hint(EVENING + 86_400), "another phone"
    room.is_set = True
    assert not room.clock().hint(EVENING), "the network knows better"


@pytest.mark.parametrize("told", [0.0, STALE - 86_400, 5e9, float("inf"), float("nan")])
def test_no_entry_becomes_older_than_one_before_it(told: float) -> None:
    room = Pretend()
    clock = room.clock()
    assert not clock.hint(told)
    assert clock() == STALE


def test_a_program_that_starts_anew_goes_on_from_what_was_recorded() -> None:
    """After an update, or a hang: phones still sit there, and none of them says the time again."""
    room = Pretend()
    clock = room.clock()
    clock.hint(EVENING)
    room.passes(60)
    newest = clock()
    room.passes(20)
    again = room.clock(newest)
    assert again() == newest
    assert room.told == [JUMPED], "nobody knows for how long it was away"
    room.passes(60)
    assert again() == newest + 60
    assert again.hint(EVENING + 300), "whoever joins then still knows better"
    assert again() == EVENING + 300
    room.is_set = True
    assert room.clock(newest)() == room.wall, "what the network says counts, whatever a phone once said"


def test_a_machine_that_is_set_right_later_counts_by_itself_again() -> None:
    room = Pretend()
    clock = room.clock()
    clock.hint(EVENING)
    clock()
    room.wall = EVENING + 5  # the network came
    assert clock() == EVENING + 5
    assert room.told == []
    room.wall += 86_400
    clock()
    assert room.told == [JUMPED], "the control: a real jump is still named"


@pytest.fixture
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No zone at first, and afterwards the original one again, whatever was set meanwhile and by whom."""
    before = os.environ.pop("TZ", None)
    yield
    monkeypatch.undo()
    os.environ.pop("TZ", None)
    if before is not None:
        os.environ["TZ"] = before
    time.tzset()


@pytest.mark.usefixtures("zone")
def test_the_zone_of_the_phone_is_used_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in ("", "Mars/Olympus", "../../etc/passwd", "/etc/passwd", "Europe"):
        assert not use_zone(wrong)
    assert "TZ" not in os.environ
    assert use_zone("Europe/Paris")
    assert time.strftime("%H:%M", time.localtime(EVENING)) == "12:06"
    assert not has_no_zone()
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    assert not has_no_zone(), "somebody chose it"


@pytest.mark.usefixtures("zone")
def test_only_an_installed_box_learns_and_keeps_its_zone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "tzname", ("UTC", "UTC"))
    monkeypatch.setattr(time, "daylight", 0)
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    assert machine(tmp_path, Settings(), Spoken("en"), None, Clock()).hear_time is None
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    hear = machine(tmp_path, Settings(), Spoken("en"), None, Clock()).hear_time
    assert hear is not None
    hear(time.time(), "Nowhere/AtAll")
    assert load_settings(tmp_path).time_zone == ""
    hear(time.time(), "Europe/Paris")
    hear(time.time(), "Asia/Tokyo")
    assert load_settings(tmp_path).time_zone == "Europe/Paris"


def test_the_hint_is_in_the_record_of_who_sat_down(tmp_path: Path) -> None:
    heard: list[tuple[float, str]] = []
    with Journal.open(tmp_path / JOURNAL) as journal:
        referee = Referee.begin(GAME, setup_for(2), ("Ada", "Ben"), "strict", journal, itertools.count(STALE).__next__)
        under = Machine(hear_time=lambda now, zone: heard.append((now, zone)))
        table = Table(Desk(referee, Tagbook(), Box(), machine=under))
        table.start()
        table.ask(Asked("command-1", SeatId(0), 0, Join(SeatId(0), "Ada", "ABC")), PATIENCE)
        table.put(Pressed("ok", held=True))
        claim = Claim("ABC", "key-of-ada", EVENING, "Europe/Paris")
        table.ask(Asked("command-2", SeatId(0), 0, claim), PATIENCE)
        table.stop()
        entries = list(journal.entries(referee.table))
    assert heard == [(EVENING, "Europe/Paris")]
    assert isinstance(entries[-1].cause, Asked)
    assert entries[-1].cause.wish == claim
    assert [entry.at for entry in entries] == sorted(entry.at for entry in entries)
