"""The display before everything else: it says that the box is starting while the rest is still loading."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import companion
from companion.core import Page, StartingPage, StartingStep
from companion.library import Lang, OledPins, Speaker, Texts

from .display import BRIGHT, Display, draw, open_display
from .pretend.panel import PretendPanel

LOCALE = Path(companion.__file__).parent / "locale"


class FirstLight:
    """A display that is lit early and then handed on to `Oled`; if it fails now, that is named there."""

    def __init__(self, opens: Callable[[], Display], panel: PretendPanel | None = None) -> None:
        self._opens = opens
        self._lit: Display | None = None
        self.panel = panel
        """The glass, if the display is pretend."""

    def show(self, lang: Lang, page: Page = StartingPage()) -> None:  # noqa: B008 - frozen
        self._lit = None
        with suppress(Exception):  # whatever it is, `Oled` meets it again and reports it in one place
            display = self._opens()
            display.contrast(BRIGHT)
            self._draw(display, lang, page)

    def _draw(self, display: Display, lang: Lang, page: Page) -> None:
        with suppress(Exception):
            speaker = Speaker(Texts.load(Path(__file__).parent / "texts", LOCALE), lang)
            display.display(draw(page, speaker))
            self._lit = display

    def tell(self, lang: Lang, step: StartingStep) -> None:
        """Show what the box is doing; a display that was already handed on shows its own pages."""
        if self._lit is not None:
            lit, self._lit = self._lit, None
            self._draw(lit, lang, StartingPage(step))

    def leave(self) -> None:
        """Let go of the display; the page stays as long as it has power."""
        if self._lit is not None:
            with suppress(Exception):
                self._lit.persist = True
                self._lit.cleanup()
            self._lit = None

    def open(self) -> Display:
        """The first time, the display that is already lit; afterwards a newly opened one. Raises what luma raises."""
        lit, self._lit = self._lit, None
        return self._opens() if lit is None else lit


def first_light(oled: OledPins, *, pretend: bool = False) -> FirstLight:
    """For the display in the settings; a pretend one if everything is pretend, or if the settings say so."""
    if pretend or oled.driver == "pretend":
        panel = PretendPanel()
        return FirstLight(panel.open, panel)
    return FirstLight(partial(open_display, oled.driver, port=oled.port, address=oled.address))


def show_once(oled: OledPins, page: Page, lang: Lang) -> None:
    """Show a page of our own texts and leave; if the display doesn't answer, somebody else reports it."""
    light = first_light(oled)
    light.show(lang, page)
    light.leave()
