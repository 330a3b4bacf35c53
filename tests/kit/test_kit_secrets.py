"""What the kit calls a secret, and two of our builds that act on one."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.app.kit.by_itself import moments, swapped, swayed
from companion.app.kit.kit import AnyGame, Kit, some_know_more
from companion.core import EVERYONE, Event, PieceId, steps
from companion.games import actionworks, us_patent
from companion.games.actionworks import events as aw_events
from companion.games.actionworks import state as aw
from companion.games.actionworks.rules import forced as aw_course
from companion.games.actionworks.rules.turn import can_join
from companion.games.us_patent import events as usp_events
from companion.games.us_patent import state as usp
from companion.games.us_patent.rules import forced as usp_course
from companion.games.us_patent.state import Inventing
from tests import pick


def test_a_hand_is_a_secret_and_a_deck_alone_is_none() -> None:
    """The control of the kit's own word for it, on the smallest game: with its hands, and with all hands shown."""
    assert some_know_more(pick.GAME, pick.two_seats(), 2)
    dealt = pick.two_seats()
    shown = replace(dealt, hands=tuple(replace(hand, known_by=EVERYONE) for hand in dealt.hands))
    assert not some_know_more(pick.GAME, shown, 2)


def test_pieces_change_places_wherever_they_are_named_and_what_has_no_order_stays_sorted() -> None:
    dealt = pick.two_seats()
    there = swapped(dealt, {PieceId("a"): PieceId("g"), PieceId("g"): PieceId("a")})
    assert [hand.value for hand in there.hands] == [("b", "g"), ("c", "d")]
    assert there.deck.unseen == ("a", "e", "f")
    assert there.setup == dealt.setup


def closing_declarations(state: aw.State) -> tuple[Event, ...]:
    """ActionWorks, broken: a declaration closes by itself when nothing in the secret hand can join it."""
    step = steps.top(state)
    if isinstance(step, aw.Declaring) and not any(can_join(step.cards, c) for c in state.hands[step.seat].value):
        return (aw_events.WentAhead(step.seat),)
    return aw_course.COURSE.forced(state)


def closing_looks(state: usp.State) -> tuple[Event, ...]:
    """U.S. Patent, broken: a look closes by itself when the first card of the Lab has an even rank."""
    step = usp.top(state)
    if isinstance(step, Inventing):
        ranks = [card.rank for card in state.setup.pack.upgrades if card.id in state.looks[step.seat].value]
        if ranks[0] % 2 == 0:
            return (usp_events.InventedNothing(step.seat),)
    return usp_course.COURSE.forced(state)


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param(replace(actionworks.GAME, forced=closing_declarations), id="declarations"),
        pytest.param(replace(us_patent.GAME, forced=closing_looks), id="looks"),
    ],
)
def test_a_build_that_is_too_helpful_is_caught(broken: AnyGame) -> None:
    kit = Kit(broken)
    assert any(swayed(kit, broken, moments(kit, kit.seats()[-1:])))
