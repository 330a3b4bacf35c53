"""The turn: play, declare together, ship, end; and clearing after it (A5–A8, A14, A16, A17)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from companion.core import (
    NOBODY,
    Basis,
    Event,
    Facts,
    Hidden,
    Piece,
    PieceId,
    Rule,
    RuleId,
    SeatId,
    Verb,
    alone,
    top,
    unless,
)
from companion.games.actionworks import events as e
from companion.games.actionworks.state import (
    TYPES,
    Cards,
    Copying,
    Declaring,
    State,
    Type,
    fits,
    hand_of,
    is_untyped,
    kind_of,
    models,
    next_copy,
)

from .guards import BETWEEN, CLEARING, ENDING, ON_TURN, at_step, guard
from .intents import ActAs, Add, ClearTake, Declare, EndTurn, Go, NewType, Play, SameTypes, Ship

C = TypeVar("C", Play, Declare, Ship)


def _from_hand(cls: type[C]) -> Callable[[State, SeatId], list[C]]:
    return lambda state, actor: [cls(actor, card) for card in hand_of(state, actor)]


def _not_in_hand(state: State, intent: Play | Declare | Add | Ship) -> Facts | None:
    return None if intent.card in hand_of(state, intent.actor) else (("card", Piece(intent.card)),)


IN_HAND: Rule[State, Any] = Rule(RuleId("A6"), "in-hand", _not_in_hand, physical=True)


def can_join(cards: Cards, card: PieceId) -> bool:
    """A.o: several Plans go together, and Copies go with anything of one type."""
    others = {kind_of(c) for c in cards} - {"copy"}
    kind = kind_of(card)
    return kind == "copy" or not others or (kind == "plan" and others == {"plan"})


def _joining(state: State, actor: SeatId) -> list[Add]:
    step, cards = top(state), hand_of(state, actor)
    if isinstance(step, Declaring):
        return [Add(actor, card) for card in cards if can_join(step.cards, card)]
    return [Add(actor, card) for card in cards]


_BEFORE_PLANS: Final = TYPES.index("plan")
"""With this few types there is neither Plan nor Copy."""


def _nothing_joins(state: State, actor: SeatId) -> Facts | None:
    # The cards in the hand must not matter: everybody can see on the box whether this verb is open.
    return unless(state.types <= _BEFORE_PLANS or len(hand_of(state, actor)) == 1)


TOGETHER_NOW = guard("A.o", "something-joins", _nothing_joins, Basis.THING)


def _together(state: State, card: PieceId) -> set[Type | None]:
    """The types, Copies aside, of the cards that this one cannot be played with; none if it can join them."""
    step = top(state)
    if not isinstance(step, Declaring) or can_join(step.cards, card):
        return set()
    return {kind_of(other) for other in step.cards} - {"copy"}


def _other_kind(state: State, intent: Add) -> Facts | None:
    others = _together(state, intent.card)
    return unless(bool(others) and kind_of(intent.card) not in others, card=Piece(intent.card))


def _no_plans(state: State, intent: Add) -> Facts | None:
    """They are of one type, but only Plans can be played in numbers."""
    return unless(kind_of(intent.card) in _together(state, intent.card), card=Piece(intent.card))


def _models(state: State, actor: SeatId) -> list[ActAs]:
    step = top(state)
    cards = models(state, step) if isinstance(step, Copying) else ()
    return [ActAs(actor, card) for card in cards]


def _no_model(state: State, intent: ActAs) -> Facts | None:
    step = top(state)
    if not isinstance(step, Copying) or is_untyped(step, intent.card):
        return None
    return unless(intent.card not in models(state, step), card=Piece(intent.card))


def _without_type(state: State, intent: ActAs) -> Facts | None:
    step = top(state)
    return unless(isinstance(step, Copying) and is_untyped(step, intent.card), card=Piece(intent.card))


def _other_type(state: State, intent: ActAs) -> Facts | None:
    step = top(state)
    if not isinstance(step, Copying) or intent.card not in models(state, step):
        return None
    return unless(not fits(step, intent.card), card=Piece(intent.card))


def _acted_as(state: State, intent: ActAs) -> tuple[Event, ...]:
    step = top(state)
    assert isinstance(step, Copying)
    return (e.ActedAs(intent.actor, next_copy(step), intent.card),)


def _off_bench(state: State, intent: ClearTake) -> Facts | None:
    return unless(intent.card not in state.bench, card=Piece(intent.card))


def begun(state: State, types: int) -> tuple[Event, ...]:
    """The next round with this many types, starting left of the last turn's seat (A5, A.ac)."""
    first = SeatId((state.turn + 1) % len(state.totals))
    return (e.RoundBegun(state.round + 1, types, first),)


TURN = (
    Verb[State, Play](
        Play, ON_TURN, _from_hand(Play), (IN_HAND,), lambda s, i: (e.Played(i.actor, i.card),), asks=True, sure=True
    ),
    Verb[State, Declare](
        Declare,
        (*ON_TURN, TOGETHER_NOW),
        _from_hand(Declare),
        (IN_HAND,),
        lambda s, i: (e.Declared(i.actor, i.card),),
        asks=True,
        listed=False,
        sure=True,
    ),
    Verb[State, Ship](
        Ship,
        ON_TURN,
        _from_hand(Ship),
        (IN_HAND,),
        lambda s, i: (e.Shipped(i.actor, Hidden(i.card, NOBODY)),),
        asks=True,
        sure=True,
    ),
    Verb[State, EndTurn](
        EndTurn, ENDING, alone(EndTurn), (), lambda s, i: (e.TurnEnded(i.actor),), asks=True, sure=True
    ),
)

DECLARING = at_step("A.m", "declaring", Declaring)

TOGETHER = (
    Verb[State, Add](
        Add,
        DECLARING,
        _joining,
        (IN_HAND, Rule(RuleId("A.o"), "one-type", _other_kind), Rule(RuleId("A.o"), "plans-only", _no_plans)),
        lambda s, i: (e.Added(i.actor, i.card),),
        sure=True,
    ),
    Verb[State, Go](Go, DECLARING, alone(Go), (), lambda s, i: (e.WentAhead(i.actor),), asks=True, sure=True),
    Verb[State, ActAs](
        ActAs,
        at_step("A14", "copying", Copying),
        _models,
        (
            Rule(RuleId("A14"), "model-there", _no_model, physical=True),
            Rule(RuleId("A.s"), "copy-typed", _without_type, physical=True),
            Rule(RuleId("A.o"), "copy-one-type", _other_type),
        ),
        _acted_as,
    ),
)

AFTER = (
    Verb[State, ClearTake](
        ClearTake,
        CLEARING,
        lambda state, actor: [ClearTake(actor, card) for card in state.bench],
        (Rule(RuleId("A17"), "on-bench", _off_bench, physical=True),),
        lambda s, i: (e.Cleared(i.actor, i.card),),
        sure=True,
    ),
    Verb[State, NewType](
        NewType, BETWEEN, alone(NewType), (), lambda s, i: begun(s, s.types + 1), asks=True, sure=True
    ),
    Verb[State, SameTypes](
        SameTypes, BETWEEN, alone(SameTypes), (), lambda s, i: begun(s, s.types), asks=True, sure=True
    ),
)
