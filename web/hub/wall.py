"""The wall: every table as a small card with its drawn miniature, whose turn it is, and for how long."""

from __future__ import annotations

import threading
import time
from typing import Final, Literal

from msgspec import Struct

from companion.core import TABLE, Name, SeatId, Standing
from companion.library import Speaker
from companion.table.outside import Seen
from web.door import Phone
from web.draw import Drawing, draw
from web.screens.seat import awaited_of, standings_of, turn_of
from web.screens.tellings import lately

from .floor import AtTable, Looked
from .hub import Hub, texts_of

MOST_BADGES: Final = 4
TALL: Final = 1.2
"""The greatest height of a drawing, in widths, at which it is readable when small."""
State = Literal["plays", "over", "away", "free", "waits"]


class Row(Struct, frozen=True):
    """A seat in a table's list."""

    seat: SeatId
    name: str
    label: str = ""
    value: str = ""
    on: bool = False


class Tile(Struct, frozen=True):
    """One table, as text."""

    id: str
    edition: int
    name: str
    state: State
    title: str = ""
    headline: str = ""
    rows: tuple[Row, ...] = ()
    alarms: tuple[str, ...] = ()
    badges: tuple[tuple[SeatId, str], ...] = ()
    who: str = ""
    what: str = ""
    since: float = 0.0
    clock: str = ""
    """For a finished game or an absent table: when that was."""
    mini: str = ""
    """The address of the miniature; "" if there is none."""


def tile_of(hub: Hub, table: AtTable, lang_of: Speaker) -> Tile:
    """What the wall shows of a table, in the language `lang_of`."""
    looked = hub.floor.look(table)
    seen = looked.seen
    if seen is None:
        what = "unreadable" if looked.why else "away" if not table.here else "nothing"
        said = lang_of.key(f"web.hub.tile.{what}")
        state: State = "waits" if table.here else "away"
        return Tile(table.id, table.edition, table.name, state, who=said, since=looked.since)
    words = Speaker(texts_of(seen.game), lang_of.lang, seen.names())
    state = state_of(table, seen)
    who, what = _said(state, seen, words)
    standings = standings_of(seen)
    return Tile(
        id=table.id,
        edition=table.edition,
        name=table.name,
        state=state,
        title=words.key("game.title"),
        headline=words.say(seen.game.headline(seen.view)),
        rows=_rows(seen, standings, words),
        alarms=tuple(words.say(each.alarm) for each in standings if each.alarm) if state == "plays" else (),
        badges=_badges(seen, state),
        who=who,
        what=what,
        since=silent_since(table, looked) if state == "away" else looked.since,
        clock=_clock(table, looked, state),
        mini=f"/mini/{table.id}?v={seen.table}.{seen.seq}",
    )


def silent_since(table: AtTable, looked: Looked) -> float:
    """When a table that is away was last heard from, or failing that, when it last did anything."""
    return table.went or looked.since


def state_of(table: AtTable, seen: Seen) -> State:
    if not table.here:
        return "away"
    if seen.result is not None:
        return "over"
    has_free = any(not chair.key and not chair.bot for chair in seen.chairs)
    return "free" if has_free and not lately(seen, 1) else "plays"


def _said(state: State, seen: Seen, words: Speaker) -> tuple[str, str]:
    """Who is awaited, and for what; or what has become of the table."""
    if state == "away":
        return words.key("web.hub.tile.away"), words.key("web.hub.tile.away.text")
    if state == "free":
        free = sum(not chair.key and not chair.bot for chair in seen.chairs)
        return words.key("web.hub.tile.free", n=free), words.key("web.hub.tile.free.text")
    what = awaited_of(seen)
    told = "" if what is None else words.say(what)
    if state == "over":
        winners = seen.result.winners if seen.result is not None else ()
        names = Name(_and([seen.chairs[seat].name for seat in winners], words))
        won = words.key("web.hub.tile.won", n=len(winners), who=names) if winners else words.key("web.hub.tile.over")
        return won, told
    awaited = [seen.chairs[seat].name for seat in seen.awaited if seat != TABLE]
    return _and(awaited, words) or words.say(turn_of(seen, None)), told


def _and(names: list[str], words: Speaker) -> str:
    if len(names) < 2:
        return "".join(names)
    return words.key("web.hub.and", some=Name(", ".join(names[:-1])), last=Name(names[-1]))


def _rows(seen: Seen, standings: tuple[Standing, ...], words: Speaker) -> tuple[Row, ...]:
    by = {each.seat: each for each in standings}
    awaited = seen.awaited if seen.result is None else seen.result.winners
    return tuple(
        Row(
            SeatId(n),
            chair.name,
            words.say(by[SeatId(n)].label) if n in by else "",
            str(by[SeatId(n)].value) if n in by else "",
            n in awaited,
        )
        for n, chair in enumerate(seen.chairs)
    )


def _badges(seen: Seen, state: State) -> tuple[tuple[SeatId, str], ...]:
    if state in ("away", "free"):
        return ()
    seats = seen.awaited if seen.result is None else seen.result.winners
    return tuple((seat, seen.chairs[seat].name) for seat in seats if seat != TABLE)[:MOST_BADGES]


def _clock(table: AtTable, looked: Looked, state: State) -> str:
    at = {"over": looked.since, "away": silent_since(table, looked)}.get(state)
    return "" if at is None else time.strftime("%H:%M", time.localtime(at))


def nearest(drawing: Drawing) -> tuple[int, int]:
    """The part of a drawing worth showing in a small space: its first piece, or all of it if it is small, or where
    it happens.
    """
    (top, end), first, high = drawing.focus, drawing.leaves[0], drawing.height
    if high > TALL * drawing.width:
        return (top, end) if top < end else first
    return first if 2 * first[1] >= high else (0, high)


class Wall:
    """The cards of all tables, drawn once for all viewers, and again only when their table has reported something."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._lock = threading.Lock()
        self._cards: dict[tuple[str, Phone], tuple[int, str]] = {}
        self._minis: dict[tuple[str, Phone], tuple[Seen, str]] = {}

    def card(self, table: AtTable, phone: Phone) -> str:
        key = table.id, phone
        with self._lock:
            kept = self._cards.get(key)
            if kept is None or kept[0] != table.edition:
                it = tile_of(self._hub, table, self._hub.speaker(phone.lang))
                kept = self._cards[key] = table.edition, self._hub.pen(phone).draw("hub/tile.html", it=it).strip()
            return kept[1]

    def mini(self, table: AtTable, phone: Phone) -> str:
        """The drawn table, small; "" if nothing can be drawn."""
        seen = self._hub.floor.look(table).seen
        if seen is None:
            return ""
        key = table.id, phone
        with self._lock:
            kept = self._minis.get(key)
            if kept is None or kept[0] is not seen:
                kept = self._minis[key] = seen, self._drawn(seen, phone)
            return kept[1]

    def _drawn(self, seen: Seen, phone: Phone) -> str:
        words = Speaker(texts_of(seen.game), phone.lang, seen.names())
        drawing = draw(seen.game.picture(seen.view), words)
        top, end = nearest(drawing)
        svg = self._hub.pen(phone, seen.game).draw("hub/mini.html", drawing=drawing, top=top, end=end).strip()
        # Several games are on one page: two of them may have icons with the same id.
        return svg.replace("icon-", f"{seen.game.id}-icon-")
