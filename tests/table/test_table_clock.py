"""The turn clock: off by default; soft reports, strict skips, and nobody's time runs while the table has a question."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

import pytest

from companion.app.clock import Timekeeper
from companion.box import Box
from companion.core import REFEREE, SeatId, SetClock, TroublePage, say
from companion.journal import Did, Journal
from companion.library import PieceTag, SeatTag, Tagbook, TurnClock
from companion.table import Desk, Referee, Snapshot, Table
from companion.table.desk import NO_MACHINE
from companion.table.ports import Machine
from companion.table.turn_clock import REST, Stopwatch, Ticking, overtimes, spent_so_far
from companion.table.wishes import Done, No
from tests.pick import GAME, Lay, Pass, setup_for
from tests.table.conftest import NAMES, Evening
from tests.table.test_table_bots import wait_until

ADA, BEN = SeatId(0), SeatId(1)
SOFT, STRICT = TurnClock("soft", 60), TurnClock("strict", 60)


class Hand:
    """A steady clock that is moved by hand."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@contextmanager
def evening_with(
    journal: Journal, wanted: TurnClock, clock: Hand, referee: Referee | None = None, machine: Machine = NO_MACHINE
) -> Iterator[Evening]:
    made = referee or Referee.begin(GAME, setup_for(3), NAMES, "strict", journal, count(1000.0, 10.0).__next__)
    tagbook = Tagbook()
    tagbook.pretend([PieceTag(GAME.id, piece) for piece in GAME.pieces(made.setup.pack)])
    tagbook.pretend([SeatTag(SeatId(seat)) for seat in range(3)])
    evening = Evening(Table(Desk(made, tagbook, Box(), clock=clock, turn_clock=wanted, machine=machine)), made)
    try:
        yield evening
    finally:
        evening.table.stop()


def ticking(now: Snapshot) -> Ticking:
    assert now.clock is not None
    return now.clock


def test_there_is_none_unless_it_is_wanted(evening: Evening) -> None:
    assert evening.now.clock is None


def test_a_seats_time_runs_while_it_is_awaited_and_begins_anew_with_its_next_turn(journal: Journal) -> None:
    clock = Hand()
    with evening_with(journal, SOFT, clock) as evening:
        seat = evening.now.awaited[0]
        assert ticking(evening.now).runs == (seat,)
        clock.now += 25
        assert ticking(evening.now).left(seat, clock.now) == pytest.approx(35)
        now = evening.press("check")
        assert ticking(now).left(seat, clock.now) == pytest.approx(35), "looking takes time, and gives none back"
        evening.phone(Pass(seat))
        after = evening.table.snapshot
        assert seat not in after.awaited
        assert ticking(after).left(after.awaited[0], clock.now) == pytest.approx(60)
        assert ticking(after).spent[seat] == 0


def test_it_stands_while_the_table_has_a_question(journal: Journal) -> None:
    clock = Hand()
    with evening_with(journal, SOFT, clock) as evening:
        seat = evening.now.awaited[0]
        clock.now += 20
        evening.table.question(say("question.readers"))
        now = wait_until(evening.table, lambda shown: shown.question is not None)
        assert ticking(now).runs == ()
        clock.now += 500
        evening.table.question(None)
        now = wait_until(evening.table, lambda shown: shown.question is None)
        assert ticking(now).left(seat, clock.now) == pytest.approx(40)


def test_taking_back_gives_the_whole_time_again(journal: Journal) -> None:
    clock = Hand()
    with evening_with(journal, SOFT, clock) as evening:
        seat = evening.now.awaited[0]
        clock.now += 50
        done = evening.phone(Pass(seat))
        assert isinstance(done, Done)
        clock.now += 50
        assert isinstance(evening.take_back(seat, done.seq - 1), Done)
        now = evening.table.snapshot
        assert now.awaited == (seat,)
        assert ticking(now).left(seat, clock.now) == pytest.approx(60)


def test_a_restart_goes_on_with_what_the_record_knows(journal: Journal) -> None:
    times = iter((1000.0, 1030.0, 1045.0, 1046.0))
    made = Referee.begin(GAME, setup_for(3), NAMES, "strict", journal, times.__next__)
    seat = made.at.decisions[-1].seats[0]
    made.act(Lay(BEN if seat == ADA else ADA, GAME.pieces(made.setup.pack)[0]), None, on_box=True)  # refused, at 1030
    with evening_with(journal, SOFT, Hand(), Referee(GAME, journal, made.table, times.__next__)) as evening:
        assert ticking(evening.now).left(seat, 100.0) == pytest.approx(30)


def test_a_table_that_was_left_has_used_nobodys_time(journal: Journal) -> None:
    times = iter((1000.0, 1000.0 + REST + 1))
    made = Referee.begin(GAME, setup_for(3), NAMES, "strict", journal, times.__next__)
    seat = made.at.decisions[-1].seats[0]
    made.act(Lay(BEN if seat == ADA else ADA, GAME.pieces(made.setup.pack)[0]), None, on_box=True)
    assert spent_so_far(GAME, made.history, made.states) == {seat: 0.0}


def test_soft_tells_and_nothing_is_done(journal: Journal) -> None:
    clock = Hand()
    with evening_with(journal, SOFT, clock) as evening:
        seat, seq = evening.now.awaited[0], evening.now.seq
        evening.table.out_of_time(seat, evening.now.asked[seat])
        wait_until(evening.table, lambda shown: shown.beat > evening.now.beat)
        assert evening.table.snapshot.flash is None, "there is time left"
        clock.now += 60
        evening.table.out_of_time(seat, evening.now.asked[seat])
        now = wait_until(evening.table, lambda shown: shown.flash is not None)
        assert isinstance(now.flash, TroublePage)
        assert now.flash.said.key == "clock.up"
        assert now.seq == seq


def test_strict_skips_by_an_ordinary_entry(journal: Journal) -> None:
    clock = Hand()
    with evening_with(journal, STRICT, clock) as evening:
        seat, line = evening.now.awaited[0], evening.now.at.line
        clock.now += 60
        evening.table.out_of_time(seat, evening.now.asked[seat])
        now = wait_until(evening.table, lambda shown: len(shown.at.line) > len(line))
        entry = evening.entries[-1]
        assert isinstance(entry.body, Did)
        assert entry.cause is None
        assert now.deeds[now.at.line[len(line)]].intent.actor == seat
    assert Referee(GAME, journal, evening.referee.table, count(5000.0).__next__).at.line == now.at.line, "it replays"


def test_who_has_answered_meanwhile_is_not_skipped(journal: Journal) -> None:
    clock = Hand()
    with evening_with(journal, STRICT, clock) as evening:
        seat, asked = evening.now.awaited[0], evening.now.asked[evening.now.awaited[0]]
        clock.now += 60
        evening.phone(Pass(seat))
        before = evening.table.snapshot
        evening.table.out_of_time(seat, asked)
        now = wait_until(evening.table, lambda shown: shown.beat > before.beat)
        assert now.at.line == before.at.line


def test_the_keeper_tells_the_table_once_for_each_question(journal: Journal) -> None:
    """At a real table: nobody touches anything, and the seat is skipped."""
    clock = Hand()
    with evening_with(journal, STRICT, clock) as evening:
        line = evening.now.at.line
        keeper = Timekeeper(evening.table, clock)
        assert keeper.late(evening.now) == []
        clock.now += 61
        seat = evening.now.awaited[0]
        assert keeper.late(evening.now) == [(seat, evening.now.asked[seat])]
        keeper.start()
        now = wait_until(evening.table, lambda shown: len(shown.at.line) > len(line))
        keeper.close()
        assert now.deeds[now.at.line[len(line)]].intent.actor == seat


def test_only_the_referee_sets_it_and_it_is_kept(journal: Journal) -> None:
    kept: list[TurnClock] = []
    clock = Hand()
    with evening_with(journal, TurnClock(), clock, machine=Machine(keep_clock=kept.append)) as evening:
        assert isinstance(evening.ask(ADA, SetClock("strict", 60)), No)
        assert kept == []
        clock.now += 40
        assert isinstance(evening.ask(REFEREE, SetClock("strict", 60), asked=0), Done)
        assert kept == [STRICT]
        now = evening.table.snapshot
        assert ticking(now).left(now.awaited[0], clock.now) == pytest.approx(60)
        assert isinstance(evening.ask(REFEREE, SetClock("off"), asked=0), Done)
        assert evening.table.snapshot.clock is None


def test_the_report_counts_turns_that_took_too_long(journal: Journal) -> None:
    times = iter((1000.0, 1070.0, 1080.0, 1160.0))
    made = Referee.begin(GAME, setup_for(3), NAMES, "strict", journal, times.__next__)
    seats = []
    for _ in range(3):
        seats.append(made.at.decisions[-1].seats[0])
        made.act(Pass(seats[-1]), None, on_box=True)
    found = overtimes(GAME, made.history, made.states, 3, 60)
    assert [found[seat] for seat in seats] == [1, 0, 1]
    assert sum(overtimes(GAME, made.history, made.states, 3, 600)) == 0


def test_a_bots_turn_between_two_of_a_person_begins_the_time_anew() -> None:
    clock = Hand()
    watch = Stopwatch(clock)
    watch.follow((ADA,), (ADA,))
    clock.now += 30
    watch.follow((BEN,), ())
    watch.follow((ADA,), (ADA,))
    assert watch.ticking(SOFT, 2).left(ADA, clock.now) == 60
