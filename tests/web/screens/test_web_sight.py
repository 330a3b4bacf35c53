"""What I may do comes within the first screen: every game, both languages, measured on a phone of 390 × 844.

Where there are so many ways to go on that no phone could show them all, it is at least no list that hides the others.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser

from companion.app.opening import load_texts, make_setup
from companion.box import Box
from companion.core import Act, Asked, SeatId, legal
from companion.journal import Journal
from companion.library import Tagbook, shelf
from companion.table import Chair, Desk, Referee, Table
from tests.chromium import give_cookies, new_phone
from tests.patience import PATIENCE
from web import create_app
from web.door import key_of
from web.live import presence
from web.live.server import WebServer
from web.screens import choices
from web.screens import seat as seat_page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAMES = ("Ada", "Ben", "Chloé")
STEPS, EVERY = 60, 6
HIDDEN = """() => {
  const bar = document.querySelector(".tabs").getBoundingClientRect().top;
  const ways = [...document.querySelectorAll("#screen .ways > *")];
  const first = (way) => way.querySelector(".btn:not([data-step])") ?? way;
  const hidden = (way) => first(way).getBoundingClientRect().bottom > bar;
  const lists = ways.some((way) => way.matches("section"));
  const lit = [...document.querySelectorAll(".touchable a.lit")];
  if (lit.some((way) => way.getBoundingClientRect().bottom <= bar)) return [];
  return ways.filter((way, n) => hidden(way) && (lists || n < 6)).map((way) => way.innerText);
}"""
"""Ways below the tabs, although one of the first six, or although a list stands open above or among them.

Where the drawn table is lit above the tabs, it is the way to go on; the others stand below it."""


class Evening:
    """A game that its own bots play at a real table, each with a phone."""

    def __init__(self, game_id: str, folder: Path) -> None:
        game, self._chance = shelf.open(game_id), random.Random(11)
        self._journal = Journal.open(folder / "journal.db")
        referee = Referee.begin(game, make_setup(game, len(NAMES)), NAMES, "strict", self._journal, lambda: 0.0)
        for seat, name in enumerate(NAMES):
            referee.seat(SeatId(seat), Chair(name, key_of(f"phone-{seat}")), None)
        self.table = Table(
            Desk(referee, Tagbook(), Box(), lambda candidates, _weights: self._chance.choice(candidates))
        )
        self.table.start()

    def awaited(self) -> Iterator[SeatId]:
        """The seat that the game waits for, act after act; of each kind of question the first, then every few."""
        asked: set[str] = set()
        for step in range(STEPS):
            now = self.table.snapshot
            if now.result is not None:
                return
            seat, kind = now.awaited[0], now.decisions[-1].kind
            if kind not in asked or step % EVERY == 0:
                asked.add(kind)
                yield seat
            view = now.view(seat)
            chosen = now.game.bot(view, seat, legal(now.game, view, seat), self._chance.getrandbits(30))
            self.table.ask(Asked(f"step-{step}", seat, now.asked[seat], Act(msgspec.Raw(msgspec.json.encode(chosen)))))

    def close(self) -> None:
        self.table.stop()
        self._journal.close()


def hidden_ways(evening: Evening, chromium: Browser) -> list[str]:
    """What an awaited seat would have to scroll for, at each moment and in each language."""
    found = []
    with WebServer(create_app(evening.table, load_texts, None, ("127.0.0.1",)), "127.0.0.1") as server:
        url = f"http://127.0.0.1:{server.port}"
        context = new_phone(chromium)
        page = context.new_page()
        for seat in evening.awaited():
            for lang in ("en", "fr"):
                give_cookies(context, url, seat=f"phone-{seat}", lang=lang)
                page.goto(f"{url}/seat")
                there = page.locator("#screen .ways > *").count()
                assert there, f"somebody who is asked may do something: {page.inner_text('body')}"
                found += [f"{lang}, #{evening.table.snapshot.seq}: {way}" for way in page.evaluate(HIDDEN)]
        context.close()
    return found


@pytest.fixture
def evening(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Evening]:
    """Nobody is away, however long a page takes: that would be told above the ways."""
    monkeypatch.setattr(presence, "AWAY", PATIENCE)
    evening = Evening(request.param, tmp_path)
    yield evening
    evening.close()


@pytest.mark.parametrize("evening", shelf.games(), indirect=True)
def test_every_way_to_go_on_is_above_the_tabs(evening: Evening, chromium: Browser) -> None:
    assert hidden_ways(evening, chromium) == []


@pytest.mark.parametrize("evening", ["timeline"], indirect=True)
def test_a_page_that_draws_and_folds_nothing_is_caught(
    evening: Evening, chromium: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choices, "IN_SIGHT", 10**6)
    monkeypatch.setattr(seat_page, "board_of", lambda *_: (None, ()))
    assert hidden_ways(evening, chromium)
