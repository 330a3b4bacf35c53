"""From a screen to HTML: the whole page, or just the parts that a stream replaces."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

from msgspec import Struct

from companion.core.facts import Said
from companion.core.ids import GameId, SeatId, Seq
from companion.library.texts import Lang
from companion.phones.corrections import Corrected, just_made
from companion.table.snapshot import Snapshot

from .dashboard import Dashboard
from .pen import Pen
from .screen import STILL, Query, Screen
from .session import Phone

MOST_PENS: Final = 64
"""Phones for which a pen is kept; then all begin anew."""
LONGEST: Final = 60
"""Letters of one word of an address that a screen reads."""


class Frame(Struct, frozen=True):
    """What surrounds every screen. Public facts only: templates never see a snapshot."""

    game: GameId
    seq: Seq
    names: tuple[str, ...]
    troubles: tuple[Said, ...]
    pretend: bool
    stream: str
    seat: SeatId | None
    first: bool
    """A first run: there is no game yet to be named or looked at."""
    box: Lang
    """The language of the box, which is nobody's phone's."""
    corrected: tuple[Corrected, ...]
    """What was set right since anything else was done, as this phone's audience may know it."""


def page(dash: Dashboard, snapshot: Snapshot, phone: Phone, screen: Screen, live: str = "", **query: str) -> str:
    """A whole page. `live` names the stream's screen that keeps it fresh; of a page that stands still only the frame
    is kept so, since whoever has any page open listens and is at the table.
    """
    stream = f"{phone.prefix}/stream?{urlencode({'screen': live or STILL, **query})}"
    template = "pretend.html" if screen.part == "pretend" else "page.html"
    return _render(dash, template, snapshot, phone, screen, stream)


def fragments(dash: Dashboard, snapshot: Snapshot, phone: Phone, screen: Screen) -> str:
    """The parts of a page that follow the game, each with its id."""
    return _render(dash, "fragments.html", snapshot, phone, screen, "")


def sheet(dash: Dashboard, snapshot: Snapshot, phone: Phone, screen: Screen) -> str:
    """The inside of the one sheet that may lie over a page."""
    return _render(dash, f"parts/{screen.part}.html", snapshot, phone, screen, "")


def part(dash: Dashboard, snapshot: Snapshot, phone: Phone, screen: Screen, name: str) -> str:
    """One part of a screen, to stand where it stood before."""
    return _render(dash, f"parts/{name}.html", snapshot, phone, screen, "").strip()


def report(dash: Dashboard, snapshot: Snapshot, phone: Phone, screen: Screen) -> str:
    """The report as one file that needs nothing beside it; its style is inside."""
    return _render(dash, "report_file.html", snapshot, phone, screen, "")


def _render(dash: Dashboard, template: str, snapshot: Snapshot, phone: Phone, screen: Screen, stream: str) -> str:
    frame = Frame(
        game=snapshot.game.id,
        seq=snapshot.seq,
        names=tuple(chair.name for chair in snapshot.chairs),
        troubles=snapshot.troubles,
        pretend=dash.pretend is not None,
        stream=stream,
        seat=phone.seat,
        first=snapshot.beginning is not None,
        box=dash.lang,
        corrected=just_made(snapshot, phone.audience),
    )
    return _pen(dash, snapshot, phone).draw(template, screen=screen, m=screen.model, frame=frame)


def _pen(dash: Dashboard, snapshot: Snapshot, phone: Phone) -> Pen:
    speaker = dash.speaker(snapshot, phone.lang)
    pen = dash.pens.get((speaker, phone))
    if pen is None:
        if len(dash.pens) >= MOST_PENS:
            dash.pens.clear()
        pen = dash.pens[speaker, phone] = Pen(dash, speaker, phone, snapshot.table, snapshot.game.icons)
    return pen


def query_of(args: Query) -> dict[str, str]:
    """Of an address only what screens read, so that anything else makes no new page."""
    return {name: args[name] for name in ("form", "seat", "q") if name in args and len(args[name]) <= LONGEST}
