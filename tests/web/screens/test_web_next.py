"""When a game is over, the next one begins: from the box alone, or from a phone with the owner's own cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from companion.app.main import Options, Running, companion
from companion.box.choosing import Choosing
from companion.box.next_game import NextGame
from companion.box.stack import REST, press
from companion.core import Asked, ChoosePage, ConfirmPage, OpenGame, SeatId
from companion.library import SHIPPED, InBoth, OwnPacks, shelf
from companion.table import No, Snapshot
from companion.table.wishes import Done
from tests.chromium import new_phone
from tests.patience import PATIENCE


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    """A pretend table at which two bots play ActionWorks to its end."""
    names = ("Ada", "Ben")
    options = Options(tmp_path, "actionworks", names, 0, True, bots=names, thinking=0.0)
    with companion(options, tell=lambda _line: None) as running:
        until(running, lambda snapshot: snapshot.result is not None)
        yield running


def until(running: Running, is_so: Callable[[Snapshot], bool]) -> Snapshot:
    latest = running.table.latest()
    while not is_so(running.table.snapshot):
        assert latest.wait(PATIENCE), "nothing happens any more"
    latest.close()
    return running.table.snapshot


def test_the_box_alone_begins_the_next_game(running: Running) -> None:
    assert running.pretend is not None
    over = running.table.snapshot
    assert over.shelf[0].game == "actionworks", "the one just played comes first"
    running.pretend.press("next", False)
    until(running, lambda s: isinstance(s.page, ChoosePage))
    running.pretend.press("ok", False)
    until(running, lambda s: isinstance(s.page, ConfirmPage))
    running.pretend.press("ok", False)
    fresh = until(running, lambda s: s.table != over.table)
    assert fresh.game.id == "actionworks"
    assert [(chair.name, chair.bot) for chair in fresh.chairs] == [("Ada", True), ("Ben", True)]


@pytest.mark.slow
def test_a_phone_begins_it_with_the_owners_own_cards(running: Running, tmp_path: Path) -> None:
    own, game = OwnPacks(tmp_path), shelf.open("actionworks")
    name = own.copy(game, SHIPPED, "Ours", "Ada", InBoth("Ours.", "À nous."))
    pack = own.load(game, name)
    kind = game.cards[0]
    own.change(game, name, kind.write(pack, kind.read(pack)[1:]), own.mark(game, name))
    over = running.table.snapshot
    bad = Asked("command-bad", SeatId(0), 0, OpenGame("actionworks", ("Ada", "Ben"), pack="nothing"))
    assert isinstance(running.table.ask(bad), No)
    assert running.table.snapshot.table == over.table
    good = Asked("command-good", SeatId(0), 0, OpenGame("actionworks", ("Ada", "Ben"), pack=name))
    assert isinstance(running.table.ask(good), Done)
    fresh = running.table.snapshot
    assert fresh.table != over.table
    assert fresh.state.setup.pack == own.load(game, name)
    assert len(game.pieces(fresh.state.setup.pack)) == len(game.pieces(over.state.setup.pack)) - 2


@pytest.mark.slow
def test_a_pack_that_cannot_be_played_to_the_end_is_refused_and_the_game_stays(
    running: Running, tmp_path: Path
) -> None:
    own, game = OwnPacks(tmp_path), shelf.open("us-patent")
    name = own.copy(game, SHIPPED, "Ours", "Ada", InBoth("Ours.", "À nous."))
    pack, spaces = own.load(game, name), next(kind for kind in game.cards if kind.name == "space")
    rest = tuple(space for space in spaces.read(pack) if space.kind != "office")
    own.change(game, name, spaces.write(pack, rest), own.mark(game, name))
    over = running.table.snapshot
    wish = OpenGame("us-patent", ("Ada", "Ben", "Cleo"), pack=name)
    answer = running.table.ask(Asked("command-lost", SeatId(0), 0, wish))
    assert isinstance(answer, No)
    assert (answer.refusal.rule, answer.refusal.key) == ("C11", "unplayable")
    assert running.table.snapshot.table == over.table


@pytest.mark.browser
def test_the_title_of_an_open_page_is_that_of_the_game_played_now(running: Running, chromium: Browser) -> None:
    page = new_phone(chromium).new_page()
    page.goto(f"http://127.0.0.1:{running.port}/watch")
    assert page.title().endswith("· ActionWorks")
    running.table.ask(Asked("command-next", SeatId(0), 0, OpenGame("timeline", ("Ada", "Ben"))))
    page.wait_for_selector("#head >> text=TimeLine")
    assert page.title().endswith("· TimeLine")
    page.context.close()


@pytest.mark.slow
def test_while_a_game_is_played_the_box_lists_what_can_be_done(running: Running) -> None:
    over = running.table.snapshot
    listed = press(over, REST, "ok", False)[0]
    assert listed == (*REST, NextGame())
    begun = press(over, listed, "ok", False)[0]
    assert press(over, begun, "ok", False) == (REST, OpenGame(over.shelf[0].game, ("Ada", "Ben"), (), over.mode))
    assert press(over, begun, "back", False)[0] == listed
    running.table.ask(Asked("command-next", SeatId(0), 0, OpenGame("actionworks", ("Ada", "Ben"))))
    playing = until(running, lambda s: s.result is None)
    assert playing.shelf == ()
    assert press(playing, REST, "ok", False)[0] == (*REST, Choosing(listed=True))
