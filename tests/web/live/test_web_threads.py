"""Everybody looks while the game runs: the pretend page, eight phones and a display, with bots that never rest."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path

import pytest
from flask import Flask

from companion.app.bots import BotSeats
from companion.app.opening import load_texts, make_setup
from companion.box import stack as box_itself
from companion.core import GameId, SeatId
from companion.journal import Journal
from companion.library import Tagbook
from companion.library.shelf import open as open_game
from companion.table import Chair, Desk, Referee, Table, pick_by_weight
from tests.patience import PATIENCE
from tests.web.conftest import HOST, Box
from web import create_app
from web.door import Limits, key_of
from web.door.limits import Pace

NAMES = ("Ada", "Ben", "Chloé", "Dan", "Eve", "Flo", "Gil", "Hal")
ACTS = 70
PAGES = ("/seat", "/table", "/history", "/check", "/report", "/corrections", "/api/v1/view", "/more")
OFTEN = Pace(10**9, 1)


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads switch a thousand times as often as usual: whatever can come between two steps does."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """U.S. Patent with eight seats; each has a phone, and a bot that plays for it."""
    game = open_game(GameId("us-patent"))
    with Journal.open(tmp_path / "journal.db", _synchronous="OFF") as journal:
        referee = Referee.begin(game, make_setup(game, len(NAMES)), NAMES, "strict", journal, lambda: 0.0)
        for seat, name in enumerate(NAMES):
            referee.seat(SeatId(seat), Chair(name, key_of(f"phone-{seat}"), bot=True), None)
        table = Table(Desk(referee, Tagbook(), box_itself.Box(), pick_by_weight))
        table.start()
        yield table
        table.stop()


@pytest.fixture
def app(table: Table, box: Box) -> Flask:
    limits = Limits({"join": OFTEN, "post": OFTEN, "get": OFTEN, "seated": OFTEN})
    return create_app(table, load_texts, box, (HOST,), tagbook=Tagbook(), limits=limits)


def phone(app: Flask, seat: int, paths: tuple[str, ...]) -> Callable[[], None]:
    """Somebody who goes from page to page; every one must be there."""
    client, pages = app.test_client(), cycle((*paths[seat:], *paths[:seat]))
    client.set_cookie("companion-seat", f"phone-{seat}", domain=HOST)

    def look() -> None:
        path = next(pages)
        answer = client.get(path, base_url=f"http://{HOST}")
        assert answer.status_code == 200, f"{path}: {answer.status}"

    return look


def reader(table: Table) -> Callable[[], None]:
    """Reads everything that the newest snapshot holds, one thing after the other."""

    def look() -> None:
        here = table.snapshot
        assert [entry.seq for entry in here.history] == list(range(1, here.seq + 1))
        assert {seq: deed.intent.actor for seq, deed in here.deeds.items()}.keys() <= {*range(1, here.seq + 1)}
        assert all(here.states[seq] is not None for seq in here.at.line)

    return look


class Onlooker(threading.Thread):
    """Looks again and again until the game is far enough; keeps what went wrong."""

    def __init__(self, look: Callable[[], None], enough: threading.Event) -> None:
        super().__init__(daemon=True)
        self._look, self._enough = look, enough
        self.looks = 0
        self.wrong: list[str] = []

    def run(self) -> None:
        while not self._enough.is_set() and not self.wrong:
            try:
                self._look()
                self.looks += 1
            except Exception as error:  # noqa: BLE001 - told by the test
                self.wrong.append(f"{type(error).__name__}: {error}")


@pytest.mark.slow
def test_nobody_who_looks_is_disturbed_by_a_game_that_goes_on(
    table: Table, app: Flask, hasty: None, caplog: pytest.LogCaptureFixture
) -> None:
    enough, bots = threading.Event(), BotSeats(table, thinking=0)
    table.subscribe(lambda now: enough.set() if now.seq >= ACTS or now.result is not None else None)
    looks = [phone(app, 0, ("/pretend",)), reader(table), *(phone(app, seat, PAGES) for seat in range(len(NAMES)))]
    onlookers = [Onlooker(look, enough) for look in looks]
    for onlooker in onlookers:
        onlooker.start()
    bots.start()
    is_enough = enough.wait(PATIENCE)
    enough.set()
    for onlooker in onlookers:
        onlooker.join(PATIENCE)
    bots.close()
    wrong = [told for onlooker in onlookers for told in onlooker.wrong]
    assert (wrong, [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]) == ([], [])
    assert is_enough, table.snapshot.seq
    assert min(onlooker.looks for onlooker in onlookers) > 0
