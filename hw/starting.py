"""The display before everything else: it says that the box is on its way while the rest is still being loaded."""

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
    """A display that is lit early and then handed on to `Oled`; one that fails now is named there."""

    def __init__(self, opens: Callable[[], Display], panel: PretendPanel | None = None) -> None:
        self._opens = opens
        self._lit: Display | None = None
        self.panel = panel
        """The glass, where the display is pretend."""

    def show(self, lang: Lang, page: Page = StartingPage()) -> None:  # noqa: B008 - frozen
        self._lit = None
        with suppress(Exception):  # whatever it is, `Oled` meets it again and says it in one place
            display = self._opens()
            display.contrast(BRIGHT)
            self._draw(display, lang, page)

    def _draw(self, display: Display, lang: Lang, page: Page) -> None:
        with suppress(Exception):
            speaker = Speaker(Texts.load(Path(__file__).parent / "texts", LOCALE), lang)
            display.display(draw(page, speaker))
            self._lit = display

    def tell(self, lang: Lang, step: StartingStep) -> None:
        """Say on the lit display what the box is about now; one that was handed on already says its own."""
        if self._lit is not None:
            lit, self._lit = self._lit, None
            self._draw(lit, lang, StartingPage(step))

    def leave(self) -> None:
        """Let go of the display; the page stays for as long as it has power."""
        if self._lit is not None:
            with suppress(Exception):
                self._lit.persist = True
                self._lit.cleanup()
            self._lit = None

    def open(self) -> Display:
        """The display that is lit, the first time; a newly opened one ever after. Raises what luma raises."""
        lit, self._lit = self._lit, None
        return self._opens() if lit is None else lit


def first_light(oled: OledPins, *, pretend: bool = False) -> FirstLight:
    """For the display of the settings; for a pretend one where everything is, or where the settings say so."""
    if pretend or oled.driver == "pretend":
        panel = PretendPanel()
        return FirstLight(panel.open, panel)
    return FirstLight(partial(open_display, oled.driver, port=oled.port, address=oled.address))


def show_once(oled: OledPins, page: Page, lang: Lang) -> None:
    """Show a page of our own texts and go; a display that does not answer is somebody else's news."""
    light = first_light(oled)
    light.show(lang, page)
    light.leave()
