"""Declaring attacks (P27, P32, P34, P37)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from companion.core import (
    Basis,
    Event,
    Facts,
    Piece,
    PieceId,
    Rule,
    RuleId,
    Seat,
    SeatId,
    Verb,
    is_seat,
    seats_of,
    unless,
)
from companion.games.us_patent import events as e
from companion.games.us_patent.state import (
    NOTHING,
    FightKind,
    Ranged,
    State,
    attacks_of,
    fight_of,
    in_scope,
    is_stopped,
    known,
    machine_of,
    reached,
    workings_of,
)

from .guards import ACT, guard
from .intents import Attack, Shoot, ShootSecond, Volley

Shot = Shoot | ShootSecond
S = TypeVar("S", Shoot, ShootSecond)


def declared(
    state: State, seat: SeatId, target: SeatId, kind: FightKind, source: PieceId, attack: int = 0
) -> tuple[Event, ...]:
    """P34, P.y: if the defender's machine stops such attacks, there are no dice and no effect."""
    held = fight_of(state, seat, target, kind, source, attack).held
    told = e.AttackDeclared(seat, target, kind, source, held, attack)
    return (told, e.AttackStopped(seat, target)) if is_stopped(state, target, kind) else (told,)


def _no_other(state: State, intent: Attack | Shot) -> Facts | None:
    return unless(intent.seat == intent.actor or not is_seat(state, intent.seat))


def _elsewhere(state: State, intent: Attack) -> Facts | None:
    if intent.seat == intent.actor or not is_seat(state, intent.seat):
        return None
    here, there = machine_of(state, intent.actor).at, state.machines[intent.seat].at
    return unless(here != there, seat=Seat(intent.seat))


def _others(state: State, actor: SeatId) -> list[SeatId]:
    return [SeatId(seat) for seat in seats_of(state) if seat != actor]


def attack_of(state: State, kind: type[Shot | Volley], piece: PieceId) -> int | None:
    """Which attack of the card is meant: the first or second on one player, or that on all; None if it lacks that."""
    on = "all" if kind is Volley else "one"
    found = [at for at, ranged in enumerate(attacks_of(known(state), piece)) if ranged.targets == on]
    nth = 1 if kind is ShootSecond else 0
    return found[nth] if nth < len(found) else None


def _ranged(state: State, intent: Shot | Volley) -> Ranged | None:
    at = attack_of(state, type(intent), intent.card)
    return None if at is None else attacks_of(known(state), intent.card)[at]


def _guns(state: State, actor: SeatId, kind: type[Shot | Volley]) -> list[PieceId]:
    """One's own cards, working or not, whose text has such an attack."""
    own = machine_of(state, actor).attached()
    return [piece for piece in own if attack_of(state, kind, piece) is not None]


def _shots(kind: type[S]) -> Callable[[State, SeatId], Iterator[S]]:
    return lambda state, actor: (
        kind(actor, gun, seat) for gun in _guns(state, actor, kind) for seat in _others(state, actor)
    )


def _volleys(state: State, actor: SeatId) -> list[Volley]:
    return [Volley(actor, gun) for gun in _guns(state, actor, Volley)]


def _no_gun(state: State, intent: Shot | Volley) -> Facts | None:
    return unless(intent.card not in _guns(state, intent.actor, type(intent)), card=Piece(intent.card))


def _gun_off(state: State, intent: Shot | Volley) -> Facts | None:
    return unless(machine_of(state, intent.actor).is_off(intent.card), card=Piece(intent.card))


def _out_of_scope(state: State, intent: Shot) -> Facts | None:
    """For one's own attack on somebody else."""
    ranged = _ranged(state, intent) if machine_of(state, intent.actor).slot_of(intent.card) >= 0 else None
    if ranged is None or intent.seat == intent.actor or not is_seat(state, intent.seat):
        return None
    return unless(not in_scope(state, intent.actor, intent.seat, ranged), seat=Seat(intent.seat))


def _nobody_in_scope(state: State, intent: Volley) -> Facts | None:
    ranged = _ranged(state, intent) if machine_of(state, intent.actor).slot_of(intent.card) >= 0 else None
    there = ranged is None or reached(state, intent.actor, ranged)
    return unless(not there)


def _gunless(state: State, actor: SeatId) -> Facts | None:
    return unless(Ranged not in workings_of(state, actor).effects)


def _shot(state: State, intent: Shot) -> tuple[Event, ...]:
    attack = attack_of(state, type(intent), intent.card) or 0
    return declared(state, intent.actor, intent.seat, "ranged", intent.card, attack)


def _volley(state: State, intent: Volley) -> tuple[Event, ...]:
    """The last one declared rolls first, because steps are a stack: so it goes round from the attacker's left."""
    attack, ranged = attack_of(state, Volley, intent.card) or 0, _ranged(state, intent)
    targets = reached(state, intent.actor, ranged) if ranged else ()
    shots = (declared(state, intent.actor, target, "ranged", intent.card, attack) for target in reversed(targets))
    return tuple(event for events in shots for event in events)


GUN: tuple[Rule[State, Any], ...] = (
    Rule(RuleId("P32"), "own-gun", _no_gun, physical=True),
    Rule(RuleId("P.an"), "gun-works", _gun_off),
)
SHOOTS = (*ACT, guard("P32", "has-gun", _gunless, Basis.THING))


def _shooting(kind: type[S]) -> Verb[State, S]:
    shots = _shots(kind)
    rules: tuple[Rule[State, S], ...] = (
        Rule(RuleId("P.z"), "other-player", _no_other, physical=True),
        *GUN,
        Rule(RuleId("P37"), "in-scope", _out_of_scope, basis=Basis.PLACE),
    )
    return Verb[State, S](kind, SHOOTS, shots, rules, _shot, asks=True, listed=False, thinkable=shots)


FIGHT = (
    Verb[State, Attack](
        Attack,
        ACT,
        lambda state, actor: [Attack(actor, seat) for seat in _others(state, actor)],
        (
            Rule(RuleId("P27"), "other-player", _no_other, physical=True),
            Rule(RuleId("P27"), "same-space", _elsewhere, basis=Basis.PLACE),
        ),
        lambda s, i: declared(s, i.actor, i.seat, "basic", NOTHING),
        asks=True,
    ),
    _shooting(Shoot),
    _shooting(ShootSecond),
    Verb[State, Volley](
        Volley,
        SHOOTS,
        _volleys,
        (*GUN, Rule(RuleId("P37"), "anyone-in-scope", _nobody_in_scope, physical=True, basis=Basis.PLACE)),
        _volley,
        asks=True,
        listed=False,
        thinkable=_volleys,
    ),
)
