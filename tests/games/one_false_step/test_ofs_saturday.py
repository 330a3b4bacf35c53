"""Friday and Saturday: inactive cities, the auction, the Button."""

from __future__ import annotations

import pytest

from companion.core import TABLE, SeatId, say
from companion.games.one_false_step import GAME
from companion.games.one_false_step import events as e
from companion.games.one_false_step.rules.intents import (
    Bid,
    DrewCity,
    EndThursday,
    GiveButton,
    Pass,
    PayFood,
    PayRed,
    Strengthen,
)
from companion.games.one_false_step.rules.saturday import split
from companion.games.one_false_step.state import BUTTON, Auction, Giving, Holding, Thursday, Turning
from tests.games.one_false_step.play import ADA, BEN, CLEO, Table, city, laid, own


def friday(*owned: Holding, button: SeatId = ADA, **more: object) -> Table:
    """The last Thursday turn ends; Friday follows by itself."""
    last = SeatId((button + 2) % 3)
    table = laid(*owned, steps=(Thursday(last),), day="thursday", button=button, **more)  # type: ignore[arg-type]
    return table.do(EndThursday(last))


def sale(name: str = "dora", button: SeatId = ADA, **more: object) -> Table:
    order = tuple(SeatId((button + n) % 3) for n in range(3))
    return laid(own("alba"), own("brio", BEN), own("cima", CLEO), button=button, day="saturday",
                steps=(Auction(city(name), button, order),), **more)  # type: ignore[arg-type]  # fmt: skip


def button_sale(**more: object) -> Table:
    return sale(BUTTON, **more)  # type: ignore[arg-type]


@pytest.mark.rule("F28", "F.c")
def test_friday_takes_one_chip_off_each_inactive_city() -> None:
    table = friday(own("alba"), own("brio", BEN, chips=2), own("dora", CLEO, chips=1, counters=1))
    assert table.held("brio").chips == 1
    assert table.held("dora") == own("dora", CLEO)
    assert table.happened(e.CityActive) == [e.CityActive(CLEO, city("dora"))]
    assert table.now.day == "saturday"
    assert table.now.bank[0] == 60 - 30 - 1


@pytest.mark.rule("F28", "F.as", "F39")
@pytest.mark.parametrize(("button", "winner"), [(ADA, BEN), (CLEO, CLEO)])
def test_two_cities_coming_up_are_settled_in_button_order(button: SeatId, winner: SeatId) -> None:
    table = friday(own("dora", BEN, chips=1), own("enno", CLEO, chips=1), red=(5, 28, 28), button=button)
    result = GAME.result(table.now)
    assert result is not None
    assert result.winners == (winner,)


@pytest.mark.rule("F.at")
def test_two_own_cities_advance_on_one_friday() -> None:
    table = friday(own("alba", chips=3), own("brio", chips=2))
    assert (table.held("alba").chips, table.held("brio").chips) == (2, 1)


@pytest.mark.rule("F29")
def test_a_city_is_turned_up_and_bid_for_from_the_button() -> None:
    table = laid(own("alba"), steps=(Turning(),), day="saturday", button=BEN, deck="dora fano")
    assert {i.city for i in table.legal(TABLE)} == {"dora", "fano"}  # type: ignore[attr-defined]
    assert table.no(DrewCity(TABLE, city("alba"))) == table.no(DrewCity(TABLE, city("nowhere")))
    table.do(DrewCity(TABLE, city("fano")))
    assert table.awaits() == ("bid", (BEN,))
    table.do(Bid(BEN, 3))
    assert table.no(Bid(CLEO, 3)).rule == "F29"
    table.do(Pass(CLEO), Bid(ADA, 4), Bid(BEN, 5))
    # Cleo has passed for good.
    assert table.awaits() == ("bid", (ADA,))
    assert (table.no(Bid(CLEO, 9)).rule, table.no(Bid(CLEO, 9)).key) == ("F29", "still-in")


@pytest.mark.rule("F30", "F41")
@pytest.mark.parametrize(("bid", "bank", "chips"), [(1, 0, 1), (6, 3, 3), (7, 3, 4)])
def test_the_winner_splits_the_bid_and_takes_button_and_card(bid: int, bank: int, chips: int) -> None:
    table = sale().do(Pass(ADA), Bid(BEN, bid), Pass(CLEO))
    assert table.happened(e.CityBought) == [e.CityBought(BEN, city("dora"), bank, chips)]
    assert table.now.red == (10, 10 - bid, 10)
    assert table.now.bank[0] == 30 + bank
    assert (table.held("dora").seat, table.held("dora").chips, table.held("dora").counters) == (BEN, chips, 1)
    assert table.now.button == BEN
    assert table.now.week == 2
    assert {lies.facing for lies in GAME.layout(table.now) if lies.piece == "dora"} == {"down"}


@pytest.mark.rule("F.au")
def test_a_bid_of_b_sleeps_half_of_b_fridays_rounded_up() -> None:
    assert [split(bid)[1] for bid in range(1, 9)] == [1, 1, 2, 2, 3, 3, 4, 4]
    table = friday(own("alba"), own("dora", BEN, chips=split(1)[1]))
    assert not table.held("dora").chips


@pytest.mark.rule("F31", "F.i", "F.ai")
def test_inactive_cities_do_nothing() -> None:
    table = laid(own("alba", middle=1), own("dora", chips=3), own("brio", BEN, chips=2))
    assert table.score(ADA) == 10 + 3
    assert table.score(BEN) == 10
    table.do(Strengthen(ADA, city("alba")))
    assert [c for step in table.now.steps for c in step.due] == ["alba"]  # type: ignore[union-attr]


@pytest.mark.rule("F32")
def test_without_a_bid_the_city_is_gone_and_the_button_is_sold() -> None:
    table = sale().do(Pass(ADA), Pass(BEN), Pass(CLEO))
    assert "dora" in table.now.gone
    assert table.awaits() == ("bid-button", (ADA,))
    empty = laid(own("alba"), steps=(Thursday(CLEO),), day="thursday", deck="").do(EndThursday(CLEO))
    assert empty.awaits() == ("bid-button", (ADA,))


@pytest.mark.rule("F33", "F.v")
def test_the_button_is_paid_in_any_mix_and_given_to_anyone() -> None:
    table = button_sale(food=(4, 2, 4), gold=(0, 3, 0)).do(Pass(ADA), Bid(BEN, 5), Pass(CLEO))
    assert table.awaits() == ("pay", (BEN,))
    assert table.no(PayRed(BEN, 6)).rule == "F33"
    assert table.no(PayFood(BEN, 1)).key == "paying-food"
    table.do(PayRed(BEN, 1))
    assert table.no(PayFood(BEN, 0)).rule == "F33"
    table.do(PayFood(BEN, 2))
    assert (table.now.red[BEN], table.now.food[BEN], table.now.gold[BEN]) == (9, 0, 1)
    assert table.awaits() == ("give-button", (BEN,))
    table.do(GiveButton(BEN, CLEO))
    assert (table.now.button, table.now.week) == (CLEO, 2)


@pytest.mark.rule("F.v")
def test_red_paid_for_the_button_lowers_the_score_and_all_chips_are_the_limit() -> None:
    table = button_sale(food=(4, 2, 4), gold=(0, 3, 0)).do(Pass(ADA))
    assert table.no(Bid(BEN, 16)).rule == "F.v"
    before = table.score(BEN)
    table.do(Bid(BEN, 15), Pass(CLEO))
    assert table.score(BEN) == before - 10
    assert table.now.bank == (60 - 20, 4 * 3 - 8, 0)
    assert table.awaits() == ("give-button", (BEN,))


@pytest.mark.rule("F33")
def test_without_a_bid_the_button_stays() -> None:
    table = button_sale(button=BEN).do(Pass(BEN), Pass(CLEO), Pass(ADA))
    assert (table.now.button, table.now.week) == (BEN, 2)


@pytest.mark.rule("F.x")
def test_the_button_may_go_to_its_buyer_and_its_holder() -> None:
    table = laid(own("alba"), steps=(Giving(BEN),), day="saturday")
    gifts = table.legal(BEN, GiveButton)
    assert gifts == tuple(GiveButton(BEN, SeatId(s)) for s in range(3))
    assert table.no(GiveButton(BEN, SeatId(3))).rule == "F.x"


@pytest.mark.rule("F.t")
def test_the_highest_bidder_is_not_asked_again_and_the_last_may_still_bid() -> None:
    table = sale().do(Bid(ADA, 2), Pass(BEN), Pass(CLEO))
    assert table.happened(e.CityBought)[0].seat == ADA
    last = sale().do(Pass(ADA), Pass(BEN))
    assert last.awaits() == ("bid", (CLEO,))
    assert last.do(Bid(CLEO, 1)).held("dora").seat == CLEO


@pytest.mark.rule("F.u")
def test_a_city_is_bid_for_in_red_chips_held_with_none_one_passes() -> None:
    table = sale(red=(3, 0, 2), food=(9, 9, 9)).do(Bid(ADA, 2))
    # Ben has no red chip and Cleo none to go higher: both pass by themselves.
    assert table.held("dora").seat == ADA
    table = sale(red=(3, 9, 2))
    assert table.no(Bid(ADA, 4)).rule == "F.u"
    table = button_sale(red=(3, 0, 2), food=(9, 1, 9)).do(Bid(ADA, 2))
    assert table.awaits() == ("bid-button", (BEN,))


@pytest.mark.rule("F.h")
def test_no_auction_takes_a_bid_of_nothing() -> None:
    assert sale().no(Bid(ADA, 0)).rule == "F.h"
    assert button_sale().no(Bid(ADA, 0)).rule == "F.h"
    assert sale().no(Bid(ADA, -3)).rule == "F.h"


def broke(*owned: Holding, deck: str = "", **more: object) -> Table:
    """Thursday is Cleo's, and one Food is the last chip of all."""
    more = {"red": (0, 0, 0), "food": (0, 0, 1), "gold": (0, 0, 0)} | more
    return laid(*owned, steps=(Thursday(CLEO),), day="thursday", deck=deck, **more)  # type: ignore[arg-type]


@pytest.mark.rule("F.ba", "F32")
def test_when_all_have_lost_everything_the_game_ends_without_a_winner() -> None:
    table = broke().do(EndThursday(CLEO))
    assert table.awaits() == ("bid-button", (CLEO,))
    table.do(Bid(CLEO, 1)).do(GiveButton(CLEO, ADA))
    result = GAME.result(table.now)
    assert result is not None
    assert result.winners == ()
    assert result.said == say("result.nobody", weeks=2)


@pytest.mark.rule("F.ba")
@pytest.mark.parametrize(
    "left",
    [
        broke(red=(1, 0, 0)),
        broke(food=(0, 1, 1)),
        broke(gold=(0, 1, 0)),
        broke(claims={"mine 1b": BEN}),
        broke(own("fano", BEN)),
        broke(deck="fano"),
    ],
    ids=["red", "food", "gold", "claim", "city", "deck"],
)
def test_as_long_as_anyone_has_anything_the_game_goes_on(left: Table) -> None:
    """A chip, a claim, a city, or a City card that is still to come."""
    left.do(EndThursday(CLEO))
    while GAME.decisions(left.now)[-1].kind in ("bid", "bid-button", "turn-city"):
        kind, (seat,) = left.awaits()
        left.do(Pass(seat) if kind != "turn-city" else DrewCity(TABLE, city("fano")))
        if left.now.week == 2:
            break
    assert left.now.week == 2
    assert left.now.steps
