"""What a hit does, what becomes of loot, the counterattack; and switching off for lack of power (P10, P35–P38)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from companion.core import Basis, Event, Facts, Piece, Rule, RuleId, Seat, SeatId, Token, Verb, alone, unless
from companion.games.us_patent import events as e
from companion.games.us_patent.state import (
    NEVER,
    NOTHING,
    PLANT,
    Cards,
    Countering,
    Hit,
    Loot,
    State,
    can_disable,
    machine_of,
    margin,
    top,
)

from .fight import declared
from .guards import TO_SWITCH_OFF, at_step, guard
from .intents import CounterAttack, Destroy, Disable, InstallLoot, LetGo, Spare, Steal, SwitchOff, ThrowAway
from .taking import own_slot, scrapped

H = TypeVar("H", Disable, Destroy, Steal)


def _hit(state: State) -> Hit | None:
    step = top(state)
    return step if isinstance(step, Hit) else None


def victims_cards(state: State) -> Cards:
    """The cards on the machine that was hit."""
    hit = _hit(state)
    return state.machines[hit.fight.defender].attached() if hit else ()


def _named(kind: type[H]) -> Callable[[State, SeatId], Iterator[H]]:
    return lambda state, actor: (kind(actor, piece) for piece in victims_cards(state))


def _of_others(kind: type[H]) -> Callable[[State, SeatId], list[H]]:
    """The cards on everybody else's machines."""

    def thinkable(state: State, actor: SeatId) -> list[H]:
        others = (machine for seat, machine in enumerate(state.machines) if seat != actor)
        return [kind(actor, piece) for machine in others for piece in machine.attached()]

    return thinkable


def _not_victims(state: State, intent: Disable | Destroy | Steal) -> Facts | None:
    """Only a hit has a victim."""
    return unless(_hit(state) is not None and intent.card not in victims_cards(state), card=Piece(intent.card))


def _already_off(state: State, intent: Disable) -> Facts | None:
    hit = _hit(state)
    off = hit is not None and state.machines[hit.fight.defender].is_off(intent.card)
    return unless(off, card=Piece(intent.card))


def _never_disables(state: State, intent: Disable) -> Facts | None:
    hit = _hit(state)
    return unless(hit is not None and not hit.fight.disables and "disable" not in hit.fight.held)


def _must_destroy(state: State, intent: Disable) -> Facts | None:
    hit = _hit(state)
    return unless(hit is not None and hit.fight.disables and not can_disable(state, hit))


def _held(what: str) -> Callable[[State, Any], Facts | None]:
    """P38: the attack could, but the Shield forbids it."""

    def broken(state: State, intent: Disable | Destroy | Steal) -> Facts | None:
        hit = _hit(state)
        return unless(what in hit.fight.held, seat=Seat(hit.fight.defender)) if hit else None

    return broken


def _destroys_nothing(state: State, intent: Destroy) -> Facts | None:
    """About the attack itself, whatever the Shield says."""
    hit = _hit(state)
    return unless(hit is not None and hit.fight.destroys == NEVER and "destroy" not in hit.fight.held)


def _too_light(state: State, intent: Destroy) -> Facts | None:
    hit = _hit(state)
    if hit is None or hit.fight.destroys == NEVER:
        return None
    return unless(margin(hit) < hit.fight.destroys, margin=margin(hit), need=hit.fight.destroys)


def _no_thief(state: State, intent: Steal) -> Facts | None:
    hit = _hit(state)
    return unless(hit is not None and hit.fight.steals == NEVER and "steal" not in hit.fight.held)


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


def _disarmed(state: State, actor: SeatId) -> Facts | None:
    return unless(state.barred == actor)


def _is_the_loot(state: State, intent: InstallLoot | ThrowAway) -> tuple[Token, ...]:
    step = top(state)
    return (Token("piece", step.card),) if isinstance(step, Loot) else ()


def _is_the_attacker(state: State, intent: CounterAttack) -> tuple[Token, ...]:
    step = top(state)
    return (Token("seat", step.fight.attacker),) if isinstance(step, Countering) else ()


def _attached(state: State, actor: SeatId) -> list[SwitchOff]:
    return [SwitchOff(actor, piece) for piece in machine_of(state, actor).attached()]


def can_go_off(state: State, seat: SeatId) -> Cards:
    """P.p: a working Weapon, Shield or Chassis; never the Power Plant."""
    machine = machine_of(state, seat)
    return tuple(piece for piece in machine.working() if piece != machine.cards[PLANT])


def _stays_on(state: State, intent: SwitchOff) -> Facts | None:
    return unless(intent.card not in can_go_off(state, intent.actor), card=Piece(intent.card))


VICTIMS: Rule[State, Any] = Rule(RuleId("P27"), "victims-card", _not_victims, physical=True)
AT_HIT = at_step("P27", "hit-open", Hit)
AT_LOOT = at_step("P36", "loot-open", Loot)
AT_COUNTER = at_step("P35", "counter-open", Countering, in_any_turn=True)
"""Striking back happens in another's turn."""
TO_COUNTER = (guard("P.l", "still-armed", _disarmed, Basis.STEP, physical=True), *AT_COUNTER)

HITS = (
    Verb[State, SwitchOff](
        SwitchOff,
        TO_SWITCH_OFF,
        lambda state, actor: (SwitchOff(actor, piece) for piece in can_go_off(state, actor)),
        (Rule(RuleId("P.p"), "can-go-off", _stays_on, physical=True),),
        lambda s, i: (e.SwitchedOff(i.actor, i.card),),
        listed=False,
        thinkable=_attached,
    ),
    Verb[State, Destroy](
        Destroy,
        AT_HIT,
        _named(Destroy),
        (
            VICTIMS,
            Rule(RuleId("P38"), "destroy-held", _held("destroy")),
            Rule(RuleId("P41"), "may-destroy", _destroys_nothing),
            Rule(RuleId("P27"), "heavy-hit", _too_light),
        ),
        lambda s, i: (e.CardDestroyed(i.actor, _victim(s), i.card),),
        asks=True,
        listed=False,
        thinkable=_of_others(Destroy),
    ),
    Verb[State, Disable](
        Disable,
        AT_HIT,
        _named(Disable),
        (
            VICTIMS,
            Rule(RuleId("P.c"), "still-works", _already_off),
            Rule(RuleId("P38"), "disable-held", _held("disable")),
            Rule(RuleId("P41"), "may-disable", _never_disables),
            Rule(RuleId("P.b"), "light-hit", _must_destroy),
        ),
        lambda s, i: (e.CardDisabled(i.actor, _victim(s), i.card),),
        asks=True,
        listed=False,
        thinkable=_of_others(Disable),
    ),
    Verb[State, Steal](
        Steal,
        AT_HIT,
        _named(Steal),
        (
            VICTIMS,
            Rule(RuleId("P38"), "steal-held", _held("steal")),
            Rule(RuleId("P36"), "may-steal", _no_thief),
            Rule(RuleId("P36"), "steal-margin", _too_light_to_steal),
        ),
        lambda s, i: (e.CardStolen(i.actor, _victim(s), i.card),),
        asks=True,
        listed=False,
        thinkable=_of_others(Steal),
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
        lands=lambda s, i: own_slot(s, i.actor, step.card) if isinstance(step := top(s), Loot) else (),
        also=_is_the_loot,
    ),
    Verb[State, ThrowAway](
        ThrowAway,
        AT_LOOT,
        alone(ThrowAway),
        (),
        lambda s, i: (e.LootThrown(i.actor, _loot(s).card),),
        asks=True,
        listed=False,
        also=_is_the_loot,
    ),
    Verb[State, CounterAttack](
        CounterAttack,
        TO_COUNTER,
        alone(CounterAttack),
        (),
        _countered,
        asks=True,
        listed=False,
        also=_is_the_attacker,
    ),
    Verb[State, LetGo](
        LetGo, AT_COUNTER, alone(LetGo), (), lambda s, i: (e.CounterWaived(i.actor),), asks=True, listed=False
    ),
)
