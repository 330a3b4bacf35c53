"""What people read at a glance matches the books, and shows no more than its audience knows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import pytest

from companion.core import PUBLIC, Meter, Part, Seat, SeatId, Slots, Standing, mask, say, seats_of
from companion.games.actionworks import GAME
from companion.games.actionworks.state import Clearing, State, limit, part_of, wanted_by
from tests.games.actionworks.play import ADA, BEN, card, laid, playout

P = TypeVar("P")


def of_kind(shown: tuple[object, ...], kind: type[P]) -> list[P]:
    return [each for each in shown if isinstance(each, kind)]


def size(parts: tuple[Part, ...], look: str) -> int:
    return sum(part.size for part in parts if part.look == look)


def games() -> Iterator[State]:
    for seats in (2, 3, 5):
        yield from (step[-1] for step in playout(seats, seats, 300))


@pytest.mark.rule("A20", "A21", "A25")
def test_totals_and_hands_are_those_of_the_books() -> None:
    """In any game, each seat from its own view, and the check from the public one."""
    for state in games():
        end = limit(len(state.totals))
        told = of_kind(GAME.status(mask(state, PUBLIC)).facts, Standing)
        for seat in map(SeatId, seats_of(state)):
            shown = GAME.own(mask(state, seat), seat)
            (meter,) = of_kind(shown, Meter)
            total, hand = meter.bars
            assert size(total.parts, "used") == max(0, state.totals[seat])
            assert size(total.parts, "used") + size(total.parts, "left") == max(end, state.totals[seat])
            parts = [part_of(each) for each in state.hands[seat].value]
            wanted = [part.value for part in parts if part and part.type in wanted_by(state, seat)]
            assert (size(hand.parts, "extra"), size(hand.parts, "over")) == (sum(wanted), len(parts) - len(wanted))
            assert [cell.number for slots in of_kind(shown, Slots) for cell in slots.cells] == [
                part.value for part in parts if part
            ]
            bar = told[seat].bar
            assert bar is not None
            assert (told[seat].value.replace("−", "-"), bar.parts) == (str(state.totals[seat]), total.parts)


@pytest.mark.rule("A20")
def test_a_card_in_hand_tells_what_it_scores_or_costs() -> None:
    table = laid("make-4 take-4", "borrow-5", demands=("make", "take"))
    (slots,) = of_kind(GAME.own(table.view(ADA), ADA), Slots)
    assert [cell.name for cell in slots.cells] == [say("panel.scores", n=4), say("panel.costs", n=1)]
    assert not of_kind(GAME.own(laid("", "borrow-5").view(ADA), ADA), Slots)


@pytest.mark.rule("A3", "A20")
def test_the_check_tells_for_whom_the_workbench_scores() -> None:
    table = laid("make-4", "borrow-5", bench="take-4 plan-5", demands=("make", "take"))
    (slots,) = of_kind(GAME.status(table.view(PUBLIC)).facts, Slots)
    assert [cell.name for cell in slots.cells] == [say("panel.for", seat=Seat(BEN)), say("panel.for-nobody")]
    assert not of_kind(GAME.status(laid("make-4", "borrow-5").view(PUBLIC)).facts, Slots)


@pytest.mark.rule("A24")
def test_the_check_shows_no_hand() -> None:
    table = laid("make-4 take-4", "borrow-5")
    assert card("make-4") not in repr(GAME.status(table.view(PUBLIC)))
    assert card("make-4") in repr(GAME.own(table.view(ADA), ADA)), "the control"


@pytest.mark.rule("A16", "A17")
def test_the_stages_of_a_turn_follow_it() -> None:
    table = laid("make-4", "borrow-5", bench="take-4 plan-5")
    before = GAME.stages(table.view(PUBLIC))
    assert before is not None
    assert before.at == 0
    after = GAME.stages(table.ends(ADA).view(PUBLIC))
    assert after is not None
    assert after.at == 1
    assert GAME.stages(GAME.start(table.now.setup)) is None
    for state in games():
        found = GAME.stages(state)
        assert (found is not None and found.at == 1) == any(isinstance(step, Clearing) for step in state.steps)
