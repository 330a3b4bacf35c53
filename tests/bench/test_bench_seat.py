"""What the drawn table adds to the page of who is awaited.

Counted in seconds of this thread, in turns and as a ratio, so that nothing else on the machine counts.
"""

from __future__ import annotations

import gc
import random
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from companion.app.opening import load_texts, make_setup
from companion.box import Box
from companion.core import Act, Asked, SeatId, legal
from companion.journal import Journal
from companion.library import Tagbook, shelf
from companion.table import Chair, Desk, Referee, Table
from tests.bench.quiet import within
from web import create_app, dashboard_of
from web.door import key_of
from web.screen import Visit, render_fragments
from web.screens import board
from web.screens import seat as seat_page

pytestmark = pytest.mark.slow  # in `./test bench` alone

NAMES = ("Ada", "Ben", "Chloé")
STEPS, WARM = 60, 12
LIMITS = {"actionworks": 1.8, "one-false-step": 2.0, "timeline": 2.6, "us-patent": 2.1}
"""Times the page without a table. The target is 1.3; these hold what has been reached."""


class Evening:
    """A game played by its own bots, act by act."""

    def __init__(self, game_id: str, folder: Path) -> None:
        game, self._chance = shelf.open(game_id), random.Random(11)
        self._journal = Journal.open(folder / "journal.db")
        referee = Referee.begin(game, make_setup(game, len(NAMES)), NAMES, "strict", self._journal, lambda: 0.0)
        for seat, name in enumerate(NAMES):
            referee.seat(SeatId(seat), Chair(name, key_of(f"phone-{seat}")), None)
        self.table = Table(Desk(referee, Tagbook(), Box(), lambda found, _weights: self._chance.choice(found)))
        self.table.start()

    def awaited(self) -> Iterator[tuple[int, SeatId]]:
        """Which step, and the seat that the game waits for."""
        for step in range(STEPS):
            now = self.table.snapshot
            if now.result is not None:
                return
            seat = now.awaited[0]
            yield step, seat
            view = now.view(seat)
            chosen = now.game.bot(view, seat, legal(now.game, view, seat), self._chance.getrandbits(30))
            self.table.ask(Asked(f"step-{step}", seat, now.asked[seat], Act(msgspec.Raw(msgspec.json.encode(chosen)))))

    def close(self) -> None:
        self.table.stop()
        self._journal.close()


@contextmanager
def playing(game_id: str, folder: Path) -> Iterator[Evening]:
    evening = Evening(game_id, folder)
    gc.disable()
    yield evening
    gc.enable()
    evening.close()


def page_of(evening: Evening) -> Callable[[SeatId], float]:
    """A function that draws a seat's page with its own pens and returns the seconds it took."""
    dash = dashboard_of(create_app(evening.table, load_texts, None, ("box.test",)))

    def draw(seat: SeatId) -> float:
        moment = evening.table.moment
        phone = dash.phone({"companion-seat": f"phone-{seat}"}, "", "en", moment.public)
        assert moment.seen_by(seat).view is not None  # made once for all pages, whoever is first
        visit, began = Visit(dash, phone, moment), time.thread_time()
        assert render_fragments(visit, seat_page.seat_screen(visit))
        return time.thread_time() - began

    return draw


def measured(game_id: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> float:
    ratios, real = [], board.lit_of
    with playing(game_id, folder) as evening:
        pages = ("drawn", page_of(evening), real), ("plain", page_of(evening), lambda *_: (None, ()))
        for step, seat in evening.awaited():
            costs = dict[str, float]()
            for name, page, lit_of in pages[:: -1 if step % 2 else 1]:
                monkeypatch.setattr(seat_page, "lit_of", lit_of)
                costs[name] = page(seat)
            if step >= WARM:
                ratios.append(costs["drawn"] / costs["plain"])
    middle = statistics.median(ratios)
    print(f"{game_id}: the page of who is awaited costs ×{middle:.2f} what it costs without its table")
    return middle


@pytest.mark.parametrize("game_id", shelf.games())
def test_the_page_of_who_is_awaited_beside_one_without_a_table(
    game_id: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = iter(range(100))

    def once() -> float:
        folder = tmp_path / str(next(tries))
        folder.mkdir()
        return measured(game_id, folder, monkeypatch)

    within(LIMITS[game_id], once)
