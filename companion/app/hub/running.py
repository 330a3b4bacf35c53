"""The hub put together: the broker, what it hears, what it keeps, what it shows."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion.app.opening import load_texts
from companion.app.serving import own_address, own_hosts
from companion.library import Settings, Speaker, shelf
from web.club import HubHere, TableId
from web.hub import STORE, Floor, Hub, Results, Store, create_hub, seasons_of
from web.hub.asgi import HubAsgi
from web.hub.listener import Listener
from web.live.server import WebServer

from .broker import Broker
from .keeper import Keeper
from .settings import HubSettings


class HubOptions(Struct, frozen=True):
    data: Path
    settings: HubSettings
    port: int | None = None
    broker_port: int | None = None


class RunningHub(Struct, frozen=True):
    """The parts of a running hub that others may want to reach."""

    address: str
    port: int
    public_port: int | None
    broker: Broker
    keeper: Keeper
    store: Store
    floor: Floor
    listener: Listener


@contextlib.contextmanager
def running_hub(options: HubOptions) -> Iterator[RunningHub]:
    """The whole hub, for the length of the block."""
    chosen, where = options.settings, Address()
    options.data.mkdir(parents=True, exist_ok=True)
    hosts = own_hosts(Settings(hosts=chosen.hosts))
    with ExitStack() as stack:
        store = stack.enter_context(closing(Store(options.data / STORE)))
        broker = Broker(options.data / "broker", _given(options.broker_port, chosen.broker_port), hosts)
        broker.start()
        stack.callback(broker.close)
        called = _called(chosen)
        floor = Floor(store.keep, store.note, called=called)
        late = Floor(lambda _table, _over: None, lambda _table, _name, _shown: None, chosen.delay, called)
        listener = _listener(broker, chosen, where, (floor, late))

        def forget(table: TableId) -> None:
            listener.clear(table)
            floor.forget(table)
            late.forget(table)

        keeper = Keeper(store, broker, chosen.name, forget)
        shown = Both(chosen, store, lambda: listener.is_connected)
        hub = shown.hub(floor, hosts, 0.0, host=keeper, address=where)
        server = WebServer(HubAsgi(create_hub(hub)), port=_given(options.port, chosen.port))
        where.port = stack.enter_context(server).port
        public = _public(stack, shown, late)
        listener.start()
        stack.callback(listener.close)
        yield RunningHub(where(), where.port, public, broker, keeper, store, floor, listener)


class Address:
    """The address where people open the hub; "" until it is served."""

    port = 0

    def __call__(self) -> str:
        return f"http://{own_address()}:{self.port}" if self.port else ""


class Both:
    """What the club's hub and the internet's have in common."""

    def __init__(self, chosen: HubSettings, store: Store, is_connected: Callable[[], bool]) -> None:
        self.chosen, self._store, self._is_connected = chosen, store, is_connected

    def hub(self, floor: Floor, hosts: tuple[str, ...], delay: float, **more: Any) -> Hub:
        results = Results(self._store, seasons_of(self.chosen.seasons), time.time, delay)
        chosen = self.chosen
        named: dict[str, Any] = {"name": chosen.name, "lang": chosen.language, "is_connected": self._is_connected}
        return Hub(floor, results, hosts=hosts, **named, **more)


def _listener(broker: Broker, chosen: HubSettings, where: Address, floors: tuple[Floor, ...]) -> Listener:
    since = time.time()

    def ticks() -> None:
        for floor in floors:
            floor.catch_up()

    here = partial(_here, chosen.name, where, since)
    return Listener(broker.own(chosen.name), here, tuple(floor.heard for floor in floors), ticks)


def _here(name: str, where: Address, since: float) -> HubHere:
    return HubHere(True, name, where(), since)


def _public(stack: ExitStack, shown: Both, late: Floor) -> int | None:
    """The hub for the internet, read-only; a reverse proxy on this machine stands in front of it."""
    chosen = shown.chosen
    if chosen.public_port is None:
        return None
    hub = shown.hub(late, (*chosen.public_hosts, "localhost", "127.0.0.1"), chosen.delay)
    asgi = HubAsgi(create_hub(hub), behind_proxy=True)
    return stack.enter_context(WebServer(asgi, "127.0.0.1", chosen.public_port)).port


def _given(asked: int | None, usual: int) -> int:
    return usual if asked is None else asked


def _called(chosen: HubSettings) -> Callable[[int], str]:
    """What to call somebody who is left out."""
    words = Speaker(load_texts(shelf.open(shelf.games()[0])), chosen.language)
    return lambda seat: words.key("web.hub.seat", n=seat + 1)
