"""The dashboard on the local network."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path

from companion.library.own_packs import OwnPacks
from companion.library.settings import Settings
from companion.library.tagbook import Tagbook
from companion.phones.photo.darkroom import Darkroom, can_read
from companion.table.checkup import Doctor, in_its_own_process
from companion.table.ports import PretendBox
from companion.table.table import Table

from .machine import Spoken
from .opening import load_texts


def serve(
    stack: ExitStack,
    port: int,
    chosen: Settings,
    spoken: Spoken,
    table: Table,
    pretend: PretendBox | None,
    tagbook: Tagbook,
    *,
    address: Callable[[], str],
    data: Path,
) -> int:
    from web import create_app
    from web.live.server import WebServer

    hosts = own_hosts(chosen)
    packs, doctor = OwnPacks(data), Doctor(partial(in_its_own_process, data))
    photos = stack.enter_context(closing(Darkroom())) if can_read() else None
    app = create_app(
        table,
        load_texts,
        pretend,
        hosts,
        lambda: spoken.lang,
        tagbook=tagbook,
        address=address,
        packs=packs,
        doctor=doctor,
        photos=photos,
    )
    server = stack.enter_context(WebServer(app, port=port))
    return server.port


def own_hosts(chosen: Settings) -> tuple[str, ...]:
    """The names under which phones may reach us: those of the settings, this machine's, and its addresses."""
    name = socket.gethostname()
    found = {"localhost", "127.0.0.1", name, f"{name}.local", own_address(), *chosen.hosts}
    return tuple(sorted(found))


def own_address() -> str:
    """This machine's address on the local network; no packet is sent to find it."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return "127.0.0.1"
