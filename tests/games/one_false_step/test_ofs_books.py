"""Books worked out by hand on the valley (red and green dots: alba 3 1, brio 2 2, cima 1 0, dora 4 3, fano 2 0)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core import PieceId, PlaceId, SeatId
from companion.games.one_false_step.state import COLOURS, Auction, Monday, Paying, books
from tests.games.one_false_step.play import ADA, BEN, CLEO, NOBODY, VALLEY, at, city, laid, own, setup_for


@pytest.mark.rule("F35", "F.i")
def test_the_score_is_red_chips_red_dots_of_active_cities_and_know_how() -> None:
    owned = (own("alba"), own("brio", BEN, chips=2), own("dora", BEN), own("cima", CLEO), own("fano", CLEO))
    state = laid(*owned, red=(7, 5, 1), know_how=(CLEO, NOBODY, CLEO)).now
    assert books.scores(state) == [7 + 3, 5 + 4, 1 + 1 + 2 + 2 * 2]
    assert [books.score(state, seat) for seat in (ADA, BEN, CLEO)] == [10, 9, 8]


@pytest.mark.rule("F35")
@pytest.mark.parametrize(
    ("red", "button", "winner"),
    [
        ((29, 29, 29), ADA, None),
        ((30, 29, 29), BEN, ADA),
        ((29, 31, 0), CLEO, BEN),
        ((30, 30, 30), BEN, BEN),
        ((30, 29, 30), BEN, CLEO),
        ((30, 30, 29), CLEO, ADA),
    ],
)
def test_thirty_win_and_of_several_the_nearest_to_the_button(
    red: tuple[int, ...], button: SeatId, winner: SeatId | None
) -> None:
    assert books.winner_now(laid(red=red, button=button).now) == winner


def test_a_city_is_active_without_chips_on_it() -> None:
    awake, asleep, hers = own("alba"), own("brio", chips=1), own("cima", BEN)
    state = laid(awake, asleep, hers).now
    assert books.active(state, ADA) == (awake,)
    assert [books.active_one(state, ADA, city(name)) for name in ("alba", "brio", "cima", "dora")] == [
        awake,
        *[None] * 3,
    ]
    assert [books.holding(state, city(name)) for name in ("brio", "cima", "dora")] == [asleep, hers, None]


@pytest.mark.rule("F20", "F21", "F31")
def test_income_and_bill_are_counted_claim_by_claim_and_dot_by_dot() -> None:
    claims = {"farm 1a": ADA, "mine 1b": ADA, "farm 1c": ADA, "mine 2a": BEN, "farm 5a": CLEO}
    state = laid(own("brio"), own("dora"), own("alba", chips=1), own("fano", BEN), claims=claims).now
    assert [books.income(state, seat) for seat in (ADA, BEN, CLEO, NOBODY)] == [(2, 1), (0, 1), (1, 0), (0, 0)]
    assert [books.bill(state, seat) for seat in (ADA, BEN, CLEO)] == [2 + 3, 0, 0]


def test_chips_of_all_colours_are_counted_together() -> None:
    state = laid(red=(1, 2, 3), food=(10, 20, 30), gold=(100, 200, 300)).now
    assert [books.chips(state, seat) for seat in (ADA, BEN, CLEO)] == [111, 222, 333]


@pytest.mark.rule("F.w")
def test_what_is_bid_for_the_button_must_be_kept() -> None:
    button = laid(steps=(Auction(PieceId(""), ADA, (ADA, BEN), 4, BEN),)).now
    assert [books.pledged(button, seat) for seat in (ADA, BEN, CLEO)] == [(0, ()), (4, COLOURS), (0, ())]
    town = laid(steps=(Auction(PieceId("dora"), ADA, (ADA, BEN), 4, BEN),)).now
    assert books.pledged(town, BEN) == (0, ())
    paying = laid(steps=(Paying(BEN, 3, ("food",)),)).now
    assert [books.pledged(paying, seat) for seat in (ADA, BEN, CLEO)] == [(0, ()), (3, ("food",)), (0, ())]
    assert books.pledged(laid().now, ADA) == books.pledged(laid(steps=()).now, ADA) == (0, ())


@pytest.mark.rule("F36")
def test_a_city_holds_one_counter_for_each_thousand_begun() -> None:
    state = laid(population="on").now
    names = ("alba", "brio", "cima", "dora", "enno", "fano", "nowhere")
    assert [books.capacity(state, city(name)) for name in names] == [3, 3, 4, 3, 4, 5, None]
    assert books.capacity(laid().now, city("alba")) is None
    first, *rest = VALLEY.boards
    one_more = replace(first, towns=(replace(first.towns[0], population=3001), *first.towns[1:]))
    grown = replace(state, setup=setup_for(3, population="on", pack=replace(VALLEY, boards=(one_more, *rest))))
    assert books.capacity(grown, city("alba")) == 4


def test_counters_on_the_cards_of_active_cities_are_to_be_placed() -> None:
    state = laid(
        own("alba", middle=2), own("brio", middle=3), own("cima", chips=1, middle=4), own("dora", BEN, middle=1)
    )
    assert [books.on_cards(state.now, seat) for seat in (ADA, BEN, CLEO)] == [5, 1, 0]


@pytest.mark.rule("F.o", "F.g")
def test_a_claim_is_held_by_the_strongest_connected_active_city() -> None:
    claims = {"farm 1a": ADA, "mine 1b": ADA, "mine 2a": BEN, "farm 3a": ADA}
    state = laid(own("alba", counters=2), own("brio", counters=5), own("cima", BEN, chips=1), claims=claims).now
    assert [books.support(state, number) for number in (0, 1, 3, 5)] == [5, 5, None, None]
    apart = laid(own("alba", counters=2), own("brio", counters=5), claims={"farm 1a": ADA, "mine 1b": BEN}).now
    assert books.support(apart, 0) == 2
    stronger = laid(own("alba", counters=9), own("brio", counters=5), claims={"mine 1b": ADA}).now
    assert books.support(stronger, 1) == 5, "the stronger one is not connected"


def test_what_is_not_there_is_connected_to_nothing() -> None:
    state = laid(own("alba"), claims={"farm 1a": ADA}).now
    assert books.within_reach(state, ADA, city("alba")) == 0b11
    assert books.within_reach(state, BEN, city("alba")) == 0b01
    assert books.within_reach(state, ADA, city("nowhere")) == 0
    assert books.claims_of(state, ADA) == 1
    assert [books.claims_of(state, seat) for seat in (NOBODY, SeatId(3))] == [0, 0]
    assert books.claim_number(state, at("mine 2a")) == 3
    assert books.claim_number(state, PlaceId("mine/9-z")) is None
    assert books.claim_number(replace(state, claims=(), steps=(Monday(ADA),)), at("mine 2a")) is None
