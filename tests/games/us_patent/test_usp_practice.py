"""The first minute of U.S. Patent: its acts lead there, and its lessons can be learned there as their hints say."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.core import Accepted, Intent, Lesson, PieceId, PlaceId, Practice, Refused, SeatId, Token, judge
from companion.games.us_patent import GAME
from companion.games.us_patent.practice import PRACTICE
from companion.games.us_patent.rules.intents import Buy, PlaceInMarket, Stay, SwitchOff
from companion.games.us_patent.state import State
from tests.games.us_patent.play import CLERK, setup_for

ADA = SeatId(0)
PIANO, COAT, CANNON = PieceId("siege-piano"), PieceId("hedgehog-coat"), PieceId("bee-cannon")


def judged(state: State, intent: Intent) -> tuple[State, set[str]]:
    """The state after it, and the keys of what is told about it."""
    match judge(GAME, state, intent):
        case Accepted(after=after, events=events):
            return after, {f"event.{event.__struct_config__.tag}" for event in events}
        case Refused(refusals=refusals):
            return state, {f"no.{refusals[0].key}"}


def reached(practice: Practice = PRACTICE) -> State:
    state = GAME.start(setup_for(practice.seats, CLERK))
    for intent in practice.acts:
        verdict = judge(GAME, state, intent)
        assert isinstance(verdict, Accepted), intent
        state = verdict.after
    return state


def asked(state: State) -> tuple[str, tuple[SeatId, ...]]:
    decision = GAME.decisions(state)[-1]
    return decision.kind, decision.seats


def test_the_acts_lead_to_the_turn_of_the_first_seat() -> None:
    assert asked(reached()) == ("place", (PRACTICE.seat,))


def test_an_act_that_the_rules_refuse_is_found() -> None:
    """The control."""
    with pytest.raises(AssertionError, match="Buy"):
        reached(replace(PRACTICE, acts=(*PRACTICE.acts, Buy(ADA, PIANO))))


@pytest.mark.rule("P.ag", "P10")
def test_whoever_follows_the_hints_learns_all_lessons_in_one_turn() -> None:
    way: tuple[tuple[Lesson, Intent], ...] = tuple(
        zip(
            (PRACTICE.lessons[n] for n in (0, 1, 1, 2, 2)),
            (
                PlaceInMarket(ADA, PlaceId("2/market")),
                Stay(ADA),
                Buy(ADA, PIANO),
                Buy(ADA, COAT),
                SwitchOff(ADA, CANNON),
            ),
            strict=True,
        )
    )
    state, learned = reached(), []
    for lesson, intent in way:
        kind, seats = asked(state)
        assert seats == (ADA,)
        assert kind in [hint.awaits for hint in lesson.hints], lesson.name
        state, told = judged(state, intent)
        learned += [lesson.name] if told & set(lesson.ends) else []
    assert learned == ["research", "price", "power"]
    assert asked(state)[1] != (ADA,), "the turn is over"


def test_what_glows_is_there() -> None:
    state = reached()
    pieces, places = GAME.pieces(CLERK), GAME.places(CLERK)
    there: dict[str, Any] = {"piece": pieces, "place": places}
    tokens: list[Token] = [token for lesson in PRACTICE.lessons for hint in lesson.hints for token in hint.glow]
    assert all(token.value in there[token.kind] for token in tokens)
    lying = {lies.piece for lies in GAME.layout(state)}
    assert {token.value for token in tokens if token.kind == "piece"} <= lying
