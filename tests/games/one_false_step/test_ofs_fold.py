"""What each event changes, and that it changes nothing else. Ben has the Button; all numbers differ."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import fields, replace

from companion.core.ids import TABLE, PieceId, PlaceId, SeatId
from companion.core.rules import Event
from companion.core.secrets import EVERYONE, Deck, Hidden, deck_of
from companion.games.one_false_step import GAME
from companion.games.one_false_step import events as e
from companion.games.one_false_step.parts import Laid
from companion.games.one_false_step.state import (
    Auction,
    Dispute,
    DrawingSeats,
    Friday,
    Giving,
    Monday,
    Naming,
    Offer,
    Opening,
    OpenSeat,
    Paying,
    Shot,
    State,
    Step,
    Sunday,
    Thursday,
    Tuesday,
    Turning,
    Wednesday,
)
from tests.games.one_false_step.play import ADA, BEN, CLEO, NOBODY, PACK, ROW, VALLEY, at, city, laid, own, setup_for

ALBA, BRIO, CIMA, DORA, ENNO, FANO = (city(name) for name in ("alba", "brio", "cima", "dora", "enno", "fano"))
A, B, C = (
    own("alba", counters=2, middle=3, train=4),
    own("brio", BEN, counters=5, middle=2, train=1),
    own("cima", CLEO, chips=3),
)
FUEL_2, KNOW_LIFE, BUTTON = PieceId("fuel-2"), PieceId("know-life"), PieceId("")
LEVELS = ((1, 2, 3), (4, 5, 6), (7, 8, 9))
CLAIMS = (ADA, BEN, *(NOBODY,) * 6)
"""Farm 1a is Ada's, mine 1b Ben's."""


def moment(*steps: Step, **changes: Any) -> State:
    state = laid(
        A, B, C, claims={"farm 1a": ADA, "mine 1b": BEN}, steps=steps or (Tuesday(),), button=BEN,
        red=(10, 20, 30), food=(5, 6, 7), gold=(8, 9, 4), levels=LEVELS, crew=(2, 3, 4), deck="dora enno",
    ).now  # fmt: skip
    return replace(state, bank=(1, 2, 3), **changes)


def changed(state: State, *events: Event) -> dict[str, Any]:
    after = state
    for event in events:
        after = GAME.apply(after, event)
    names = [field.name for field in fields(State)]
    return {name: getattr(after, name) for name in names if getattr(after, name) != getattr(state, name)}


OPENING = moment(Opening(ADA), open_seats=(OpenSeat(DORA, BEN, 4), OpenSeat(ENNO), OpenSeat(FANO, CLEO, 2)))
JUMP = Dispute(ADA, ALBA, 1, BEN)
FEEDING = moment(Wednesday((ALBA, BRIO)), starved=((), (ENNO,), ()))
SALE = moment(Auction(FANO, BEN, (BEN, CLEO, ADA), 3, ADA))
OFFERS = (Offer(ADA, CLEO, "food", 2), Offer(BEN, ADA, "gold", 3, 1))
TRADING = moment(offers=OFFERS)


@pytest.mark.rule("F5", "F6", "F7", "F8")
@pytest.mark.parametrize(
    ("state", "events", "changes"),
    [
        (
            moment(Naming(), DrawingSeats(2)),
            [e.SeatDrawn(DORA)],
            {"deck": deck_of((ENNO,)), "open_seats": (OpenSeat(DORA),), "steps": (Naming(), DrawingSeats(1))},
        ),
        (
            moment(Naming(), DrawingSeats(1)),
            [e.SeatDrawn(DORA)],
            {"deck": deck_of((ENNO,)), "open_seats": (OpenSeat(DORA),), "steps": (Naming(),)},
        ),
        (moment(Naming()), [e.ButtonNamed(CLEO)], {"button": CLEO, "steps": (Opening(CLEO),)}),
        (
            OPENING,
            [e.Outbid(BEN, DORA, 4)],
            {"red": (10, 24, 30), "open_seats": (OpenSeat(DORA), OpenSeat(ENNO), OpenSeat(FANO, CLEO, 2))},
        ),
        (
            OPENING,
            [e.Outbid(BEN, DORA, 4), e.SeatBid(ADA, DORA, 5)],
            {
                "red": (5, 24, 30),
                "open_seats": (OpenSeat(DORA, ADA, 5), OpenSeat(ENNO), OpenSeat(FANO, CLEO, 2)),
                "steps": (Opening(BEN),),
            },
        ),
        (
            OPENING,
            [e.SeatBid(ADA, ENNO, 7)],
            {
                "red": (3, 20, 30),
                "open_seats": (OpenSeat(DORA, BEN, 4), OpenSeat(ENNO, ADA, 7), OpenSeat(FANO, CLEO, 2)),
            },
        ),
        (
            OPENING,
            [e.SeatBought(BEN, DORA, 4)],
            {
                "open_seats": (OpenSeat(ENNO), OpenSeat(FANO, CLEO, 2)),
                "owned": (A, B, C, own("dora", BEN)),
                "bank": (5, 2, 3),
            },
        ),
        (OPENING, [e.ButtonMoved(CLEO)], {"button": CLEO}),
    ],
)
def test_the_opening(state: State, events: list[Event], changes: dict[str, Any]) -> None:
    assert changed(state, *events) == changes


@pytest.mark.rule("F9", "F21", "F28")
@pytest.mark.parametrize(
    ("day", "step"),
    [
        ("sunday", Sunday()),
        ("monday", Monday(BEN)),
        ("tuesday", Tuesday()),
        ("wednesday", Wednesday((ALBA, BRIO))),
        ("thursday", Thursday(BEN)),
        ("friday", Friday((ENNO, CIMA, FANO))),
        ("saturday", Turning()),
    ],
)
def test_a_day_comes(day: Any, step: Step) -> None:
    """Enno and Cima of Cleo and Fano of Ada sleep; Cima eats nothing. From the Button: Ben, Cleo, Ada."""
    owned = (own("enno", CLEO, chips=2), A, B, C, own("fano", ADA, chips=1))
    after = GAME.apply(moment(Turning(), owned=owned, day="setup"), e.DayCame(day, 4))
    assert (after.day, after.week, after.steps) == (day, 4, (step,))


@pytest.mark.rule("F10", "F16", "F17", "F18", "F12")
@pytest.mark.parametrize(
    ("event", "changes"),
    [
        (e.Populated(ADA, 5), {"owned": (replace(A, middle=8, train=0), B, C)}),
        (e.Populated(CLEO, 1), {}),
        (
            e.Staked(ADA, ALBA, at("farm 1c")),
            {"claims": (ADA, BEN, ADA, *(NOBODY,) * 5), "owned": (replace(A, middle=2), B, C)},
        ),
        (e.Strengthened(ADA, ALBA), {"owned": (replace(A, counters=3, middle=2), B, C)}),
        (e.SentByTrain(ADA, ALBA, BRIO), {"owned": (replace(A, middle=2), replace(B, train=2), C)}),
        (e.SentByTrain(ADA, ALBA, ALBA), {"owned": (replace(A, middle=2, train=5), B, C)}),
        (e.RocketBoarded(ADA, ALBA), {"crew": (3, 3, 4), "owned": (replace(A, middle=2), B, C)}),
        (e.MondayDone(BEN), {"steps": (Monday(CLEO),)}),
        (e.MondayDone(CLEO), {"steps": (Monday(ADA),)}),
        (
            e.Jumped(ADA, ALBA, at("mine 1b"), BEN),
            {"steps": (Tuesday(), JUMP), "owned": (replace(A, middle=2), B, C)},
        ),
    ],
)
def test_monday(event: Event, changes: dict[str, Any]) -> None:
    assert changed(moment(), event) == changes


@pytest.mark.rule("F14", "F15")
@pytest.mark.parametrize(
    ("event", "changes"),
    [
        (e.AttackFell(ADA, 6, 8), {"steps": (Monday(ADA), replace(JUMP, roll=6))}),
        (e.DefenceFell(BEN, 3, 8), {}),
        (e.DisputeLost(ADA, at("mine 1b"), BEN), {"steps": (Monday(ADA),)}),
        (e.DisputeWon(ADA, at("mine 1b"), BEN), {"steps": (Monday(ADA),), "claims": (ADA, ADA, *(NOBODY,) * 6)}),
        (e.ClaimFell(ADA, at("mine 1b"), BEN), {"steps": (Monday(ADA),), "claims": (ADA, ADA, *(NOBODY,) * 6)}),
    ],
)
def test_a_dispute(event: Event, changes: dict[str, Any]) -> None:
    assert changed(moment(Monday(ADA), JUMP), event) == changes


def test_an_event_of_another_moment_is_an_error() -> None:
    for event in (e.AttackFell(ADA, 1, 2), e.BidMade(ADA, 1)):
        with pytest.raises(ValueError, match="do not belong together"):
            GAME.apply(moment(), event)


@pytest.mark.rule("F20", "F21", "F.j")
@pytest.mark.parametrize(
    ("event", "changes"),
    [
        (e.IncomePaid(BEN, 3, 4), {"food": (5, 9, 7), "gold": (8, 13, 4), "bank": (1, -1, -1)}),
        (e.Fed(BEN, BRIO, 2), {"food": (5, 4, 7), "bank": (1, 4, 3), "steps": (Wednesday((ALBA,)),)}),
        (
            e.Starved(BEN, BRIO),
            {"owned": (A, C), "starved": ((), (ENNO, BRIO), ()), "steps": (Wednesday((ALBA,)),)},
        ),
        (
            e.CityOnDeck(BEN, ENNO),
            {"starved": ((), (), ()), "deck": Deck((Hidden(ENNO, EVERYONE),), deck_of((DORA, ENNO)).unseen)},
        ),
    ],
)
def test_tuesday_and_wednesday(event: Event, changes: dict[str, Any]) -> None:
    assert changed(FEEDING, event) == changes


@pytest.mark.rule("F23", "F24", "F25", "F26", "F27")
@pytest.mark.parametrize(
    ("steps", "event", "changes"),
    [
        (
            (Thursday(BEN),),
            e.Upgraded(BEN, FUEL_2, 7, 5),
            {"gold": (8, 4, 4), "bank": (1, 2, 8), "levels": (LEVELS[0], (4, 5, 7), LEVELS[2])},
        ),
        (
            (Thursday(BEN),),
            e.UpgradedForFee(BEN, FUEL_2, 7, 5, CLEO),
            {"gold": (8, 3, 5), "bank": (1, 2, 8), "levels": (LEVELS[0], (4, 5, 7), LEVELS[2])},
        ),
        ((Thursday(BEN),), e.KnowHowTaken(BEN, KNOW_LIFE), {"know_how": (NOBODY, BEN, NOBODY)}),
        (
            (Thursday(BEN),),
            e.ShotTaken(BEN, 4),
            {"food": (5, 2, 7), "bank": (1, 6, 3), "steps": (Thursday(BEN, True), Shot(BEN))},
        ),
        (
            (Thursday(BEN, True), Shot(BEN, 1, 0)),
            e.SystemHeld(BEN, FUEL_2, 9, 8),
            {"red": (10, 21, 30), "bank": (0, 2, 3), "steps": (Thursday(BEN, True), Shot(BEN, 2, 1))},
        ),
        (
            (Thursday(BEN, True), Shot(BEN, 1, 1)),
            e.SystemFailed(BEN, FUEL_2, 7, 8),
            {"steps": (Thursday(BEN, True), Shot(BEN, 2, 1))},
        ),
        ((Thursday(BEN, True), Shot(BEN, 3, 3)), e.MoonReached(BEN, 3), {"red": (10, 23, 30), "bank": (-2, 2, 3)}),
        (
            (Thursday(BEN, True), Shot(BEN, 3, 2)),
            e.ShotEnded(BEN, 3),
            {"crew": (2, 0, 4), "steps": (Thursday(BEN, True),)},
        ),
        ((Thursday(CLEO),), e.ThursdayDone(CLEO), {"steps": (Thursday(ADA),)}),
    ],
)
def test_thursday(steps: tuple[Step, ...], event: Event, changes: dict[str, Any]) -> None:
    assert changed(moment(*steps), event) == changes


@pytest.mark.rule("F28", "F29", "F30", "F32", "F33")
@pytest.mark.parametrize(
    ("state", "event", "changes"),
    [
        (
            moment(Turning()),
            e.CityTurned(DORA),
            {"deck": deck_of((ENNO,)), "steps": (Auction(DORA, BEN, (BEN, CLEO, ADA)),)},
        ),
        (SALE, e.BidMade(BEN, 5), {"steps": (Auction(FANO, CLEO, (BEN, CLEO, ADA), 5, BEN),)}),
        (SALE, e.Passed(BEN), {"steps": (Auction(FANO, CLEO, (CLEO, ADA), 3, ADA),)}),
        (SALE, e.Passed(ADA), {"steps": (Auction(FANO, BEN, (BEN, CLEO), 3, ADA),)}),
        (
            SALE,
            e.CityBought(ADA, FANO, 1, 2),
            {"red": (7, 20, 30), "bank": (2, 2, 3), "owned": (A, B, C, own("fano", chips=2))},
        ),
        (moment(), e.GhostTown(ENNO), {"gone": (ENNO, FANO)}),
        (
            moment(Friday((CIMA, BRIO))),
            e.ChipOff(CLEO, CIMA, 2),
            {"owned": (A, B, replace(C, chips=2)), "bank": (2, 2, 3), "steps": (Friday((BRIO,)),)},
        ),
        (
            moment(Friday((CIMA,)), owned=(A, B, own("cima", CLEO, chips=1))),
            e.CityActive(CLEO, CIMA),
            {"owned": (A, B, own("cima", CLEO)), "bank": (2, 2, 3), "steps": (Friday(()),)},
        ),
        (moment(Turning()), e.ButtonOffered(), {"steps": (Auction(BUTTON, BEN, (BEN, CLEO, ADA)),)}),
        (moment(), e.ButtonKept(BEN), {}),
        (moment(), e.ButtonBought(ADA, 6), {"steps": (Paying(ADA, 6, ("red", "food", "gold")),)}),
        (moment(red=(0, 20, 30)), e.ButtonBought(ADA, 6), {"steps": (Paying(ADA, 6, ("food", "gold")),)}),
        (
            moment(Paying(ADA, 6, ("red", "food", "gold"))),
            e.ChipsPaid(ADA, "red", 4),
            {"red": (6, 20, 30), "bank": (5, 2, 3), "steps": (Paying(ADA, 2, ("food", "gold")),)},
        ),
        (
            moment(Paying(ADA, 6, ("food", "gold"))),
            e.ChipsPaid(ADA, "food", 5),
            {"food": (0, 6, 7), "bank": (1, 7, 3), "steps": (Paying(ADA, 1, ("gold",)),)},
        ),
        (
            moment(Paying(ADA, 6, ("gold",))),
            e.ChipsPaid(ADA, "gold", 6),
            {"gold": (2, 9, 4), "bank": (1, 2, 9), "steps": (Giving(ADA),)},
        ),
    ],
)
def test_friday_and_saturday(state: State, event: Event, changes: dict[str, Any]) -> None:
    assert changed(state, event) == changes


@pytest.mark.rule("F34")
@pytest.mark.parametrize(
    ("event", "changes"),
    [
        (e.FoodOffered(BEN, CLEO, 5), {"offers": (*OFFERS, Offer(BEN, CLEO, "food", 5))}),
        (e.GoldOffered(ADA, BEN, 5), {"offers": (Offer(ADA, BEN, "gold", 5), *OFFERS)}),
        (e.FoodOffered(ADA, CLEO, 9), {"offers": (Offer(ADA, CLEO, "food", 9), OFFERS[1])}),
        (e.PriceNamed(ADA, CLEO, 6), {"offers": (Offer(ADA, CLEO, "food", 2, 6), OFFERS[1])}),
        (e.OfferGone(ADA, CLEO), {"offers": OFFERS[1:]}),
        (e.OfferGone(ADA, BEN), {}),
        (e.Traded(ADA, BEN, 2, 3), {"food": (3, 8, 7), "gold": (11, 6, 4)}),
        (e.FoodBought(BEN, 2, 6), {"food": (5, 8, 7), "gold": (8, 3, 4), "bank": (1, 0, 9)}),
        (e.GoldBought(CLEO, 2, 6), {"food": (5, 6, 1), "gold": (8, 9, 6), "bank": (1, 8, 1)}),
        (e.Won(BEN, 31), {"winner": BEN, "offers": (), "steps": ()}),
        (e.AllGone(), {"offers": (), "steps": ()}),
    ],
)
def test_trade_and_the_end(event: Event, changes: dict[str, Any]) -> None:
    assert changed(TRADING, event) == changes


@pytest.mark.rule("F37")
@pytest.mark.parametrize(
    ("event", "changes"),
    [
        (e.ChipsSet(PlaceId("red/1"), 23), {"red": (10, 23, 30), "bank": (-2, 2, 3)}),
        (e.ChipsSet(PlaceId("food/2"), 1), {"food": (5, 6, 1), "bank": (1, 8, 3)}),
        (e.ChipsSet(PlaceId("gold/0"), 9), {"gold": (9, 9, 4), "bank": (1, 2, 2)}),
        (e.ChipsSet(PlaceId("on/cima"), 1), {"owned": (A, B, replace(C, chips=1)), "bank": (3, 2, 3)}),
        (e.CountersSet(PlaceId("rocket/1"), 9), {"crew": (2, 9, 4)}),
        (e.CountersSet(PlaceId("city/brio"), 9), {"owned": (A, replace(B, counters=9), C)}),
        (e.CountersSet(PlaceId("card/brio"), 9), {"owned": (A, replace(B, middle=9), C)}),
        (e.CountersSet(PlaceId("train/brio"), 9), {"owned": (A, replace(B, train=9), C)}),
        (e.LevelSet(PieceId("life-3"), 2), {"levels": (*LEVELS[:2], (7, 2, 9))}),
        (e.LevelSet(PieceId("guidance-1"), 2), {"levels": ((2, 2, 3), *LEVELS[1:])}),
        (e.ClaimSet(at("farm 1c"), CLEO), {"claims": (ADA, BEN, CLEO, *(NOBODY,) * 5)}),
        (e.ClaimCleared(at("mine 1b")), {"claims": (ADA, *(NOBODY,) * 7)}),
        (e.KnowHowSet(PieceId("know-fuel"), CLEO), {"know_how": (NOBODY, NOBODY, CLEO)}),
        (e.KnowHowSet(PieceId("know-guidance"), CLEO), {"know_how": (CLEO, NOBODY, NOBODY)}),
        (e.CityGiven(BRIO, CLEO), {"owned": (A, replace(B, seat=CLEO), C)}),
        (e.CityGiven(FANO, ADA), {"owned": (A, B, C, own("fano")), "gone": ()}),
        (e.CityGiven(DORA, ADA), {"owned": (A, B, C, own("dora")), "deck": deck_of((ENNO,))}),
        (e.CityDropped(CIMA), {"owned": (A, B), "gone": (CIMA, FANO), "bank": (4, 2, 3)}),
        (e.CityDropped(DORA), {"deck": deck_of((ENNO,)), "gone": (DORA, FANO)}),
        (e.ButtonSet(CLEO), {"button": CLEO}),
        (e.WeekSet(9), {"week": 9}),
    ],
)
def test_corrections(event: Event, changes: dict[str, Any]) -> None:
    assert changed(moment(), event) == changes


def test_a_know_how_goes_back_to_the_bank() -> None:
    held = moment(know_how=(ADA, BEN, CLEO))
    assert changed(held, e.KnowHowBanked(KNOW_LIFE)) == {"know_how": (ADA, NOBODY, CLEO)}


def test_the_turn_is_given_on_monday_and_thursday() -> None:
    assert changed(moment(Monday(ADA)), e.TurnSet(CLEO)) == {"steps": (Monday(CLEO),)}
    assert changed(moment(Thursday(ADA)), e.TurnSet(CLEO)) == {"steps": (Thursday(CLEO),)}


def test_a_card_is_lifted_from_wherever_it_lies() -> None:
    known = Deck((Hidden(DORA, EVERYONE), Hidden(FANO, EVERYONE)), deck_of((ENNO,)).unseen)
    on_top = moment(deck=known, gone=())
    assert changed(on_top, e.CityDropped(DORA)) == {
        "deck": Deck((Hidden(FANO, EVERYONE),), known.unseen),
        "gone": (DORA,),
    }
    aside = moment(starved=((), (DORA, FANO), ()), gone=())
    assert changed(aside, e.CityGiven(FANO, CLEO)) == {
        "starved": ((), (DORA,), ()),
        "owned": (A, B, C, own("fano", CLEO)),
    }


@pytest.mark.rule("F21", "F28")
def test_a_day_waits_only_for_what_is_still_there() -> None:
    eating = moment(Wednesday((ALBA, BRIO)))
    assert changed(eating, e.CityDropped(BRIO))["steps"] == (Wednesday((ALBA,)),)
    assert changed(eating, e.ChipsSet(PlaceId("on/brio"), 2))["steps"] == (Wednesday((ALBA,)),)
    friday = moment(Friday((CIMA,)))
    assert changed(friday, e.ChipsSet(PlaceId("on/cima"), 0))["steps"] == (Friday(()),)
    assert "steps" not in changed(friday, e.ChipsSet(PlaceId("on/cima"), 1))


@pytest.mark.rule("F1", "F2")
def test_boards_are_laid_turned_lifted_and_make_a_map() -> None:
    state = GAME.start(setup_for(3, pack=VALLEY))
    two = replace(state, laid=(Laid(1, 0, 0), Laid(2, -1, 2, 3)))
    lay = e.BoardLaid(ADA, PieceId("board-3"), PlaceId("at/-4/5"))
    assert changed(two, lay) == {"laid": (*two.laid, Laid(3, -4, 5))}
    assert changed(two, e.BoardTurned(ADA, PieceId("board-1"))) == {"laid": (Laid(1, 0, 0, 1), Laid(2, -1, 2, 3))}
    assert changed(two, e.BoardTurned(ADA, PieceId("board-2"))) == {"laid": (Laid(1, 0, 0), Laid(2, -1, 2, 0))}
    assert changed(two, e.BoardLifted(ADA, PieceId("board-1"))) == {"laid": two.laid[1:]}
    shipped = GAME.start(setup_for(3))
    assert changed(shipped, e.LayoutUsed(ADA, 2)) == {"laid": PACK.layouts[1].boards}
    made = GAME.apply(replace(state, laid=ROW[:4]), e.MapMade(ADA))
    assert made.claims == (NOBODY,) * 7
    assert (made.deck, made.gone) == (deck_of((ALBA, BRIO, CIMA, DORA, ENNO)), (FANO,))
    assert made.steps == (Naming(), DrawingSeats(3))
    assert TABLE == NOBODY == SeatId(-1)
