"""What follows by itself, event by event. Ben has the Button, so Ben, Cleo, Ada is the order."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core import Deck, Event
from companion.games.one_false_step import GAME
from companion.games.one_false_step import events as e
from companion.games.one_false_step.state import (
    Auction,
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
from tests.games.one_false_step.moment import ALBA, BRIO, BUTTON, CIMA, DORA, ENNO, FANO, A, B, C, moment
from tests.games.one_false_step.play import ADA, BEN, CLEO, NOBODY, own

NO_CITIES: dict[str, Any] = {"deck": Deck((), ()), "gone": ()}
NOTHING: dict[str, Any] = {
    "red": (0,) * 3, "food": (0,) * 3, "gold": (0,) * 3, "owned": (), "claims": (NOBODY,) * 8, **NO_CITIES
}  # fmt: skip
SEATS = (OpenSeat(DORA, ADA, 4), OpenSeat(ENNO, CLEO, 3), OpenSeat(FANO, BEN, 2))


def placed(*held: Any) -> dict[str, Any]:
    return {"owned": held, "red": (1, 2, 3)}


RED: dict[str, Any] = {"red": (10, 20, 8)}
"""Nobody has won: dots and chips stay below 30."""


@pytest.mark.rule("F7", "F8")
@pytest.mark.parametrize(
    ("state", "events"),
    [
        (moment(Naming(), DrawingSeats(4), **RED), tuple(e.SeatDrawn(city) for city in (ALBA, BRIO, CIMA, DORA))),
        (moment(Naming(), DrawingSeats(3), **RED), ()),
        (moment(Naming(), **RED), ()),
        (moment(Opening(BEN), open_seats=SEATS, **RED), (e.SeatBought(BEN, FANO, 2),)),
        (moment(Opening(BEN), open_seats=SEATS[:2], **RED), (e.SeatBought(CLEO, ENNO, 3),)),
        (moment(Opening(BEN), open_seats=(*SEATS[:2], OpenSeat(FANO)), **RED), ()),
        (moment(Opening(BEN), **RED), (e.ButtonMoved(CLEO), e.DayCame("sunday", 2))),
    ],
)
def test_the_opening(state: State, events: tuple[Event, ...]) -> None:
    """The largest city in play is Cima, with 4000 people: Cleo's."""
    assert GAME.forced(state) == events


@pytest.mark.rule("F10", "F11", "F20", "F21", "F.j")
@pytest.mark.parametrize(
    ("state", "events"),
    [
        (moment(Sunday(), **RED), (e.Populated(BEN, 2), e.Populated(ADA, 5), e.DayCame("monday", 1))),
        (moment(Monday(BEN), **RED), ()),
        (moment(Monday(CLEO), **RED), (e.MondayDone(CLEO),)),
        (moment(Monday(ADA), **placed(own("alba"), B, C)), (e.MondayDone(ADA), e.DayCame("tuesday", 1))),
        (moment(Tuesday(), **RED), (e.IncomePaid(BEN, 0, 1), e.IncomePaid(ADA, 1, 0), e.DayCame("wednesday", 1))),
        (moment(Wednesday((ALBA,)), **RED), ()),
        (
            moment(Wednesday(()), starved=((DORA,), (), (FANO, ENNO)), **RED),
            (e.CityOnDeck(CLEO, FANO), e.CityOnDeck(CLEO, ENNO), e.CityOnDeck(ADA, DORA), e.DayCame("thursday", 1)),
        ),
    ],
)
def test_sunday_to_wednesday(state: State, events: tuple[Event, ...]) -> None:
    assert GAME.forced(state) == events


@pytest.mark.rule("F22", "F26", "F27", "F28")
@pytest.mark.parametrize(
    ("state", "events"),
    [
        (moment(Thursday(BEN), **RED), ()),
        (moment(Thursday(BEN), food=(1, 0, 1), **RED), ()),
        (moment(Thursday(BEN), gold=(1, 0, 1), **RED), ()),
        (moment(Thursday(BEN), food=(1, 0, 1), gold=(1, 0, 1), **RED), (e.ThursdayDone(BEN),)),
        (
            moment(Thursday(ADA), food=(0, 1, 1), gold=(0, 1, 1), **RED),
            (e.ThursdayDone(ADA), e.DayCame("friday", 1)),
        ),
        (moment(Thursday(CLEO), food=(1, 1, 0), gold=(1, 1, 0), **RED), (e.ThursdayDone(CLEO),)),
        (moment(Thursday(BEN, True), Shot(BEN, 2, 2), **RED), ()),
        (moment(Thursday(BEN, True), Shot(BEN, 3, 3), **RED), (e.MoonReached(BEN, 3), e.ShotEnded(BEN, 3))),
        (moment(Thursday(BEN, True), Shot(BEN, 3, 2), **RED), (e.ShotEnded(BEN, 3),)),
        (moment(Thursday(BEN, True), Shot(BEN, 3, 3), crew=(1, 0, 1), **RED), (e.ShotEnded(BEN, 0),)),
        (moment(Friday(()), **RED), (e.DayCame("saturday", 1),)),
        (moment(Friday((CIMA, DORA)), **RED), (e.ChipOff(CLEO, CIMA, 2),)),
        (moment(Friday((CIMA,)), **placed(A, B, own("cima", CLEO, chips=2))), (e.ChipOff(CLEO, CIMA, 1),)),
        (moment(Friday((CIMA,)), **placed(A, B, own("cima", CLEO, chips=1))), (e.CityActive(CLEO, CIMA),)),
    ],
)
def test_thursday_and_friday(state: State, events: tuple[Event, ...]) -> None:
    assert GAME.forced(state) == events


@pytest.mark.rule("F29", "F30", "F32", "F33", "F.t", "F.ba")
@pytest.mark.parametrize(
    ("state", "events"),
    [
        (moment(Turning(), **RED), ()),
        (moment(Turning(), **NO_CITIES, **RED), (e.ButtonOffered(),)),
        (moment(Turning(), **NOTHING), (e.AllGone(),)),
        (moment(Turning(), **NOTHING | {"red": (0, 0, 1)}), (e.ButtonOffered(),)),
        (moment(Turning(), **NOTHING | {"food": (0, 1, 0)}), (e.ButtonOffered(),)),
        (moment(Turning(), **NOTHING | {"gold": (1, 0, 0)}), (e.ButtonOffered(),)),
        (moment(Turning(), **NOTHING | {"owned": (A,)}), (e.ButtonOffered(),)),
        (moment(Turning(), **NOTHING | {"claims": (*(NOBODY,) * 7, ADA)}), (e.ButtonOffered(),)),
        (moment(Auction(FANO, BEN, ()), **RED), (e.GhostTown(FANO), e.ButtonOffered())),
        (moment(Auction(BUTTON, BEN, ()), **RED), (e.ButtonKept(BEN), e.DayCame("sunday", 2))),
        (
            moment(Auction(FANO, CLEO, (CLEO,), 5, CLEO), **RED),
            (e.CityBought(CLEO, FANO, 2, 3), e.ButtonMoved(CLEO), e.DayCame("sunday", 2)),
        ),
        (moment(Auction(BUTTON, CLEO, (CLEO,), 5, CLEO), **RED), (e.ButtonBought(CLEO, 5),)),
        (moment(Auction(FANO, CLEO, (CLEO,)), **RED), ()),
        (moment(Auction(FANO, CLEO, (CLEO, ADA), 7, ADA), **RED), ()),
        (moment(Auction(FANO, CLEO, (CLEO, ADA), 8, ADA), **RED), (e.Passed(CLEO),)),
        (moment(Auction(BUTTON, CLEO, (CLEO, ADA), 18, ADA), **RED), ()),
        (moment(Auction(BUTTON, CLEO, (CLEO, ADA), 19, ADA), **RED), ()),
        (
            moment(Auction(BUTTON, CLEO, (CLEO, ADA), 8, ADA), food=(1, 1, 0), gold=(1, 1, 0), **RED),
            (e.Passed(CLEO),),
        ),
        (moment(Paying(ADA, 6, ("red", "food", "gold")), **RED), ()),
        (moment(Paying(ADA, 6, ("gold",)), **RED), (e.ChipsPaid(ADA, "gold", 6),)),
        (moment(Paying(ADA, 13, ("food", "gold")), **RED), (e.ChipsPaid(ADA, "food", 5),)),
        (moment(Paying(ADA, 12, ("food", "gold")), **RED), ()),
        (moment(Giving(ADA), **RED), ()),
    ],
)
def test_saturday(state: State, events: tuple[Event, ...]) -> None:
    assert GAME.forced(state) == events


@pytest.mark.rule("F35")
def test_thirty_points_end_the_game_before_anything_else() -> None:
    assert GAME.forced(moment(Sunday(), red=(27, 2, 3))) == (e.Won(ADA, 30),)
    assert GAME.forced(moment(Sunday(), red=(26, 2, 3)))[-1] == e.DayCame("monday", 1)
    assert GAME.forced(moment(red=(50, 2, 3), steps=())) == ()


@pytest.mark.rule("F9")
@pytest.mark.parametrize("step", [Opening(BEN), Auction(BUTTON, BEN, ()), Auction(FANO, CLEO, (CLEO,), 5, CLEO)])
def test_a_week_follows_the_other(step: Step) -> None:
    assert GAME.forced(moment(step, week=5, **RED))[-1] == e.DayCame("sunday", 6)
