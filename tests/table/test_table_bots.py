"""A seat given to a bot: it plays as a phone does, knows no more, and gives the seat back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event
from typing import Any

import msgspec
import pytest

from companion.app import bots
from companion.app.bots import BotSeats, awaited_bot, chosen, random_bot
from companion.core import Asked, BotChose, Intent, LetBot, SeatId, Seq, mask, say
from companion.journal import Did, Seated, WasRefused
from companion.table import No, Snapshot, Table
from companion.table.wishes import Done
from tests.patience import PATIENCE
from tests.pick import GAME, Bet, Lay, Pass, two_seats
from tests.table.conftest import Evening, Open

ADA, BEN = SeatId(0), SeatId(1)


@contextmanager
def playing(table: Table, **how: Any) -> Iterator[None]:
    seats = BotSeats(table, thinking=0.0, **how)
    seats.start()
    try:
        yield
    finally:
        seats.close()


def wait_until(table: Table, is_so: Callable[[Snapshot], bool]) -> Snapshot:
    latest = table.latest()
    try:
        while (snapshot := latest.wait(PATIENCE)) is not None:
            if is_so(snapshot):
                return snapshot
        raise AssertionError("it did not come to pass")
    finally:
        latest.close()


def bot_chose(seat: SeatId, asked: int, intent: Intent) -> BotChose:
    return BotChose(seat, asked, msgspec.Raw(msgspec.json.encode(intent)))


def test_the_random_bot_does_legal_things_and_types_numbers_within_bounds() -> None:
    view = mask(two_seats(), ADA)
    done = {chosen(GAME, random_bot(GAME), view, ADA, number) for number in range(200)}
    assert {intent.number for intent in done if isinstance(intent, Bet)} == {1, 2, 3, 4, 5}
    assert {Lay(ADA, card) for card in view.hands[ADA].value} < done
    assert chosen(GAME, random_bot(GAME), mask(two_seats(), BEN), BEN, 0) is None


def test_a_bot_sees_the_view_of_its_seat_and_nothing_else(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    def nosy(view: Any, seat: SeatId, legal: tuple[Intent, ...], _number: int) -> Intent:
        seen.append(view)
        return Pass(seat)

    monkeypatch.setattr(bots, "bot_of", lambda game, kind: nosy)
    assert bots.choice(evening.now, ADA, 0) == bot_chose(ADA, 1, Pass(ADA))
    assert seen == [mask(evening.now.state, ADA)]


def test_a_seat_given_to_a_bot_is_played_and_the_entry_says_by_whom(evening: Evening) -> None:
    with playing(evening.table):
        assert evening.ask(ADA, LetBot(True)) == Done(Seq(2))
        wait_until(evening.table, lambda now: now.awaited == (BEN,) or now.decisions[-1].is_chance)
    seated, first = evening.entries[1:3]
    assert seated.body == Seated(ADA, "Ada", "", bot=True)
    assert isinstance(first.body, Did)
    assert isinstance(first.cause, BotChose)
    assert first.cause.seat == ADA


def test_only_its_own_seats_are_played(evening: Evening) -> None:
    evening.ask(BEN, LetBot(True))
    assert awaited_bot(evening.now) is None
    with playing(evening.table):
        evening.phone(Pass(ADA))
        wait_until(evening.table, lambda now: now.seq > 3)
    assert all(e.cause.seat == BEN for e in evening.entries if isinstance(e.cause, BotChose))


def test_a_bot_that_lost_its_seat_or_came_late_does_nothing(evening: Evening) -> None:
    now = evening.put(bot_chose(ADA, 1, Pass(ADA)))
    assert now.seq == 1
    evening.ask(ADA, LetBot(True))
    evening.phone(Bet(ADA, 1))
    late = evening.put(bot_chose(ADA, 1, Pass(ADA)))
    assert (late.seq, late.state.turn) == (3, ADA)
    assert evening.put(bot_chose(ADA, late.asked[ADA], Pass(ADA))).state.turn == BEN


def test_a_bot_stays_a_bot_over_a_restart_and_tells_so_in_the_history(open_evening: Open) -> None:
    live = open_evening()
    live.ask(ADA, LetBot(True))
    live.ask(BEN, LetBot(True))
    live.ask(BEN, LetBot(False))
    again = open_evening(resume=live.referee.table)
    assert [chair.bot for chair in again.now.chairs] == [True, False]
    told = [line.lines[0].key for line in again.now.seen_by(BEN).past.told()]
    assert told == ["history.opened", "history.bot", "history.bot", "history.bot-ends"]


def test_a_spectator_cannot_give_a_seat_to_a_bot(evening: Evening) -> None:
    answer = evening.table.ask(Asked("c", SeatId(-1), 0, LetBot(True)))
    assert isinstance(answer, No)
    assert not any(chair.bot for chair in evening.table.snapshot.chairs)


def test_a_bot_that_is_refused_does_not_ask_for_ever(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "bot_of", lambda game, kind: lambda view, seat, legal, number: Bet(seat, 99))
    with playing(evening.table):
        evening.ask(ADA, LetBot(True))
        wait_until(evening.table, lambda now: now.seq == 3)
        for _ in range(3):
            evening.put(bot_chose(BEN, 0, Pass(BEN)))
    refused = [entry for entry in evening.entries if isinstance(entry.body, WasRefused)]
    assert len(refused) == 1


def test_a_bot_whose_answer_fell_into_a_stop_answers_again(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody stops the game while it thinks, and lets it go on before it looks again: then all is as it was."""
    table, stops, goes_on = evening.table, list[Snapshot](), Event()

    def thinks(_view: Any, seat: SeatId, _legal: tuple[Intent, ...], _number: int) -> Intent:
        if not stops:
            table.question(say("trouble.two-readers"))
        return Pass(seat)

    def sees(now: Snapshot) -> None:
        if now.question is not None:
            stops.append(now)
            if len(stops) == 2:  # the second one tells that its answer was refused
                table.question(None)
        elif stops:
            goes_on.set()

    monkeypatch.setattr(bots, "bot_of", lambda game, kind: thinks)
    table.subscribe(sees)
    evening.ask(ADA, LetBot(True))
    with playing(table, reads=lambda _now: int(bool(stops) and goes_on.wait(PATIENCE))):
        wait_until(table, lambda now: now.awaited == (BEN,))
    assert len(stops) == 2


def test_a_table_whose_chance_brings_nothing_waits_for_hands(open_evening: Open) -> None:
    evening = open_evening(chance=lambda candidates, weights: None)
    evening.phone(Lay(ADA, evening.now.state.hands[ADA].value[0]))
    assert evening.now.decisions[-1].is_chance
    assert evening.tap("f").state.hands[ADA].value == ("b", "f")


def test_the_pause_grows_with_what_there_is_to_read_up_to_a_bound() -> None:
    assert bots.pause(1.5, 0) == 1.5
    assert bots.pause(1.5, 8) == 3.0
    assert bots.pause(1.5, 500) == 6.0
    assert bots.pause(0.0, 500) == 0.0
