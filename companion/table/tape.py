"""What only gets longer, as values: whoever holds one keeps what it was, in any thread, while the game goes on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final, TypeVar, overload

from companion.core import Seq

T = TypeVar("T")

BLOCK: Final = 64
"""Items that stand together. Adding one copies at most a block, and a pointer for every full one."""


class Tape(Sequence[T]):
    """A sequence that never changes; `and_then` gives one that is longer by one, and shares all full blocks with it."""

    __slots__ = ("_full", "_last")

    def __init__(self, items: Sequence[T] = ()) -> None:
        whole = len(items) - len(items) % BLOCK
        self._full: tuple[tuple[T, ...], ...] = tuple(tuple(items[at : at + BLOCK]) for at in range(0, whole, BLOCK))
        self._last: tuple[T, ...] = tuple(items[whole:])

    def and_then(self, item: T) -> Tape[T]:
        longer: Tape[T] = Tape.__new__(Tape)
        longer._full, longer._last = self._full, (*self._last, item)
        if len(longer._last) == BLOCK:
            longer._full, longer._last = (*self._full, longer._last), ()
        return longer

    def __len__(self) -> int:
        return len(self._full) * BLOCK + len(self._last)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if isinstance(index, slice):
            return tuple(self[at] for at in range(*index.indices(len(self))))
        at = index if index >= 0 else len(self) + index
        if not 0 <= at < len(self):
            raise IndexError(f"no item {index} among {len(self)}")
        block, within = divmod(at, BLOCK)
        return (self._full[block] if block < len(self._full) else self._last)[within]

    def __iter__(self) -> Iterator[T]:
        return chain(chain.from_iterable(self._full), self._last)


class ByEntry(Mapping[Seq, T]):
    """What belongs to some entries of a record, by their number; never changes, as a `Tape` never does."""

    __slots__ = ("_count", "_tape")

    def __init__(self) -> None:
        self._tape: Tape[T | None] = Tape()
        self._count = 0

    def and_then(self, seq: Seq, item: T) -> ByEntry[T]:
        """One with `item` for entry `seq`, which must be later than all that are there."""
        tape = self._tape
        skipped = seq - 1 - len(tape)
        if skipped < 0:
            raise ValueError(f"entry {seq} is not later than entry {len(tape)}, which is there: add in order")
        for _ in range(skipped):
            tape = tape.and_then(None)
        longer: ByEntry[T] = ByEntry.__new__(ByEntry)
        longer._tape, longer._count = tape.and_then(item), self._count + 1
        return longer

    def __getitem__(self, seq: Seq) -> T:
        item = self._tape[seq - 1] if 0 < seq <= len(self._tape) else None
        if item is None:
            raise KeyError(seq)
        return item

    def __iter__(self) -> Iterator[Seq]:
        return (Seq(at) for at, item in enumerate(self._tape, 1) if item is not None)

    def __len__(self) -> int:
        return self._count
