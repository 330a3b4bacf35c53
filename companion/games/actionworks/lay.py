"""One card from one place to another; the rest stays where it lies."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core import TABLE, Deck, Hidden, PieceId, PlaceId, SeatId, including, swapped, top, with_steps, without

from .state import Declaring, State, Zones


def with_card(hands: Zones, seat: SeatId, card: PieceId) -> Zones:
    hand = hands[seat]
    return swapped(hands, seat, Hidden(including(hand.value, card), hand.known_by))


def less_card(hands: Zones, seat: SeatId, card: PieceId) -> Zones:
    hand = hands[seat]
    return swapped(hands, seat, Hidden(without(hand.value, card), hand.known_by))


def into_hand(state: State, seat: SeatId, card: PieceId) -> State:
    return replace(state, hands=with_card(state.hands, seat, card))


def out_of_hand(state: State, seat: SeatId, card: PieceId) -> State:
    return replace(state, hands=less_card(state.hands, seat, card))


def off_bench(state: State, card: PieceId) -> State:
    return replace(state, bench=without(state.bench, card))


def onto_heap(state: State, card: PieceId) -> State:
    return replace(state, heap=(card,), under=(*state.under, *state.heap))


def off_heap(state: State) -> State:
    """Without its top card; the one below is seen now."""
    return replace(state, heap=state.under[-1:], under=state.under[:-1])


def removed(state: State, card: PieceId, place: PlaceId) -> State:
    """The card out of wherever it lies, and at `place`."""
    area, _, whose = place.partition("/")
    moved = _laid(_lifted(state, card), card, area, SeatId(int(whose)) if whose else TABLE)
    return moved if area == "bench" else _undeclared(moved, card)


def _undeclared(state: State, card: PieceId) -> State:
    """A card that was carried away does not belong to the declaration that is being made: it may be declared anew."""
    step = top(state)
    if not isinstance(step, Declaring) or card not in step.cards:
        return state
    rest = without(step.cards, card)
    below = state.steps[:-1]
    return with_steps(state, *below, *((Declaring(step.seat, rest),) if rest else ()))


def _lifted(state: State, card: PieceId) -> State:
    if card in state.bench:
        return off_bench(state, card)
    if card in state.heap:
        return off_heap(state)
    for seat, hand in enumerate(state.hands):
        if card in hand.value:
            return out_of_hand(state, SeatId(seat), card)
    for seat, pile in enumerate(state.piles):
        if card in pile.value:
            return replace(state, piles=less_card(state.piles, SeatId(seat), card))
    if card in state.under:
        return replace(state, under=without(state.under, card))
    known = tuple(hidden for hidden in state.deck.top if hidden.value != card)
    return replace(state, deck=Deck(known, tuple(c for c in state.deck.unseen if c != card)))


def _laid(state: State, card: PieceId, area: str, seat: SeatId) -> State:
    """The card where it is said to lie; in the deck it is shuffled in below what is known."""
    match area:
        case "bench":
            return replace(state, bench=(*state.bench, card))
        case "heap":
            return onto_heap(state, card)
        case "hand":
            return into_hand(state, seat, card)
        case "pile":
            return replace(state, piles=with_card(state.piles, seat, card))
        case _:
            return replace(state, deck=Deck(state.deck.top, including(state.deck.unseen, card)))
