"""What each event changes, and that it changes nothing else. Ben has the Button; all numbers differ."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.core import EVERYONE, Deck, Event, Hidden, deck_of
from companion.games.one_false_step import GAME
from companion.games.one_false_step import events as e
from companion.games.one_false_step.state import (
    Auction,
    Dispute,
    DrawingSeats,
    Friday,
    Giving,
    Monday,
    Naming,
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
from tests.games.one_false_step.moment import (
    ALBA,
    BRIO,
    BUTTON,
    CIMA,
    DORA,
    ENNO,
    FANO,
    FUEL_2,
    GUIDANCE_2,
    KNOW_GUIDANCE,
    KNOW_LIFE,
    LEVELS,
    A,
    B,
    C,
    changed,
    moment,
)
from tests.games.one_false_step.play import ADA, BEN, CLEO, NOBODY, at, own

OPENING = moment(Opening(ADA), open_seats=(OpenSeat(DORA, BEN, 4), OpenSeat(ENNO), OpenSeat(FANO, CLEO, 2)))
JUMP = Dispute(ADA, ALBA, 1, BEN)
FEEDING = moment(Wednesday((ALBA, BRIO)), starved=((), (DORA, ENNO, FANO), ()))
SALE = moment(Auction(FANO, BEN, (BEN, CLEO, ADA), 3, ADA))


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
            {"owned": (A, C), "starved": ((), (DORA, ENNO, FANO, BRIO), ()), "steps": (Wednesday((ALBA,)),)},
        ),
        (
            e.CityOnDeck(BEN, ENNO),
            {"starved": ((), (DORA, FANO), ()), "deck": Deck((Hidden(ENNO, EVERYONE),), deck_of((DORA, ENNO)).unseen)},
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
        ((Thursday(BEN),), e.KnowHowTaken(BEN, KNOW_GUIDANCE), {"know_how": (BEN, NOBODY, NOBODY)}),
        (
            (Thursday(BEN),),
            e.Upgraded(BEN, GUIDANCE_2, 7, 5),
            {"gold": (8, 4, 4), "bank": (1, 2, 8), "levels": (LEVELS[0], (7, 5, 6), LEVELS[2])},
        ),
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
            e.ChipsPaid(ADA, "red", 6),
            {"red": (4, 20, 30), "bank": (7, 2, 3), "steps": (Giving(ADA),)},
        ),
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
