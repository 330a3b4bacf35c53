"""Inputs mutated towards code that none has reached yet."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, Final

Target = Callable[[bytes], object]
Edge = tuple[str, int, int]
"""A step within a file: from one line to another."""
LONGEST: Final = 4096
TOKENS: Final = (b"{", b"}", b"[", b"]", b'"', b":", b",", b"\n", b" ", b"#", b"\x00", b"\xff", b"=", b"9" * 20, b"-1")


class Watch:
    """The steps that a call takes in files in certain folders. For a control, a call `stumbles_off` all but these."""

    def __init__(self, folders: tuple[str, ...], stumbles_off: frozenset[Edge] | None = None) -> None:
        self._folders, self._stumbles_off = folders, stumbles_off
        self._ours: dict[str, bool] = {}

    def edges(self, target: Target, data: bytes) -> tuple[set[Edge], Exception | None]:
        """What it reached, and how it failed, if it did."""
        found: set[Edge] = set()
        before = sys.gettrace()
        sys.settrace(self._tracer(found))
        try:
            target(data)
        except Exception as error:  # noqa: BLE001 - whether it may fail so is for others to say
            return found, error
        finally:
            sys.settrace(before)
        return found, None

    def _tracer(self, found: set[Edge]) -> Callable[[FrameType, str, Any], Any]:
        last: dict[FrameType, int] = {}

        def inside(frame: FrameType, event: str, _arg: Any) -> Any:
            if event == "line":
                step = (frame.f_code.co_filename, last.get(frame, 0), frame.f_lineno)
                if self._stumbles_off is not None and step not in self._stumbles_off:
                    raise ZeroDivisionError
                found.add(step)
                last[frame] = frame.f_lineno
            elif event == "return":
                last.pop(frame, None)
            return inside

        def entered(frame: FrameType, _event: str, _arg: Any) -> Any:
            return inside if self._is_ours(frame.f_code.co_filename) else None

        return entered

    def _is_ours(self, file: str) -> bool:
        if file not in self._ours:
            self._ours[file] = file.startswith(self._folders)
        return self._ours[file]


class Guided:
    """One target and the known inputs that reach something in it."""

    def __init__(self, target: Target, seeds: list[bytes], watch: Watch, dice: random.Random) -> None:
        self._target, self._watch, self._dice = target, watch, dice
        self.reached: set[Edge] = set()
        self.kept: list[bytes] = []
        self.tries = 0
        self._waiting = list(seeds) or [b""]

    def step(self) -> tuple[bytes, Exception | None]:
        """One more input, and how it failed, if it did."""
        data = self._waiting.pop() if self._waiting else self._bent(self._dice.choice(self.kept))
        self.tries += 1
        edges, error = self._watch.edges(self._target, data)
        if not edges <= self.reached or not self.kept:
            self.reached |= edges
            self.kept.append(data)
        return data, error

    def fewest(self) -> Iterator[bytes]:
        """The kept inputs, without those that reach only what shorter ones do."""
        reached: set[Edge] = set()
        for data in sorted(self.kept, key=lambda each: (len(each), each)):
            edges, _ = self._watch.edges(self._target, data)
            if not edges <= reached:
                reached |= edges
                yield data

    def _bent(self, data: bytes) -> bytes:
        for _ in range(self._dice.choice((1, 1, 1, 2, 4))):
            data = self._bent_once(data)
        return data[:LONGEST]

    def _bent_once(self, data: bytes) -> bytes:
        dice = self._dice
        at, to = sorted((dice.randint(0, len(data)), dice.randint(0, len(data))))
        match dice.randrange(7):
            case 0:
                return data[:at] + dice.randbytes(1) + data[at + 1 :]
            case 1:
                return data[:at] + dice.choice(TOKENS) + data[at:]
            case 2:
                return data[:at] + data[to:]
            case 3:
                return data[:to] + data[at:]
            case 4:
                return data[:at] + bytes((dice.randrange(32, 127),)) + data[at:]
            case 5 if data:
                at = min(at, len(data) - 1)
                return data[:at] + bytes((data[at] ^ (1 << dice.randrange(8)),)) + data[at + 1 :]
            case _:
                other = dice.choice(self.kept)
                cut = dice.randint(0, len(other))
                return data[:at] + other[cut : cut + dice.randint(0, 200)] + data[to:]
