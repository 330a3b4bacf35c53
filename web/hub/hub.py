"""What every page of a hub is made from, bound together once, and one visit of one browser."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, Protocol

from flask import g, request
from msgspec import Struct

from companion.core import Game, GameId
from companion.library import Lang, Speaker, Texts, shelf
from web.club import NotPaired, Pair, Paired, TableId
from web.door import Limits, Phone, cookies_of, liking
from web.draw import Assets, Pen

from .floor import Floor
from .results import Results, title_of
from .store import Kept

_WEB: Final = Path(__file__).parents[1] / "texts"
HOST_COOKIE: Final = "companion-host"


class Host(Protocol):
    """What only the hub's host may do."""

    def is_host(self, key: str) -> bool: ...
    def code(self) -> tuple[str, int]: ...
    def pair(self, asked: Pair, arrived_at: str) -> Paired | NotPaired: ...
    def tables(self) -> tuple[Kept, ...]: ...
    def revoke(self, table: TableId) -> None: ...
    def left_out(self) -> tuple[str, ...]: ...
    def leave_out(self, name: str, on: bool) -> None: ...


class Hub:
    """One per app. With a `host`, tables can be paired here; without one, as for the internet, it is read-only."""

    def __init__(
        self,
        floor: Floor,
        results: Results,
        *,
        name: str,
        hosts: tuple[str, ...],
        lang: Lang = "en",
        host: Host | None = None,
        address: Callable[[], str] = lambda: "",
        is_connected: Callable[[], bool] = lambda: True,
        limits: Limits | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.floor, self.results, self.host = floor, results, host
        self.name, self.lang, self.address = name, lang, address
        self.hosts = frozenset(each.lower() for each in hosts)
        self.is_connected, self.clock = is_connected, clock
        self.limits = limits or Limits()
        self.assets = Assets()
        self._texts = Texts.load(_WEB, shelf.texts_folders(shelf.games()[0])[1])
        self._pens: dict[tuple[Phone, str], Pen] = {}

    def speaker(self, lang: Lang) -> Speaker:
        return _speaker(self._texts, lang)

    def title(self, game: GameId, lang: Lang) -> str:
        return title_of(game, lang)

    def phone(self, cookie: str, accepts: str) -> Phone:
        lang, theme = liking(cookies_of(cookie), "", accepts, self.lang)
        return Phone(None, "", lang, theme, "")

    def pen(self, phone: Phone, game: Game[Any, Any] | None = None) -> Pen:
        """The pen for a page, or for the table of one game with that game's own icons."""
        key = phone, "" if game is None else game.id
        if key not in self._pens:
            icons = {} if game is None else game.icons
            self._pens[key] = Pen(self.assets, self.speaker(phone.lang), phone, "", icons)
        return self._pens[key]


@cache
def _speaker(texts: Texts, lang: Lang) -> Speaker:
    return Speaker(texts, lang)


@cache
def texts_of(game: Game[Any, Any]) -> Texts:
    """The texts of a game and of everything around it; loaded once."""
    return Texts.load(*shelf.texts_folders(game.id), _WEB)


class Look(Struct, frozen=True, eq=False):
    """One visit: who, in which language, and whether it is the host."""

    hub: Hub
    phone: Phone
    is_host: bool = False

    @property
    def words(self) -> Speaker:
        return self.hub.speaker(self.phone.lang)

    def page(self, part: str, title: str, stream: str = "still", **more: Any) -> str:
        """A whole page around `hub/<part>.html`."""
        frame = {
            "part": f"hub/{part}.html",
            "title": title,
            "stream": f"/stream?screen={stream}",
            "club": self.hub.name,
            "now": self.hub.clock(),
            "is_host": self.is_host,
        }
        return self.hub.pen(self.phone).draw("hub/page.html", f=frame, **more)


def look_of(hub: Hub) -> Look:
    """The visit that this request makes; one for the whole of it."""
    if "look" not in g:
        cookie = request.headers.get("Cookie", "")
        key = cookies_of(cookie).get(HOST_COOKIE, "")
        phone = hub.phone(cookie, request.headers.get("Accept-Language", ""))
        g.look = Look(hub, phone, hub.host is not None and bool(key) and hub.host.is_host(key))
    look: Look = g.look
    return look
