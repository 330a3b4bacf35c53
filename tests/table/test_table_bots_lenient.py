"""Bots at a table where rules do not bind: whatever people did before, they find something to do."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.app.bots import BotSeats, choice, chosen
from companion.app.opening import make_setup
from companion.core import TABLE, Accepted, BotChose, Game, Intent, SeatId, judge, legal, mask
from companion.games.actionworks.rules.intents import Play
from companion.journal import Did, Journal
from companion.library import shelf
from companion.table import Chair, Referee, Table, intent_from
from tests.pick import Bet
from tests.table.conftest import Evening, Open

ADA, BEN = SeatId(0), SeatId(1)


def play_on(game: Game[Any, Any], state: Any) -> Intent:
    """What happens next by itself: chance brings the first, a bot its first choice."""
    decision = game.decisions(state)[-1]
    if decision.is_chance:
        return legal(game, state, TABLE)[0]
    seat = decision.seats[0]
    found = chosen(game, game.bot, mask(state, seat), seat, 0)
    assert found is not None
    return found


def is_stuck(game: Game[Any, Any], state: Any) -> bool:
    return game.decisions(state)[-1].seats == (ADA,) and not legal(game, mask(state, ADA), ADA)


def way_to_be_stuck(game: Game[Any, Any], start: Any) -> tuple[Intent, ...]:
    """Acts of which the last is against a rule and leaves Ada nothing that the rules allow."""
    state, way = start, list[Intent]()
    for _ in range(200):
        for card in state.hands[ADA].value:
            verdict = judge(game, state, Play(ADA, card), advise=True)
            if isinstance(verdict, Accepted) and verdict.marks and is_stuck(game, verdict.after):
                return (*way, verdict.intent)
        intent = play_on(game, state)
        verdict = judge(game, state, intent)
        assert isinstance(verdict, Accepted)
        way.append(intent)
        state = verdict.after
    raise AssertionError("nobody was stuck")


@pytest.fixture
def stuck(journal: Journal) -> Referee:
    game = shelf.open("actionworks")
    setup = make_setup(game, 3)
    referee = Referee.begin(game, setup, ("Ada", "Ben", "Cleo"), "advise", journal, lambda: 0.0)
    referee.seat(ADA, Chair("Ada", bot=True), None)
    for intent in way_to_be_stuck(game, referee.at.state):
        referee.act(intent, None, on_box=True)
    return referee


def test_a_bot_that_may_do_nothing_by_the_rules_does_what_offends_least(stuck: Referee) -> None:
    now = stuck.snapshot()
    assert (now.awaited, legal(now.game, now.view(ADA), ADA)) == ((ADA,), ())
    answer = choice(now, ADA, 0)
    assert answer is not None
    done = stuck.act(intent_from(now.game, answer.intent), answer, on_box=False)
    assert isinstance(done.body, Did)
    assert done.body.marks


def test_at_a_strict_table_it_never_breaks_a_rule(stuck: Referee) -> None:
    """The control."""
    assert choice(replace(stuck.snapshot(), mode="strict"), ADA, 0) is None


class Told:
    """As much of a table as bots need; what they say is kept."""

    def __init__(self, table: Table) -> None:
        self.latest, self.said = table.latest, list[BotChose]()

    def put(self, given: BotChose) -> None:
        self.said.append(given)


def test_whoever_acts_out_of_turn_while_a_bot_is_asked_does_not_silence_it(open_evening: Open) -> None:
    evening: Evening = open_evening(mode="advise")
    evening.referee.seat(ADA, Chair("Ada", bot=True), None)
    told = Told(evening.table)
    bots = BotSeats(told, thinking=0.0)  # type: ignore[arg-type]
    before = evening.referee.snapshot()
    bots._act(before)
    bots._act(before)
    assert len(told.said) == 1, "an answer that changed nothing is not given again"
    evening.phone(Bet(BEN, 1))
    after = evening.referee.snapshot()
    assert after.asked[ADA] == before.asked[ADA]
    bots._act(after)
    assert len(told.said) == 2
