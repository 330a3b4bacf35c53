"""The Mechanic, and repair by the text of a card (P16, P26, P.al, P.am)."""

from __future__ import annotations

from typing import Any

from companion.core import Basis, Event, Facts, Piece, PieceId, Rule, RuleId, SeatId, Verb, alone, unless
from companion.games.us_patent import events as e
from companion.games.us_patent.state import (
    Acting,
    Cards,
    Repair,
    SelfRepair,
    State,
    card,
    known,
    machine_of,
    texts,
    workings_of,
)

from .guards import ACT, FREE, guard, on, there_is
from .intents import Mend, RepairAll, RepairOne, Revive
from .taking import underfoot

PRICE = 1


def repair_of(state: State, piece: PieceId) -> Repair | None:
    found = card(state, piece)
    effects = found.by_kind.get(Repair, ()) if found else ()
    return next((effect for effect in effects if isinstance(effect, Repair)), None)


def _sources(state: State, actor: SeatId, what: str) -> Cards:
    """The attached cards whose text repairs like this on request."""
    found = texts(known(state), machine_of(state, actor), Repair)
    return tuple([source.id for source, effect in found if effect.what == what and effect.when != "always"])


def _ones(state: State, actor: SeatId) -> list[RepairOne]:
    broken = workings_of(state, actor).disabled
    return [RepairOne(actor, source, piece) for source in _sources(state, actor, "one") for piece in broken]


def _any_ones(state: State, actor: SeatId) -> list[RepairOne]:
    own, sources = machine_of(state, actor).attached(), _sources(state, actor, "one")
    return [RepairOne(actor, source, piece) for source in sources for piece in own]


def _alls(state: State, actor: SeatId) -> list[RepairAll]:
    return [RepairAll(actor, source) for source in _sources(state, actor, "all")]


def selves(state: State, actor: SeatId) -> Cards:
    """The disabled cards that can repair themselves."""
    now = workings_of(state, actor)
    return tuple([source.id for source, _ in now.texts.get(SelfRepair, ()) if source.id in now.disabled])


def _any_selves(state: State, actor: SeatId) -> list[Revive]:
    return [Revive(actor, source.id) for source, _ in texts(known(state), machine_of(state, actor), SelfRepair)]


def _no_source(state: State, intent: RepairOne | RepairAll) -> Facts | None:
    what = "one" if isinstance(intent, RepairOne) else "all"
    return unless(intent.source not in _sources(state, intent.actor, what), card=Piece(intent.source))


def _source_off(state: State, intent: RepairOne | RepairAll) -> Facts | None:
    return unless(machine_of(state, intent.actor).is_off(intent.source), card=Piece(intent.source))


def _not_its_time(state: State, intent: RepairOne | RepairAll) -> Facts | None:
    """An Action needs the Action; about another's card nothing is said."""
    effect = None if _no_source(state, intent) is not None else repair_of(state, intent.source)
    acting = bool(state.steps) and isinstance(state.steps[-1], Acting)
    return unless(effect is not None and effect.when == "action" and not acting, card=Piece(intent.source))


def _spent(state: State, intent: RepairOne | RepairAll) -> Facts | None:
    """For cards that repair like this: having mended one card, a card can no longer mend all."""
    repairs = _no_source(state, intent) is None
    return unless(repairs and intent.source in state.used, card=Piece(intent.source))


def _revived(state: State, intent: Revive) -> Facts | None:
    return unless(intent.card in state.revived, card=Piece(intent.card))


def _works(state: State, intent: RepairOne) -> Facts | None:
    return unless(not machine_of(state, intent.actor).is_off(intent.card), card=Piece(intent.card))


def _no_self(state: State, intent: Revive) -> Facts | None:
    return unless(intent.card not in selves(state, intent.actor), card=Piece(intent.card))


def something_off(state: State, seat: SeatId) -> bool:
    return bool(workings_of(state, seat).disabled)


def _action(state: State, seat: SeatId, source: PieceId) -> tuple[Event, ...]:
    effect = repair_of(state, source)
    return (e.ActionSpent(seat, source),) if effect and effect.when == "action" else ()


def _poor(state: State, actor: SeatId) -> Facts | None:
    gold = machine_of(state, actor).gold
    return unless(gold < PRICE, price=PRICE, gold=gold)


SOURCE: tuple[Rule[State, Any], ...] = (
    Rule(RuleId("P.al"), "repairs", _no_source, physical=True),
    Rule(RuleId("P.an"), "source-works", _source_off),
    Rule(RuleId("P32"), "action-left", _not_its_time, basis=Basis.STEP),
    Rule(RuleId("P.am"), "once-a-turn", _spent, basis=Basis.STEP),
)
BROKEN = there_is("P.aa", "something-off", something_off)

REPAIR = (
    Verb[State, Mend](
        Mend,
        (*ACT, on("mechanic", "P26"), BROKEN, guard("P.ag", "can-pay-mechanic", _poor, Basis.PRICE, physical=True)),
        alone(Mend),
        (),
        lambda s, i: (e.MachineMended(i.actor, PRICE),),
        asks=True,
        also=underfoot("mechanic"),
        also_by=("place",),
    ),
    Verb[State, RepairOne](
        RepairOne,
        (*FREE, BROKEN),
        _ones,
        (*SOURCE, Rule(RuleId("P.al"), "is-off", _works, physical=True)),
        lambda s, i: (*_action(s, i.actor, i.source), e.CardRepaired(i.actor, i.card, i.source)),
        asks=True,
        listed=False,
        thinkable=_any_ones,
    ),
    Verb[State, RepairAll](
        RepairAll,
        (*FREE, BROKEN),
        _alls,
        SOURCE,
        lambda s, i: (*_action(s, i.actor, i.source), e.AllRepaired(i.actor, i.source)),
        asks=True,
        listed=False,
        thinkable=_alls,
    ),
    Verb[State, Revive](
        Revive,
        (*FREE, BROKEN),
        lambda state, actor: [Revive(actor, piece) for piece in selves(state, actor)],
        (
            Rule(RuleId("P16"), "mends-itself", _no_self, physical=True),
            Rule(RuleId("P.am"), "once-a-turn", _revived, basis=Basis.STEP),
        ),
        lambda s, i: (e.CardRevived(i.actor, i.card),),
        asks=True,
        listed=False,
        thinkable=_any_selves,
    ),
)
FREE_VERBS = REPAIR[1:]
