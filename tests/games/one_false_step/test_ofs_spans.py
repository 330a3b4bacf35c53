"""How far a number may go, what is offered at all, and which acts ask first."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core import TABLE, Intent, PieceId, PlaceId, SeatId
from companion.games.one_false_step import GAME
from companion.games.one_false_step import events as e
from companion.games.one_false_step.rules import intents as i
from companion.games.one_false_step.rules.laying import largest, seats_left, seats_on_map
from companion.games.one_false_step.rules.saturday import split
from companion.games.one_false_step.state import (
    Auction,
    Dispute,
    Giving,
    Holding,
    Laid,
    Offer,
    Opening,
    OpenSeat,
    Paying,
    Thursday,
)
from tests.games.one_false_step.play import ADA, BEN, CLEO, NOBODY, PACK, ROW, Table, at, city, laid, own, setup_for

ALBA, BRIO, DORA = (city(name) for name in ("alba", "brio", "dora"))
BUTTON = PieceId("")
STRANGER = SeatId(7)
VERBS = {verb.intent: verb for verb in (*GAME.verbs, *GAME.corrections)}


def span(table: Table, intent: Intent) -> tuple[int, int]:
    found = VERBS[type(intent)].span
    assert found is not None
    low, high = found(table.now, intent)
    return low, high


LAYING = Table(GAME.start(setup_for(3)))
OPENING = Table(
    replace(laid(steps=(Opening(ADA),), red=(7, 8, 9)).now, open_seats=(OpenSeat(ALBA, BEN, 4), OpenSeat(BRIO)))
)
TOWN = laid(steps=(Auction(DORA, ADA, (ADA, BEN), 3, BEN),), red=(6, 8, 9), food=(1, 1, 1), gold=(2, 0, 0))
FOR_BUTTON = laid(steps=(Auction(BUTTON, ADA, (ADA, BEN), 3, BEN),), red=(6, 8, 9), food=(1, 1, 1), gold=(2, 0, 0))
PAY_RED = laid(steps=(Paying(ADA, 5, ("red", "food", "gold")),), red=(4, 1, 1), food=(2, 1, 1), gold=(1, 0, 0))
PAY_FOOD = laid(steps=(Paying(ADA, 2, ("food", "gold")),), red=(4, 1, 1), food=(3, 1, 1), gold=(1, 0, 0))
OFFER = Offer(ADA, BEN, "food", 2)
TRADE = Table(replace(laid(food=(10, 2, 6), gold=(0, 3, 7)).now, offers=(OFFER, Offer(BEN, CLEO, "gold", 1))))
PLEDGED = laid(steps=(Auction(BUTTON, BEN, (ADA, BEN), 12, ADA),), red=(7, 9, 9), food=(9, 3, 0), gold=(0, 9, 0))


@pytest.mark.parametrize(
    ("table", "intent", "low", "high"),
    [
        (LAYING, i.UseLayout(ADA, 1), 1, len(PACK.layouts)),
        (OPENING, i.BidSeat(ADA, ALBA, 5), 5, 7),
        (OPENING, i.BidSeat(CLEO, BRIO, 1), 1, 9),
        (OPENING, i.BidSeat(STRANGER, DORA, 1), 1, 0),
        (TOWN, i.Bid(ADA, 4), 4, 6),
        (FOR_BUTTON, i.Bid(ADA, 4), 4, 9),
        (TOWN, i.Bid(STRANGER, 4), 4, 0),
        (laid(), i.Bid(ADA, 1), 1, 0),
        (PAY_RED, i.PayRed(ADA, 2), 2, 4),
        (PAY_RED, i.PayRed(BEN, 2), 0, -1),
        (PAY_RED, i.PayFood(ADA, 2), 0, -1),
        (PAY_FOOD, i.PayFood(ADA, 2), 1, 2),
        (PAY_FOOD, i.PayRed(ADA, 2), 0, -1),
        (laid(steps=(Paying(BEN, 5, ("red",)),)), i.PayRed(ADA, 2), 0, -1),
        (TRADE, i.OfferGold(SeatId(3), BEN, 1), 1, 0),
        (TOWN, i.SetChips(ADA, PlaceId("red/2"), 3), 0, 199),
        (laid(), i.PayFood(ADA, 2), 0, -1),
        (TRADE, i.OfferFood(ADA, BEN, 1), 1, 10),
        (TRADE, i.OfferGold(CLEO, BEN, 1), 1, 7),
        (TRADE, i.OfferGold(STRANGER, BEN, 1), 1, 0),
        (TRADE, i.OfferGold(NOBODY, BEN, 1), 1, 0),
        (TRADE, i.NamePrice(ADA, BEN, 1), 1, 3),
        (TRADE, i.NamePrice(BEN, CLEO, 1), 1, 6),
        (TRADE, i.NamePrice(CLEO, BEN, 1), 1, 0),
        (TRADE, i.BuyGold(ADA, 1), 1, 3),
        (TRADE, i.BuyFood(CLEO, 1), 1, 2),
        (TRADE, i.BuyFood(STRANGER, 1), 1, 0),
        (PLEDGED, i.BuyGold(ADA, 1), 1, 2),
        (PLEDGED, i.BuyFood(BEN, 1), 1, 3),
        (PLEDGED, i.SetChips(ADA, PlaceId("red/0"), 6), 3, 199),
        (PLEDGED, i.SetChips(ADA, PlaceId("gold/0"), 0), 0, 199),
        (TOWN, i.SetChips(ADA, PlaceId("red/1"), 3), 3, 199),
        (TOWN, i.SetChips(ADA, PlaceId("food/1"), 3), 0, 199),
        (TOWN, i.SetChips(ADA, PlaceId("red/0"), 3), 0, 199),
        (TOWN, i.SetChips(ADA, PlaceId("on/alba"), 3), 0, 199),
        (TOWN, i.SetChips(ADA, PlaceId("red/7"), 3), 0, 199),
        (TOWN, i.SetCounters(ADA, PlaceId("rocket/0"), 0), 0, 99),
        (TOWN, i.SetLevel(ADA, PieceId("fuel-1"), 1), 1, 10),
        (TOWN, i.SetWeek(ADA, 1), 1, 99),
    ],
)
def test_a_number_goes_from_low_to_high(table: Table, intent: Intent, low: int, high: int) -> None:
    assert span(table, intent) == (low, high)


@pytest.mark.rule("F30")
def test_half_of_a_bid_goes_to_the_bank_and_the_odd_chip_to_the_city() -> None:
    assert [split(bid) for bid in (1, 2, 5, 8)] == [(0, 1), (1, 1), (2, 3), (4, 4)]


MONDAY = laid(
    own("alba", middle=1), own("brio", middle=1), own("cima", chips=2), own("dora", BEN, middle=1),
    claims={"farm 1a": ADA, "mine 1b": BEN, "mine 2a": BEN},
)  # fmt: skip


@pytest.mark.rule("F11", "F12", "F14", "F17")
def test_monday_offers_what_each_counter_can_do() -> None:
    assert set(MONDAY.legal(ADA, i.Stake)) == set()
    assert set(MONDAY.legal(ADA, i.Jump)) == {i.Jump(ADA, ALBA, at("mine 1b")), i.Jump(ADA, BRIO, at("mine 1b"))}
    trains = {(intent.city, intent.to) for intent in MONDAY.legal(ADA, i.SendByTrain)}  # type: ignore[attr-defined]
    assert trains == {(ALBA, ALBA), (ALBA, BRIO), (BRIO, ALBA), (BRIO, BRIO)}
    assert set(MONDAY.legal(ADA, i.Strengthen)) == {i.Strengthen(ADA, ALBA), i.Strengthen(ADA, BRIO)}
    free = laid(own("alba", middle=1), claims={"farm 1a": ADA})
    assert free.legal(ADA, i.Stake) == (i.Stake(ADA, ALBA, at("mine 1b")),)


@pytest.mark.rule("F34")
def test_trade_offers_only_what_both_can_give() -> None:
    assert TRADE.legal(ADA, i.OfferFood) == (i.OfferFood(ADA, BEN, 1), i.OfferFood(ADA, CLEO, 1))
    assert TRADE.legal(ADA, i.OfferGold) == ()
    assert TRADE.legal(BEN, i.OfferFood) == (i.OfferFood(BEN, CLEO, 1),)
    assert TRADE.legal(BEN, i.OfferGold) == (i.OfferGold(BEN, ADA, 1), i.OfferGold(BEN, CLEO, 1))
    assert TRADE.legal(ADA, i.NamePrice, i.WithdrawOffer) == (i.NamePrice(ADA, BEN, 1), i.WithdrawOffer(ADA, BEN))
    priced = Table(replace(TRADE.now, offers=(replace(OFFER, price=3), Offer(CLEO, BEN, "food", 1))))
    answers = (i.AcceptTrade(BEN, ADA), i.DeclineTrade(BEN, ADA))
    assert priced.legal(BEN, i.AcceptTrade, i.DeclineTrade) == answers


@pytest.mark.rule("F37")
def test_corrections_offer_every_place_and_every_other_owner() -> None:
    places = {intent.place for intent in VERBS[i.SetChips].arguments(MONDAY.now, ADA)}
    seats = {f"{colour}/{seat}" for colour in ("red", "food", "gold") for seat in range(3)}
    assert places == seats | {"on/alba", "on/brio", "on/cima", "on/dora"}
    counters = [intent.place for intent in VERBS[i.SetCounters].arguments(MONDAY.now, ADA)]
    assert counters[:6] == ["rocket/0", "rocket/1", "rocket/2", "city/alba", "card/alba", "train/alba"]
    owners = [(c.claim, c.seat) for c in VERBS[i.SetClaim].arguments(MONDAY.now, ADA)]
    assert owners[:5] == [
        (at("farm 1a"), 1),
        (at("farm 1a"), 2),
        (at("mine 1b"), 0),
        (at("mine 1b"), 2),
        (at("farm 1c"), 0),
    ]
    taken = [c.claim for c in VERBS[i.ClearClaim].arguments(MONDAY.now, ADA)]
    assert taken == [at("farm 1a"), at("mine 1b"), at("mine 2a")]
    gifts = [c.seat for c in VERBS[i.GiveCity].arguments(MONDAY.now, ADA) if c.city == DORA]
    assert gifts == [0, 2]
    assert [c.seat for c in VERBS[i.SetButton].arguments(replace(MONDAY.now, button=BEN), ADA)] == [0, 2]
    ghosts = laid(own("alba"), deck="brio")
    found = {c.city for c in VERBS[i.GiveCity].arguments(ghosts.now, ADA)}
    assert found == {"alba", "cima", "dora", "enno", "fano"}
    assert [c.seat for c in VERBS[i.SetTurn].arguments(MONDAY.now, ADA)] == [0, 1, 2]
    rockets = [c.card for c in VERBS[i.SetLevel].arguments(MONDAY.now, ADA)]
    assert rockets == [f"{system}-{seat}" for seat in (1, 2, 3) for system in ("guidance", "life", "fuel")]
    assert [(c.card, c.seat) for c in VERBS[i.SetKnowHow].arguments(MONDAY.now, ADA)][:4] == [
        ("know-guidance", 0),
        ("know-guidance", 1),
        ("know-guidance", 2),
        ("know-life", 0),
    ]


def test_an_act_that_spends_or_decides_asks_first() -> None:
    """Acts that don't ask are cheap, or another act takes them back."""
    at_once = {verb.name for verb in GAME.verbs if not verb.asks and not verb.chance}
    laying = {"lay-board", "turn-board", "lift-board", "use-layout"}
    placing = {"stake", "strengthen", "send-by-train", "board-rocket"}
    assert at_once == laying | placing | {"offer-food", "offer-gold", "decline-trade", "withdraw-offer", "end-thursday"}
    assert all(verb.asks for verb in GAME.corrections)
    unlisted = {verb.name for verb in GAME.verbs if not verb.listed}
    answers = {"pay-red", "pay-food", "give-button", "name-price", "accept-trade", "decline-trade", "withdraw-offer"}
    assert unlisted == laying | answers | {"make-map", "bid-seat"}, "they are asked for, so no menu need list them"
    chance = {verb.name for verb in GAME.verbs if verb.chance}
    assert chance == {"drew-seat", "name-button", "attack-rolled", "defence-rolled", "shot-rolled", "drew-city"}


def test_only_judgements_are_left_to_the_players_when_the_box_advises() -> None:
    """Everything else is physically impossible, so advise refuses it, too."""
    rules = (rule for verb in GAME.verbs for rule in (*verb.guards, *verb.rules))
    assert {rule.key for rule in rules if not rule.physical} == {"connected", "room", "bid-payable"}


@pytest.mark.rule("F22")
def test_each_own_rocket_card_is_offered() -> None:
    table = laid(steps=(Thursday(BEN),), gold=(1, 9, 1))
    cards = [intent.card for intent in table.legal(BEN, i.Upgrade)]  # type: ignore[attr-defined]
    assert cards == ["guidance-2", "life-2", "fuel-2"]
    assert table.legal(TABLE) == ()


@pytest.mark.rule("F34", "F.w")
def test_the_bank_trades_three_for_one_down_to_what_is_bid() -> None:
    assert Table(TRADE.now).do(i.BuyFood(CLEO, 2)).events[0] == e.FoodBought(CLEO, 2, 6)
    assert Table(TRADE.now).do(i.BuyGold(ADA, 3)).events[0] == e.GoldBought(ADA, 3, 9)
    assert [number for number in (1, 2, 3) if PLEDGED.may(i.BuyGold(ADA, number))] == [1, 2]
    rich = laid(steps=(Auction(BUTTON, BEN, (ADA, BEN), 12, ADA),), red=(9, 9, 9), food=(9, 3, 0), gold=(0, 9, 0))
    assert rich.may(i.BuyGold(ADA, 3)), "18 less 6 are 12"


@pytest.mark.rule("F29")
def test_a_bid_begins_one_above_the_highest() -> None:
    assert TOWN.legal(ADA, i.Bid) == (i.Bid(ADA, 4),)


@pytest.mark.rule("F14", "F.ab")
def test_the_attacker_adds_the_counters_of_the_city() -> None:
    held = (own("alba", counters=3), own("brio", BEN))
    table = laid(*held, claims={"mine 1b": BEN}, steps=(Dispute(ADA, ALBA, 1, BEN),))
    assert table.do(i.AttackRolled(TABLE, 3)).events == (e.AttackFell(ADA, 3, 6),)


@pytest.mark.rule("F24", "F25", "F.ap")
def test_a_level_below_another_pays_its_holder_and_takes_no_card() -> None:
    levels = ((3, 1, 1), (9, 1, 1), (1, 1, 1))
    fee = laid(steps=(Thursday(ADA),), gold=(9, 1, 1), levels=levels, know_how=(BEN, NOBODY, NOBODY))
    card = PieceId("guidance-1")
    assert fee.do(i.Upgrade(ADA, card)).events == (e.UpgradedForFee(ADA, card, 4, 2, BEN),)
    banked = laid(steps=(Thursday(ADA),), gold=(9, 1, 1), levels=levels)
    assert banked.do(i.Upgrade(ADA, card)).events == (e.Upgraded(ADA, card, 4, 3),)


@pytest.mark.rule("F9", "F33")
def test_the_button_given_away_begins_a_week() -> None:
    table = Table(replace(laid(steps=(Giving(ADA),)).now, week=5)).do(i.GiveButton(ADA, CLEO))
    assert table.events[:2] == (e.ButtonMoved(CLEO), e.DayCame("sunday", 6))


@pytest.mark.rule("F1")
def test_boards_not_laid_yet_are_offered_beside_those_that_are() -> None:
    two = replace(LAYING.now, laid=(Laid(1, 0, 0), Laid(2, 1, 0)))
    offered = {(intent.board, intent.place) for intent in VERBS[i.LayBoard].arguments(two, ADA)}
    squares = {f"at/{x}/{y}" for x, y in ((-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (2, 0))}
    assert offered == {(f"board-{number}", place) for number in range(3, 9) for place in squares}
    five = replace(LAYING.now, laid=ROW)
    assert list(VERBS[i.LayBoard].arguments(five, ADA)) == []
    assert [intent.board for intent in VERBS[i.TurnBoard].arguments(two, ADA)] == ["board-1", "board-2"]


@pytest.mark.rule("F8", "F.n")
@pytest.mark.parametrize(
    ("owned", "button", "seat"),
    [
        ((own("alba"), own("cima", BEN), own("brio", CLEO)), ADA, BEN),
        ((own("fano"), own("cima", BEN), own("alba", BEN)), BEN, ADA),
        ((own("alba"), own("cima", BEN), own("alba", CLEO)), CLEO, BEN),
        ((own("alba"), own("brio", BEN), own("alba", CLEO)), BEN, CLEO),
        ((own("alba"), own("brio", BEN), own("alba", CLEO)), ADA, ADA),
        ((), BEN, BEN),
    ],
)
def test_the_most_populous_city_takes_the_button(owned: tuple[Holding, ...], button: SeatId, seat: SeatId) -> None:
    """Alba has 3000 people, Brio 2011, Cima 4000, Fano 4500."""
    assert largest(laid(*owned, button=button).now) == seat


@pytest.mark.rule("F.n")
def test_of_five_the_nearest_to_the_button_takes_it() -> None:
    owned = (own("alba", BEN), own("alba", CLEO))
    assert largest(laid(*owned, seats=5).now) == BEN


@pytest.mark.rule("F3")
def test_county_seats_are_those_with_a_star_that_are_not_drawn() -> None:
    state = laid().now
    assert seats_on_map(state) == 4
    assert seats_left(replace(state, open_seats=(OpenSeat(BRIO),))) == ("alba", "cima", "dora")
