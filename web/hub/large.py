"""A single table in large: the box's own big screen, drawn from what the table has told the broker."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Final, NoReturn

from flask import abort

from companion.core import Asked, SeatId
from companion.table.outside import Moment, Seen
from web.screen import Dashboard, Extras, Visit, render_part
from web.screens.tv import tv_screen

from .floor import AtTable
from .hub import Hub, Look, texts_of

MOST: Final = 64
"""How many tables can be viewed this way at once; then the one viewed least recently is dropped."""


class FromBroker:
    """As much of a table as a big screen needs. It takes no requests: the real table is elsewhere."""

    def __init__(self, seen: Seen) -> None:
        self.moment = Moment(seen, lambda _seat: seen)

    def ask(self, asked: Asked, timeout: float = 0.0) -> NoReturn:
        raise TypeError(f"a hub only shows; {asked.command!r} is for the table's own box")

    def follow(self, _fn: Callable[[Moment], None]) -> Callable[[], None]:
        return lambda: None

    def foresee(self, _fn: Callable[[Callable[[], Moment]], None]) -> Callable[[], None]:
        return lambda: None

    def away(self, _seats: tuple[SeatId, ...]) -> None:
        """The table itself keeps track of who is away."""


class Large:
    """Draws single tables, for everybody who looks at them."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._dashes: OrderedDict[str, Dashboard] = OrderedDict()

    def page(self, look: Look, table: AtTable) -> str:
        drawn = self.part(look, table)
        if not drawn:
            abort(404)
        return look.hub.pen(look.phone).draw("hub/large.html", drawn=drawn, table=table, club=self._hub.name)

    def part(self, look: Look, table: AtTable) -> str:
        """The part that follows the game, with a strip if the table is away; "" if nothing can be shown."""
        seen = self._hub.floor.look(table).seen
        if seen is None:
            return ""
        visit = Visit(self._dash(table.id, seen), look.phone, Moment(seen, lambda _seat: seen))
        strip = look.hub.pen(look.phone).draw("hub/strip.html", table=table)
        return strip + render_part(visit, tv_screen(visit), "tv")

    def _dash(self, table: str, seen: Seen) -> Dashboard:
        dash = self._dashes.pop(table, None)
        if dash is None:
            extras = Extras(self._hub.assets, None, str, self._hub.limits)
            dash = Dashboard(FromBroker(seen), texts_of, None, (), self._hub.lang, extras)
        self._dashes[table] = dash
        if len(self._dashes) > MOST:
            self._dashes.popitem(last=False)
        return dash
