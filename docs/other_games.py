"""Photograph what each game shows in its own way: my seat, the table, why not, the report; part of `screens.py`.

Bots play the same game every time: some acts, then to the end.
"""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from urllib.parse import quote

from pictures import ADA, BEN, CHLOE, Evening
from playwright.sync_api import Browser
from studio import Studio

import companion.app.main
from companion.app.bots import chosen
from companion.app.main import Options
from companion.core import Intent, SeatId
from companion.phones import offers

NAMES = ("Ada", "Ben", "Chloé")
ACTS = {"timeline": 24, "one-false-step": 90, "us-patent": 60}
"""How many acts each game is played before it is photographed, so that there is something to see."""


def photograph(browser: Browser, only: str) -> None:
    for game, acts in ACTS.items():
        chance = random.Random(7)
        companion.app.main.pick_by_weight = lambda all_of, weights, chance=chance: chance.choices(all_of, weights)[0]
        with (
            tempfile.TemporaryDirectory() as data,
            companion.app.main.companion(
                Options(Path(data), game=game, names=NAMES, pretend=True, port=0, thinking=0.0), tell=print
            ) as running,
        ):
            evening = Evening(running)
            for seat, name in zip((ADA, BEN, CHLOE), NAMES, strict=True):
                evening.sit_down(seat, name)
            studio = Studio(browser, running, Path(data), only)
            _during(studio, evening, acts, chance)
            _after(studio, evening)


def _during(studio: Studio, evening: Evening, acts: int, chance: random.Random) -> None:
    table = evening.table
    for _ in range(acts):
        evening.act(_bots_choice(evening, table.snapshot.awaited[0], chance))
    now = table.snapshot
    game, mine = now.game.id, now.awaited[0]
    other = next(seat for seat in (ADA, BEN, CHLOE) if seat != mine)
    studio.take(f"{game}-seat", "/seat", mine)
    studio.take(f"{game}-table", "/table", mine)
    studio.take(f"{game}-why-not", f"/why?intent={quote(offers.not_now(now.seen_by(other))[0].json)}", other)


def _bots_choice(evening: Evening, seat: SeatId, chance: random.Random) -> Intent:
    now = evening.table.snapshot
    intent = chosen(now.game, now.game.bot, now.view(seat), seat, chance.getrandbits(30))
    assert intent is not None, f"nothing to do for seat {seat}"
    return intent


def _after(studio: Studio, evening: Evening) -> None:
    evening.let_bots_finish()
    studio.take(f"{evening.table.snapshot.game.id}-report", "/report")
