"""Everything I may do is on the first screen: every game, both languages, measured on a phone of 390 × 844.

What is drawn is touched there or unfolded from a list, and what isn't drawn is right below the table.
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
from companion.core import TABLE, Act, Asked, Intent, SeatId, legal
from companion.journal import Journal
from companion.library import Tagbook, shelf
from companion.table import Chair, Desk, Referee, Snapshot, Table
from companion.table.outside import who_rolls
from tests.chromium import give_cookies, new_phone
from tests.patience import PATIENCE
from web import create_app
from web.door import key_of
from web.live import presence
from web.live.server import WebServer
from web.screens import choices
from web.screens import seat as seat_page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

DICE = "with real dice"
NAMES = ("Ada", "Ben", "Chloé")
STEPS, EVERY = 60, 6
HIDDEN = """() => {
  const floor = (document.querySelector(".undo") ?? document.querySelector(".tabs")).getBoundingClientRect().top + 1;
  const ways = [...document.querySelectorAll("#screen :is(.ways, .pad) .btn:not([data-step])")];
  const seen = ways.filter((way) => way.checkVisibility());
  return seen.filter((way) => way.getBoundingClientRect().bottom > floor).map((way) => way.innerText);
}"""
"""Choices that aren't folded away and reach below what stays at the foot of the screen: Undo, or the tabs."""


class Evening:
    """A game that its own bots play at a real table, each with a phone; with `typed`, dice are real."""

    def __init__(self, game_id: str, folder: Path, *, typed: bool = False) -> None:
        game, self._chance = shelf.open(game_id), random.Random(11)
        self._dice = tuple(verb.intent for verb in game.verbs if typed and verb.is_typed)
        self._journal = Journal.open(folder / "journal.db")
        referee = Referee.begin(game, make_setup(game, len(NAMES)), NAMES, "strict", self._journal, lambda: 0.0)
        for seat, name in enumerate(NAMES):
            referee.seat(SeatId(seat), Chair(name, key_of(f"phone-{seat}")), None)
        self.table = Table(Desk(referee, Tagbook(), Box(), self._fallen))
        self.table.start()

    def _fallen(self, candidates: tuple[Intent, ...], _weights: tuple[int, ...]) -> Intent | None:
        return None if isinstance(candidates[0], self._dice) else self._chance.choice(candidates)

    def awaited(self) -> Iterator[SeatId]:
        """The awaited seat, act after act: at the first question of each kind, then at every few."""
        asked: set[str] = set()
        for step in range(STEPS):
            now = self.table.snapshot
            if now.result is not None:
                return
            seat, kind = self._who(now), now.decisions[-1].kind
            if kind not in asked or step % EVERY == 0:
                asked.add(kind)
                yield seat
            chosen = Act(msgspec.Raw(msgspec.json.encode(self._chosen(now, seat))))
            self.table.ask(Asked(f"step-{step}", seat, now.asked[seat], chosen))

    def _who(self, now: Snapshot) -> SeatId:
        """Whose phone is asked; if dice belong to nobody in particular, anybody may type them."""
        return now.awaited[0] if not now.decisions[-1].is_chance else who_rolls(now) or SeatId(0)

    def _chosen(self, now: Snapshot, seat: SeatId) -> Intent:
        if now.decisions[-1].is_chance:
            return self._chance.choice(legal(now.game, now.state, TABLE))
        view = now.view(seat)
        return now.game.bot(view, seat, legal(now.game, view, seat), self._chance.getrandbits(30))

    def close(self) -> None:
        self.table.stop()
        self._journal.close()


def hidden_ways(evening: Evening, chromium: Browser, *, high: int = 844, at: str = ".ways > *") -> Iterator[str]:
    """What an awaited seat would have to scroll for, at each moment that has anything `at` hand, in each language."""
    moments = 0
    with WebServer(create_app(evening.table, load_texts, None, ("127.0.0.1",)), "127.0.0.1") as server:
        url = f"http://127.0.0.1:{server.port}"
        context = new_phone(chromium, 390, high)
        page = context.new_page()
        for seat in evening.awaited():
            for lang in ("en", "fr"):
                give_cookies(context, url, seat=f"phone-{seat}", lang=lang)
                page.goto(f"{url}/seat")
                there = page.locator("#screen :is(.ways > *, .pad .btn)").count()
                assert there, f"somebody who is asked may do something: {page.inner_text('body')}"
                told = page.locator("#screen:has(.pad .btn) .mine > h2 + .soft")
                assert told.count() == 0, f"by the keys for a die: {told.first.inner_text()}"
                moments += page.locator(f"#screen {at}").count() > 0
                for way in page.evaluate(HIDDEN):
                    yield f"{lang}, #{evening.table.snapshot.seq}: {way}"
        context.close()
    assert moments, f"an evening without {at}"


@pytest.fixture
def evening(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Evening]:
    """Nobody is away, however long a page takes: that would be shown above the choices."""
    monkeypatch.setattr(presence, "AWAY", PATIENCE)
    game_id, _, dice = request.param.partition(" ")
    evening = Evening(game_id, tmp_path, typed=dice == DICE)
    yield evening
    evening.close()


@pytest.mark.parametrize("evening", shelf.games(), indirect=True)
def test_every_way_to_go_on_is_above_the_tabs(evening: Evening, chromium: Browser) -> None:
    assert [*hidden_ways(evening, chromium)] == []


@pytest.mark.parametrize("evening", ["timeline"], indirect=True)
def test_a_page_that_draws_and_folds_nothing_is_caught(
    evening: Evening, chromium: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choices, "IN_SIGHT", 10**6)
    monkeypatch.setattr(seat_page, "lit_of", lambda *_: (None, ()))
    assert any(hidden_ways(evening, chromium))


@pytest.mark.parametrize("evening", ["timeline"], indirect=True)
def test_a_page_that_folds_nothing_by_its_table_is_caught(
    evening: Evening, chromium: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choices, "NEAR", 10**6)
    monkeypatch.setattr(choices, "FEW", 10**6)
    assert any(hidden_ways(evening, chromium))


@pytest.mark.parametrize("evening", [f"us-patent {DICE}", f"one-false-step {DICE}"], indirect=True)
def test_every_key_for_a_real_die_is_above_the_tabs(evening: Evening, chromium: Browser) -> None:
    assert [*hidden_ways(evening, chromium, at=".pad .btn")] == []


@pytest.mark.parametrize("evening", [f"us-patent {DICE}"], indirect=True)
def test_a_key_below_the_first_screen_is_caught(evening: Evening, chromium: Browser) -> None:
    assert any(hidden_ways(evening, chromium, high=300, at=".pad .btn"))
