"""The club of a table, and joining one at its box: kept off the table's thread, which never waits for the network."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

from companion import __version__
from companion.core import HubFound, Hubs, Name, Said, say
from companion.table import JoinClub, Seen, Table

from . import avahi

log = logging.getLogger(__name__)


def club_of(
    stack: ExitStack, table: Table, data: Path, records: Any, speaks: Callable[[Seen], Any], address: Callable[[], str]
) -> Any:
    """The club of this table, if it can be in one. A club that cannot be used never stops people from playing."""
    from web.club import Club, ClubUnreadable, can_join, home

    if not can_join():
        return None

    def named(number: int) -> str:
        return str(speaks(table.moment.public).key("club.table", n=number))

    club = Club(data, table, __version__, records, lambda member: home(member, __version__, speaks))
    try:
        club.start()
    except ClubUnreadable as error:
        log.error("%s", error)
        table.trouble("club", say("trouble.club"))
    stack.callback(club.close)
    table.joins_by(BoxClub(club, table, address, named, avahi.hubs))
    return club


class Told(Protocol):
    """The part of the table that hears of the result."""

    def hubs(self, hubs: Hubs) -> None: ...

    def joined(self, said: Said, joined: bool) -> None: ...


class BoxClub:
    """`club` is this table's; `address` where the box is, `named` the name of a table with a number; `near` finds
    hubs."""

    def __init__(
        self,
        club: Any,
        table: Told,
        address: Callable[[], str],
        named: Callable[[int], str],
        near: Callable[[], tuple[HubFound, ...]],
    ) -> None:
        self._club, self._table, self._address, self._named, self._near = club, table, address, named, near
        self._busy = threading.Lock()

    def look(self) -> None:
        self._beside(self._looks)

    def join(self, wish: JoinClub) -> None:
        self._beside(lambda: self._joins(wish))

    def _beside(self, does: Callable[[], Callable[[], None]]) -> None:
        """Do one thing at a time, and then tell the table: pressing twice counts once, and whoever has heard may ask
        again.
        """

        def run() -> None:
            try:
                tell = does()
            finally:
                self._busy.release()
            tell()

        if self._busy.acquire(blocking=False):
            threading.Thread(target=run, name="club by box", daemon=True).start()

    def _looks(self) -> Callable[[], None]:
        address, now = self._address(), self._club.now()
        network = "" if address.startswith("127.") else f"{address.rpartition('.')[0]}."
        found = Hubs(True, self._near(), network, "" if now is None else now.member.name)
        return lambda: self._table.hubs(found)

    def _joins(self, wish: JoinClub) -> Callable[[], None]:
        now = self._club.now()
        name = self._named(wish.number) if wish.number or now is None else now.member.name
        why = self._club.join(wish.address, wish.code, name)
        if why is not None:
            return lambda: self._table.joined(say(f"club.no.{why}"), joined=False)
        joined = say("club.joined", club=Name(self._club.now().member.paired.club))
        return lambda: self._table.joined(joined, joined=True)
