"""From a screen to HTML: the whole page, or just the parts that a stream replaces."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

from msgspec import Struct

from companion.core.facts import Said
from companion.core.ids import GameId, SeatId, Seq
from companion.library.texts import Lang
from companion.table.seen import Corrected

from .draw.pen import Pen
from .screen import STILL, Screen
from .visit import Visit

MOST_PENS: Final = 64
"""Phones for which a pen is kept; then all begin anew."""


class Frame(Struct, frozen=True):
    """What surrounds every screen. Public facts only: templates see nothing else."""

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
    camera: bool
    """Whether it may show a card to its camera."""
    corrected: tuple[Corrected, ...]
    """What was set right since anything else was done, as this phone's audience may know it."""


def page(visit: Visit, screen: Screen, live: str = "") -> str:
    """A whole page. `live` names the stream's screen that keeps it fresh; of a page that stands still only the frame
    is kept so, since whoever has any page open listens and is at the table.
    """
    stream = f"{visit.phone.prefix}/stream?{urlencode({'screen': live or STILL, **(visit.query if live else {})})}"
    template = "pretend.html" if screen.part == "pretend" else "page.html"
    return _render(visit, template, screen, stream)


def fragments(visit: Visit, screen: Screen) -> str:
    """The parts of a page that follow the game, each with its id."""
    return _render(visit, "fragments.html", screen)


def sheet(visit: Visit, screen: Screen) -> str:
    """The inside of the one sheet that may lie over a page."""
    return _render(visit, f"parts/{screen.part}.html", screen)


def part(visit: Visit, screen: Screen, name: str) -> str:
    """One part of a screen, to stand where it stood before."""
    return _render(visit, f"parts/{name}.html", screen).strip()


def report(visit: Visit, screen: Screen) -> str:
    """The report as one file that needs nothing beside it; its style is inside."""
    return _render(visit, "report_file.html", screen)


def _render(visit: Visit, template: str, screen: Screen, stream: str = "") -> str:
    dash, seen = visit.dash, visit.seen
    frame = Frame(
        game=seen.game.id,
        seq=seen.seq,
        names=tuple(chair.name for chair in seen.chairs),
        troubles=seen.troubles,
        pretend=dash.pretend is not None,
        stream=stream,
        seat=visit.phone.seat,
        first=seen.beginning is not None,
        box=dash.lang,
        camera=dash.photos is not None and visit.phone.asker is not None,
        corrected=seen.past.corrected(),
    )
    return _pen(visit).draw(template, screen=screen, m=screen.model, frame=frame)


def _pen(visit: Visit) -> Pen:
    dash, speaker, phone = visit.dash, visit.words, visit.phone
    pen = dash.pens.get((speaker, phone))
    if pen is None:
        if len(dash.pens) >= MOST_PENS:
            dash.pens.clear()
        seen = visit.seen
        pen = dash.pens[speaker, phone] = Pen(dash.env, dash.assets, speaker, phone, seen.table, seen.game.icons)
    return pen
