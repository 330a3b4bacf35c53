"""The present value of what a correction would set (see `Verb.now`)."""

from __future__ import annotations

from companion.core import PieceId, Seat, SeatId, top
from companion.games.one_false_step.state import (
    NOBODYS,
    Monday,
    State,
    Thursday,
    claim_number,
    held,
    holding,
    system_of,
)

from .intents import GiveCity, SetButton, SetChips, SetClaim, SetCounters, SetKnowHow, SetLevel, SetTurn, SetWeek


def chips(state: State, intent: SetChips) -> int:
    area, _, whose = intent.place.partition("/")
    if area == "on":
        city = holding(state, PieceId(whose))
        return city.chips if city else 0
    return next(had for colour, had in held(state, SeatId(int(whose))).items() if colour == area)


def counters(state: State, intent: SetCounters) -> int:
    area, _, whose = intent.place.partition("/")
    if area == "rocket":
        return state.crew[int(whose)]
    city = holding(state, PieceId(whose))
    if city is None:
        return 0
    return {"city": city.counters, "card": city.middle, "train": city.train}[area]


def level(state: State, intent: SetLevel) -> int:
    seat = int(intent.card.partition("-")[2]) - 1
    return state.levels[seat][system_of(intent.card) or 0]


def claim(state: State, intent: SetClaim) -> Seat | None:
    number = claim_number(state, intent.claim)
    return None if number is None else _someone(state.claims[number])


def know_how(state: State, intent: SetKnowHow) -> Seat | None:
    return _someone(state.know_how[system_of(intent.card) or 0])


def owner(state: State, intent: GiveCity) -> Seat | None:
    held_by = holding(state, intent.city)
    return Seat(held_by.seat) if held_by else None


def button(state: State, intent: SetButton) -> Seat:
    return Seat(state.button)


def turn(state: State, intent: SetTurn) -> Seat | None:
    step = top(state)
    return Seat(step.seat) if isinstance(step, Monday | Thursday) else None


def week(state: State, intent: SetWeek) -> int:
    return state.week


def _someone(seat: SeatId) -> Seat | None:
    return None if seat == NOBODYS else Seat(seat)
