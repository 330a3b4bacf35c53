"""The readers: real Picos, or a pretend one."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from typing import Any, Final, Literal

from companion.library.settings import Settings
from companion.library.tagbook import Tagbook
from companion.table.table import Table

Pico = Literal["firmware", "quick"]
"""Which Pico a pretend table has: the firmware itself, or a stand-in whose taps arrive at once."""

PATIENCE: Final = 2.0
"""Seconds to wait for their first word before anybody is told where to go."""


def read(stack: ExitStack, chosen: Settings, table: Table, tagbook: Tagbook, pretend: Pico | None) -> tuple[Any, Any]:
    """The pretend Pico, where there is one, and the links to it or to the real ones."""
    from firmware_bridge.greeting import Down, LinkState
    from firmware_bridge.link import find_picos
    from firmware_bridge.links import Links
    from firmware_bridge.pretend import PretendPico
    from firmware_bridge.pretend_firmware import PretendFirmware
    from firmware_bridge.senses import Senses

    heard = threading.Event()

    def told(state: LinkState) -> None:
        table.trouble("link", state.trouble if isinstance(state, Down) else None)
        heard.set()

    made = PretendFirmware if pretend == "firmware" else PretendPico
    pico = made(tuple(chosen.readers)) if pretend is not None else None
    if pico is not None:
        pico.start()
        stack.callback(pico.close)
    senses = Senses(table.put, table.question, named=tagbook.reader, is_zone=table.is_zone, has_room=table.has_room)
    links = Links(pico.ports if pico is not None else find_picos, senses, told)
    links.start()
    stack.callback(links.close)
    # A card laid while the link is still being made is layout, not a play: do not invite people before.
    heard.wait(PATIENCE)
    return pico, links
