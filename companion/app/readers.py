"""The readers: real Picos, or pretend ones."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from typing import Any, Final, Literal

from companion.library.settings import Settings
from companion.library.tagbook import Tagbook
from companion.table.table import Table

from .opening import all_wands

Pico = Literal["firmware", "quick"]
"""Which Pico a pretend table has: the firmware itself, or a stand-in whose taps arrive at once."""

PATIENCE: Final = 2.0
"""Seconds to wait for their first word before anybody is told where to go."""


def read(stack: ExitStack, chosen: Settings, table: Table, tagbook: Tagbook, pretend: Pico | None) -> tuple[Any, Any]:
    """The pretend Picos, where there are some, and the links to them or to the real ones."""
    from firmware_bridge.greeting import Down, LinkState
    from firmware_bridge.link import find_picos
    from firmware_bridge.links import Links
    from firmware_bridge.pretend import PretendPico
    from firmware_bridge.pretend_firmware import PretendFirmware
    from firmware_bridge.pretend_picos import PretendPicos
    from firmware_bridge.senses import Senses

    heard, names = threading.Event(), tuple(chosen.antennas(all_wands(chosen)))
    pico = PretendPicos(names, PretendFirmware if pretend == "firmware" else PretendPico) if pretend else None

    def told(state: LinkState) -> None:
        table.trouble("link", state.trouble if isinstance(state, Down) else None)
        if isinstance(state, Down) or pico is None or len(state.readers) == len(names):
            heard.set()

    if pico is not None:
        pico.start()
        stack.callback(pico.close)
    senses = Senses(
        table.put, table.question, named=tagbook.reader, tells_levels=table.has_mat, has_room=table.has_room
    )
    links = Links(pico.ports if pico is not None else find_picos, senses, told, on_link=table.linked)
    links.start()
    stack.callback(links.close)
    # A card laid while the link is still being made is layout, not a play: do not invite people before.
    heard.wait(PATIENCE)
    return pico, links
