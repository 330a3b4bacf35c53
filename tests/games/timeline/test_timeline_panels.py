"""What people read at a glance matches the books."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TypeVar

import pytest

from companion.core import Ledger, Meter, Part, SeatId, Slots, Standing, Track, say, seats_of
from companion.games.timeline import GAME
from companion.games.timeline.rules import intents as i
from companion.games.timeline.state import (
    WINNING,
    Selling,
    State,
    Turn,
    good_word,
    market,
    markets,
    prices,
    tier,
    worth,
)
from tests.games.timeline.board import ADA, BEN, act, board, opened, played

P = TypeVar("P")
WORKED = [("1a", 0)], [("9a", -1)], [("13a", 0)], [("23a", -2)]


def one(state: State, seat: SeatId, kind: type[P]) -> P:
    (found,) = (each for each in GAME.own(state, seat) if isinstance(each, kind))
    return found


def standings(state: State) -> list[Standing]:
    return [each for each in GAME.status(state).facts if isinstance(each, Standing)]


def size(parts: tuple[Part, ...], look: str) -> int:
    return sum(part.size for part in parts if part.look == look)


def games() -> Iterator[State]:
    for seats in (2, 4):
        yield from (verdict.after for _, _, verdict in played(Random(seats), seats, 150))


@pytest.mark.rule("T4", "T23", "T30")
def test_gold_goods_and_prices_are_those_of_the_books() -> None:
    """In any game, in the check as well as on your own phone."""
    for state in games():
        ledger = next(each for each in GAME.status(state).facts if isinstance(each, Ledger))
        assert tuple(int(row.right) for row in ledger.rows) == prices(state)
        assert [row.left for row in ledger.rows] == [say("panel.lane", at=tier(lane)) for lane in markets(state)]
        told = standings(state)
        for seat in map(SeatId, seats_of(state)):
            have, stock = one(state, seat, Meter).bars
            goods = sum(n * price for n, price in zip(state.goods[seat], prices(state), strict=True))
            assert (size(have.parts, "used"), size(stock.parts, "extra")) == (state.gold[seat], goods)
            assert size(have.parts, "left") == max(0, WINNING - state.gold[seat])
            assert tuple(cell.number for cell in one(state, seat, Slots).cells) == state.goods[seat]
            stands = told[seat]
            assert stands.bar is not None
            assert (stands.seat, stands.value, stands.bar.parts) == (seat, str(state.gold[seat]), have.parts)


@pytest.mark.rule("T10", "T21", "T22", "T28")
def test_the_way_is_shown_to_the_market_where_it_ends() -> None:
    state = board(*WORKED, pawns={0: (1, 2), 1: (5, 2)})
    on_the_way, arrived = one(state, ADA, Track), one(state, BEN, Track)
    assert (on_the_way.said, on_the_way.at) == (say("panel.column", column=1), 0)
    assert (arrived.said, arrived.at) == (say("panel.in-market"), len(arrived.stops) - 1)
    value = worth(state.setup.pack, 2)
    assert arrived.note == say("panel.market", at=tier(2), value=value, good=good_word(2))
    beside = board(*WORKED)
    assert not any(isinstance(each, Track) for each in GAME.own(beside, ADA))
    far = one(board(*WORKED, pawns={0: (5, 40)}), ADA, Track)
    assert far.note == say("panel.market-none", at=tier(40), value=worth(state.setup.pack, 40))


@pytest.mark.rule("T21", "T23")
@pytest.mark.parametrize(("gold", "wins"), [(15, True), (14, False), (21, False)])
def test_the_check_warns_of_a_sale_that_would_win(gold: int, wins: bool) -> None:
    """Two Beetcandy at 3, in the market that buys it."""
    state = board(*WORKED, pawns={0: (1, 2), 1: (5, 2)}, goods={1: (9, 9, 2, 9)}, gold=(0, gold))
    assert [each.alarm for each in standings(state)] == [
        None,
        say("panel.can-win", n=21, at=market(state, 2)) if wins else None,
    ]


def test_the_board_is_listed_card_by_card() -> None:
    state = board([("1a", 0, 0b1001), ("?", 4)], *WORKED[1:])
    folded = [each for each in GAME.status(state).facts if isinstance(each, Ledger) and each.folded]
    assert len(folded) == 1
    assert [row.said.key for row in folded[0].rows] == ["panel.card", "panel.blank", *["panel.card"] * 3]
    assert [row.right for row in folded[0].rows] == ["=", "↓ 4", "↑ 1", "=", "↑ 2"]
    assert len(folded[0].words) == len(folded[0].rows)


@pytest.mark.rule("T7", "T22")
def test_the_stages_of_a_turn_follow_it() -> None:
    """A move, then a sale."""
    assert GAME.stages(opened(2, Random(1))) is None
    state = board(*WORKED, pawns={0: (1, 2), 1: (2, 0)}, goods={0: (2, 2, 2, 2)})
    seen = set()
    for now in (state, act(state, i.EnterMarket(ADA)), *games()):
        found = GAME.stages(now)
        assert (found is not None) or not isinstance(now.steps[-1], Turn | Selling)
        if found is not None:
            assert found.at == isinstance(now.steps[-1], Selling)
            seen.add(found.at)
    assert seen == {0, 1}
