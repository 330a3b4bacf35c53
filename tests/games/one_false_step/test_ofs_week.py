"""Tuesday and Wednesday, and the course of a week."""

from __future__ import annotations

from itertools import permutations

import pytest

from companion.core import TABLE, Accepted, Intent, SeatId, judge
from companion.games.one_false_step import GAME
from companion.games.one_false_step import events as e
from companion.games.one_false_step.rules.intents import (
    AcceptTrade,
    Bid,
    BuyFood,
    DrewCity,
    Feed,
    FeedAll,
    GiveButton,
    Jump,
    NamePrice,
    OfferGold,
    Pass,
    Starve,
    Strengthen,
)
from companion.games.one_false_step.state import Auction, Giving, Wednesday
from tests.games.one_false_step.play import ADA, BEN, CLEO, Table, at, city, laid, own, playout


def wednesday(*due: str) -> tuple[Wednesday]:
    return (Wednesday(tuple(city(name) for name in due)),)


@pytest.mark.rule("F9", "F40")
def test_the_days_come_in_order_for_all_together() -> None:
    order = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
    seen: list[str] = []
    for before, intent, _ in playout(3, 5, 3000):
        verdict = judge(GAME, before, intent)
        assert isinstance(verdict, Accepted)
        seen += [event.day for event in verdict.events if isinstance(event, e.DayCame)]
    assert len(seen) > 14
    assert seen == [order[n % 7] for n in range(len(seen))]


@pytest.mark.rule("F20", "F45", "F.an")
def test_tuesday_pays_for_farms_and_mines_connected_or_not() -> None:
    table = laid(own("alba", middle=1), food=(0, 0, 0),
                 claims={"farm 1a": ADA, "mine 2a": BEN, "farm 4a": BEN, "farm 2b": BEN})  # fmt: skip
    table.do(Strengthen(ADA, city("alba")))
    assert table.happened(e.IncomePaid) == [e.IncomePaid(ADA, 1, 0), e.IncomePaid(BEN, 2, 1)]
    assert (table.now.food, table.now.gold) == ((1, 2, 0), (0, 1, 0))


@pytest.mark.rule("F40")
def test_income_comes_before_the_bill() -> None:
    table = laid(own("alba", middle=1), food=(0, 0, 0), claims={"farm 1a": ADA}).do(Strengthen(ADA, city("alba")))
    assert table.now.day == "wednesday"
    assert table.may(Feed(ADA, city("alba")))


@pytest.mark.rule("F21")
def test_each_city_is_fed_or_starved() -> None:
    table = laid(own("alba"), own("brio", BEN), steps=wednesday("alba", "brio"), food=(3, 1, 4), day="wednesday")
    assert table.awaits() == ("feed", (ADA, BEN))
    assert table.no(Feed(BEN, city("brio"))).rule == "F21"
    assert table.no(FeedAll(BEN)).rule == "F21"
    assert table.no(Feed(ADA, city("brio"))).key == "city-due"
    table.do(Feed(ADA, city("alba")))
    assert table.now.food == (2, 1, 4)
    assert table.no(Feed(ADA, city("alba"))).rule == "F21"
    assert table.no(FeedAll(ADA)).key == "owes"
    assert table.awaits() == ("feed", (BEN,))
    table.do(Starve(BEN, city("brio")))
    assert table.now.day == "thursday"
    assert table.no(Feed(ADA, city("alba"))).key == "wednesday"


@pytest.mark.rule("F21", "F45", "F.k", "F.ay")
def test_a_starved_city_is_lost_with_its_counters_but_not_its_claims() -> None:
    table = laid(own("alba", counters=4, train=2), own("brio", BEN), claims={"farm 1a": ADA}, food=(9, 9, 9),
                 steps=wednesday("alba", "brio"), day="wednesday")  # fmt: skip
    score = table.score(ADA)
    table.do(Starve(ADA, city("alba")))
    assert [h.city for h in table.now.owned] == ["brio"]
    assert table.score(ADA) == score - 3
    assert table.owner("farm 1a") == ADA
    table.do(FeedAll(BEN))
    assert table.now.deck.top[0].value == "alba"
    assert all(h.city != "alba" for h in table.now.owned)


@pytest.mark.rule("F.aj")
def test_starving_is_free_to_choose_city_by_city() -> None:
    table = laid(own("alba"), own("dora"), food=(9, 9, 9), steps=wednesday("alba", "dora"), day="wednesday")
    assert {Starve(ADA, city("alba")), Feed(ADA, city("dora"))} <= set(table.legal(ADA))
    poor = laid(own("dora"), food=(2, 0, 0), gold=(9, 0, 0), steps=wednesday("dora"), day="wednesday")
    assert poor.may(Starve(ADA, city("dora")))
    assert poor.no(Feed(ADA, city("dora"))).key == "food-enough"


@pytest.mark.rule("F.ak")
def test_a_city_without_green_dots_owes_nothing_and_cannot_be_starved() -> None:
    table = laid(own("alba", middle=1), own("cima")).do(Strengthen(ADA, city("alba")))
    assert table.now.steps == wednesday("alba")
    assert table.no(Starve(ADA, city("cima"))).rule == "F.ak"
    assert table.no(Feed(ADA, city("cima"))).rule == "F.ak"


@pytest.mark.rule("F.q", "F34")
def test_trade_on_wednesday_saves_a_city() -> None:
    table = laid(own("alba"), food=(0, 4, 4), gold=(3, 0, 0), steps=wednesday("alba"), day="wednesday")
    assert not table.may(Feed(ADA, city("alba")))
    bank = Table(table.now).do(BuyFood(ADA, 1), Feed(ADA, city("alba")))
    assert bank.now.food[0] == 0
    table.do(OfferGold(ADA, BEN, 1), NamePrice(ADA, BEN, 2), AcceptTrade(BEN, ADA), Feed(ADA, city("alba")))
    assert (table.now.food[0], table.now.gold[0]) == (1, 2)


@pytest.mark.rule("F39", "F.j", "F.al")
def test_any_order_of_answers_gives_the_same_wednesday() -> None:
    start = laid(own("alba", ADA), own("brio", BEN), own("dora", CLEO), own("enno", CLEO), food=(4, 4, 4), button=BEN,
                 steps=wednesday("alba", "brio", "dora", "enno"), day="wednesday", red=(1, 1, 1))  # fmt: skip
    answers: tuple[Intent, ...] = (
        Starve(ADA, city("alba")),
        Starve(BEN, city("brio")),
        Feed(CLEO, city("dora")),
        Starve(CLEO, city("enno")),
    )
    ends = {repr(Table(start.now).do(*order).now) for order in permutations(answers)}
    assert len(ends) == 1
    end = Table(start.now).do(*answers)
    # Ben has the Button: his card first, then Cleo's, then Ada's, each on top.
    assert [hidden.value for hidden in end.now.deck.top] == ["alba", "enno", "brio"]


@pytest.mark.rule("F.al", "F.j")
def test_several_cities_of_one_owner_go_back_in_the_owners_order() -> None:
    for first, second in (("alba", "dora"), ("dora", "alba")):
        table = laid(own("alba"), own("dora"), steps=wednesday("alba", "dora"), day="wednesday")
        table.do(Starve(ADA, city(first)), Starve(ADA, city(second)))
        assert [hidden.value for hidden in table.now.deck.top] == [second, first]
        assert all(hidden.known_by == (-1,) for hidden in table.now.deck.top)


@pytest.mark.rule("F.al", "F.am", "F.j")
def test_a_starved_card_is_auctioned_first_and_may_become_a_ghost_town() -> None:
    table = laid(
        own("alba"), own("dora"), steps=wednesday("alba", "dora"), day="wednesday", food=(0,) * 3, gold=(0,) * 3
    )
    table.do(Starve(ADA, city("alba")), Starve(ADA, city("dora")))
    assert table.awaits() == ("turn-city", (TABLE,))
    assert table.legal(TABLE) == (DrewCity(TABLE, city("dora")),)
    assert table.no(DrewCity(TABLE, city("alba"))).rule == "F29"
    table.do(DrewCity(TABLE, city("dora")))
    assert table.may(Bid(ADA, 1))
    table.do(Pass(ADA), Pass(BEN), Pass(CLEO))
    assert "dora" in table.now.gone
    assert [hidden.value for hidden in table.now.deck.top] == ["alba"]


@pytest.mark.rule("F41", "F8")
def test_the_button_moves_on_saturday_only_and_may_stay() -> None:
    moved = {"setup", "saturday"}
    for seed in range(3):
        for before, _, after in playout(3, seed, 800):
            if before.button != after.button:
                assert before.day in moved
    table = laid(own("alba"), steps=(Giving(ADA),), day="saturday").do(GiveButton(ADA, ADA))
    assert table.now.button == ADA


@pytest.mark.rule("F.an")
def test_a_player_without_a_city_stays_in() -> None:
    table = laid(own("brio", BEN), own("cima", CLEO), steps=(Auction(city("dora"), ADA, (ADA, BEN, CLEO)),),
                 claims={"farm 1a": ADA}, day="saturday")  # fmt: skip
    assert table.may(Bid(ADA, 3))
    table.do(Bid(ADA, 1), Pass(BEN), Pass(CLEO))
    assert table.now.week == 2
    assert table.awaits() == ("place", (BEN,))


def test_feeding_all_pays_for_what_is_left() -> None:
    table = laid(own("alba"), own("brio"), own("dora"), food=(5, 0, 0), steps=wednesday("alba", "brio", "dora"))
    table.do(Starve(ADA, city("dora")), FeedAll(ADA))
    assert table.now.food[0] == 2
    assert Jump(ADA, city("alba"), at("farm 1a")).actor == SeatId(0)
