"""The pretend table as one thing: what the page that drives it may do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from companion.core import Button, ReaderId, Uid, said_on_mat
from companion.table import Fault, Lamp, PretendReader, Surface, Table, Wired


class PretendTable:
    """The whole pretend table for the page that drives it: readers from the pretend Picos, the rest from the box."""

    def __init__(self, pico: Any, box: Any, table: Table, wired: Wired) -> None:
        self._pico, self._box, self._table, self._wired = pico, box, table, wired

    def readers(self) -> tuple[PretendReader, ...]:
        """Those that this game has a use for, by what they stand for, and any other on which something lies."""
        now = self._table.snapshot
        antennas = self._wired(now.game, len(now.chairs))
        readers: tuple[PretendReader, ...] = self._pico.readers()
        words = said_on_mat(antennas)
        return tuple(
            replace(each, said=words.get(each.id, each.said), place=antennas.get(each.id))
            for each in readers
            if each.id in antennas or each.lying
        )

    def surface(self) -> Surface:
        now = self._table.snapshot
        return Surface(now.game.layout(now.state), now.game.pack_now(now.state))

    def lay(self, uid: Uid, reader: ReaderId) -> None:
        self._pico.lay(uid, reader)

    def lift(self, uid: Uid) -> None:
        self._pico.lift(uid)

    def press(self, button: Button, held: bool) -> None:
        self._box.press(button, held)

    def turn(self, steps: int) -> None:
        self._box.turn(steps)

    def set_fault(self, fault: Fault, on: bool) -> None:
        (self._box if fault == "display" else self._pico).set_fault(fault, on)

    def faults(self) -> tuple[Fault, ...]:
        return (*self._pico.faults(), *self._box.faults())

    def screen(self) -> bytes:
        png: bytes = self._box.screen()
        return png

    def lamp(self) -> Lamp:
        lamp: Lamp = self._box.lamp()
        return lamp

    def seat_lamps(self) -> tuple[bool, ...]:
        shine: tuple[bool, ...] = self._box.seat_lamps()
        return shine

    def watch(self, fn: Callable[[], None]) -> Callable[[], None]:
        ends = (self._pico.watch(fn), self._box.watch(fn))

        def end() -> None:
            for stop in ends:
                stop()

        return end
