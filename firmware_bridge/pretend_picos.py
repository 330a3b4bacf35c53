"""The Picos of a pretend table: as many as its readers need, driven as one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from companion.core import ReaderId, Uid
from companion.table import Fault, PretendReader

from .cable import PretendCable
from .plan import EACH
from .pretend import NoSuchReader


class OnePico(Protocol):
    """What `PretendPico` and `PretendFirmware` have in common."""

    def start(self) -> None: ...
    def close(self) -> None: ...
    @property
    def cable(self) -> PretendCable: ...
    def ports(self) -> dict[str, str]: ...
    def readers(self) -> tuple[PretendReader, ...]: ...
    def lay(self, uid: Uid, reader: ReaderId) -> None: ...
    def lift(self, uid: Uid) -> None: ...
    def reader_lost(self, reader: ReaderId, on: bool) -> None: ...
    def set_fault(self, fault: Fault, on: bool) -> None: ...
    def faults(self) -> tuple[Fault, ...]: ...
    def watch(self, fn: Callable[[], None]) -> Callable[[], None]: ...


class PretendPicos:
    """Runs from `start` to `close`; every method may be called from any thread. `make` makes one with these readers."""

    def __init__(self, readers: tuple[ReaderId, ...], make: Callable[[tuple[ReaderId, ...]], OnePico]) -> None:
        each = EACH["mfrc522"]
        groups = [readers[at : at + each] for at in range(0, len(readers), each)]
        self._picos = [make(group) for group in groups]
        self._on = {reader: pico for group, pico in zip(groups, self._picos, strict=True) for reader in group}

    def start(self) -> None:
        for pico in self._picos:
            pico.start()

    def close(self) -> None:
        for pico in self._picos:
            pico.close()

    def ports(self) -> dict[str, str]:
        """As `find_picos` would report it."""
        found = ((n, board, port) for n, pico in enumerate(self._picos, 1) for board, port in pico.ports().items())
        return {f"{board} {n}": port for n, board, port in found}

    def readers(self) -> tuple[PretendReader, ...]:
        return tuple(reader for pico in self._picos for reader in pico.readers())

    def lay(self, uid: Uid, reader: ReaderId) -> None:
        """Put a tag on a reader; if it lies elsewhere, it is lifted there first."""
        there = self._on.get(reader)
        if there is None:
            raise NoSuchReader(f"no reader {reader!r} on this pretend table; it has {', '.join(self._on)}")
        for pico in self._picos:
            if pico is not there:
                pico.lift(uid)
        there.lay(uid, reader)

    def lift(self, uid: Uid) -> None:
        for pico in self._picos:
            pico.lift(uid)

    def reader_lost(self, reader: ReaderId, on: bool) -> None:
        """Make one antenna fail, or work again."""
        self._on[reader].reader_lost(reader, on)

    @property
    def cables(self) -> tuple[PretendCable, ...]:
        """The cable of each, which can be bad in more ways than there are named faults."""
        return tuple(pico.cable for pico in self._picos)

    def set_fault(self, fault: Fault, on: bool) -> None:
        """It hits all of them: they are on the same hub."""
        for pico in self._picos:
            pico.set_fault(fault, on)

    def faults(self) -> tuple[Fault, ...]:
        """The faults that are switched on."""
        return self._picos[0].faults()

    def watch(self, fn: Callable[[], None]) -> Callable[[], None]:
        """Call `fn`, from any thread, whenever tags or faults change; the result ends that."""
        ends = [pico.watch(fn) for pico in self._picos]

        def end() -> None:
            for stop in ends:
                stop()

        return end
