"""Bots at a table where rules don't bind: whatever people did before, they find something to do."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.app.bots import BotSeats, choice
from companion.core import NO_FACTS, Basis, BotChose, Rule, RuleId, SeatId, legal
from companion.journal import Did, Journal
from companion.table import Chair, Referee, Table, intent_from
from tests.pick import GAME, Bet, setup_for
from tests.table.conftest import Evening, Open

ADA, BEN = SeatId(0), SeatId(1)


NEVER: Rule[Any, Any] = Rule(RuleId("X9"), "never", lambda _state, _seat: NO_FACTS, basis=Basis.STEP)
"""Hands could do it anyway."""


@pytest.fixture
def stuck(journal: Journal) -> Referee:
    """The rules allow the awaited seat nothing."""
    verbs = tuple(verb if verb.chance else replace(verb, guards=(*verb.guards, NEVER)) for verb in GAME.verbs)
    game = replace(GAME, verbs=verbs)
    referee = Referee.begin(game, setup_for(2), ("Ada", "Ben"), "advise", journal, lambda: 0.0)
    referee.seat(ADA, Chair("Ada", bot=True), None)
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
    """As much of a table as bots need; it keeps what they say."""

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
