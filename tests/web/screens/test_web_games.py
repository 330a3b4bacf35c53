"""axe-core finds nothing on the pages that each game draws: in mid-game and at the end, in both languages by turns."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from companion.app.kit.kit import kit_of
from companion.app.opening import load_texts
from companion.box import stack
from companion.core import SeatId
from companion.journal import Journal
from companion.library import Tagbook, shelf
from companion.table import Chair, Desk, Referee, Table
from tests.chromium import give_cookies, new_phone
from tests.web.conftest import Box, violations
from web import create_app
from web.door import key_of
from web.live.server import WebServer

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PEOPLE, MIDDLE, MOST = ("Ada", "Ben", "Chloé"), 60, 5000
LOOKS = (("en", "light"), ("fr", "dark"))


@contextmanager
def played(game: str, folder: Path, acts: int) -> Iterator[tuple[str, Table]]:
    """A table after this many acts, or at its end, with a phone at every seat; its address."""
    kit, chance = kit_of(game), random.Random(5)
    with Journal.open(folder / f"{game}.journal") as journal:
        clock = itertools.count(1000.0).__next__
        referee = Referee.begin(kit.game, kit.setup(len(PEOPLE)), PEOPLE, "strict", journal, clock)
        for seat, name in enumerate(PEOPLE):
            referee.seat(SeatId(seat), Chair(name, key_of(f"phone-{seat}")), None)
        for _ in range(acts):
            if kit.game.result(referee.at.state) is not None:
                break
            referee.act(kit.sensible_pick(referee.at.state, chance), None, on_box=True)
        table = Table(Desk(referee, Tagbook(), stack.Box(), None))
        table.start()
        app = create_app(table, load_texts, Box(table), ("127.0.0.1",), address=lambda: "http://192.168.178.104:8000")
        with WebServer(app, "127.0.0.1") as server:
            yield f"http://127.0.0.1:{server.port}", table
        table.stop()


def read(browser: Browser, url: str, axe: str, seat: int, looks: dict[str, tuple[int, int]]) -> list[str]:
    """What axe finds on these pages, each on a screen of its size, and by turns as a phone may look; for each seat
    another one begins.
    """
    found = list[str]()
    for n, (path, (width, height)) in enumerate(looks.items()):
        lang, theme = LOOKS[(n + seat) % len(LOOKS)]
        context = new_phone(browser, width, height, lang, bypass_csp=True)
        give_cookies(context, url, lang=lang, theme=theme, seat=f"phone-{seat}")
        page: Page = context.new_page()
        page.add_init_script(axe)
        page.goto(url + path)
        found += [f"{lang}: {each}" for each in violations(page)]
        context.close()
    return found


@pytest.mark.parametrize("game", shelf.games())
def test_axe_finds_nothing_in_the_middle_of_a_game(chromium: Browser, axe: str, tmp_path: Path, game: str) -> None:
    looks = {"/pretend": (1280, 800), "/seat": (390, 844), "/table": (390, 844), "/tv": (1920, 1080)}
    with played(game, tmp_path, MIDDLE) as (url, table):
        seat = next(seat for seat in table.snapshot.awaited if seat >= 0)
        assert read(chromium, url, axe, seat, looks) == []


@pytest.mark.parametrize("game", shelf.games())
def test_axe_finds_nothing_at_the_end_of_a_game(chromium: Browser, axe: str, tmp_path: Path, game: str) -> None:
    looks = {"/seat": (390, 844), "/report": (390, 844), "/tv": (1920, 1080)}
    with played(game, tmp_path, MOST) as (url, table):
        assert table.snapshot.result is not None
        assert read(chromium, url, axe, 0, looks) == []
