"""What played cards do: Take, Borrow, Plan, Scrap (A10–A13). Make needs no choice: it flips."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

from companion.core import (
    Event,
    Facts,
    Hidden,
    Piece,
    PieceId,
    Rule,
    RuleId,
    SeatId,
    Token,
    Verb,
    alone,
    is_seat,
    seats_of,
    top,
    unless,
)
from companion.games.actionworks import events as e
from companion.games.actionworks.state import Borrowing, Cards, Effects, Ordering, Showing, State, effect, within_reach

from .guards import at_step, due
from .intents import Borrow, BorrowFrom, FromHeap, PlanDeck, PlanHand, PutBack, ScrapCard, ScrapNothing, Seen, Take

OfBench: TypeAlias = Take | ScrapCard
OfSeat: TypeAlias = BorrowFrom | PlanHand
B = TypeVar("B", Take, ScrapCard)
O = TypeVar("O", BorrowFrom, PlanHand)  # noqa: E741


def _from_bench(cls: type[B]) -> Callable[[State, SeatId], list[B]]:
    def reach(state: State, actor: SeatId) -> list[B]:
        declared = _declared(state, actor)
        return [cls(actor, card) for card in state.bench if card not in declared]

    return reach


def _others(cls: type[O]) -> Callable[[State, SeatId], list[O]]:
    return lambda state, actor: [cls(actor, SeatId(seat)) for seat in seats_of(state) if seat != actor]


def _about(intent: OfBench) -> Facts:
    return (("card", Piece(intent.card)),)


def _off_bench(state: State, intent: OfBench) -> Facts | None:
    return None if intent.card in state.bench else _about(intent)


def _declared(state: State, actor: SeatId) -> Cards:
    """The cards of the declaration that is acting now."""
    step = top(state)
    return step.cards if isinstance(step, Effects) and step.seat == actor else ()


def _just_played(state: State, intent: OfBench) -> Facts | None:
    return _about(intent) if _declared(state, intent.actor) == (intent.card,) else None


def _played_with(state: State, intent: OfBench) -> Facts | None:
    cards = _declared(state, intent.actor)
    return _about(intent) if len(cards) > 1 and intent.card in cards else None


def _no_other(state: State, intent: OfSeat) -> Facts | None:
    return unless(intent.seat == intent.actor or not is_seat(state, intent.seat))


def shown_hand(state: State, actor: SeatId) -> Cards:
    """The hand that `actor` borrows from now."""
    step = top(state)
    return state.hands[step.of].value if isinstance(step, Borrowing) and step.seat == actor else ()


def _not_shown(state: State, intent: Borrow) -> Facts | None:
    step = top(state)
    is_out = isinstance(step, Borrowing) and intent.card not in state.hands[step.of].value
    return unless(is_out, card=Piece(intent.card))


def _borrowed(state: State, intent: Borrow) -> tuple[Event, ...]:
    step = top(state)
    assert isinstance(step, Borrowing)
    return (e.Borrowed(intent.actor, intent.card, step.of),)


def _hidden(state: State, intent: Seen) -> tuple[Event, ...]:
    step = top(state)
    assert isinstance(step, Showing)
    return (e.HandHidden(step.of),)


def _look(state: State, intent: PlanDeck) -> tuple[Event, ...]:
    step = effect(state, "plan", intent.actor)
    assert step is not None
    if step.looked < len(state.deck):
        return (e.LookBegun(intent.actor),)
    return (e.NoEffect(intent.actor, step.due[0]),)


def _deck_card(state: State, intent: PlanDeck) -> tuple[Token, ...]:
    """Any card of the deck means looking at it: it must not matter here which one is on top."""
    known = tuple(hidden.value for hidden in state.deck.top)
    return tuple(Token("piece", card) for card in (*known, *state.deck.unseen))


def _heap_card(state: State, intent: FromHeap) -> tuple[Token, ...]:
    return tuple(Token("piece", card) for card in state.heap)


def to_put_back(state: State) -> Cards:
    """The cards of the look that are not back yet, from the top down."""
    step = top(state)
    cards = state.deck.top[step.placed : step.of] if isinstance(step, Ordering) else ()
    return tuple(hidden.value for hidden in cards)


def _not_looked_at(state: State, intent: PutBack) -> Facts | None:
    is_open = isinstance(top(state), Ordering)
    return unless(is_open and intent.card not in to_put_back(state), card=Piece(intent.card))


def put_back(seat: SeatId, card: PieceId) -> tuple[Event, ...]:
    return (e.PutBackOnTop(seat, Hidden(card, (seat,))),)


def _salvaged(state: State, intent: FromHeap) -> tuple[Event, ...]:
    if state.heap:
        return (e.Salvaged(intent.actor, state.heap[0]),)
    return _useless(state, intent)


def _useless(state: State, intent: FromHeap | ScrapNothing) -> tuple[Event, ...]:
    step = effect(state, "scrap", intent.actor)
    assert step is not None
    return (e.NoEffect(intent.actor, step.due[0]),)


def _something_there(state: State, intent: ScrapNothing) -> Facts | None:
    step = effect(state, "scrap", intent.actor)
    return unless(step is not None and bool(within_reach(state, step)))


ALREADY_THERE: tuple[Rule[State, Any], ...] = (
    Rule(RuleId("A.b"), "just-played", _just_played),
    Rule(RuleId("A.q"), "played-with", _played_with),
)
OTHER_SEAT: Rule[State, Any] = Rule(RuleId("A.e"), "other-seat", _no_other, physical=True)

PLAN_DUE = due("A12", "plan-due", "plan")
SCRAP_DUE = due("A13", "scrap-due", "scrap")

EFFECTS = (
    Verb[State, Take](
        Take,
        due("A10", "take-due", "take", physical=False),
        _from_bench(Take),
        (Rule(RuleId("A10"), "on-bench", _off_bench, physical=True), *ALREADY_THERE),
        lambda s, i: (e.Took(i.actor, i.card),),
        sure=True,
    ),
    Verb[State, BorrowFrom](
        BorrowFrom,
        due("A11", "borrow-due", "borrow"),
        _others(BorrowFrom),
        (OTHER_SEAT,),
        lambda s, i: (e.HandShown(i.seat, i.actor),),
        asks=True,
        sure=True,
    ),
    Verb[State, Borrow](
        Borrow,
        at_step("A11", "hand-open", Borrowing),
        lambda state, actor: [Borrow(actor, card) for card in shown_hand(state, actor)],
        (Rule(RuleId("A11"), "in-shown-hand", _not_shown, physical=True),),
        _borrowed,
        sure=True,
    ),
    Verb[State, PlanHand](
        PlanHand,
        PLAN_DUE,
        _others(PlanHand),
        (OTHER_SEAT,),
        lambda s, i: (e.HandShown(i.seat, i.actor),),
        asks=True,
        sure=True,
    ),
    Verb[State, PlanDeck](PlanDeck, PLAN_DUE, alone(PlanDeck), (), _look, sure=True, also=_deck_card),
    Verb[State, Seen](Seen, at_step("A.u", "hand-shown", Showing), alone(Seen), (), _hidden, sure=True),
    Verb[State, PutBack](
        PutBack,
        at_step("A12", "look-open", Ordering),
        lambda state, actor: [PutBack(actor, card) for card in to_put_back(state)],
        (Rule(RuleId("A12"), "looked-at", _not_looked_at, physical=True),),
        lambda s, i: put_back(i.actor, i.card),
        sure=True,
    ),
    Verb[State, ScrapCard](
        ScrapCard,
        due("A13", "scrap-due", "scrap", physical=False),
        _from_bench(ScrapCard),
        (Rule(RuleId("A13"), "on-bench", _off_bench, physical=True), *ALREADY_THERE),
        lambda s, i: (e.Scrapped(i.actor, i.card),),
        sure=True,
    ),
    Verb[State, FromHeap](FromHeap, SCRAP_DUE, alone(FromHeap), (), _salvaged, sure=True, also=_heap_card),
    Verb[State, ScrapNothing](
        ScrapNothing,
        SCRAP_DUE,
        alone(ScrapNothing),
        (Rule(RuleId("A.t"), "bench-bare", _something_there),),
        _useless,
    ),
)
