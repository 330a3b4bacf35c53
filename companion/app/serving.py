"""The dashboard on the local network."""

from __future__ import annotations

import contextlib
import logging
import socket
from collections.abc import Callable
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from companion.core import Uid
from companion.library import OwnPacks, Settings, Speaker, Tagbook
from companion.phones.photo.darkroom import Darkroom, can_read
from companion.table import (
    Doctor,
    Host,
    Playback,
    PretendBox,
    Printer,
    Seen,
    Table,
    Updates,
    in_its_own_process,
    printed_by_itself,
)

from . import updating
from .box_club import club_of
from .hotspot import ADDRESS
from .machine import Spoken
from .network import Network, is_on_its_own
from .opening import load_texts
from .plays import Plays, Records

log = logging.getLogger(__name__)

NOWHERE: Final = "127.0.0.1"
"""The address of a machine that is on no network."""
PLAIN: Final = 80
"""The port that phones use if they were given none."""


def serve(
    stack: ExitStack,
    port: int | None,
    chosen: Settings,
    spoken: Spoken,
    table: Table,
    pretend: PretendBox | None,
    host: Host | None,
    tagbook: Tagbook,
    *,
    address: Callable[[], str],
    sticker: Callable[[], str],
    data: Path,
    network: Network | None,
    playback: Playback | None = None,
) -> int:
    from web import create_app
    from web.door.portal import Portal
    from web.live.server import WebServer

    hosts, has_own = own_hosts(chosen), network is not None and network.has_own
    app = create_app(
        table,
        load_texts,
        pretend,
        hosts,
        lambda: spoken.lang,
        tagbook=tagbook,
        address=address,
        sticker=sticker,
        host=host,
        playback=playback,
        network=network,
        portal=Portal(ADDRESS) if has_own else None,
        updates=_updates(stack, table),
        club=club_of(stack, table, data, Records(data), partial(_speaks, spoken), own_address),
        **_helpers(stack, data),
    )
    port = chosen.port if port is None else port
    server = stack.enter_context(WebServer(app, port=port, also=PLAIN if has_own else None))
    if network is not None:
        network.name = f"{own_name()}{_port(server.port)}"
    return server.port


def _helpers(stack: ExitStack, data: Path) -> dict[str, Any]:
    """What works for phones apart from the table, most of it in another process."""
    return {
        "packs": OwnPacks(data),
        "doctor": Doctor(partial(in_its_own_process, data)),
        "printer": Printer(partial(printed_by_itself, data)),
        "plays": Plays(data, socket.gethostname()),
        "photos": stack.enter_context(closing(Darkroom())) if can_read() else None,
    }


def _speaks(spoken: Spoken, seen: Seen) -> Speaker:
    return Speaker(load_texts(seen.game), spoken.lang)


def _updates(stack: ExitStack, table: Table) -> Updates | None:
    followed = updating.follow(partial(table.trouble, "update"))
    if followed is None:
        return None
    updates, following = followed
    following.start()
    stack.callback(following.close)
    return updates


def own_hosts(chosen: Settings) -> tuple[str, ...]:
    """The names under which phones may reach us: those in the settings, this machine's, and its addresses."""
    found = {"localhost", NOWHERE, socket.gethostname(), own_name(), own_address(), *chosen.hosts}
    return tuple(sorted(found))


def own_name() -> str:
    """This machine's name on any network; avahi answers for it."""
    return f"{socket.gethostname()}.local"


def _port(port: int) -> str:
    """The port as it follows a name in an address."""
    return "" if port == PLAIN else f":{port}"


def own_address() -> str:
    """This machine's address on the local network, or in its own Wi-Fi; finding it sends no packet."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return ADDRESS if is_on_its_own() else NOWHERE


def is_reachable() -> bool:
    """Whether a phone could find this machine."""
    return own_address() != NOWHERE


class Place:
    """Where phones find the box now: it may change its Wi-Fi in mid-evening. "" until they are served."""

    def __init__(self) -> None:
        self.port = 0

    def __call__(self) -> str:
        if not self.port:
            return ""
        address = own_address()
        # In its own Wi-Fi the box is also at the port that people need not type.
        return f"http://{address}{'' if address == ADDRESS else _port(self.port)}"


WritesLink: TypeAlias = Callable[[Uid, str], None]


class Stickers:
    """Who writes links, and what they say: both known once readers and phones are served."""

    def __init__(self) -> None:
        self._text = ""
        self._writes: WritesLink | None = None

    def serve(self, writes: WritesLink, text: str) -> None:
        self._writes, self._text = writes, text

    def says(self) -> str:
        """What follows `http://`, up to the tag's number; "" before that."""
        return self._text

    def write(self, uid: Uid) -> None:
        """Have the link written on a tag; returns at once."""
        if self._writes is not None:
            self._writes(uid, self._text)


def sticker_text(chosen: Settings, own_address: str, port: int) -> str:
    """By the name in the settings, else by this machine's address: better than nothing while it lasts."""
    name = chosen.hosts[0] if chosen.hosts else own_address
    return f"{name}{_port(port)}/t/"
