"""Why not, in full: the rule, the reason, and the facts. Ada acts unless somebody else is named."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.core import TABLE, Fact, Intent, Piece, PieceId, Place, PlaceId, Refused, Seat, SeatId, judge
from companion.games.one_false_step import GAME
from companion.games.one_false_step.rules import intents as i
from companion.games.one_false_step.state import (
    Auction,
    Dispute,
    Giving,
    Laying,
    Monday,
    Offer,
    Opening,
    OpenSeat,
    Paying,
    Shot,
    Thursday,
    Tuesday,
    Turning,
    Wednesday,
)
from tests.games.one_false_step.play import ADA, BEN, CLEO, PACK, VALLEY, Table, at, city, laid, own, setup_for

ALBA, BRIO, CIMA, DORA = (city(name) for name in ("alba", "brio", "cima", "dora"))
BUTTON, BOARD_1, BOARD_9 = PieceId(""), PieceId("board-1"), PieceId("board-9")
FUEL_1, FUEL_2, KNOW_FUEL = PieceId("fuel-1"), PieceId("fuel-2"), PieceId("know-fuel")
Reason = tuple[str, str, dict[str, Fact]]


def reasons(table: Table, intent: Intent) -> list[Reason]:
    verdict = judge(GAME, table.now, intent)
    assert isinstance(verdict, Refused), verdict
    return [(refusal.rule, refusal.key, dict(refusal.facts)) for refusal in verdict.refusals]


def why(rule: str, key: str, **facts: Fact) -> list[Reason]:
    return [(rule, key, facts)]


def setting_up(*squares: tuple[int, int], seats: int = 3, pack: Any = PACK) -> Table:
    table = Table(GAME.start(setup_for(seats, pack=pack)))
    for number, (x, y) in enumerate(squares, 1):
        table.do(i.LayBoard(ADA, PieceId(f"board-{number}"), PlaceId(f"at/{x}/{y}")))
    return table


FIVE = ((0, 0), (1, 0), (2, 0), (3, 0), (4, 0))


@pytest.mark.rule("F1", "F.ax")
@pytest.mark.parametrize(
    ("table", "intent", "expected"),
    [
        (setting_up(), i.LayBoard(ADA, BOARD_9, PlaceId("at/0/0")), why("F1", "board-free", board=Piece(BOARD_9))),
        (
            setting_up((0, 0)),
            i.LayBoard(ADA, BOARD_1, PlaceId("at/1/0")),
            why("F1", "board-free", board=Piece(BOARD_1)),
        ),
        (
            setting_up(),
            i.LayBoard(ADA, PieceId("board-0"), PlaceId("at/0/0")),
            why("F1", "board-free", board=Piece(PieceId("board-0"))),
        ),
        (setting_up(*FIVE), i.LayBoard(ADA, PieceId("board-8"), PlaceId("at/5/0")), why("F1", "five-boards", n=5)),
        (setting_up((0, 0)), i.LayBoard(ADA, PieceId("board-8"), PlaceId("at/1/1")), why("F.ax", "boards-touch")),
        (setting_up(), i.TurnBoard(ADA, BOARD_1), why("F1", "board-lies", board=Piece(BOARD_1))),
        (setting_up(), i.LiftBoard(ADA, BOARD_1), why("F1", "board-lies", board=Piece(BOARD_1))),
        (setting_up(), i.UseLayout(ADA, 0), why("F1", "layout-there", high=len(PACK.layouts))),
        (setting_up(), i.UseLayout(ADA, len(PACK.layouts) + 1), why("F1", "layout-there", high=len(PACK.layouts))),
        (setting_up(*FIVE[:4]), i.MakeMap(ADA), why("F1", "all-laid", n=4)),
        (setting_up(*FIVE, seats=5, pack=VALLEY), i.MakeMap(ADA), why("F.ax", "seats-enough", n=4, seats=5)),
    ],
)
def test_the_map(table: Table, intent: Intent, expected: list[Reason]) -> None:
    assert reasons(table, intent) == expected


def test_boards_that_do_not_meet_are_refused() -> None:
    table = setting_up(*FIVE).do(i.LiftBoard(ADA, PieceId("board-2")))
    apart = replace(table.now, laid=(*table.now.laid, table.now.laid[0].__class__(2, 9, 9)))
    assert [key for _, key, _ in reasons(Table(apart), i.MakeMap(ADA))] == ["boards-meet"]


def opening(**bids: int) -> Table:
    """Ada bids first; `bids` are those of Ben."""
    seats = tuple(OpenSeat(city(n), BEN, bids[n]) if n in bids else OpenSeat(city(n)) for n in ("alba", "brio", "cima"))
    table = laid(steps=(Opening(ADA),), red=(7, 7, 7))
    return Table(replace(table.now, open_seats=seats))


@pytest.mark.rule("F3", "F.h", "F6", "F.r", "F.s", "F5")
@pytest.mark.parametrize(
    ("table", "intent", "expected"),
    [
        (opening(), i.BidSeat(ADA, DORA, 1), why("F3", "seat-on-offer", city=Piece(DORA))),
        (opening(), i.BidSeat(ADA, ALBA, 0), why("F.h", "one-chip")),
        (opening(alba=4), i.BidSeat(ADA, ALBA, 4), why("F6", "seat-higher", high=4)),
        (opening(alba=4), i.BidSeat(ADA, ALBA, 3), why("F6", "seat-higher", high=4)),
        (opening(alba=1), i.BidSeat(ADA, ALBA, 1), why("F6", "seat-higher", high=1)),
        (opening(), i.BidSeat(ADA, ALBA, 8), why("F.r", "red-held", have=7)),
        (opening(), i.BidSeat(CLEO, ALBA, 1), why("F5", "your-bid", seat=Seat(ADA))),
    ],
)
def test_the_starting_auction(table: Table, intent: Intent, expected: list[Reason]) -> None:
    assert reasons(table, intent) == expected


def test_whoever_has_a_bid_out_waits() -> None:
    assert reasons(opening(alba=4), i.BidSeat(BEN, BRIO, 1))[0] == ("F.s", "no-bid-out", {})
    assert opening(alba=4).may(i.BidSeat(ADA, ALBA, 5))
    assert opening().may(i.BidSeat(ADA, ALBA, 7))


MONDAY = laid(
    own("alba", middle=1),
    own("brio", BEN, middle=1),
    own("cima", chips=1),
    claims={"farm 1a": ADA, "mine 1b": BEN, "farm 3a": BEN},
)
FULL = laid(own("alba", middle=1, counters=3), population="on")


@pytest.mark.rule("F11", "F12", "F13", "F14", "F.ag", "F36", "F17")
@pytest.mark.parametrize(
    ("table", "intent", "expected"),
    [
        (MONDAY, i.BoardRocket(BEN, BRIO), why("F39", "your-turn", seat=Seat(ADA))),
        (MONDAY, i.Strengthen(ADA, CIMA), why("F11", "counter-there", city=Piece(CIMA))),
        (MONDAY, i.Strengthen(ADA, BRIO), why("F11", "counter-there", city=Piece(BRIO))),
        (MONDAY, i.Stake(ADA, ALBA, at("mine 9z")), why("F12", "claim-there")),
        (
            MONDAY,
            i.Stake(ADA, ALBA, at("mine 1b")),
            why("F12", "unoccupied", claim=Place(at("mine 1b")), seat=Seat(BEN)),
        ),
        (
            MONDAY,
            i.Stake(ADA, ALBA, at("farm 1c")),
            why("F13", "connected", claim=Place(at("farm 1c")), city=Piece(ALBA)),
        ),
        (MONDAY, i.Jump(ADA, ALBA, at("farm 1a")), why("F.ag", "not-own", claim=Place(at("farm 1a")))),
        (
            MONDAY,
            i.Jump(ADA, ALBA, at("farm 3a")),
            why("F13", "connected", claim=Place(at("farm 3a")), city=Piece(ALBA)),
        ),
        (
            laid(own("alba", middle=1)),
            i.Jump(ADA, ALBA, at("farm 1a")),
            why("F14", "occupied", claim=Place(at("farm 1a"))),
        ),
        (
            laid(own("cima", middle=1)),
            i.Stake(ADA, CIMA, at("farm 1a")),
            why("F13", "connected", claim=Place(at("farm 1a")), city=Piece(CIMA)),
        ),
        (
            laid(own("alba", middle=1, counters=4), population="on"),
            i.Strengthen(ADA, ALBA),
            why("F36", "room", city=Piece(ALBA), n=3),
        ),
        (FULL, i.Strengthen(ADA, ALBA), why("F36", "room", city=Piece(ALBA), n=3)),
        (MONDAY, i.SendByTrain(ADA, ALBA, CIMA), why("F17", "station", city=Piece(CIMA))),
        (laid(steps=(Tuesday(),)), i.BoardRocket(ADA, ALBA), why("F11", "monday")),
    ],
)
def test_monday(table: Table, intent: Intent, expected: list[Reason]) -> None:
    assert reasons(table, intent)[:1] == expected


DISPUTE = (own("alba", middle=1), own("brio", BEN))
ATTACK = laid(*DISPUTE, claims={"mine 1b": BEN}, steps=(Dispute(ADA, ALBA, 1, BEN),))
DEFENCE = laid(*DISPUTE, claims={"mine 1b": BEN}, steps=(Dispute(ADA, ALBA, 1, BEN, 1),))
SHOT = laid(steps=(Thursday(ADA, True), Shot(ADA)))


@pytest.mark.rule("F14", "F26")
@pytest.mark.parametrize(
    ("table", "intent", "expected"),
    [
        (ATTACK, i.AttackRolled(TABLE, 0), why("F14", "die", low=1, high=6)),
        (ATTACK, i.AttackRolled(TABLE, 7), why("F14", "die", low=1, high=6)),
        (ATTACK, i.DefenceRolled(TABLE, 3), why("F14", "defence-due")),
        (DEFENCE, i.DefenceRolled(TABLE, 7), why("F14", "die", low=1, high=6)),
        (DEFENCE, i.AttackRolled(TABLE, 3), why("F14", "attack-due")),
        (SHOT, i.ShotRolled(TABLE, 1), why("F26", "two-dice", low=2, high=12)),
        (SHOT, i.ShotRolled(TABLE, 13), why("F26", "two-dice", low=2, high=12)),
        (ATTACK, i.ShotRolled(TABLE, 7), why("F26", "shot-due")),
        (ATTACK, i.AttackRolled(ADA, 3), why("F14", "by-chance")),
        (ATTACK, i.AttackRolled(SeatId(-2), 3), why("F14", "by-chance")),
    ],
)
def test_dice(table: Table, intent: Intent, expected: list[Reason]) -> None:
    assert reasons(table, intent) == expected


def test_every_number_of_the_dice_may_fall() -> None:
    assert [roll.number for roll in ATTACK.legal(TABLE)] == [1, 2, 3, 4, 5, 6]  # type: ignore[attr-defined]
    assert [roll.number for roll in DEFENCE.legal(TABLE)] == [1, 2, 3, 4, 5, 6]  # type: ignore[attr-defined]
    assert [roll.number for roll in SHOT.legal(TABLE)] == list(range(2, 13))  # type: ignore[attr-defined]


MEALS = laid(
    own("alba"),
    own("brio"),
    own("cima"),
    own("dora", BEN),
    steps=(Wednesday((ALBA, BRIO, DORA)),),
    food=(1, 3, 0),
)


@pytest.mark.rule("F21", "F.ak")
@pytest.mark.parametrize(
    ("intent", "expected"),
    [
        (i.FeedAll(ADA), why("F21", "food-for-all", need=3, have=1)),
        (i.FeedAll(CLEO), why("F21", "owes")),
        (i.Feed(ADA, BRIO), why("F21", "food-enough", need=2, have=1)),
        (i.Feed(ADA, DORA), why("F21", "city-due", city=Piece(DORA))),
        (i.Starve(ADA, CIMA), why("F.ak", "eats", city=Piece(CIMA))),
    ],
)
def test_wednesday(intent: Intent, expected: list[Reason]) -> None:
    assert reasons(MEALS, intent)[:1] == expected


def test_just_enough_food_is_enough() -> None:
    assert MEALS.may(i.Feed(ADA, ALBA))
    assert MEALS.may(i.FeedAll(BEN))


def rocket(gold: int = 0, food: int = 0, level: int = 1, shot: bool = False) -> Table:
    levels = ((level,) * 3, (1, 1, 1), (1, 1, 1))
    return laid(steps=(Thursday(ADA, shot),), gold=(gold, 1, 1), food=(food, 1, 1), levels=levels)


@pytest.mark.rule("F23", "F38", "F22", "F.az")
@pytest.mark.parametrize(
    ("table", "intent", "expected"),
    [
        (rocket(gold=2, level=3), i.Upgrade(ADA, FUEL_1), why("F23", "gold-enough", need=3, have=2)),
        (rocket(gold=9), i.Upgrade(ADA, FUEL_2), why("F38", "own-rocket", card=Piece(FUEL_2))),
        (rocket(gold=9, level=10), i.Upgrade(ADA, FUEL_1), why("F23", "level-there", n=10)),
        (rocket(food=3), i.MoonShot(ADA), why("F.az", "party", need=4, have=3)),
        (rocket(food=4, shot=True), i.MoonShot(ADA), why("F22", "one-shot")),
        (rocket(food=4), i.EndThursday(BEN), why("F39", "your-turn", seat=Seat(ADA))),
    ],
)
def test_thursday(table: Table, intent: Intent, expected: list[Reason]) -> None:
    assert reasons(table, intent) == expected


def test_just_enough_gold_and_food_are_enough() -> None:
    assert rocket(gold=3, level=3).may(i.Upgrade(ADA, FUEL_1))
    assert rocket(gold=21, level=9).may(i.Upgrade(ADA, FUEL_1))
    assert rocket(food=4).may(i.MoonShot(ADA))


def sale(of: PieceId, high: int = 0, **held: Any) -> Table:
    return laid(own("alba"), steps=(Auction(of, ADA, (ADA, BEN, CLEO), high, CLEO if high else TABLE),), **held)


PAYING = laid(steps=(Paying(ADA, 5, ("red", "food", "gold")),), red=(4, 1, 1), food=(2, 1, 1), gold=(1, 0, 0))


@pytest.mark.rule("F29", "F.h", "F.u", "F.v", "F33", "F39", "F.x")
@pytest.mark.parametrize(
    ("table", "intent", "expected"),
    [
        (sale(DORA), i.Bid(ADA, 0), why("F.h", "one-chip")),
        (sale(DORA, 3), i.Bid(ADA, 3), why("F29", "higher", high=3)),
        (sale(DORA, 3), i.Bid(ADA, 2), why("F29", "higher", high=3)),
        (laid(steps=(Paying(ADA, 2, ("food", "gold")),), gold=(1, 1, 1)), i.PayRed(ADA, 1), why("F33", "paying-red")),
        (sale(DORA, red=(4, 9, 9)), i.Bid(ADA, 5), why("F.u", "red-enough", have=4)),
        (
            sale(BUTTON, red=(4, 9, 9), food=(2, 0, 0), gold=(1, 0, 0)),
            i.Bid(ADA, 8),
            why("F.v", "chips-enough", have=7),
        ),
        (sale(DORA), i.Bid(BEN, 1), why("F39", "your-turn", seat=Seat(ADA))),
        (PAYING, i.PayRed(ADA, 1), why("F33", "mix", low=2, high=4)),
        (PAYING, i.PayRed(ADA, 5), why("F33", "mix", low=2, high=4)),
        (PAYING, i.PayFood(ADA, 2), why("F33", "paying-food")),
        (laid(steps=(Giving(ADA),)), i.GiveButton(ADA, SeatId(3)), why("F.x", "seat-at-table")),
        (laid(steps=(Turning(),), deck="dora"), i.DrewCity(TABLE, ALBA), why("F29", "next-city")),
    ],
)
def test_saturday(table: Table, intent: Intent, expected: list[Reason]) -> None:
    assert reasons(table, intent)[:1] == expected


def test_the_last_chip_may_be_bid_and_paid() -> None:
    assert sale(DORA, red=(4, 9, 9)).may(i.Bid(ADA, 4))
    assert sale(BUTTON, red=(4, 9, 9), food=(2, 0, 0), gold=(1, 0, 0)).may(i.Bid(ADA, 7))
    assert [number for number in range(7) if PAYING.may(i.PayRed(ADA, number))] == [2, 3, 4]


def market(*offers: Offer, **held: Any) -> Table:
    held = {"food": (5, 2, 0), "gold": (0, 3, 4)} | held
    return Table(replace(laid(own("alba"), **held).now, offers=offers))


FOOD_FOR_3 = Offer(ADA, BEN, "food", 5, 3)
PLEDGED = Table(
    replace(
        laid(steps=(Auction(BUTTON, BEN, (ADA, BEN), 12, ADA),), food=(6, 0, 0), gold=(0, 3, 0)).now,
        red=(6, 9, 9),
        offers=(Offer(ADA, BEN, "food", 2, 1),),
    )
)


@pytest.mark.rule("F34", "F.z", "F.w", "F.aa")
@pytest.mark.parametrize(
    ("table", "intent", "expected"),
    [
        (market(), i.OfferFood(ADA, ADA, 1), why("F34", "partner")),
        (market(), i.OfferFood(ADA, SeatId(3), 1), why("F34", "partner")),
        (market(), i.OfferFood(ADA, BEN, 0), why("F.z", "no-gift")),
        (market(), i.OfferFood(ADA, BEN, 6), why("F34", "held", have=5)),
        (market(), i.OfferGold(BEN, CLEO, 1), why("F34", "partner-has", seat=Seat(CLEO))),
        (market(), i.NamePrice(ADA, BEN, 1), why("F34", "own-offer")),
        (market(Offer(BEN, CLEO, "gold", 1)), i.WithdrawOffer(ADA, CLEO), why("F34", "own-offer")),
        (market(Offer(BEN, CLEO, "gold", 1)), i.WithdrawOffer(BEN, ADA), why("F34", "own-offer")),
        (market(), i.WithdrawOffer(ADA, BEN), why("F34", "own-offer")),
        (
            market(Offer(ADA, BEN, "food", 1)),
            i.NamePrice(ADA, BEN, 4),
            why("F34", "no-promise", seat=Seat(BEN), have=3),
        ),
        (market(Offer(ADA, BEN, "food", 1)), i.NamePrice(ADA, BEN, 0), why("F.z", "no-gift")),
        (market(Offer(ADA, BEN, "food", 1)), i.AcceptTrade(BEN, ADA), why("F34", "offered")),
        (market(Offer(ADA, BEN, "food", 1)), i.DeclineTrade(BEN, ADA), why("F34", "offered")),
        (market(FOOD_FOR_3, food=(4, 2, 0)), i.AcceptTrade(BEN, ADA), why("F34", "both-have", seat=Seat(ADA))),
        (market(FOOD_FOR_3, gold=(0, 2, 4)), i.AcceptTrade(BEN, ADA), why("F34", "both-have", seat=Seat(BEN))),
        (PLEDGED, i.AcceptTrade(BEN, ADA), why("F.w", "bid-payable", seat=Seat(ADA))),
        (PLEDGED, i.BuyGold(ADA, 1), why("F.w", "bid-payable", seat=Seat(ADA))),
        (market(), i.BuyGold(ADA, 2), why("F34", "bank-rate", need=6, have=5)),
        (market(), i.BuyFood(CLEO, 2), why("F34", "bank-rate", need=6, have=4)),
        (market(), i.BuyGold(ADA, 0), why("F.aa", "bank-some")),
        (SHOT, i.BuyGold(ADA, 1), why("F.y", "roll-first", seat=Seat(ADA))),
        (Table(replace(laid().now, steps=(Laying(),))), i.BuyGold(ADA, 1), why("F4", "set-up")),
        (laid(steps=()), i.BuyGold(ADA, 1), why("F35", "running")),
    ],
)
def test_trade(table: Table, intent: Intent, expected: list[Reason]) -> None:
    assert reasons(table, intent)[:1] == expected


def test_all_may_be_given_up_to_the_last_chip() -> None:
    assert market().may(i.OfferFood(ADA, BEN, 5))
    assert market(FOOD_FOR_3).may(i.AcceptTrade(BEN, ADA))
    assert market(Offer(ADA, BEN, "food", 1)).may(i.NamePrice(ADA, BEN, 3))
    assert market().may(i.BuyGold(ADA, 1))


@pytest.mark.rule("F37", "F38", "F2", "F29", "F.v", "F12", "F4", "F39")
@pytest.mark.parametrize(
    ("table", "intent", "expected"),
    [
        (MONDAY, i.SetChips(ADA, PlaceId("red/0"), 200), why("F37", "in-span", low=0, high=199)),
        (MONDAY, i.SetChips(ADA, PlaceId("red/0"), -1), why("F37", "in-span", low=0, high=199)),
        (MONDAY, i.SetChips(ADA, PlaceId("red/3"), 1), why("F37", "chips-there")),
        (MONDAY, i.SetCounters(ADA, PlaceId("rocket/0"), 100), why("F37", "in-span", low=0, high=99)),
        (MONDAY, i.SetCounters(ADA, PlaceId("rocket/3"), 1), why("F37", "counters-there")),
        (MONDAY, i.SetLevel(ADA, FUEL_1, 0), why("F23", "in-span", low=1, high=10)),
        (MONDAY, i.SetLevel(ADA, FUEL_1, 11), why("F23", "in-span", low=1, high=10)),
        (MONDAY, i.SetLevel(ADA, KNOW_FUEL, 2), why("F38", "rocket-there", card=Piece(KNOW_FUEL))),
        (MONDAY, i.SetWeek(ADA, 0), why("F9", "in-span", low=1, high=99)),
        (MONDAY, i.SetWeek(ADA, 100), why("F9", "in-span", low=1, high=99)),
        (MONDAY, i.SetKnowHow(ADA, FUEL_1, BEN), why("F38", "know-how-there", card=Piece(FUEL_1))),
        (MONDAY, i.BankKnowHow(ADA, FUEL_1), why("F38", "know-how-there", card=Piece(FUEL_1))),
        (MONDAY, i.SetKnowHow(ADA, KNOW_FUEL, SeatId(3)), why("F4", "seat-there")),
        (MONDAY, i.ClearClaim(ADA, at("mine 9z")), why("F12", "claim-there")),
        (
            MONDAY,
            i.GiveCity(ADA, city("nowhere"), BEN),
            why("F2", "city-on-map", city=Piece(city("nowhere"))),
        ),
        (sale(DORA), i.DropCity(ADA, DORA), why("F29", "city-not-on-offer", city=Piece(DORA))),
        (opening(), i.GiveCity(ADA, ALBA, BEN), why("F5", "city-not-in-opening", city=Piece(ALBA))),
        (laid(deck="brio"), i.DropCity(ADA, ALBA), why("F32", "city-in-game", city=Piece(ALBA))),
        (PLEDGED, i.SetChips(ADA, PlaceId("red/0"), 5), why("F.v", "bid-covered", n=6)),
        (PLEDGED, i.SetChips(ADA, PlaceId("food/0"), 5), why("F.v", "bid-covered", n=6)),
        (sale(DORA, 3), i.SetChips(ADA, PlaceId("red/2"), 2), why("F.u", "city-bid-covered", n=3)),
        (MEALS, i.SetTurn(ADA, BEN), why("F39", "turn-open")),
    ],
)
def test_corrections(table: Table, intent: Intent, expected: list[Reason]) -> None:
    assert reasons(table, intent)[:1] == expected


def test_corrections_reach_their_bounds() -> None:
    for intent in (
        *(i.SetChips(ADA, PlaceId("red/0"), number) for number in (0, 29)),
        *(i.SetCounters(ADA, PlaceId("rocket/0"), number) for number in (0, 99)),
        *(i.SetLevel(ADA, FUEL_1, number) for number in (1, 10)),
        *(i.SetWeek(ADA, number) for number in (1, 99)),
        i.SetChips(ADA, PlaceId("food/0"), 199),
    ):
        assert MONDAY.may(intent), intent
    assert PLEDGED.may(i.SetChips(ADA, PlaceId("red/0"), 6))
    assert sale(DORA, 3).may(i.SetChips(ADA, PlaceId("red/2"), 3))
    assert sale(DORA, 3).may(i.SetChips(ADA, PlaceId("food/2"), 0))
    assert sale(DORA).may(i.DropCity(ADA, ALBA))
    assert sale(DORA).may(i.DropCity(ADA, city("fano")))
    later = Table(replace(opening().now, open_seats=(OpenSeat(BRIO), OpenSeat(CIMA))))
    assert later.may(i.GiveCity(ADA, ALBA, BEN))
    assert later.may(i.GiveCity(ADA, DORA, BEN))


STRANGER = SeatId(7)


def keys(table: Table, intent: Intent) -> list[str]:
    return [key for _, key, _ in reasons(table, intent)]


def test_nothing_is_refused_for_a_reason_of_another_moment() -> None:
    """All that is wrong is told, and nothing else."""
    assert keys(sale(DORA, red=(4, 9, 9)), i.Bid(ADA, 99)) == ["red-enough"]
    assert keys(sale(DORA), i.Bid(ADA, 0)) == ["one-chip"]
    assert keys(MONDAY, i.Bid(ADA, 1)) == ["auction"]
    assert keys(MONDAY, i.BidSeat(ADA, DORA, 1)) == ["opening", "seat-on-offer"]
    rolling = laid(*DISPUTE, claims={"mine 1b": BEN}, steps=(Monday(ADA), Dispute(ADA, ALBA, 1, BEN)))
    assert keys(rolling, i.BoardRocket(BEN, BRIO)) == ["your-turn", "dispute-first", "counter-there"]


def test_a_stranger_has_nothing() -> None:
    assert ("F.r", "red-held", {"have": 0}) in reasons(opening(), i.BidSeat(STRANGER, ALBA, 1))
    assert ("F21", "food-enough", {"need": 1, "have": 0}) in reasons(MEALS, i.Feed(STRANGER, ALBA))
    assert keys(MEALS, i.FeedAll(STRANGER)) == ["owes"]
    assert keys(setting_up(*FIVE), i.MakeMap(STRANGER)) == ["player"]
    assert ("F.az", "party", {"need": 4, "have": 0}) in reasons(rocket(food=4), i.MoonShot(STRANGER))
    assert keys(market(), i.BuyGold(SeatId(3), 1)) == ["bank-rate"]
    assert keys(MEALS, i.Feed(ADA, city("nowhere"))) == ["city-due"]
    assert keys(Table(replace(MEALS.now, food=(0, 0, 0))), i.Feed(ADA, city("nowhere"))) == ["city-due"]
