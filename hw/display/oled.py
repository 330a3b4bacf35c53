"""The display: one thread that draws the newest snapshot. A missing or failing display never stops anything."""

from __future__ import annotations

import time
from collections.abc import Callable

from companion.core import UnplugPage
from companion.library import Speaker
from companion.table.outside import Latest, Seen
from hw.follower import Follower

from .draw import Around, draw
from .panel import Display, Panel
from .scene import Scene


class Oled(Follower):
    """Draws for people in the room.

    `opens` opens the luma device; it is called again, at growing intervals, whenever the display was lost. `speaks`
    gives the speaker for a moment, `address` the current web address of the dashboard, `renamed` the names for
    missing buttons.
    """

    def __init__(
        self,
        opens: Callable[[], Display],
        latest: Latest[Seen],
        speaks: Callable[[Seen], Speaker],
        *,
        address: Callable[[], str] = str,
        renamed: tuple[tuple[str, str], ...] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__("display", latest)
        self._panel = Panel(opens, clock)
        self._speaks = speaks
        self._address = address
        self._renamed = renamed
        self._clock = clock
        self._scene = Scene()
        self._speaker: Speaker | None = None

    def _turn(self, seen: Seen | None) -> None:
        now = self._clock()
        if seen is not None:
            self._scene.news(seen, now)
            self._speaker = self._speaks(seen)
        look = self._scene.look(now)
        if look is not None and self._speaker is not None:
            around = Around(self._address(), look.drift, self._renamed)
            image = draw(look.page, self._speaker, around, look.over)
            self._panel.show(image, look.light)

    def _pause(self) -> float | None:
        now = self._clock()
        dues = [due for due in (self._scene.due(now), self._panel.due(now)) if due is not None]
        return min(dues) if dues else None

    def _end(self) -> None:
        """Leaves a page that says you may unplug the box."""
        self._panel.close(None if self._speaker is None else draw(UnplugPage(), self._speaker))
