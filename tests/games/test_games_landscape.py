"""Games that draw their table wide: everything in the upright picture is there, nothing lies outside or on another
card, and nobody can find a card there that they may not know.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice
from typing import Any

import pytest
from msgspec.structs import replace

from companion.app.kit.kit import Kit, kit_of
from companion.core import PUBLIC, Box, Card, Picture, SeatId, Token, bounds, mask, wide_picture
from companion.games.us_patent.state import BOARDS
from companion.library import shelf

ACTS, EVERY = 240, 12
WIDE = tuple(game for game in shelf.games() if kit_of(game).game.landscape is not None)


def moments(kit: Kit, seats: int) -> Iterator[Any]:
    """States of an evening, some acts apart."""
    yield from (step.before for step in islice(kit.sensible(seats, 7), 0, ACTS, EVERY))


def tokens(picture: Picture) -> set[Token]:
    found = (getattr(shape, "token", None) for shape in picture.shapes)
    return {token for token in found if token is not None}


def meet(one: Box, other: Box) -> bool:
    return all(one[n] < other[n] + other[n + 2] and other[n] < one[n] + one[n + 2] for n in (0, 1))


def outside(picture: Picture) -> list[Box]:
    boxes = [bounds(shape) for shape in picture.shapes]
    return [b for b in boxes if min(b[:2]) < 0 or b[0] + b[2] > picture.width or b[1] + b[3] > picture.height]


def covered(picture: Picture) -> list[tuple[Token | None, Token | None]]:
    """Cards that lie face up on each other."""
    cards = [shape for shape in picture.shapes if isinstance(shape, Card) and not shape.down]
    return [(a.token, b.token) for a, b in combinations(cards, 2) if meet(bounds(a), bounds(b))]


@pytest.mark.parametrize("most", [False, True], ids=["few", "many"])
@pytest.mark.parametrize("game", WIDE)
def test_all_that_stands_upright_is_drawn_wide(game: str, most: bool) -> None:
    kit = kit_of(game)
    for state in moments(kit, kit.game.seats[most]):
        for audience in (PUBLIC, SeatId(0)):
            view = mask(state, audience)
            upright, wide = kit.game.picture(view), wide_picture(kit.game, view)
            assert tokens(upright) <= tokens(wide)
            assert upright.rows == wide.rows, "who listens hears the same"
            assert outside(wide) == []


def test_no_card_of_a_market_covers_another_and_each_lies_on_its_board() -> None:
    kit = kit_of("us-patent")
    for state in moments(kit, 5):
        picture = wide_picture(kit.game, state)
        assert covered(picture) == []
        where = {token: bounds(s) for s in picture.shapes if (token := getattr(s, "token", None)) is not None}
        for board in range(1, BOARDS):
            cards = [where[Token("piece", card)] for card in state.markets[board][:6]]
            assert all(meet(card, where[Token("place", f"board/{board}")]) for card in cards)


def test_no_card_is_drawn_twice_also_while_somebody_looks_into_a_lab() -> None:
    kit, looked = kit_of("us-patent"), 0
    for step in islice(kit.sensible(3, 7), ACTS):
        looked += any(looks.value for looks in step.before.looks)
        cards = [s.token for s in wide_picture(kit.game, step.before).shapes if isinstance(s, Card) and s.token]
        assert len(cards) == len(set(cards))
    assert looked


def test_a_card_on_another_is_caught() -> None:
    kit = kit_of("us-patent")
    state = next(state for state in moments(kit, 3) if any(len(cards) > 1 for cards in state.markets))
    picture = wide_picture(kit.game, state)
    heap = tuple(replace(s, x=9, y=9) if isinstance(s, Card) else s for s in picture.shapes)
    assert covered(replace(picture, shapes=heap)) != []


def test_a_lab_keeps_its_cards_to_itself() -> None:
    """Only what a seat looks at is drawn by name, in front of that seat; the control is the picture of the state."""
    kit, told = kit_of("us-patent"), 0
    for step in islice(kit.sensible(3, 7), ACTS):
        state = step.before
        secret = {Token("piece", card.value) for lab in state.labs for card in lab}
        assert not secret & tokens(wide_picture(kit.game, mask(state, PUBLIC)))
        told += len(secret & tokens(wide_picture(kit.game, state)))
    assert told > 0
