"""Attacks, what a hit does, and the counterattack (P27, P34–P38, P47)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from companion.core.facts import NO_FACTS, Facts, Piece, Seat
from companion.core.ids import PieceId, RuleId, SeatId
from companion.core.rules import Event, Rule, Verb, alone, unless
from companion.games.us_patent import events as e
from companion.games.us_patent.cards import PLANT
from companion.games.us_patent.combat import can_disable, in_scope, is_stopped, margin
from companion.games.us_patent.effects import Ranged
from companion.games.us_patent.machine import NOTHING, texts
from companion.games.us_patent.state import Cards, State, card, is_seat, known, machine_of, seats_of, top, workings_of
from companion.games.us_patent.steps import NEVER, Countering, FightKind, Hit, Loot, Short

from .actions import own_slot, scrapped
from .guards import ACT, Guard, at_step
from .intents import (
    Attack,
    CounterAttack,
    Destroy,
    Disable,
    InstallLoot,
    LetGo,
    Shoot,
    Spare,
    Steal,
    SwitchOff,
    ThrowAway,
)

H = TypeVar("H", Disable, Destroy, Steal)


def declared(state: State, seat: SeatId, target: SeatId, kind: FightKind, source: PieceId) -> tuple[Event, ...]:
    """P34, P.y: where the defender's machine stops such attacks, there are no dice and no effect."""
    attack = e.AttackDeclared(seat, target, kind, source)
    return (attack, e.AttackStopped(seat, target)) if is_stopped(state, target, kind) else (attack,)


def _no_other(state: State, intent: Attack | Shoot) -> Facts | None:
    return unless(intent.seat == intent.actor or not is_seat(state, intent.seat))


def _elsewhere(state: State, intent: Attack) -> Facts | None:
    if not is_seat(state, intent.seat):
        return NO_FACTS
    here, there = machine_of(state, intent.actor).at, state.machines[intent.seat].at
    return unless(here != there, seat=Seat(intent.seat))


def _attacks(state: State, actor: SeatId) -> Iterator[Attack]:
    return (Attack(actor, SeatId(seat)) for seat in seats_of(state) if seat != actor)


def ranged_of(state: State, piece: PieceId) -> Ranged | None:
    found = card(state, piece)
    effect = found.by_kind.get(Ranged) if found else None
    return effect if isinstance(effect, Ranged) else None


def _shots(state: State, actor: SeatId) -> Iterator[Shoot]:
    guns = texts(known(state), machine_of(state, actor), Ranged)
    return (Shoot(actor, gun.id, SeatId(seat)) for gun, _ in guns for seat in seats_of(state) if seat != actor)


def _no_gun(state: State, intent: Shoot) -> Facts | None:
    own = intent.card in machine_of(state, intent.actor).cards and ranged_of(state, intent.card) is not None
    return unless(not own, card=Piece(intent.card))


def _gun_off(state: State, intent: Shoot) -> Facts | None:
    return unless(machine_of(state, intent.actor).is_off(intent.card), card=Piece(intent.card))


def _out_of_scope(state: State, intent: Shoot) -> Facts | None:
    ranged = ranged_of(state, intent.card)
    if ranged is None or not is_seat(state, intent.seat):
        return None
    return unless(not in_scope(state, intent.actor, intent.seat, ranged), seat=Seat(intent.seat))


def _gunless(state: State, actor: SeatId) -> Facts | None:
    return unless(Ranged not in workings_of(state, actor).effects)


def _hit(state: State) -> Hit | None:
    step = top(state)
    return step if isinstance(step, Hit) else None


def victims_cards(state: State) -> Cards:
    """What is attached to the machine that was hit."""
    hit = _hit(state)
    return state.machines[hit.fight.defender].attached() if hit else ()


def _named(kind: type[H]) -> Callable[[State, SeatId], Iterator[H]]:
    return lambda state, actor: (kind(actor, piece) for piece in victims_cards(state))


def _not_victims(state: State, intent: Disable | Destroy | Steal) -> Facts | None:
    return unless(intent.card not in victims_cards(state), card=Piece(intent.card))


def _already_off(state: State, intent: Disable) -> Facts | None:
    hit = _hit(state)
    off = hit is not None and state.machines[hit.fight.defender].is_off(intent.card)
    return unless(off, card=Piece(intent.card))


def _never_disables(state: State, intent: Disable) -> Facts | None:
    hit = _hit(state)
    return unless(hit is not None and not hit.fight.disables)


def _must_destroy(state: State, intent: Disable) -> Facts | None:
    hit = _hit(state)
    return unless(hit is not None and hit.fight.disables and not can_disable(state, hit))


def _held(state: State, intent: Destroy) -> Facts | None:
    hit = _hit(state)
    return unless(hit is not None and hit.fight.destroys == NEVER)


def _too_light(state: State, intent: Destroy) -> Facts | None:
    hit = _hit(state)
    if hit is None or hit.fight.destroys == NEVER:
        return None
    return unless(margin(hit) < hit.fight.destroys, margin=margin(hit), need=hit.fight.destroys)


def _no_thief(state: State, intent: Steal) -> Facts | None:
    hit = _hit(state)
    return unless(hit is not None and hit.fight.steals == NEVER)


def _too_light_to_steal(state: State, intent: Steal) -> Facts | None:
    hit = _hit(state)
    if hit is None or hit.fight.steals == NEVER:
        return None
    return unless(margin(hit) < hit.fight.steals, margin=margin(hit), need=hit.fight.steals)


def _victim(state: State) -> SeatId:
    hit = _hit(state)
    assert hit is not None
    return hit.fight.defender


def _loot(state: State) -> Loot:
    step = top(state)
    assert isinstance(step, Loot)
    return step


def _countered(state: State, intent: CounterAttack) -> tuple[Event, ...]:
    step = top(state)
    assert isinstance(step, Countering)
    return (e.CounterOpened(intent.actor), *declared(state, intent.actor, step.fight.attacker, "counter", NOTHING))


def can_go_off(state: State, seat: SeatId) -> Cards:
    """P.p: a working Weapon, Shield or Chassis; never the Power Plant."""
    machine = machine_of(state, seat)
    return tuple(piece for piece in machine.working() if piece != machine.cards[PLANT])


def _stays_on(state: State, intent: SwitchOff) -> Facts | None:
    return unless(intent.card not in can_go_off(state, intent.actor), card=Piece(intent.card))


VICTIMS: Rule[State, Any] = Rule(RuleId("P27"), "victims-card", _not_victims, physical=True)
OTHER: Rule[State, Any] = Rule(RuleId("P.z"), "other-player", _no_other, physical=True)
AT_HIT = at_step("P27", "hit-open", Hit)
AT_LOOT = at_step("P36", "loot-open", Loot)
AT_COUNTER = at_step("P35", "counter-open", Countering)

FIGHT = (
    Verb[State, Attack](
        Attack,
        ACT,
        _attacks,
        (OTHER, Rule(RuleId("P27"), "same-space", _elsewhere)),
        lambda s, i: declared(s, i.actor, i.seat, "basic", NOTHING),
        asks=True,
    ),
    Verb[State, Shoot](
        Shoot,
        (*ACT, Guard(RuleId("P32"), "has-gun", _gunless)),
        _shots,
        (
            OTHER,
            Rule(RuleId("P32"), "own-gun", _no_gun, physical=True),
            Rule(RuleId("P.an"), "gun-works", _gun_off),
            Rule(RuleId("P37"), "in-scope", _out_of_scope),
        ),
        lambda s, i: declared(s, i.actor, i.seat, "ranged", i.card),
        asks=True,
        listed=False,
    ),
)

HITS = (
    Verb[State, SwitchOff](
        SwitchOff,
        at_step("P10", "short-open", Short),
        lambda state, actor: (SwitchOff(actor, piece) for piece in can_go_off(state, actor)),
        (Rule(RuleId("P.p"), "can-go-off", _stays_on, physical=True),),
        lambda s, i: (e.SwitchedOff(i.actor, i.card),),
        listed=False,
    ),
    Verb[State, Destroy](
        Destroy,
        AT_HIT,
        _named(Destroy),
        (VICTIMS, Rule(RuleId("P38"), "may-destroy", _held), Rule(RuleId("P27"), "heavy-hit", _too_light)),
        lambda s, i: (e.CardDestroyed(i.actor, _victim(s), i.card),),
        asks=True,
        listed=False,
    ),
    Verb[State, Disable](
        Disable,
        AT_HIT,
        _named(Disable),
        (
            VICTIMS,
            Rule(RuleId("P.c"), "still-works", _already_off),
            Rule(RuleId("P.y"), "may-disable", _never_disables),
            Rule(RuleId("P.b"), "light-hit", _must_destroy),
        ),
        lambda s, i: (e.CardDisabled(i.actor, _victim(s), i.card),),
        asks=True,
        listed=False,
    ),
    Verb[State, Steal](
        Steal,
        AT_HIT,
        _named(Steal),
        (
            VICTIMS,
            Rule(RuleId("P36"), "may-steal", _no_thief),
            Rule(RuleId("P36"), "steal-margin", _too_light_to_steal),
        ),
        lambda s, i: (e.CardStolen(i.actor, _victim(s), i.card),),
        asks=True,
        listed=False,
    ),
    Verb[State, Spare](
        Spare, AT_HIT, alone(Spare), (), lambda s, i: (e.Spared(i.actor, _victim(s)),), asks=True, listed=False
    ),
    Verb[State, InstallLoot](
        InstallLoot,
        AT_LOOT,
        alone(InstallLoot),
        (),
        lambda s, i: (*scrapped(s, i.actor, _loot(s).card), e.LootInstalled(i.actor, _loot(s).card)),
        asks=True,
        listed=False,
        lands=lambda s, i: own_slot(s, i.actor, _loot(s).card),
    ),
    Verb[State, ThrowAway](
        ThrowAway,
        AT_LOOT,
        alone(ThrowAway),
        (),
        lambda s, i: (e.LootThrown(i.actor, _loot(s).card),),
        asks=True,
        listed=False,
    ),
    Verb[State, CounterAttack](
        CounterAttack, AT_COUNTER, alone(CounterAttack), (), _countered, asks=True, listed=False
    ),
    Verb[State, LetGo](
        LetGo, AT_COUNTER, alone(LetGo), (), lambda s, i: (e.CounterWaived(i.actor),), asks=True, listed=False
    ),
)
