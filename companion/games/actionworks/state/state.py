"""Where everything lies, and what the game waits for.

A view is a `State` too, with `?` in place of what its audience may not know; everything here works on both.
"""

from __future__ import annotations

from typing import Final, TypeAlias, TypeVar

from msgspec import Struct

from companion.core import (
    EVERYONE,
    NOBODY,
    Deck,
    GameId,
    Guarded,
    Hidden,
    PieceId,
    Public,
    Sealed,
    SeatId,
    Setup,
    SetupError,
    Static,
    deck_of,
    pushed,
)

from .parts import TYPES, Pack, Type, Words, demand_for, parts_in

GAME_ID: Final = GameId("actionworks")
VERSION: Final = 1
FEWEST, MOST = 2, 6
AT_A_TURN: Final = 2
"""A18: how many Parts are flipped before a turn."""
Cards: TypeAlias = tuple[PieceId, ...]

NO_SETUP: Final[Setup[Pack]] = Setup(GAME_ID, VERSION, 0, (), Pack("", Words("", ""), Words("", ""), ()))
"""Stands in where a state is stored or sent without its setup."""


class Naming(Struct, frozen=True, tag="naming"):
    """The table names the first player."""


class DealingDemands(Struct, frozen=True, tag="dealing-demands"):
    """Demands are being dealt; `left` are still to come."""

    left: Public[int]


class Flipping(Struct, frozen=True, tag="flipping"):
    """Parts are being flipped onto the workbench; `left` are still to come."""

    left: Public[int]


class Dealing(Struct, frozen=True, tag="dealing"):
    """Parts are being dealt into hands, two per seat; `left` are still to come."""

    left: Public[int]


class Turn(Struct, frozen=True, tag="turn"):
    """The seat on turn plays, ships or ends."""


class Declaring(Struct, frozen=True, tag="declaring"):
    """These cards lie on the workbench to be played together; more may join."""

    seat: Public[SeatId]
    cards: Public[Cards]


class Copying(Struct, frozen=True, tag="copying"):
    """Copies of a declaration choose what they act as.

    `acts` runs parallel to `cards`: a type, `copy` while a Copy has not chosen, `none` once it acts as nothing.
    """

    seat: Public[SeatId]
    cards: Public[Cards]
    acts: Public[tuple[str, ...]]


class Effects(Struct, frozen=True, tag="effects"):
    """The cards in `due` still act, all as `kind`; `cards` is the whole declaration, `looked` how many it looked at."""

    seat: Public[SeatId]
    kind: Public[Type]
    cards: Public[Cards]
    due: Public[Cards]
    looked: Public[int] = 0


class Borrowing(Struct, frozen=True, tag="borrowing"):
    """The hand of `of` is shown; `seat` takes one card of it."""

    seat: Public[SeatId]
    of: Public[SeatId]


class Showing(Struct, frozen=True, tag="showing"):
    """The hand of `of` is shown until `seat` has seen it."""

    seat: Public[SeatId]
    of: Public[SeatId]


class Looking(Struct, frozen=True, tag="looking"):
    """The next card of the deck is shown to `seat`."""

    seat: Public[SeatId]


class Ordering(Struct, frozen=True, tag="ordering"):
    """`seat` puts `of` cards back on top of the deck; `placed` are already there."""

    seat: Public[SeatId]
    placed: Public[int]
    of: Public[int]


class Clearing(Struct, frozen=True, tag="clearing"):
    """`seat` takes the next card off the workbench."""

    seat: Public[SeatId]


class Between(Struct, frozen=True, tag="between"):
    """A round is scored; the next has not begun."""


Step: TypeAlias = (
    Naming
    | DealingDemands
    | Flipping
    | Dealing
    | Turn
    | Declaring
    | Copying
    | Effects
    | Borrowing
    | Showing
    | Looking
    | Ordering
    | Clearing
    | Between
)

Zones: TypeAlias = tuple[Hidden[Cards], ...]


class State(Struct, frozen=True, omit_defaults=True):
    """One moment of a game. `types` of TYPES are in use; `steps` is a stack, top last, empty once the game is over.

    `heap` is the visible top of the scrap heap (or nothing), `under` what lies below it, top last. `turns` counts the
    turns begun, so that two turns of the same seat can be told apart.
    """

    round: Public[int]
    types: Public[int]
    first: Public[SeatId]
    turn: Public[SeatId]
    turns: Public[int]
    totals: Public[tuple[int, ...]]
    demands: Public[tuple[Cards, ...]]
    bench: Public[Cards]
    heap: Public[Cards]
    under: Sealed[Cards]
    deck: Guarded[Deck]
    hands: Guarded[Zones]
    piles: Guarded[Zones]
    steps: Public[tuple[Step, ...]]
    setup: Static[Setup[Pack]] = NO_SETUP


def start(setup: Setup[Pack]) -> State:
    """The table before the first player is named (A1–A5)."""
    if not FEWEST <= setup.seats <= MOST:
        raise SetupError(f"ActionWorks seats {FEWEST} to {MOST}, not {setup.seats}: choose another number of seats")
    first_round = first_round_for(setup.seats)
    types = types_of_round(first_round)
    parts, needed = parts_in(setup.pack, TYPES[:types]), 2 + 2 * setup.seats + 1
    if len(parts) < needed:
        raise SetupError(
            f"pack {setup.pack.id!r} has {len(parts)} Parts of the first {types} types, {setup.seats} seats need "
            f"{needed}: count the deck again and add the missing Parts"
        )
    fresh = opened(setup, first_round, types, SeatId(0), (0,) * setup.seats, 0)
    return pushed(fresh, Naming())


def first_round_for(seats: int) -> int:
    """A2 and A.a: each seat needs a Demand."""
    return 1 if seats <= 3 else seats - 2


def types_of_round(number: int) -> int:
    """A1: three types, one more each round, six at most."""
    return min(number + 2, len(TYPES))


def opened(setup: Setup[Pack], number: int, types: int, first: SeatId, totals: tuple[int, ...], turns: int) -> State:
    """A fresh round before anything is dealt; only the totals stay (A22, A23)."""
    seats = len(totals)
    deals: tuple[Step, ...] = (Turn(), Dealing(2 * seats), Flipping(2), DealingDemands(seats * (types // seats)))
    return State(
        round=number,
        types=types,
        first=first,
        turn=first,
        turns=turns,
        totals=totals,
        demands=((),) * seats,
        bench=(),
        heap=(),
        under=(),
        deck=deck_of(parts_in(setup.pack, TYPES[:types])),
        hands=tuple(Hidden((), (SeatId(s),)) for s in range(seats)),
        piles=tuple(Hidden((), NOBODY) for _ in totals),
        steps=deals,
        setup=setup,
    )


def turn_is_on(state: State) -> bool:
    """Whether a turn has begun and not ended, whatever effect is open above it."""
    steps = state.steps
    if not steps or not isinstance(steps[0], Turn):
        return False
    return len(steps) == 1 or not any(isinstance(step, Dealing | DealingDemands | Naming) for step in steps)


def hand_of(state: State, seat: SeatId) -> Cards:
    """The cards in a hand; none for an actor that has no seat."""
    return state.hands[seat].value if 0 <= seat < len(state.hands) else ()


def types_in_use(state: State) -> tuple[Type, ...]:
    return TYPES[: state.types]


def wanted_by(state: State, seat: SeatId) -> tuple[str, ...]:
    """The types that score for this seat (A20, A.k)."""
    return tuple(card.removeprefix("demand-") for card in state.demands[seat])


def demands_left(state: State) -> Cards:
    """Demands of the types in use that nobody was dealt."""
    dealt = {card for cards in state.demands for card in cards}
    return tuple(card for kind in types_in_use(state) if (card := demand_for(kind)) not in dealt)


def within_reach(state: State, effects: Effects) -> Cards:
    """The workbench without the cards of the declaration itself (A.b, A.q)."""
    return tuple(card for card in state.bench if card not in effects.cards)


def limit(seats: int) -> int:
    """A21: the total that ends the game."""
    return {2: 140, 3: 100}.get(seats, 70)


T = TypeVar("T")


def shown(hand: Hidden[Cards]) -> Hidden[Cards]:
    return Hidden(hand.value, EVERYONE)


def is_shown(hand: Hidden[Cards]) -> bool:
    return hand.known_by == EVERYONE
