"""How a dispute over a claim ended, until something else is done: both dice with their support, and who holds it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias, TypeVar

from companion.core import Duel, Event, Place, Said, Seat, SeatId, Side, say
from companion.games.one_false_step.events import AttackFell, DefenceFell, DisputeLost, DisputeWon, Jumped
from companion.games.one_false_step.state import State

_Settled: TypeAlias = DisputeWon | DisputeLost
E = TypeVar("E", bound=Event)


def showdown(_view: State, recent: Iterable[tuple[Event, ...]]) -> Duel | None:
    """The dispute that the last act settled; None while dice are due, or once something else was done."""
    events = next(iter(recent), ())
    jumped = _last(Jumped, events)
    settled = next((event for event in reversed(events) if isinstance(event, _Settled)), None)
    attack, defence = _last(AttackFell, events), _last(DefenceFell, events)
    if jumped is None or settled is None or attack is None or defence is None:
        return None
    result = _said(settled)
    sides = (_side(jumped.seat, attack, "jumps"), _side(jumped.defender, defence, "holds"))
    return Duel((result,), sides, say("panel.against"), outcome=result)


def _said(event: _Settled) -> Said:
    seat, claim = Seat(event.seat), Place(event.claim)
    if isinstance(event, DisputeWon):
        return say("event.dispute-won", seat=seat, claim=claim, loser=Seat(event.loser))
    return say("event.dispute-lost", seat=seat, claim=claim, winner=Seat(event.winner))


def _side(seat: SeatId, fell: AttackFell | DefenceFell, does: str) -> Side:
    plus = fell.total - fell.number
    return Side(seat, say("panel.dice-sum", dice=fell.number, plus=plus, n=fell.total), say(f"panel.{does}"))


def _last(kind: type[E], events: tuple[Event, ...]) -> E | None:
    return next((event for event in reversed(events) if isinstance(event, kind)), None)
