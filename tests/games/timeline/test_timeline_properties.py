"""What is true in every random game, of every size and with every option."""

from __future__ import annotations

from itertools import pairwise, product
from random import Random
from typing import Any

import msgspec
import pytest

from companion.core import (
    PUBLIC,
    TABLE,
    Accepted,
    Intent,
    PieceId,
    PlaceId,
    SeatId,
    argument_kinds,
    judge,
    legal,
    mask,
    told,
)
from companion.games.timeline import GAME
from companion.games.timeline import events as e
from companion.games.timeline.rules import VERBS
from companion.games.timeline.state import GOODS, State, colours, path_cards
from tests.games.timeline.board import PACK, played

CHOICES = [
    dict(zip(("slide", "second_copies", "blanks"), c, strict=True))
    for c in product(("column", "card-and-above"), ("as-drawn", "turned"), ("deck", "stand-ins"))
]
GAMES = [(2 + n % 4, choice) for n, choice in enumerate(CHOICES)]


def wild(rng: Random, state: State) -> Intent:
    """An intent with random arguments, some of them right by chance."""
    verb = rng.choice(VERBS)
    cards = [*path_cards(PACK), PieceId("?"), PieceId("pawn-0"), PieceId("face-99")]
    places = [
        "column/0",
        *(f"column/{n}" for n in range(1, 8)),
        *(f"card/{c}/{n}" for c in range(1, 5) for n in (0, 1, 2)),
        "x/y",
    ]
    given: dict[str, Any] = {}
    for name, kind in argument_kinds(verb.intent):
        given[name] = {
            "piece": rng.choice(cards),
            "place": PlaceId(rng.choice(places)),
            "seat": SeatId(rng.randint(-1, 6)),
            "number": rng.randint(-2, 6),
        }[kind]
    made: Intent = verb.intent(SeatId(rng.choice((state.turn, rng.randint(-1, 6)))), **given)
    return made


def stock_of_colours(state: State, sold: list[int]) -> list[int]:
    """Counters of each colour on the board, in hands and sold."""
    found = [sum(goods[good] for goods in state.goods) + sold[good] for good in range(4)]
    for column in state.columns:
        for one in column:
            for slot in range(4):
                if one.counters >> slot & 1:
                    found[colours(one.lines)[slot]] += 1
    return found


@pytest.mark.rule("T3", "T15", "T25", "T.ad", "T.ae")
@pytest.mark.parametrize(("seats", "options"), GAMES)
def test_cards_and_counters_are_conserved(seats: int, options: dict[str, str]) -> None:
    sold = [0, 0, 0, 0]
    for _, _, verdict in played(Random(seats + 40), seats, 250, **options):
        for event in verdict.events:
            if isinstance(event, e.Sold):
                sold[GOODS.index(event.good)] += event.n
        after = verdict.after
        up = [one.card for column in after.columns for one in column if one.lines]
        assert sorted((*up, *after.deck)) == list(path_cards(PACK))
        assert stock_of_colours(after, sold) == [len(up)] * 4
        blanks = sum(not one.lines for column in after.columns for one in column)
        assert after.blanks == (0 if options["blanks"] == "stand-ins" else blanks)
        assert len(after.deck) >= after.blanks


@pytest.mark.rule("T18", "T.t", "T.o")
@pytest.mark.parametrize(("seats", "options"), GAMES)
def test_cards_never_overlap_and_pawns_never_meet(seats: int, options: dict[str, str]) -> None:
    for _, _, verdict in played(Random(seats + 80), seats, 250, **options):
        after = verdict.after
        for column in after.columns:
            gaps = [low.top - high.top - 4 for high, low in pairwise(column)]
            assert all(gap >= 0 for gap in gaps)
            if options["slide"] == "column":
                assert not any(gaps), "a column has no gaps"
        spots = [(spot.column, spot.lane) for spot in after.pawns if 0 < spot.column <= len(after.columns)]
        assert len(set(spots)) == len(spots)
        for column_number, lane in spots:
            (card,) = [one for one in after.columns[column_number - 1] if 0 <= lane - one.top <= 3]
            assert card.lines
            assert not card.counters >> (lane - card.top) & 1, "its counter is gone"


def shown(view: State, seat: SeatId) -> bytes:
    """Everything that is ever said or drawn to an audience about a position."""
    who = SeatId(max(seat, 0))
    things = (
        GAME.headline(view),
        GAME.own(view, who),
        GAME.status(view),
        GAME.picture(view),
        GAME.layout(view),
        GAME.decisions(view),
        [GAME.foresee(view, intent) for intent in legal(GAME, view, who)],
        GAME.series(view),
    )
    return msgspec.json.encode(things)


@pytest.mark.rule("T.ab", "T.p")
@pytest.mark.slow
def test_unseen_cards_swapped_change_no_byte_of_what_is_shown() -> None:
    """Which cards are unseen is known (they are not on the board); which of them comes next, nobody can tell."""
    for state, _, verdict in played(Random(6), 4, 200, slide="card-and-above"):
        swapped = msgspec.structs.replace(state, deck=tuple(reversed(state.deck)))
        for seat in (PUBLIC, SeatId(0), SeatId(3)):
            assert shown(mask(state, seat), seat) == shown(mask(swapped, seat), seat)
            mine, all_see = mask(verdict.after, seat), mask(verdict.after, PUBLIC)
            lines = [told(GAME, mine, event, seat) for event in verdict.events]
            assert lines == [told(GAME, all_see, event, PUBLIC) for event in verdict.events]


def test_a_view_that_shows_the_deck_would_be_caught() -> None:
    state = next(state for state, _, _ in played(Random(6), 4, 200))
    assert shown(state, PUBLIC) != shown(mask(state, PUBLIC), PUBLIC)


def test_the_refusal_of_a_draw_is_the_same_for_every_card() -> None:
    states = [s for s, i, _ in played(Random(2), 2, 120) if i.actor == TABLE]
    from companion.core import Refused
    from companion.games.timeline.rules.intents import Drew

    for state in states:
        on_board = [one.card for column in state.columns for one in column if one.lines]
        refused = {judge(GAME, state, Drew(TABLE, PieceId(c))) for c in (*on_board, "face-99", "?")}
        texts = {v.refusals[0].facts for v in refused if isinstance(v, Refused)}
        assert texts == {()}


@pytest.mark.parametrize(("seats", "options"), GAMES)
def test_advise_lets_hands_do_much_and_nothing_breaks(seats: int, options: dict[str, str]) -> None:
    """Whatever advise lets stand, the table can still be told, drawn, checked and played on."""
    rng = Random(seats + 3)
    marked = 0
    for start, _, _ in played(rng, seats, 40, **options):
        state = start
        for _ in range(25):
            verdict = judge(GAME, state, wild(rng, state), advise=True)
            if isinstance(verdict, Accepted):
                marked += bool(verdict.marks)
                state = verdict.after
                assert shown(mask(state, PUBLIC), PUBLIC)
    assert marked
