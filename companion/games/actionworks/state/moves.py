"""Moving cards; how a declaration becomes effects, and how effects are used up."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core import (
    TABLE,
    Deck,
    Hidden,
    PieceId,
    PlaceId,
    SeatId,
    including,
    instead,
    is_seat,
    popped,
    pushed,
    swapped,
    top,
    with_steps,
    without,
)

from .parts import Type, demanded_by, kind_of
from .state import Cards, Copying, Declaring, Effects, Flipping, Ordering, State, Step, Zones

UNCHOSEN, NOTHING = "copy", "none"


def launched(state: State, seat: SeatId, cards: Cards) -> State:
    """The cards of one declaration start to act; Copies choose first (A.r)."""
    kinds = tuple(kind_of(card) or NOTHING for card in cards)
    if UNCHOSEN in kinds:
        return pushed(state, Copying(seat, cards, kinds))
    return pushed(state, *_effects(seat, cards, kinds))


def chosen(state: State, copying: Copying, card: PieceId, act: str) -> State:
    """`card`, a Copy of the top step, acts as `act`; after the last choice the cards act."""
    at = copying.cards.index(card)
    acts = (*copying.acts[:at], act, *copying.acts[at + 1 :])
    if UNCHOSEN in acts:
        return instead(state, replace(copying, acts=acts))
    return pushed(popped(state), *_effects(copying.seat, copying.cards, acts))


def _effects(seat: SeatId, cards: Cards, acts: tuple[str, ...]) -> tuple[Step, ...]:
    """One step per type that acts, the first declared on top; strict tables have only one type (A.o)."""
    steps: list[Step] = []
    for kind in dict.fromkeys(acts):
        due = tuple(card for card, act in zip(cards, acts, strict=True) if act == kind)
        match kind:
            case "make":
                steps.append(Flipping(2 * len(due)))
            case "take" | "borrow" | "plan" | "scrap":
                steps.append(Effects(seat, kind, cards, due))
    return tuple(reversed(steps))


def next_copy(copying: Copying) -> PieceId:
    """The Copy that chooses now."""
    return copying.cards[copying.acts.index(UNCHOSEN)]


def models(state: State, copying: Copying) -> Cards:
    """What the next Copy may act as: own Demands, other cards played with it, Copies that have chosen (A14, A.s)."""
    demands = state.demands[copying.seat] if is_seat(state, copying.seat) else ()
    others = (card for card, act in zip(copying.cards, copying.acts, strict=True) if act != UNCHOSEN)
    return (*demands, *others)


def is_untyped(copying: Copying, card: PieceId) -> bool:
    """Whether this is another Copy of the declaration that has not chosen yet (A.s)."""
    return card != next_copy(copying) and (card, UNCHOSEN) in zip(copying.cards, copying.acts, strict=True)


def act_of(copying: Copying, like: PieceId) -> str:
    """The type that a Copy takes from `like`; a Copy Demand gives none (A.i), nor does a Copy without a type."""
    if like in copying.cards:
        act = copying.acts[copying.cards.index(like)]
        return NOTHING if act == UNCHOSEN else act
    kind = demanded_by(like)
    return NOTHING if kind is None or kind == "copy" else kind


def shared_type(copying: Copying) -> str | None:
    """The one type of the declaration so far (A.o); None if no card has any yet."""
    return next((act for act in copying.acts if act not in (UNCHOSEN, NOTHING)), None)


def fits(copying: Copying, like: PieceId) -> bool:
    """A.o: all cards of a declaration act as one type."""
    shared = shared_type(copying)
    return shared is None or act_of(copying, like) == shared


def effect(state: State, kind: Type, seat: SeatId) -> Effects | None:
    """The open effect of this kind and seat, if the game is waiting for it."""
    step = state.steps[-1] if state.steps else None
    return step if isinstance(step, Effects) and step.kind == kind and step.seat == seat else None


def spent(state: State, kind: Type, seat: SeatId) -> State:
    """One card's effect is done, if one of this kind and seat was open; in advise mode there may be none."""
    step = effect(state, kind, seat)
    if step is None:
        return state
    if len(step.due) > 1:
        return instead(state, replace(step, due=step.due[1:]))
    if step.looked > 1:
        return instead(state, Ordering(seat, 0, step.looked))
    return popped(state)


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
    """The state without the heap's top card; the one below becomes visible."""
    return replace(state, heap=state.under[-1:], under=state.under[:-1])


def removed(state: State, card: PieceId, place: PlaceId) -> State:
    """The card moved from wherever it lies to `place`."""
    area, _, whose = place.partition("/")
    moved = _laid(_lifted(state, card), card, area, SeatId(int(whose)) if whose else TABLE)
    return moved if area == "bench" else _undeclared(moved, card)


def _undeclared(state: State, card: PieceId) -> State:
    """A card that was carried away leaves the declaration in progress and may be declared again."""
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
