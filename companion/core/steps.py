"""What a game waits for, as a stack of steps: whom each asks, and what the rules do there by themselves.

A state that keeps `steps` (top last, empty once the game is over) and its `setup` gets the rest from here. A step is a
frozen struct with a tag and the facts that the game needs there; a `Wait` says what the game waits for at it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from .game import Decision, Setup
from .ids import SeatId
from .rules import Event


class Stepped(Protocol):
    """A state with a stack of steps."""

    @property
    def steps(self) -> tuple[Any, ...]: ...

    @property
    def setup(self) -> Setup[Any]: ...


S = TypeVar("S", bound=Stepped)
X = TypeVar("X")
T = TypeVar("T")


class Wait(Struct, Generic[S, X], frozen=True, eq=False):
    """At this kind of `step`: whom the game `asks` for what, and what it `forces`, () while it waits."""

    step: type[X]
    asks: Callable[[S, X], Decision]
    forces: Callable[[S, X], tuple[Event, ...]] | None = None


class Course(Generic[S]):
    """Every wait of a game. Its methods are the `decisions`, `forced` and `phase` of that game."""

    def __init__(self, *waits: Wait[S, Any]) -> None:
        self._asks = {wait.step: wait.asks for wait in waits}
        self._forces = {wait.step: wait.forces for wait in waits if wait.forces is not None}

    def decisions(self, state: S) -> tuple[Decision, ...]:
        """The stack of open questions, the one that counts last."""
        asks = self._asks
        return tuple([asks[type(step)](state, step) for step in state.steps])

    def forced(self, state: S) -> tuple[Event, ...]:
        """What follows without anyone's choice; () when the game waits."""
        if not state.steps:
            return ()
        step = state.steps[-1]
        forces = self._forces.get(type(step))
        return () if forces is None else forces(state, step)


def phase(state: Stepped) -> type[Any] | None:
    """The kind of step the game waits at; None once it is over."""
    return type(state.steps[-1]) if state.steps else None


def pushed(state: S, *steps: Any) -> S:
    return _with(state, (*state.steps, *steps))


def popped(state: S) -> S:
    return _with(state, state.steps[:-1])


def instead(state: S, *steps: Any) -> S:
    """These steps in place of the top one."""
    return _with(state, (*state.steps[:-1], *steps))


def with_steps(state: S, *steps: Any) -> S:
    """These steps and no others."""
    return _with(state, steps)


def _with(state: S, steps: tuple[Any, ...]) -> S:
    return replace(state, steps=steps)  # type: ignore[type-var]


# Seats


def seats_of(state: Stepped) -> range:
    return range(state.setup.seats)


def is_seat(state: Stepped, seat: SeatId) -> bool:
    return 0 <= seat < state.setup.seats


def left_of(state: Stepped, seat: SeatId) -> SeatId:
    return SeatId((seat + 1) % state.setup.seats)


def swapped(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """`items` with the one at `at` put in its place."""
    return (*items[:at], item, *items[at + 1 :])
