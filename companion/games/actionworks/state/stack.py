"""The steps of a play: how a declaration becomes effects, and how effects are used up."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core import PieceId, SeatId, instead, is_seat, popped, pushed

from .parts import Type, demanded_by, kind_of
from .state import Cards, Copying, Effects, Flipping, Ordering, State, Step

UNCHOSEN, NOTHING = "copy", "none"


def launched(state: State, seat: SeatId, cards: Cards) -> State:
    """The cards of one declaration begin to act, Copies by choosing first (A.r)."""
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
    """One step for each type that acts, the first declared on top; strict tables have one type only (A.o)."""
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
    """Another Copy of the declaration, which has not chosen yet (A.s)."""
    return card != next_copy(copying) and (card, UNCHOSEN) in zip(copying.cards, copying.acts, strict=True)


def act_of(copying: Copying, like: PieceId) -> str:
    """The type that a Copy gets from `like`; a Copy Demand gives nothing (A.i), nor does a Copy without a type."""
    if like in copying.cards:
        act = copying.acts[copying.cards.index(like)]
        return NOTHING if act == UNCHOSEN else act
    kind = demanded_by(like)
    return NOTHING if kind is None or kind == "copy" else kind


def shared_type(copying: Copying) -> str | None:
    """The one type of the declaration so far (A.o); None while no card has any."""
    return next((act for act in copying.acts if act not in (UNCHOSEN, NOTHING)), None)


def fits(copying: Copying, like: PieceId) -> bool:
    """A.o: all cards of a declaration act as one type."""
    shared = shared_type(copying)
    return shared is None or act_of(copying, like) == shared


def effect(state: State, kind: Type, seat: SeatId) -> Effects | None:
    """The open effect of this kind and seat, if that is what the game waits for."""
    step = state.steps[-1] if state.steps else None
    return step if isinstance(step, Effects) and step.kind == kind and step.seat == seat else None


def spent(state: State, kind: Type, seat: SeatId) -> State:
    """One card's effect is done, if one of this kind and seat was open; in advise there may be none."""
    step = effect(state, kind, seat)
    if step is None:
        return state
    if len(step.due) > 1:
        return instead(state, replace(step, due=step.due[1:]))
    if step.looked > 1:
        return instead(state, Ordering(seat, 0, step.looked))
    return popped(state)
