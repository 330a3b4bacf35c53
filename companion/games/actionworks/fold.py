"""`apply`: the state after an event. It decides nothing; what the rules do by themselves is in `rules/forced.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from companion.core import (
    EVERYONE,
    NOBODY,
    Deck,
    Event,
    Hidden,
    PieceId,
    SeatId,
    including,
    instead,
    left_of,
    popped,
    pushed,
    swapped,
    top,
    with_steps,
    without,
)

from . import events as e
from .state import (
    AT_A_TURN,
    Between,
    Borrowing,
    Clearing,
    Copying,
    Dealing,
    DealingDemands,
    Declaring,
    Effects,
    Flipping,
    Looking,
    Ordering,
    Showing,
    State,
    Step,
    Turn,
    act_of,
    chosen,
    into_hand,
    launched,
    less_card,
    off_bench,
    off_heap,
    onto_heap,
    opened,
    out_of_hand,
    removed,
    shown,
    spent,
    with_card,
)

E = TypeVar("E", bound=Event)
Fold = Callable[[State, E], State]

FOLDS: Final[dict[type[Event], Callable[[State, Any], State]]] = {}
"""How each kind of event changes a state."""


def apply(state: State, event: Event) -> State:
    """The state after `event`; on a view, what its audience then knows for sure."""
    return FOLDS[type(event)](state, event)


def _after(kind: type[E]) -> Callable[[Fold[E]], Fold[E]]:
    def kept(fold: Fold[E]) -> Fold[E]:
        FOLDS[kind] = fold
        return fold

    return kept


def _strange(event: Event, state: State) -> ValueError:
    return ValueError(f"{event} does not follow {top(state)}: the record and these rules do not belong together")


# Dealing


@_after(e.FirstNamed)
def _first_named(state: State, event: e.FirstNamed) -> State:
    return popped(replace(state, first=event.seat, turn=event.seat))


@_after(e.DemandDealt)
def _demand_dealt(state: State, event: e.DemandDealt) -> State:
    demands = swapped(state.demands, event.seat, (*state.demands[event.seat], event.card))
    return replace(state, demands=demands, steps=_one_less(state, state.deck))


@_after(e.Flipped)
def _flipped(state: State, event: e.Flipped) -> State:
    deck = state.deck.without(event.card)
    return replace(state, deck=deck, bench=(*state.bench, event.card), steps=_one_less(state, deck))


@_after(e.Drawn)
def _drawn(state: State, event: e.Drawn) -> State:
    card = event.card.value
    deck = state.deck.without(card)
    hands = with_card(state.hands, event.seat, card)
    return replace(state, deck=deck, hands=hands, steps=_one_less(state, deck))


@_after(e.RanOut)
def _ran_out(state: State, event: e.RanOut) -> State:
    return popped(state)


def _one_less(state: State, deck: Deck) -> tuple[Step, ...]:
    """The steps after one card was dealt or flipped; the step ends with its last card or the deck's."""
    step = state.steps[-1]
    if not isinstance(step, Flipping | Dealing | DealingDemands):
        return state.steps
    below = state.steps[:-1]
    return (*below, type(step)(step.left - 1)) if step.left > 1 and len(deck) else below


# Playing


@_after(e.Played)
def _played(state: State, event: e.Played) -> State:
    return launched(_onto_bench(state, event.seat, event.card), event.seat, (event.card,))


@_after(e.Declared)
def _declared(state: State, event: e.Declared) -> State:
    return pushed(_onto_bench(state, event.seat, event.card), Declaring(event.seat, (event.card,)))


@_after(e.Added)
def _added(state: State, event: e.Added) -> State:
    step = top(state)
    if not isinstance(step, Declaring):
        raise _strange(event, state)
    more = Declaring(event.seat, (*step.cards, event.card))
    return instead(_onto_bench(state, event.seat, event.card), more)


@_after(e.WentAhead)
def _went_ahead(state: State, event: e.WentAhead) -> State:
    step = top(state)
    if not isinstance(step, Declaring):
        raise _strange(event, state)
    return launched(popped(state), event.seat, step.cards)


@_after(e.ActedAs)
def _acted_as(state: State, event: e.ActedAs) -> State:
    step = top(state)
    if not isinstance(step, Copying):
        raise _strange(event, state)
    return chosen(state, step, event.card, act_of(step, event.like))


@_after(e.NoEffect)
def _no_effect(state: State, event: e.NoEffect) -> State:
    match top(state):
        case Copying() as copying:
            return chosen(state, copying, event.card, "none")
        case Effects(kind=kind):
            return spent(state, kind, event.seat)
        case _:
            raise _strange(event, state)


@_after(e.Shipped)
def _shipped(state: State, event: e.Shipped) -> State:
    pile = Hidden(including(state.piles[event.seat].value, event.card.value), NOBODY)
    hands = less_card(state.hands, event.seat, event.card.value)
    return replace(state, hands=hands, piles=swapped(state.piles, event.seat, pile))


def _onto_bench(state: State, seat: SeatId, card: PieceId) -> State:
    return replace(state, hands=less_card(state.hands, seat, card), bench=(*state.bench, card))


# Looking


@_after(e.HandShown)
def _hand_shown(state: State, event: e.HandShown) -> State:
    step, seat = top(state), event.seat
    is_borrow = isinstance(step, Effects) and step.kind == "borrow"
    open_hand = replace(state, hands=swapped(state.hands, seat, shown(state.hands[seat])))
    return pushed(open_hand, Borrowing(event.by, seat) if is_borrow else Showing(event.by, seat))


@_after(e.HandHidden)
def _hand_hidden(state: State, event: e.HandHidden) -> State:
    return _settled(_hidden(state, event.seat))


@_after(e.LookBegun)
def _look_begun(state: State, event: e.LookBegun) -> State:
    return pushed(state, Looking(event.seat))


@_after(e.LookedAtDeck)
def _looked_at_deck(state: State, event: e.LookedAtDeck) -> State:
    """The card looked at stays where it is; its looker knows it now (A.w)."""
    state = popped(state)
    step = top(state)
    if not isinstance(step, Effects):
        raise _strange(event, state)
    at, deck, hidden = step.looked, state.deck, event.card
    if at < len(deck.top):
        deck = Deck(swapped(deck.top, at, hidden), deck.unseen)
    else:
        deck = Deck((*deck.top, hidden), without(deck.unseen, hidden.value))
    return spent(instead(replace(state, deck=deck), replace(step, looked=at + 1)), "plan", event.seat)


@_after(e.PutBackOnTop)
def _put_back_on_top(state: State, event: e.PutBackOnTop) -> State:
    step, card = top(state), event.card.value
    if not isinstance(step, Ordering):
        raise _strange(event, state)
    cards = state.deck.top
    rest = without(tuple(hidden.value for hidden in cards[step.placed : step.of]), card)
    order = (*(hidden.value for hidden in cards[: step.placed]), card, *rest)
    known = tuple(Hidden(value, (event.seat,)) for value in order)
    laid = replace(state, deck=Deck((*known, *cards[step.of :]), state.deck.unseen))
    return instead(laid, replace(step, placed=step.placed + 1)) if step.placed + 1 < step.of else popped(laid)


def _hidden(state: State, seat: SeatId) -> State:
    return replace(state, hands=swapped(state.hands, seat, Hidden(state.hands[seat].value, (seat,))))


def _settled(state: State) -> State:
    """The shown hand is hidden again: the Borrow or Plan that showed it is done."""
    match top(state):
        case Borrowing(seat=seat):
            return spent(popped(state), "borrow", seat)
        case Showing(seat=seat):
            return spent(popped(state), "plan", seat)
        case _:
            return state


# Moving


@_after(e.Took)
def _took(state: State, event: e.Took) -> State:
    return spent(into_hand(off_bench(state, event.card), event.seat, event.card), "take", event.seat)


@_after(e.Borrowed)
def _borrowed(state: State, event: e.Borrowed) -> State:
    hidden = _hidden(out_of_hand(state, event.lender, event.card), event.lender)
    return _settled(into_hand(hidden, event.seat, event.card))


@_after(e.Scrapped)
def _scrapped(state: State, event: e.Scrapped) -> State:
    return spent(onto_heap(off_bench(state, event.card), event.card), "scrap", event.seat)


@_after(e.Salvaged)
def _salvaged(state: State, event: e.Salvaged) -> State:
    return spent(into_hand(off_heap(state), event.seat, event.card), "scrap", event.seat)


@_after(e.Cleared)
def _cleared(state: State, event: e.Cleared) -> State:
    seat, card = event.seat, event.card
    in_order = state.steps == (Clearing(seat),)
    steps = (Clearing(left_of(state, seat)),) if in_order else state.steps
    return replace(state, bench=without(state.bench, card), hands=with_card(state.hands, seat, card), steps=steps)


# Turns and rounds


@_after(e.TurnEnded)
def _turn_ended(state: State, event: e.TurnEnded) -> State:
    return with_steps(state, Clearing(left_of(state, event.seat)))


@_after(e.TurnPassed)
def _turn_passed(state: State, event: e.TurnPassed) -> State:
    return replace(state, turn=event.seat, turns=state.turns + 1, steps=(Turn(), Flipping(AT_A_TURN)))


@_after(e.PilesShown)
def _piles_shown(state: State, event: e.PilesShown) -> State:
    hands = tuple(Hidden((), hand.known_by) for hand in state.hands)
    return replace(state, hands=hands, piles=tuple(Hidden(pile, EVERYONE) for pile in event.piles))


@_after(e.Scored)
def _scored(state: State, event: e.Scored) -> State:
    total = state.totals[event.seat] + event.points
    return replace(state, totals=swapped(state.totals, event.seat, total))


@_after(e.RoundEnded)
def _round_ended(state: State, event: e.RoundEnded) -> State:
    return with_steps(state, Between())


@_after(e.RoundBegun)
def _round_begun(state: State, event: e.RoundBegun) -> State:
    return opened(state.setup, event.round, event.types, event.first, state.totals, state.turns + 1)


@_after(e.GameEnded)
def _game_ended(state: State, event: e.GameEnded) -> State:
    return with_steps(state)


# Corrections


@_after(e.TotalSet)
def _total_set(state: State, event: e.TotalSet) -> State:
    return replace(state, totals=swapped(state.totals, event.seat, event.number))


@_after(e.TurnSet)
def _turn_set(state: State, event: e.TurnSet) -> State:
    return replace(state, turn=event.seat, turns=state.turns + 1)


@_after(e.DemandSet)
def _demand_set(state: State, event: e.DemandSet) -> State:
    others = tuple(tuple(c for c in cards if c != event.card) for cards in state.demands)
    return replace(state, demands=swapped(others, event.seat, (*others[event.seat], event.card)))


@_after(e.CardMoved)
def _card_moved(state: State, event: e.CardMoved) -> State:
    return removed(state, event.card, event.place)
