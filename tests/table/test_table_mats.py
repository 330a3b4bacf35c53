"""The mat under the table stands for the places of the current game, and of the next one on the same box."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app import opening
from companion.app.clock import Clock
from companion.box import Box
from companion.core import REFEREE, Asked, OpenGame, PlaceId, ReaderId, ReaderLost
from companion.journal import Journal
from companion.library import Settings, Speaker, Tagbook, mats, shelf
from companion.table import Desk, Referee
from companion.table.letters import handle
from companion.table.wishes import Done

PEOPLE = ("Ada", "Ben", "Chloé")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """ActionWorks on the mat “slots”."""
    game, tagbook, clock = shelf.open("actionworks"), Tagbook(), Clock(0.0)
    with Journal.open(tmp_path / "games.journal") as journal:
        referee = Referee.begin(game, opening.make_setup(game, 3), PEOPLE, "strict", journal, clock)
        opens = opening.opens_next(journal, tagbook, tmp_path, False, clock)
        yield Desk(referee, tagbook, Box(), None, opens, wired=opening.wired(Settings(mat="slots")))


def open_next(desk: Desk, game: str) -> None:
    table = desk.referee.table
    assert isinstance(handle(desk, Asked(f"next-{game}", REFEREE, 0, OpenGame(game, PEOPLE), table)), Done)


def test_readers_are_bound_to_the_places_of_the_game(desk: Desk) -> None:
    assert set(desk.hands.sight.zones.values()) == {PlaceId("bench")}
    assert len(desk.readers) == 9
    assert ReaderId("r01") not in desk.hands.sight.zones, "the first reader is the wand"


def test_the_zones_follow_to_the_next_game(desk: Desk) -> None:
    open_next(desk, "us-patent")
    assert desk.hands.sight.zones[ReaderId("r02")] == PlaceId("slot/0/weapon")
    assert len(desk.readers) == 1 + 3 * 4


def test_in_a_game_without_such_a_mat_every_reader_is_a_wand(desk: Desk) -> None:
    open_next(desk, "timeline")
    assert desk.hands.sight.zones == {}
    assert len(desk.readers) == mats.most_readers("slots") == 21
    open_next(desk, "actionworks")
    assert set(desk.hands.sight.zones.values()) == {PlaceId("bench")}


def test_a_silent_reader_is_named_by_its_number_and_its_place(desk: Desk) -> None:
    handle(desk, ReaderLost(ReaderId("r03")))
    (lost,) = desk.now().troubles
    speaker = Speaker(opening.load_texts(desk.referee.game), "en", desk.snapshot.names())
    assert speaker.say(lost) == "No answer from the reader no. 3 (the workbench). What lies there still counts."
    assert speaker.say(lost, "oled") == "reader 3: silent"


def test_a_game_without_the_mat_says_which_it_has() -> None:
    timeline = shelf.open("timeline")
    assert opening.lacks_mat(Settings(mat="slots"), timeline) == "timeline has no mat 'slots'; it has wand, seat, turn"
    assert opening.lacks_mat(Settings(mat="seat"), timeline) == opening.lacks_mat(Settings(), timeline) == ""


def test_one_board_serves_all_games() -> None:
    """A given reader number is at the same spot, whatever the game and mat."""
    games = [shelf.open(game_id) for game_id in shelf.games()]
    every = [mat for game in games for seats in range(game.seats[0], game.seats[1] + 1) for mat in game.mats(seats)]
    spots = {(number, spot.x, spot.y) for mat in every for number, spot in enumerate(mat.spots)}
    assert len(spots) == max(len(mat.spots) for mat in every)
