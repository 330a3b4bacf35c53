"""Photograph One False Step on a phone: part of `screens.py`.

Bots play some weeks of the same game; auction, map, rocket and books are photographed where they come up.
"""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

from pictures import ADA, BEN, CHLOE, Evening
from playwright.sync_api import Browser, Page
from studio import Prepare, Studio, still

import companion.app.main
from companion.app.main import Options, Running
from companion.core import Intent, SeatId, legal

WEEK = 3
"""By then cities, claims and levels are interesting."""


def follow(page: Page) -> None:
    """Choose a city, so that what is connected to it lights up."""
    page.locator("label:has(#trace-0)").click()


SHOTS: dict[str, tuple[tuple[str, str, Prepare], ...]] = {
    "place": (
        ("ofs-monday", "/seat", still),
        ("ofs-map", "/table", follow),
        ("ofs-map-list", "/table?form=list", still),
    ),
    "rocket": (("ofs-rocket", "/seat", still), ("ofs-books", "/check", still)),
    "bid": (("ofs-auction", "/seat", still),),
    "make-map": (("ofs-laying", "/table", still),),
}


def pick(candidates: tuple[Intent, ...], weights: tuple[int, ...]) -> Intent:
    """A deck and dice that are the same every time."""
    return chance.choices(candidates, weights)[0]


chance = random.Random(9)


def play(evening: Evening, studio: Studio, running: Running) -> None:
    """Play until everything was photographed, each in the hands of the awaited seat."""
    left = dict(SHOTS)
    while left:
        now = running.table.snapshot
        kind, seat = now.decisions[-1].kind, now.awaited[0]
        if kind in left and (now.state.week >= WEEK or kind == "make-map"):
            for name, path, prepare in left.pop(kind):
                studio.take(name, path, seat, prepare)
        evening.act(now.game.bot(now.view(seat), seat, legal(now.game, now.view(seat), seat), chance.getrandbits(30)))


def photograph(browser: Browser, only: str) -> None:
    companion.app.main.pick_by_weight = pick
    names = ("Ada", "Ben", "Chloé")
    with (
        tempfile.TemporaryDirectory() as data,
        companion.app.main.companion(Options(Path(data), "one-false-step", names, pretend=True, port=0)) as running,
    ):
        evening = Evening(running)
        for seat, name in ((ADA, "Ada"), (BEN, "Ben"), (CHLOE, "Chloé")):
            evening.sit_down(SeatId(seat), name)
        play(evening, Studio(browser, running, Path(data), only), running)
