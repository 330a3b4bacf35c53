"""The most basic reason comes first: over, turn, settling, day, place, thing, price. And all of them are true."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.core import TABLE, Basis, Decision, Fact, Game, Intent, Place, PlaceId, Seat, SeatId, Verb, Word, explain
from companion.games.one_false_step import GAME
from companion.games.one_false_step.rules import intents as i
from companion.games.one_false_step.state import (
    BUTTON,
    SYSTEMS,
    Auction,
    Dispute,
    DrawingSeats,
    Giving,
    Laying,
    Monday,
    Naming,
    Offer,
    Opening,
    OpenSeat,
    Paying,
    Shot,
    State,
    Thursday,
    Turning,
    Wednesday,
)
from tests.games.one_false_step.play import ADA, BEN, CLEO, Table, at, city, laid, own, playout

ALBA, BRIO, DORA = city("alba"), city("brio"), city("dora")
LAYS = (i.LayBoard, i.TurnBoard, i.LiftBoard, i.UseLayout, i.MakeMap)
TRADES = (i.OfferFood, i.OfferGold, i.NamePrice, i.AcceptTrade, i.DeclineTrade, i.WithdrawOffer, i.BuyFood, i.BuyGold)
VERBS = [verb for verb in GAME.verbs if not verb.chance]
OF_DAYS = [verb for verb in VERBS if verb.intent not in (*LAYS, *TRADES, i.BidSeat)]


def moment(*steps: Any, **more: Any) -> Table:
    table = laid(
        own("alba", middle=1),
        own("brio", BEN, middle=1),
        own("cima", CLEO, middle=1),
        claims={"mine 1b": BEN},
        steps=steps,
        gold=(9, 9, 9),
        **more,
    )
    return Table(replace(table.now, open_seats=tuple(OpenSeat(c) for c in (ALBA, BRIO) if Opening(ADA) in steps)))


OVER = moment()
OPENING = moment(Opening(ADA), day="setup")
MONDAY = moment(Monday(ADA))
ATTACK = moment(Monday(ADA), Dispute(ADA, ALBA, 1, BEN))
DEFENCE = moment(Monday(ADA), Dispute(ADA, ALBA, 1, BEN, 4))
WEDNESDAY = moment(Wednesday((ALBA, BRIO)))
THURSDAY = moment(Thursday(ADA))
SHOT = moment(Thursday(ADA, True), Shot(ADA, 1))
TURNING = moment(Turning())
SALE = moment(Auction(DORA, ADA, (ADA, CLEO), 2, CLEO))
BUTTON_SALE = moment(Auction(BUTTON, ADA, (ADA, CLEO), 2, CLEO))
PAYING = moment(Paying(ADA, 5, ("red", "food", "gold")))
GIVING = moment(Giving(ADA))
IN_TURN = (MONDAY, ATTACK, DEFENCE, THURSDAY, SHOT, SALE, BUTTON_SALE, PAYING, GIVING)


def first(table: Table, intent: Intent) -> tuple[str, str, dict[str, Fact]]:
    refusal = table.no(intent)
    return refusal.rule, refusal.key, dict(refusal.facts)


def some(verb: Verb[State, Any], state: State, seat: SeatId) -> list[Intent]:
    """A few of the things that somebody could mean by a verb."""
    return list(islice((verb.thinkable or verb.arguments)(state, seat), 12))


@pytest.mark.rule("F35")
@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_after_the_game_nothing_is_told_but_that_it_is_over(verb: Verb[State, Any]) -> None:
    for seat in (ADA, BEN):
        assert {first(OVER, wish)[:2] for wish in some(verb, OVER.now, seat)} <= {("F35", "running")}


@pytest.mark.rule("F39", "F5")
@pytest.mark.parametrize("verb", OF_DAYS, ids=lambda verb: verb.name)
def test_whose_turn_it_is_comes_before_day_dice_place_and_price(verb: Verb[State, Any]) -> None:
    for table in IN_TURN:
        told = {first(table, wish)[1] for wish in some(verb, table.now, CLEO)}
        assert told <= {"your-turn"}, table.now.steps
        for wish in some(verb, table.now, CLEO):
            assert first(table, wish) == ("F39", "your-turn", {"seat": Seat(ADA)})


@pytest.mark.rule("F5")
@pytest.mark.parametrize(
    ("intent", "told"),
    [
        (i.Pass(ADA), ("F5", "must-bid", {})),
        (i.Bid(ADA, 3), ("F5", "bid-on-seat", {})),
        (i.Pass(BEN), ("F5", "your-bid", {"seat": Seat(ADA)})),
        (i.Bid(BEN, 3), ("F5", "your-bid", {"seat": Seat(ADA)})),
        (i.BidSeat(BEN, ALBA, 1), ("F5", "your-bid", {"seat": Seat(ADA)})),
        (i.Strengthen(BEN, BRIO), ("F5", "your-bid", {"seat": Seat(ADA)})),
        (i.FeedAll(BEN), ("F5", "your-bid", {"seat": Seat(ADA)})),
        (i.MoonShot(BEN), ("F5", "your-bid", {"seat": Seat(ADA)})),
        (i.GiveButton(BEN, ADA), ("F5", "your-bid", {"seat": Seat(ADA)})),
    ],
)
def test_the_starting_auction_has_its_own_rule(intent: Intent, told: tuple[str, str, dict[str, Fact]]) -> None:
    assert first(OPENING, intent) == told


CLAIM = Place(at("mine 1b"))
LIFE = Word("system.life")


@pytest.mark.rule("F14", "F26", "F29", "F33", "F.y")
@pytest.mark.parametrize(
    ("table", "intent", "told"),
    [
        (ATTACK, i.Stake(ADA, ALBA, at("farm 1a")), ("F14", "dispute-first", {"claim": CLAIM, "seat": Seat(ADA)})),
        (DEFENCE, i.Jump(ADA, ALBA, at("mine 1b")), ("F14", "dispute-first", {"claim": CLAIM, "seat": Seat(BEN)})),
        (DEFENCE, i.Strengthen(ADA, ALBA), ("F14", "dispute-first", {"claim": CLAIM, "seat": Seat(BEN)})),
        (DEFENCE, i.SendByTrain(ADA, ALBA, ALBA), ("F14", "dispute-first", {"claim": CLAIM, "seat": Seat(BEN)})),
        (DEFENCE, i.BoardRocket(ADA, ALBA), ("F14", "dispute-first", {"claim": CLAIM, "seat": Seat(BEN)})),
        (SHOT, i.MoonShot(ADA), ("F26", "shot-first", {"seat": Seat(ADA), "system": LIFE})),
        (SHOT, i.EndThursday(ADA), ("F26", "shot-first", {"seat": Seat(ADA), "system": LIFE})),
        (SHOT, i.Upgrade(ADA, city("fuel-1")), ("F26", "shot-first", {"seat": Seat(ADA), "system": LIFE})),
        (TURNING, i.Bid(ADA, 1), ("F29", "card-first", {})),
        (TURNING, i.Pass(ADA), ("F29", "card-first", {})),
        (PAYING, i.Bid(ADA, 1), ("F33", "pay-first", {"seat": Seat(ADA)})),
        (PAYING, i.GiveButton(ADA, BEN), ("F33", "pay-first", {"seat": Seat(ADA)})),
        (GIVING, i.Pass(ADA), ("F33", "give-first", {"seat": Seat(ADA)})),
        (DEFENCE, i.BuyFood(CLEO, 1), ("F.y", "roll-first", {"seat": Seat(BEN)})),
        (SHOT, i.OfferGold(BEN, CLEO, 1), ("F.y", "roll-first", {"seat": Seat(ADA)})),
        (ATTACK, i.SetWeek(BEN, 2), ("F.y", "roll-first", {"seat": Seat(ADA)})),
    ],
)
def test_what_is_being_settled_is_named(table: Table, intent: Intent, told: tuple[str, str, dict[str, Fact]]) -> None:
    assert first(table, intent) == told


@pytest.mark.rule("F26")
def test_the_system_that_is_rolled_for_is_named() -> None:
    shots = [moment(Thursday(ADA, True), Shot(ADA, rolled)) for rolled in range(len(SYSTEMS))]
    told = [first(table, i.MoonShot(ADA))[2]["system"] for table in shots]
    assert told == [Word(f"system.{system}") for system in SYSTEMS]


@pytest.mark.rule("F11", "F21", "F22", "F29", "F33")
@pytest.mark.parametrize(
    ("table", "intent", "told"),
    [
        (THURSDAY, i.Strengthen(ADA, ALBA), ("F11", "monday")),
        (MONDAY, i.FeedAll(ADA), ("F21", "wednesday")),
        (MONDAY, i.MoonShot(ADA), ("F22", "thursday")),
        (WEDNESDAY, i.Bid(ADA, 1), ("F29", "auction")),
        (BUTTON_SALE, i.PayRed(ADA, 1), ("F33", "paying")),
        (BUTTON_SALE, i.GiveButton(ADA, BEN), ("F33", "giving")),
        (moment(Thursday(ADA, True), food=(0, 4, 4)), i.MoonShot(ADA), ("F22", "one-shot")),
    ],
)
def test_the_day_comes_before_place_and_price(table: Table, intent: Intent, told: tuple[str, str]) -> None:
    assert first(table, intent)[:2] == told


@pytest.mark.rule("F1", "F4", "F5")
def test_what_is_over_for_good_and_what_has_not_begun_is_told_before_whose_turn_it_is() -> None:
    assert first(MONDAY, i.LayBoard(BEN, city("board-1"), at("at 00"))) == ("F1", "laying", {})
    assert first(MONDAY, i.BidSeat(BEN, DORA, 1)) == ("F5", "opening", {})
    for step in (Laying(), DrawingSeats(1), Naming()):
        table = moment(step, day="setup")
        for wish in (i.MoonShot(ADA), i.Pass(ADA), i.BidSeat(ADA, ALBA, 1), i.BuyFood(ADA, 1), i.FeedAll(ADA)):
            assert first(table, wish) == ("F4", "set-up", {})


@pytest.mark.rule("F33")
def test_nobody_is_told_a_price_that_is_not_asked() -> None:
    for table, wish in ((BUTTON_SALE, i.PayRed(ADA, 1)), (PAYING, i.PayFood(ADA, 1)), (PAYING, i.PayRed(BEN, 1))):
        assert "mix" not in [checked.key for checked in explain(GAME, table.now, wish) if checked.broken is not None]


def told(table: Table, wish: Intent) -> list[str]:
    return [checked.key for checked in explain(GAME, table.now, wish) if checked.broken is not None]


@pytest.mark.rule("F.v", "F.w", "F22", "F39")
def test_no_later_reason_tells_of_a_bid_an_offer_or_a_shot_that_is_not_there() -> None:
    assert told(MONDAY, i.SetChips(ADA, PlaceId("red/0"), -1)) == ["in-span"]
    assert told(moment(Thursday(BEN, True)), i.MoonShot(ADA)) == ["your-turn"]
    assert told(ATTACK, i.SetTurn(ADA, BEN)) == ["roll-first"]
    bid = moment(Auction(BUTTON, ADA, (ADA, CLEO), 30, BEN), red=(9, 9, 9), food=(9, 12, 9))
    unpriced = Table(replace(bid.now, offers=(Offer(BEN, ADA, "food", 5),)))
    assert told(unpriced, i.AcceptTrade(ADA, BEN)) == ["offered"]


@pytest.mark.rule("F29")
def test_who_has_passed_is_not_told_to_wait() -> None:
    assert first(SALE, i.Bid(BEN, 3)) == ("F29", "still-in", {})
    assert first(SALE, i.Pass(BEN)) == ("F29", "still-in", {})


@pytest.mark.rule("F13", "F12", "F11", "F23", "F.az")
def test_place_comes_before_thing_and_thing_before_price() -> None:
    apart = laid(own("cima", middle=1), own("alba", BEN), claims={"farm 1a": BEN})
    assert first(apart, i.Stake(ADA, city("cima"), at("farm 1a")))[1] == "connected"
    assert first(apart, i.Stake(ADA, ALBA, at("farm 1a")))[1] == "counter-there"
    assert first(moment(Thursday(ADA)), i.Upgrade(ADA, city("fuel-2")))[1] == "own-rocket"


Truth = Callable[[State, SeatId, Decision], bool]


def by_turns(state: State, seat: SeatId, now: Decision) -> bool:
    """It is somebody else's turn: the only seat that is asked, or the one whose counter or rocket is rolled for."""
    if now.kind in ("attack", "defence", "shot"):
        return bool(state.steps[0].seat != seat)  # type: ignore[union-attr]
    return now.kind not in ("feed", "open-bid") and len(now.seats) == 1 and now.seats[0] not in (TABLE, seat)


TRUTH: dict[str, Truth] = {
    "running": lambda s, a, now: now.kind == "over",
    "set-up": lambda s, a, now: now.kind in ("lay", "make-map", "draw-seat", "name-button"),
    "laying": lambda s, a, now: now.kind not in ("lay", "make-map"),
    "opening": lambda s, a, now: s.day != "setup",
    "your-turn": by_turns,
    "your-bid": lambda s, a, now: now.kind == "open-bid" and now.seats != (a,),
    "dispute-first": lambda s, a, now: now.kind in ("attack", "defence"),
    "shot-first": lambda s, a, now: now.kind == "shot",
    "roll-first": lambda s, a, now: now.kind in ("attack", "defence", "shot"),
    "card-first": lambda s, a, now: now.kind == "turn-city",
    "pay-first": lambda s, a, now: now.kind == "pay",
    "give-first": lambda s, a, now: now.kind == "give-button",
    "must-bid": lambda s, a, now: now.kind == "open-bid",
    "bid-on-seat": lambda s, a, now: now.kind == "open-bid",
    "monday": lambda s, a, now: now.kind == "over" or s.day != "monday",
    "wednesday": lambda s, a, now: now.kind == "over" or s.day != "wednesday",
    "thursday": lambda s, a, now: now.kind == "over" or s.day != "thursday",
    "auction": lambda s, a, now: now.kind == "over" or (s.day != "saturday" and now.kind != "open-bid"),
    "paying": lambda s, a, now: now.kind != "pay",
    "giving": lambda s, a, now: now.kind not in ("pay", "give-button"),
    "one-shot": lambda s, a, now: now.kind == "rocket" and now.seats == (a,) and s.steps[-1].shot,  # type: ignore[union-attr]
}
"""What each reason about the moment claims, read from the day and the question instead of the rules' own lists."""


def untrue(state: State, wish: Intent, game: Game[State, Any] = GAME) -> list[str]:
    """What is said about the moment but isn't true, whether as broken or kept."""
    asked = GAME.decisions(state)
    now = asked[-1] if asked else Decision("over", ())
    return [
        checked.key
        for checked in explain(game, state, wish)
        if checked.key in TRUTH and TRUTH[checked.key](state, wish.actor, now) != (checked.broken is not None)
    ]


@settings(max_examples=10, deadline=None)
@given(st.sampled_from([3, 4, 6]), st.integers(0, 10**6))
def test_all_that_is_said_of_a_moment_is_true_by_itself(seats: int, seed: int) -> None:
    before = None
    for state, _, after in playout(seats, seed, 300):
        # Once for each question: what lies on the table doesn't change what is said about the moment.
        kind = GAME.decisions(state)[-1].kind
        moments = (*((state,) if kind != before else ()), *(() if GAME.decisions(after) else (after,)))
        before = kind
        for at_moment, verb, seat in product(moments, VERBS, (ADA, SeatId(seats - 1))):
            for wish in some(verb, at_moment, seat)[:1]:
                assert untrue(at_moment, wish) == [], wish


def test_a_guard_that_means_two_things_is_noticed() -> None:
    """The control: the guard as it was, which called dice on a Monday “not Monday”."""
    stake = next(verb for verb in VERBS if verb.intent is i.Stake)
    day = next(guard for guard in stake.guards if guard.key == "monday")
    old = replace(day, broken=lambda state, actor: None if isinstance(state.steps[-1], Monday) else ())
    verbs = tuple(replace(v, guards=tuple(old if g is day else g for g in v.guards)) for v in GAME.verbs)
    wish = i.Stake(ADA, ALBA, at("farm 1a"))
    assert untrue(ATTACK.now, wish) == []
    assert untrue(ATTACK.now, wish, replace(GAME, verbs=verbs)) == ["monday"]


def test_every_guard_says_how_basic_it_is_and_the_moment_is_more_basic_than_any_thing() -> None:
    for verb in GAME.verbs:
        for guard in verb.guards:
            if guard.key in TRUTH:
                assert guard.basis <= Basis.STEP, (verb.name, guard.key)
        for rule in verb.rules:
            assert rule.basis > Basis.STEP, (verb.name, rule.key)
