"""What the box's devices need around them: moments without a game, a clock moved by hand, a patient eye."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any, cast

from companion.core import NO_FACTS, PUBLIC, Input, Name, Page, Said, Seq, Signal, TurnPage, say
from companion.table import Seen
from tests.patience import PATIENCE

NOTHING = Said("", NO_FACTS)


def turn_of(name: str) -> TurnPage:
    return TurnPage(NOTHING, NOTHING, say("sample.who", who=Name(name)), NOTHING, NOTHING)


def moment(
    page: Page | None = None,
    flash: Page | None = None,
    signal: Signal = "quiet",
    troubles: tuple[Said, ...] = (),
) -> Seen:
    """What the table would show; devices read only pages and signals."""
    nothing = cast(Any, None)
    return Seen(
        game=nothing,
        table="t",
        beat=1,
        mode="strict",
        audience=PUBLIC,
        view=nothing,
        finds_known=frozenset,
        seq=Seq(1),
        line=(),
        asked=(),
        decisions=(),
        chairs=(),
        referee=None,
        result=None,
        fallen=None,
        past=nothing,
        page=turn_of("Ada") if page is None else page,
        flash=flash,
        signal=signal,
        troubles=troubles,
    )


class Clock:
    """Time that passes only when told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Inbox:
    """The table's inbox, from the table's side."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.inputs: list[Input] = []

    def put(self, given: Input) -> None:
        with self._changed:
            self.inputs.append(given)
            self._changed.notify_all()

    def first(self, n: int, patience: float = PATIENCE) -> list[Input]:
        """The first `n` inputs, as soon as they are there."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.inputs) >= n, patience), self.inputs
            return self.inputs[:n]

    def until(self, wanted: Input, times: int = 1) -> list[Input]:
        """All inputs, as soon as `wanted` is there this many times."""
        with self._changed:
            assert self._changed.wait_for(lambda: self.inputs.count(wanted) >= times, PATIENCE), self.inputs
            return list(self.inputs)


class Eye:
    """Waits until something that can be watched looks as expected."""

    def __init__(self, watch: Callable[[Callable[[], None]], object]) -> None:
        self._changed = threading.Condition()
        watch(self._look)

    def _look(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def sees(self, test: Callable[[], bool]) -> bool:
        with self._changed:
            return self._changed.wait_for(test, PATIENCE)


class Log(logging.Handler):
    """What the devices logged, for those who wait for it."""

    def __init__(self) -> None:
        super().__init__()
        self._changed = threading.Condition()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        with self._changed:
            self.lines.append(record.getMessage())
            self._changed.notify_all()

    def line(self, words: str) -> str:
        """The first line with these words; a discarded device of an earlier test may have logged something, too."""
        with self._changed:
            assert self._changed.wait_for(lambda: any(words in line for line in self.lines), PATIENCE), self.lines
            return next(line for line in self.lines if words in line)

    def first(self, n: int) -> list[str]:
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.lines) >= n, PATIENCE), self.lines
            return self.lines[:n]
