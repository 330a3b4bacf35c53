"""Renders a screen to HTML: the whole page, or just the parts that a stream replaces."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

from msgspec import Struct

from companion.core import Duel, GameId, Said, SeatId, Seq
from companion.library import Lang
from companion.table.outside import Corrected, Playing
from web.draw import Pen

from .following import Following, following
from .screen import STILL, Screen
from .timing import Timing, timing
from .visit import Visit

MOST_PENS: Final = 64
"""Phones for which a pen is kept; beyond that, all are dropped and made again."""

_FRAMES: Final = {"pretend": "pretend.html", "tv": "tv.html"}
"""Screens that aren't for phones have their own frame."""


class Frame(Struct, frozen=True):
    """What surrounds every screen: public facts, and this phone's own link while the box changes its Wi-Fi."""

    game: GameId
    seq: Seq
    names: tuple[str, ...]
    troubles: tuple[Said, ...]
    pretend: bool
    stream: str
    seat: SeatId | None
    awaited: bool
    """Whether everybody is waiting for this phone's seat: its tab says so, even in the background."""
    first: bool
    """A first run: there is no game yet to name or look at."""
    box: Lang
    """The box's language, whatever the phone's."""
    camera: bool
    """Whether it may show a card to its camera."""
    corrected: tuple[Corrected, ...]
    """What was corrected since the last act, as far as this phone's audience may know it."""
    over: bool
    timing: Timing | None
    demo: Playing | None
    """The state of a demo; None if people play."""
    showdown: Duel | None
    """What two seats have just settled between them."""
    following: Following | None
    """Where the box is going; None while it stays."""


def render_page(visit: Visit, screen: Screen, live: str = "") -> str:
    """A whole page. `live` names the stream's screen that keeps it fresh.

    On a static page only the frame is kept fresh: that is how we know that its phone is still at the table.
    """
    stream = f"{visit.phone.prefix}/stream?{urlencode({'screen': live or STILL, **(visit.query if live else {})})}"
    return _render(visit, _FRAMES.get(screen.part, "page.html"), screen, stream)


def render_fragments(visit: Visit, screen: Screen) -> str:
    """The parts of a page that follow the game, each with its id."""
    return _render(visit, "fragments.html", screen)


def render_sheet(visit: Visit, screen: Screen) -> str:
    """The content of the one sheet that may lie over a page."""
    return _render(visit, f"parts/{screen.part}.html", screen)


def render_part(visit: Visit, screen: Screen, name: str) -> str:
    """One part of a screen, to replace the one shown before."""
    return _render(visit, f"parts/{name}.html", screen).strip()


def render_report(visit: Visit, screen: Screen) -> str:
    """The report as one self-contained file, styles included."""
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
        awaited=seen.result is None and visit.phone.seat in seen.awaited,
        first=seen.beginning is not None,
        box=dash.lang,
        camera=dash.photos is not None and visit.phone.asker is not None,
        corrected=seen.past.corrected(),
        demo=None if dash.playback is None else dash.playback.now(),
        timing=timing(seen, visit.phone.seat),
        over=seen.result is not None,
        showdown=seen.past.showdown() if seen.result is None else None,
        following=following(visit),
    )
    return _pen(visit).draw(template, screen=screen, m=screen.model, frame=frame)


def _pen(visit: Visit) -> Pen:
    dash, speaker, phone = visit.dash, visit.words, visit.phone
    pen = dash.pens.get((speaker, phone))
    if pen is None:
        if len(dash.pens) >= MOST_PENS:
            dash.pens.clear()
        seen = visit.seen
        pen = dash.pens[speaker, phone] = Pen(dash.assets, speaker, phone, seen.table, seen.game.icons)
    return pen
