"""What the rules do by themselves: nothing is asked when there is nothing to decide.

Only public facts may force anything (sizes of hands, never their cards), or what happens would give a hand away.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from companion.core import Course, Event, SeatId, left_of, seats_of
from companion.games.actionworks import events as e
from companion.games.actionworks.decide import ASKS
from companion.games.actionworks.state import (
    TYPES,
    Between,
    Borrowing,
    Cards,
    Clearing,
    Copying,
    Dealing,
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
    fits,
    limit,
    models,
    next_copy,
    part_of,
    wanted_by,
    within_reach,
)

from .chance import look_again
from .effects import put_back, to_put_back
from .turn import begun


def _turn(state: State, step: Turn) -> tuple[Event, ...]:
    return () if state.hands[state.turn].value else (e.TurnEnded(state.turn),)


def _drawing(state: State, step: Flipping | Dealing) -> tuple[Event, ...]:
    return () if len(state.deck) else (e.RanOut(),)


def _declaring(state: State, step: Declaring) -> tuple[Event, ...]:
    return () if state.hands[step.seat].value else (e.WentAhead(step.seat),)


def _looking(state: State, step: Looking) -> tuple[Event, ...]:
    return look_again(state, step.seat)


def _ordering(state: State, step: Ordering) -> tuple[Event, ...]:
    cards = to_put_back(state)
    return put_back(step.seat, cards[0]) if len(cards) == 1 else ()


def _clearing(state: State, step: Clearing) -> tuple[Event, ...]:
    if len(state.bench) == 1:
        return (e.Cleared(step.seat, state.bench[0]),)
    if state.bench:
        return ()
    return (e.TurnPassed(left_of(state, state.turn)),) if len(state.deck) else _scored(state)


def _effects(state: State, step: Effects) -> tuple[Event, ...]:
    seat, card = step.seat, step.due[0]
    match step.kind:
        case "take":
            reach = within_reach(state, step)
            if len(reach) == 1:
                return (e.Took(seat, reach[0]),)
            return () if reach else (e.NoEffect(seat, card),)
        case "borrow":
            others = [SeatId(other) for other in seats_of(state) if other != seat]
            return (e.HandShown(others[0], seat),) if len(others) == 1 else ()
        case "scrap":
            return () if state.heap or within_reach(state, step) else (e.NoEffect(seat, card),)
        case _:
            return ()


def _hand(state: State, step: Borrowing | Showing) -> tuple[Event, ...]:
    hand = state.hands[step.of].value
    if not hand:
        return (e.HandHidden(step.of),)
    if isinstance(step, Borrowing) and len(hand) == 1:
        return (e.Borrowed(step.seat, hand[0], step.of),)
    return ()


def _copying(state: State, step: Copying) -> tuple[Event, ...]:
    card = next_copy(step)
    likes = [like for like in models(state, step) if fits(step, like)]
    if not likes:
        return (e.NoEffect(step.seat, card),)
    acts = {act_of(step, like) for like in likes}
    return (e.ActedAs(step.seat, card, likes[0]),) if len(acts) == 1 else ()


def _scored(state: State) -> tuple[Event, ...]:
    """A19, A20: hands join the piles, which are turned up and counted."""
    piles = tuple(
        tuple(sorted((*pile.value, *hand.value))) for pile, hand in zip(state.piles, state.hands, strict=True)
    )
    scores = (e.Scored(SeatId(seat), points(state, SeatId(seat), piles[seat])) for seat in seats_of(state))
    return (e.PilesShown(piles), *scores, e.RoundEnded(state.round))


def points(state: State, seat: SeatId, cards: Cards) -> int:
    """A20: the value of each Part of a demanded type, −1 for each other."""
    wanted = wanted_by(state, seat)
    parts = (part for card in cards if (part := part_of(card)) is not None)
    return sum(part.value if part.type in wanted else -1 for part in parts)


def _between(state: State, step: Between) -> tuple[Event, ...]:
    if max(state.totals) >= limit(len(state.totals)):
        return (e.GameEnded(),)
    if state.types == len(TYPES):
        return begun(state, state.types)
    return begun(state, state.types + 1) if state.setup.option("new_type") == "every-round" else ()


FORCES: Final[dict[type[Step], Callable[[State, Any], tuple[Event, ...]]]] = {
    Turn: _turn,
    Clearing: _clearing,
    Flipping: _drawing,
    Dealing: _drawing,
    Declaring: _declaring,
    Copying: _copying,
    Effects: _effects,
    Borrowing: _hand,
    Showing: _hand,
    Looking: _looking,
    Ordering: _ordering,
    Between: _between,
}


COURSE: Final = Course[State](ASKS, FORCES)
