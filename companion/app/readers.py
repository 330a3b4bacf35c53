"""The readers: real Picos or pretend ones, and readers that people own."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, assert_never

from msgspec import Struct

from companion.core import Input, ReaderId, Uid
from companion.library import OwnReader, Settings, Tagbook, own_of
from companion.table import Chance, Table

from .opening import all_wands

if TYPE_CHECKING:
    from firmware_bridge.links import Links
    from firmware_bridge.senses import Senses
    from firmware_bridge.solo import Solo

Pico = Literal["firmware", "micropython", "quick"]
"""Which Pico a pretend table has: the firmware itself, the same under MicroPython, or a stand-in whose taps arrive at
once."""
Plugs: TypeAlias = Callable[[tuple[ReaderId, ...]], tuple[ReaderId, ...]]
"""The order in which the readers of a pretend table are plugged in."""

PATIENCE: Final = 2.0
"""Seconds to wait for their first word before anybody is told where to go."""


def as_listed(readers: tuple[ReaderId, ...]) -> tuple[ReaderId, ...]:
    return readers


class Trial(Struct, frozen=True):
    """What a proof uses in place of the machine's own: chance, disk, clock, and how readers are plugged in."""

    pick: Chance | None = None
    connect: Callable[..., sqlite3.Connection] = sqlite3.connect
    wall: Callable[[], float] = time.time
    plugs: Plugs = as_listed


class Readers:
    """All of them as one. If no reader is a Pico's, no Pico is looked for."""

    def __init__(self, links: Links, solos: tuple[Solo, ...], *, has_picos: bool) -> None:
        self._links, self._has_picos = links, has_picos
        self._parts: tuple[Links | Solo, ...] = (*((links,) if has_picos else ()), *solos)

    def start(self) -> None:
        for part in self._parts:
            part.start()

    def close(self) -> None:
        for part in reversed(self._parts):
            part.close()

    def is_alive(self, patience: float) -> bool:
        return all(part.is_alive(patience) for part in self._parts)

    def write_link(self, uid: Uid, text: str) -> None:
        """Have a link written on a tag where it lies; readers that people own can only read."""
        self._links.write_link(uid, text)


def read(
    stack: ExitStack,
    chosen: Settings,
    table: Table,
    tagbook: Tagbook,
    pretend: Pico | None,
    put: Callable[[Input], None] | None = None,
    plugs: Plugs = as_listed,
) -> tuple[Any, Readers]:
    """The pretend Picos, if there are any, and all readers. What they sense goes to `put`, or else to the table.

    On a pretend table every reader is a pretend Pico's.
    """
    from firmware_bridge.greeting import Down, LinkState
    from firmware_bridge.link import find_picos
    from firmware_bridge.links import Links
    from firmware_bridge.pretend_picos import PretendPicos
    from firmware_bridge.senses import Senses

    heard, names = threading.Event(), tuple(chosen.antennas(all_wands(chosen)))
    pico = PretendPicos(plugs(names), _maker(pretend)) if pretend else None

    def told(state: LinkState) -> None:
        table.trouble("link", state.trouble if isinstance(state, Down) else None)
        if isinstance(state, Down) or pico is None or len(state.readers) == len(names):
            heard.set()

    if pico is not None:
        pico.start()
        stack.callback(pico.close)
    senses = Senses(
        put or table.put, table.question, named=tagbook.reader, tells_levels=table.has_mat, has_room=table.has_room
    )
    links = Links(pico.ports if pico is not None else find_picos, senses, told, on_link=table.linked)
    solos = () if pretend else tuple(own(chosen, senses))
    has_picos = len(solos) < len(names)
    readers = Readers(links, solos, has_picos=has_picos)
    readers.start()
    stack.callback(readers.close)
    # A card laid while the link is still starting is layout, not a play, so do not invite people before.
    if has_picos:
        heard.wait(PATIENCE)
    return pico, readers


def _maker(kind: Pico) -> Callable[[tuple[ReaderId, ...]], Any]:
    from firmware_bridge.pretend import PretendPico
    from firmware_bridge.pretend_firmware import PretendFirmware

    match kind:
        case "quick":
            return PretendPico
        case "firmware":
            return PretendFirmware
        case "micropython":
            return partial(PretendFirmware, body="micropython")
        case _:
            assert_never(kind)


def own(chosen: Settings, senses: Senses) -> Iterator[Solo]:
    """The readers that are not a Pico's, according to the settings."""
    from firmware_bridge.pcsc import PcscReader
    from firmware_bridge.wedge import WedgeReader

    for reader, antenna in chosen.readers.items():
        match own_of(antenna):
            case OwnReader(kind="pcsc", name=name):
                yield PcscReader(name, reader, senses)
            case OwnReader(kind="wedge", name=name, reverse=reverse):
                yield WedgeReader(name, reader, senses, reverse=reverse)
