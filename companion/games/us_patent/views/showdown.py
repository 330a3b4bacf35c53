"""How an attack ended, until something else is done: both sides with their dice, Weapon and Shield, and the result."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from companion.core import Duel, Event, Piece, PieceId, Said, Seat, SeatId, Side, say
from companion.games.us_patent.events import (
    AttackDeclared,
    AttackHit,
    AttackMissed,
    AttackStopped,
    AttackThrown,
    CardDestroyed,
    CardDisabled,
    CardStolen,
    CounterOpened,
    DefenceThrown,
    LootInstalled,
    LootThrown,
    Spared,
)
from companion.games.us_patent.state import SHIELD, WEAPON, Dice, State, known

from .panels import duels

_Taken: TypeAlias = CardDisabled | CardDestroyed | CardStolen
_Came: TypeAlias = AttackMissed | AttackHit | AttackStopped | Spared | _Taken
_Fight: TypeAlias = AttackDeclared | AttackThrown | DefenceThrown | _Came | LootInstalled | LootThrown | CounterOpened

_KEYS: Final = {
    AttackMissed: "event.attack-missed",
    AttackHit: "event.attack-hit",
    AttackStopped: "event.attack-stopped",
    Spared: "event.spared",
    CardDisabled: "event.card-disabled",
    CardDestroyed: "event.card-destroyed",
    CardStolen: "event.card-stolen",
}


def showdown(view: State, recent: Iterable[tuple[Event, ...]]) -> Duel | None:
    """The attack in progress, or the one the last act ended; None once something else was done."""
    if any(isinstance(step, Dice) for step in view.steps):
        return next(duels(view), None)
    fought: tuple[_Fight, ...] = ()
    for events in recent:
        these = tuple(event for event in events if isinstance(event, _Fight))
        if not these:
            return None
        fought = (*these, *fought)
        declared = [at for at, event in enumerate(fought) if isinstance(event, AttackDeclared)]
        if declared:
            return _settled(view, fought[declared[-1] :])
    return None


def _settled(view: State, fought: tuple[_Fight, ...]) -> Duel | None:
    """The last attack, from its declaration on."""
    declared, came = fought[0], [event for event in fought if isinstance(event, _Came)]
    if not isinstance(declared, AttackDeclared) or not came:
        return None
    result = _said(came[-1])
    attacks = next((event for event in fought if isinstance(event, AttackThrown)), None)
    defends = next((event for event in fought if isinstance(event, DefenceThrown)), None)
    taken = next((event.card for event in came if isinstance(event, _Taken)), "")
    weapon = declared.source or _card(view, declared.seat, WEAPON, "")
    shield = _card(view, declared.target, SHIELD, taken)
    sides = (
        _side(declared.seat, attacks, "attacks", weapon),
        _side(declared.target, defends, "defends", shield),
    )
    return Duel((result,), sides, say("panel.against"), outcome=result)


def _said(event: _Came) -> Said:
    facts: dict[str, Seat | Piece | int] = {"seat": Seat(event.seat), "target": Seat(event.target)}
    match event:
        case AttackMissed(attack=attack, defence=defence) | AttackHit(attack=attack, defence=defence):
            facts |= {"attack": attack, "defence": defence}
        case CardDisabled(card=card) | CardDestroyed(card=card) | CardStolen(card=card):
            facts |= {"card": Piece(card)}
    return say(_KEYS[type(event)], **facts)


def _side(seat: SeatId, thrown: AttackThrown | DefenceThrown | None, does: str, card: str) -> Side:
    """Its dice and what was added; a Shield that stops an attack means no dice at all."""
    note = say(f"panel.{does}-with", card=Piece(PieceId(card))) if card else say(f"panel.{does}")
    if thrown is None:
        return Side(seat, say("panel.no-dice"), note)
    plus = thrown.total - thrown.number
    return Side(seat, say("panel.dice-sum", dice=thrown.number, plus=plus, n=thrown.total), note)


def _card(view: State, seat: SeatId, slot: int, taken: str) -> str:
    """What works in the slot, or what was just taken from it."""
    machine = view.machines[seat]
    if machine.works[slot]:
        return machine.cards[slot]
    return taken if taken and known(view).cards[PieceId(taken)].slot == slot else ""
