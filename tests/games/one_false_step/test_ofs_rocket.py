"""Thursday: upgrades, Know-how, Moon Shots."""

from __future__ import annotations

import pytest

from companion.core import TABLE, PieceId, SeatId
from companion.games.one_false_step import GAME
from companion.games.one_false_step import events as e
from companion.games.one_false_step.rules.intents import BuyFood, EndThursday, MoonShot, ShotRolled, Upgrade
from companion.games.one_false_step.state import Thursday, rocket_card
from tests.games.one_false_step.play import ADA, BEN, CLEO, NOBODY, Table, laid, own


def thursday(gold: int = 0, food: int = 4, **more: object) -> Table:
    given = {"gold": (gold, 5, 5), "food": (food, 4, 4), "steps": (Thursday(ADA),), "day": "thursday", **more}
    return laid(own("alba"), own("brio", BEN), own("cima", CLEO), **given)  # type: ignore[arg-type]


def up(system: int = 0, seat: SeatId = ADA) -> Upgrade:
    return Upgrade(seat, rocket_card(system, seat))


def shoots(table: Table, *sums: int) -> Table:
    return table.do(MoonShot(ADA), *(ShotRolled(TABLE, n) for n in sums))


@pytest.mark.rule("F22", "F39")
def test_thursday_goes_round_from_the_button_with_one_shot_each() -> None:
    table = thursday(gold=3, food=12, red=(1, 1, 1))
    assert table.no(MoonShot(BEN)).rule == "F39"
    shoots(table, 2, 2, 2)
    assert table.no(MoonShot(ADA)).rule == "F22"
    table.do(up(), EndThursday(ADA))
    assert table.awaits() == ("rocket", (BEN,))
    table.do(EndThursday(BEN), EndThursday(CLEO))
    assert table.now.day == "saturday"
    assert table.no(up()).rule == "F22"


@pytest.mark.rule("F.l")
def test_upgrades_come_before_and_after_the_shot() -> None:
    table = shoots(thursday(gold=3).do(up(0)), 2, 2, 2).do(up(1))
    assert table.now.levels[ADA] == (2, 2, 1)


@pytest.mark.rule("F23")
def test_each_level_has_its_price_and_ten_is_the_highest() -> None:
    table = thursday(gold=6).do(up(), up(), up())
    assert (table.now.levels[ADA], table.now.gold[ADA]) == ((4, 1, 1), 0)
    assert table.no(up()).rule == "F23"
    poor = thursday(gold=4, levels=((4, 1, 1), (9, 1, 1), (1, 1, 1)))
    assert poor.no(up()).key == "gold-enough"
    top = thursday(gold=60, levels=((10, 1, 1), (1, 1, 1), (1, 1, 1)))
    assert top.no(up()).key == "level-there"


@pytest.mark.rule("F38")
def test_only_the_own_rocket_is_upgraded() -> None:
    table = thursday(gold=9)
    for card in ("guidance-2", "know-fuel", "fuel-9", "alba"):
        assert table.no(Upgrade(ADA, PieceId(card))).rule == "F38"


@pytest.mark.rule("F24", "F.ao", "F38")
def test_the_first_at_a_new_level_takes_the_know_how() -> None:
    table = thursday(gold=9)
    before = table.score(ADA)
    table.do(up(2))
    assert table.now.know_how == (NOBODY, NOBODY, ADA)
    assert table.score(ADA) == before + 2
    assert table.now.gold == (8, 5, 5)
    assert table.happened(e.UpgradedForFee) == []


@pytest.mark.rule("F25", "F.ap")
def test_up_to_the_holders_level_one_gold_goes_to_the_holder() -> None:
    table = thursday(gold=9, levels=((1, 1, 1), (3, 1, 1), (1, 1, 1)), know_how=(BEN, NOBODY, NOBODY))
    table.do(up())
    assert table.happened(e.UpgradedForFee) == [e.UpgradedForFee(ADA, rocket_card(0, ADA), 2, 0, BEN)]
    assert (table.now.gold, table.now.bank[2]) == ((8, 6, 5), -19)
    table.do(up())
    assert table.now.gold == (6, 7, 5)
    assert table.now.know_how[0] == BEN
    table.do(up())
    assert (table.now.gold, table.now.know_how[0]) == ((3, 7, 5), ADA)


@pytest.mark.rule("F.m", "F25")
def test_the_fee_is_counted_level_by_level() -> None:
    table = thursday(gold=11, levels=((1, 1, 1), (3, 1, 1), (1, 1, 1)), know_how=(BEN, NOBODY, NOBODY))
    table.do(up(), up(), up(), up())
    assert table.now.levels[ADA][0] == 5
    assert table.now.gold == (0, 5 + 2, 5)


@pytest.mark.rule("F.aq")
def test_the_holder_pays_the_bank_alone() -> None:
    table = thursday(gold=9, levels=((3, 1, 1), (3, 1, 1), (1, 1, 1)), know_how=(ADA, NOBODY, NOBODY))
    table.do(up())
    assert (table.now.gold, table.now.know_how[0]) == ((6, 5, 5), ADA)
    assert table.happened(e.KnowHowTaken) == []


@pytest.mark.rule("F26", "F46")
def test_a_shot_rolls_for_each_system_and_pays_each_success() -> None:
    table = thursday(levels=((6, 6, 6),) * 3, red=(10, 10, 10)).do(MoonShot(ADA))
    assert table.now.food[ADA] == 0
    assert table.awaits() == ("shot", (TABLE,))
    assert table.no(ShotRolled(TABLE, 1)).rule == "F26"
    assert table.no(ShotRolled(TABLE, 13)).rule == "F26"
    table.do(ShotRolled(TABLE, 6))
    assert table.now.red[ADA] == 10
    table.do(ShotRolled(TABLE, 7))
    assert table.now.red[ADA] == 11
    table.do(ShotRolled(TABLE, 12))
    assert table.now.red[ADA] == 12
    assert table.awaits()[0] == "rocket"
    assert table.no(ShotRolled(TABLE, 7)).rule == "F26"


@pytest.mark.rule("F27", "F18")
@pytest.mark.parametrize(("sums", "gain"), [((7, 7, 7), 3 + 4), ((7, 7, 6), 2), ((2, 2, 2), 0)])
def test_three_successes_pay_for_the_crew_which_leaves_in_any_case(sums: tuple[int, ...], gain: int) -> None:
    table = shoots(thursday(levels=((6, 6, 6),) * 3, crew=(4, 2, 0)), *sums)
    assert table.now.red[ADA] == 10 + gain
    assert table.now.crew == (0, 2, 0)


@pytest.mark.rule("F.az", "F26")
def test_less_than_four_food_is_no_shot_but_trading_first_is_legal() -> None:
    table = thursday(gold=3, food=3)
    assert table.no(MoonShot(ADA)).rule == "F.az"
    assert table.do(BuyFood(ADA, 1)).may(MoonShot(ADA))


def test_who_can_neither_pay_nor_trade_is_not_asked() -> None:
    table = laid(own("alba"), own("brio", BEN), food=(4, 0, 4), gold=(0, 0, 0), steps=(Thursday(ADA),), day="thursday")
    assert table.do(EndThursday(ADA)).awaits() == ("rocket", (CLEO,))


def test_two_dice_are_weighed() -> None:
    table = thursday().do(MoonShot(ADA))
    weights = [GAME.weight(table.now, intent) for intent in table.legal(TABLE)]
    assert weights == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
