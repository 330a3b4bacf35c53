"""A thing is laid on the box: what it most likely meant, and why not."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core import PUBLIC, Blocked, End, HowMany, SeatId, Token, known_pieces, select
from companion.games.one_false_step import GAME
from companion.games.one_false_step.rules import intents as i
from companion.games.one_false_step.state import OpenSeat, Thursday, Wednesday
from tests.games.one_false_step.play import ADA, BEN, CLEO, Table, setup_for
from tests.games.one_false_step.test_ofs_reasons import (
    ALBA,
    ATTACK,
    BRIO,
    MONDAY,
    OPENING,
    SALE,
    SHOT,
    THURSDAY,
    TURNING,
    WEDNESDAY,
    moment,
)


def touched(table: Table, *things: str, by: SeatId | None = None) -> End:
    """The result of laying things on the box, by the awaited seat if nobody is named."""
    actors = (by,) if by is not None else GAME.decisions(table.now)[-1].seats
    tokens = tuple(Token("place" if "/" in thing else "piece", thing) for thing in things)
    known = frozenset(known_pieces(GAME, table.view(PUBLIC)))
    return select(GAME, table.now, table.view(PUBLIC), actors, tokens, known=known, verbs=GAME.verbs)


@pytest.mark.rule("F29")
def test_whoever_touches_the_city_for_sale_wants_it() -> None:
    assert touched(SALE, "dora") == HowMany(i.Bid(ADA, 3), 3, 10)


@pytest.mark.rule("F.r")
def test_who_touches_a_seat_beyond_the_own_chips_is_told_only_that() -> None:
    dear = Table(replace(OPENING.now, open_seats=(OpenSeat(ALBA, BEN, 10), OpenSeat(BRIO))))
    end = touched(dear, "alba")
    assert isinstance(end, Blocked)
    assert end.refused.intent == i.BidSeat(ADA, ALBA, 11)
    assert [refusal.key for refusal in end.refused.refusals] == ["red-held"]


BOARDS = Table(GAME.start(setup_for(3))).do(i.UseLayout(ADA, 1))


@pytest.mark.rule("F1", "F3", "F11", "F13", "F14", "F21", "F.ak", "F22", "F23", "F29", "F38", "F39")
@pytest.mark.parametrize(
    ("end", "told"),
    [
        (touched(SALE, "dora", by=BEN), ("F29", "still-in")),
        (touched(SALE, "dora", by=CLEO), ("F39", "your-turn")),
        (touched(BOARDS, "board-8"), ("F1", "five-boards")),
        (touched(OPENING, "dora"), ("F3", "seat-on-offer")),
        (touched(MONDAY, "brio"), ("F11", "counter-there")),
        (touched(MONDAY, "farm/3-a"), ("F13", "connected")),
        (touched(MONDAY, "brio", "farm/1-a"), ("F11", "counter-there")),
        (touched(ATTACK, "alba"), ("F14", "dispute-first")),
        (touched(ATTACK, "mine/1-b"), ("F14", "dispute-first")),
        (touched(WEDNESDAY, "dora"), ("F21", "city-due")),
        (touched(moment(Wednesday((ALBA,))), "cima", by=CLEO), ("F.ak", "eats")),
        (touched(THURSDAY, "fuel-2"), ("F38", "own-rocket")),
        (touched(SHOT, "fuel-1"), ("F26", "shot-first")),
        (touched(moment(Thursday(ADA), levels=((10, 1, 1),) * 3), "guidance-1"), ("F23", "level-there")),
        (touched(MONDAY, "fuel-1"), ("F22", "thursday")),
        (touched(TURNING, "alba"), ("F29", "next-city")),
    ],
    ids=lambda value: value[1] if isinstance(value, tuple) else "touched",
)
def test_a_touched_thing_is_refused_for_what_it_most_likely_meant(end: End, told: tuple[str, str]) -> None:
    assert isinstance(end, Blocked), end
    assert (end.refused.refusals[0].rule, end.refused.refusals[0].key) == told
