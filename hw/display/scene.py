"""What the display should look like at a given moment. Pure: time comes in as a number."""

from __future__ import annotations

import math
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from companion.core import (
    FLASH_SECONDS,
    AcceptedPage,
    DuelPage,
    IdlePage,
    Name,
    Page,
    RefusedPage,
    TroublePage,
    TurnPage,
    say,
)
from companion.table.outside import Seen, Ticking

from .draw import has_foot
from .panel import Light

IDLE_AFTER: Final = 5 * 60.0
DRIFT_EVERY: Final = 20.0
SLEEP_AFTER: Final = 30 * 60.0


class Look(Struct, frozen=True):
    """A page, how far it has drifted, and how bright; `over` is what was just accepted, shown at its foot."""

    page: Page
    drift: int = 0
    light: Light = "full"
    over: AcceptedPage | None = None


def at_first(page: Page, flash: Page | None, leaf: int = 0) -> Look:
    """How a snapshot looks while its flash lasts; `leaf` is which of its pages, if it has several."""
    flash = _leaves(flash)[leaf] if flash is not None else None
    if isinstance(flash, AcceptedPage) and has_foot(page):
        return Look(page, over=flash)
    return Look(flash or page)


def _leaves(flash: Page) -> tuple[Page, ...]:
    return flash.leaves if isinstance(flash, AcceptedPage | DuelPage | RefusedPage) else (flash,)


class Scene:
    """Follows the snapshots: a flash first, each leaf of it for its seconds, then the page, idle when nothing
    happens, asleep in the end. A duel stays until something is pressed or done.

    A flash gives way early only to another flash or to a changed page, so that lifting the card you have just
    tapped doesn't wipe away what was said about it.
    """

    def __init__(self) -> None:
        self._clock: Ticking | None = None
        self._page: Page | None = None
        self._flash: Page | None = None
        self._flash_until = 0.0
        self._news_at = 0.0

    def news(self, seen: Seen, now: float) -> None:
        flash = seen.flash
        if flash is not None and flash is not self._flash:
            self._flash, self._flash_until = flash, now + FLASH_SECONDS * len(_leaves(flash))
        elif flash is None and seen.page != self._page:
            self._flash = None
        self._page, self._news_at, self._clock = seen.page, now, seen.clock

    def look(self, now: float) -> Look | None:
        """None until the first snapshot."""
        if self._page is None:
            return None
        if self._flash is not None and now < self._flash_until:
            left = math.ceil((self._flash_until - now) / FLASH_SECONDS)
            # Adding to a time and subtracting again sometimes gives slightly more.
            return at_first(self._page, self._flash, -min(left, len(_leaves(self._flash))))
        quiet = now - self._news_at
        if quiet < IDLE_AFTER:
            return Look(self._flash if isinstance(self._flash, DuelPage) else with_time(self._page, self._clock, now))
        drift = int((quiet - IDLE_AFTER) // DRIFT_EVERY)
        return Look(_at_rest(self._page), drift, "off" if quiet >= SLEEP_AFTER else "dim")

    def due(self, now: float) -> float | None:
        """Seconds until it changes by itself; None if only news can change it."""
        if self._page is None:
            return None
        if self._flash is not None and now < self._flash_until:
            return (self._flash_until - now) % FLASH_SECONDS or FLASH_SECONDS
        quiet = now - self._news_at
        if quiet < IDLE_AFTER:
            return min(IDLE_AFTER - quiet, until_next_second(self._clock, now))
        return None if quiet >= SLEEP_AFTER else DRIFT_EVERY - (quiet - IDLE_AFTER) % DRIFT_EVERY


def with_time(page: Page, clock: Ticking | None, now: float) -> Page:
    """Whose turn it is, with the time left; the page unchanged if no clock is running."""
    if not isinstance(page, TurnPage) or clock is None or not clock.runs:
        return page
    left = min(clock.left(seat, now) for seat in clock.runs)
    whole = math.ceil(left) if left > 0 else math.floor(-left)
    time = Name(f"{whole // 60}:{whole % 60:02}")
    return replace(page, hint=say("page.time" if left > 0 else "page.time-over", time=time))


def until_next_second(clock: Ticking | None, now: float) -> float:
    """Seconds until the time left is shown differently."""
    if clock is None or not clock.runs:
        return math.inf
    return min(clock.left(seat, now) for seat in clock.runs) % 1.0 or 1.0


def _at_rest(page: Page) -> IdlePage:
    match page:
        case IdlePage():
            return page
        case TurnPage(title=title, who=who):
            return IdlePage(title, who)
        case TroublePage(said=said):
            return IdlePage(say("page.trouble"), said)
        case _:
            return IdlePage(say("box.title"), say("box.nobody"))
