"""What a game waits for, as a stack of steps: whom each asks, and what the rules do there by themselves.

A state that keeps `steps` (top last, empty once the game is over) and its `setup` gets the rest from here. A step is a
frozen struct with a tag and the facts the game needs there; a `Course` says how the game goes on at each.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, Generic, Protocol, TypeAlias, TypeVar, cast

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
T = TypeVar("T")


Asks: TypeAlias = Callable[[S, Any], Decision]
Forces: TypeAlias = Callable[[S, Any], tuple[Event, ...]]


class Course(Generic[S]):
    """How a game goes on at each kind of step: whom it `asks` for what, and what it `forces` (() while it waits).

    `always` gives what is forced at any step, such as a win; `above` gives steps that are not kept on the stack because
    the state implies them, such as a lack of power. The methods are the game's `decisions` and `forced`.
    """

    def __init__(
        self,
        asks: Mapping[type[Any], Asks[S]],
        forces: Mapping[type[Any], Forces[S]],
        *,
        always: Callable[[S], tuple[Event, ...]] | None = None,
        above: Callable[[S], tuple[Any, ...]] | None = None,
    ) -> None:
        self._asks, self._forces, self._always, self._above = asks, forces, always, above

    def decisions(self, state: S) -> tuple[Decision, ...]:
        """The stack of open questions, the current one last; a step that asks nobody ends the game."""
        steps, asks = self._steps(state), self._asks
        return tuple([asks[type(step)](state, step) for step in steps]) if steps and type(steps[-1]) in asks else ()

    def forced(self, state: S) -> tuple[Event, ...]:
        """What follows without anyone's choice; () while the game waits."""
        steps = self._steps(state)
        if not steps:
            return ()
        if self._always is not None and (events := self._always(state)):
            return events
        forces = self._forces.get(type(steps[-1]))
        return () if forces is None else forces(state, steps[-1])

    def _steps(self, state: S) -> tuple[Any, ...]:
        steps = state.steps
        return steps if self._above is None or not steps else (*steps, *self._above(state))


def top(state: Stepped) -> Any:
    """The step the game waits at; None once it is over."""
    return state.steps[-1] if state.steps else None


def phase(state: Stepped) -> Hashable:
    """The kind of step the game waits at; None once it is over."""
    steps = state.steps
    return cast("Hashable", type(steps[-1])) if steps else None


def pushed(state: S, *steps: Any) -> S:
    return _with(state, (*state.steps, *steps))


def popped(state: S) -> S:
    return _with(state, state.steps[:-1])


def instead(state: S, *steps: Any) -> S:
    """These steps in place of the top one."""
    return _with(state, (*state.steps[:-1], *steps))


def with_steps(state: S, *steps: Any) -> S:
    """Exactly these steps."""
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
    """`items` with `item` at position `at`."""
    return (*items[:at], item, *items[at + 1 :])
