"""Photograph TimeLine's drawn board on a phone, early, in the middle and late; part of `screens.py`.

Writes docs/screens/timeline-early.png, -mid.png, -late.png and -zoomed.png, in the last two a line is followed; and
-touched.png, with a waypoint that was touched.
"""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

from pictures import ADA, BEN, Evening
from playwright.sync_api import Browser, Page
from studio import Prepare, Studio, click

import companion.app.main
from companion.app.main import Options
from companion.core import Intent, legal
from companion.games.timeline.rules.intents import AgreeToStop, Explore, GoAbove, GoBelow

SEATS = ("Ada", "Ben", "Chloé", "Dan", "Eve")


class Players:
    """Five who mostly play sensibly, but like to see new cards."""

    def __init__(self, evening: Evening, curious: float) -> None:
        self._evening, self._curious, self._chance = evening, curious, random.Random(9)

    def play(self, acts: int) -> None:
        for _ in range(acts):
            snapshot = self._evening.table.snapshot
            if snapshot.result is not None:
                return
            self._evening.act(self._choose())

    def _choose(self) -> Intent:
        snapshot = self._evening.table.snapshot
        seat = snapshot.awaited[0]
        view, game = snapshot.view(seat), snapshot.game
        offered = tuple(i for i in legal(game, view, seat) if not isinstance(i, AgreeToStop))
        new = [i for i in offered if isinstance(i, Explore | GoAbove | GoBelow)]
        if new and self._chance.random() < self._curious:
            return new[int(self._chance.random() * len(new))]
        return game.bot(view, seat, offered, self._chance.getrandbits(20))


def followed(trace: int, zoom: int) -> Prepare:
    def prepare(page: Page) -> None:
        page.locator(f"#trace-{trace}").check(force=True)
        page.locator(f"#zoom-{zoom}").check(force=True)

    return prepare


def photograph(browser: Browser, only: str) -> None:
    chance = random.Random(5)
    companion.app.main.pick_by_weight = lambda candidates, _weights: candidates[int(chance.random() * len(candidates))]
    with (
        tempfile.TemporaryDirectory() as data,
        companion.app.main.companion(Options(Path(data), pretend=True, port=0, game="timeline", names=SEATS)) as running,
    ):
        evening = Evening(running)
        for seat, name in ((ADA, "Ada"), (BEN, "Ben")):
            evening.sit_down(seat, name)
        studio = Studio(browser, running, Path(data), only)
        players = Players(evening, 0.45)
        players.play(9)
        studio.take("timeline-early", "/table")
        players.play(22)
        studio.take("timeline-mid", "/table")
        studio.take("timeline-touched", "/table", prepare=click(".thing:has(.offered)"))
        players.play(40)
        studio.take("timeline-late", "/table", prepare=followed(1, 1))
        studio.take("timeline-zoomed", "/table", prepare=followed(3, 2))
