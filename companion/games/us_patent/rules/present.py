"""The present value of what a correction would set (see `Verb.now`)."""

from __future__ import annotations

from companion.core import Place, Seat
from companion.games.us_patent.state import NEVER, NO_NUMBER, NOWHERE, Dice, Going, Hit, State, drive, known

from .intents import SetDie, SetGold, SetNumber, SetPawn, SetTurn


def gold(state: State, intent: SetGold) -> int:
    return state.machines[intent.seat].gold


def number(state: State, intent: SetNumber) -> int | None:
    had = state.machines[intent.seat].number
    return None if had == NO_NUMBER else had


def pawn(state: State, intent: SetPawn) -> Place | None:
    at = state.machines[intent.seat].at
    return None if at == NOWHERE else Place(at)


def turn(state: State, intent: SetTurn) -> Seat:
    return Seat(state.turn)


def die(state: State, intent: SetDie) -> int | None:
    """The sum that was reported last, without what cards add to it."""
    step = state.steps[-1] if state.steps else None
    match step:
        case Going(seat=seat, reach=reach):
            return reach - drive(known(state), state.machines[seat])[1]
        case Dice(fight=fight, attack=attack) if attack != NEVER:
            return attack - fight.attack_plus
        case Hit(fight=fight, defence=defence):
            return defence - fight.defence_plus
        case _:
            return None
