"""A finished game as people log it: places, and the files that other programs read."""

from __future__ import annotations

import csv
import io
import json
import uuid
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core import GameId, SeatId
from companion.library import Play, Player, as_bgstats, as_csv, places, play_id

PLAYERS = (Player("Ada", 2, 41), Player("Ben", 1, 64), Player("", 3, 12), Player("Dov", 3, 12, bot=True))
PLAY = Play(play_id("ab", 5.0), GameId("actionworks"), "ActionWorks", "Table 2", 60.0, 4000.0, 65, PLAYERS)
NAMED = (Player("=cmd()", 1), Player('a,"b"\n', 2))
PATENT = Play(
    *(play_id("cd", 7.0), GameId("us-patent"), "U.S. Patent No. 1", "Table 2", 90.0, 99.0, 0),
    players=(Player("Ben", 1), Player("Ada", 2)),
    bgg=2297,
)


@pytest.mark.parametrize(
    ("winners", "scores", "expected"),
    [
        ((1,), (41, 64, 12, 12), (2, 1, 3, 3)),
        ((0, 2), (9, 3, 9), (1, 3, 1)),
        ((2,), (None, None, None), (2, 2, 1)),
        ((0,), (3, 9, 5), (1, 2, 3)),  # it has won by something other than what is counted
        ((), (9, 3, 4), (0, 0, 0)),
    ],
)
def test_places(winners: tuple[SeatId, ...], scores: tuple[int | None, ...], expected: tuple[int, ...]) -> None:
    assert places(winners, scores) == expected


@given(st.lists(st.integers(-9, 99), min_size=2, max_size=8), st.data())
def test_places_rank_as_at_any_competition(scores: list[int], data: st.DataObject) -> None:
    winners = data.draw(st.sets(st.integers(0, len(scores) - 1), min_size=1))
    found = sorted(zip(places([SeatId(w) for w in winners], scores), range(len(scores)), strict=True))
    assert {seat for place, seat in found if place == 1} == winners
    for n, ((before, _), (place, _)) in enumerate(pairwise(found), 1):
        assert place in (before, n + 1), "equals share a place, and as many are left out"


def test_bg_stats_finds_everything_by_its_number() -> None:
    file = json.loads(as_bgstats((PLAY, PATENT)))
    by: dict[str, Any] = {kind: {each["id"]: each for each in file[kind]} for kind in ("players", "games", "locations")}
    first, second = file["plays"]
    assert by["games"][first["gameRefId"]]["name"] == "ActionWorks"
    assert by["locations"][first["locationRefId"]]["name"] == "Table 2"
    told = [
        (by["players"][s["playerRefId"]]["name"], s["score"], s["winner"], s["rank"]) for s in first["playerScores"]
    ]
    assert told == [("Ada", "41", False, 2), ("Ben", "64", True, 1), ("#3", "12", False, 3), ("Dov", "12", False, 3)]
    assert [each["isAnonymous"] for each in file["players"]] == [False, False, True, False]
    assert first["durationMin"] == 65
    patent = by["games"][second["gameRefId"]]
    assert (patent["bggId"], patent["noPoints"]) == (2297, True)
    assert by["players"][second["playerScores"][0]["playerRefId"]]["name"] == "Ben", "one person, one number"


def test_what_is_imported_twice_is_known_again() -> None:
    once, again = json.loads(as_bgstats((PLAY,))), json.loads(as_bgstats((PATENT, PLAY)))
    assert once["plays"][0]["uuid"] == again["plays"][1]["uuid"]
    assert uuid.UUID(PLAY.id) != uuid.UUID(PATENT.id)
    ada = {p["uuid"] for file in (once, again) for p in file["players"] if p["name"] == "Ada"}
    assert len(ada) == 1


def test_a_spreadsheet_has_a_line_for_each_player_and_runs_no_name() -> None:
    named = Play(*(PLAY.id, PLAY.game, "=1+1", "@home", 0.0, 1.0, 1), players=NAMED)
    rows = list(csv.DictReader(io.StringIO(as_csv((PLAY, named)))))
    assert len(rows) == 6
    assert [row["player"] for row in rows[4:]] == ["'=cmd()", 'a,"b"\n']
    assert (rows[4]["game"], rows[4]["table"], rows[4]["score"]) == ("'=1+1", "'@home", "")
    assert [row["won"] for row in rows] == ["0", "1", "0", "0", "1", "0"]
