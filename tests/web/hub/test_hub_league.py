"""The league: the same results make the same table, whatever the order in which they come and however often."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.core import GameId
from companion.library import Play, Player
from web.hub.league import league
from web.hub.seasons import NoSeason, evening_of, season_at, seasons_of

DAY = 86_400.0
NOON = 1_794_916_800.0  # the eighteenth of November 2026, at noon in London
SEASONS = seasons_of(("2026-03-01 Spring", "2026-09-01 Autumn"))
NAMES = ("Ada", "Ben", "Chloé", "Dov", "Emil", "Fay", "Gus", "Hana")


def play(number: int, *players: Player, ended: float = NOON) -> Play:
    return Play(f"id-{number}", GameId("actionworks"), "ActionWorks", "Oak 4", ended - 60, ended, 1, players)


def won(number: int, *names: str, ended: float = NOON) -> Play:
    return play(number, *(Player(name, place) for place, name in enumerate(names, 1)), ended=ended)


TONIGHT = evening_of(NOON)


@st.composite
def plays(draw: st.DrawFn) -> list[Play]:
    found = []
    for number in range(draw(st.integers(1, 8))):
        who = draw(st.permutations(NAMES))[: draw(st.integers(3, 8))]
        places = sorted(draw(st.lists(st.integers(1, len(who)), min_size=len(who), max_size=len(who))))
        players = [Player(name, place) for name, place in zip(who, [1, *places[1:]], strict=True)]
        found.append(play(number, *players, ended=NOON + draw(st.integers(0, 3)) * DAY))
    return found


@settings(max_examples=30, deadline=None)
@given(plays(), st.randoms(use_true_random=False))
def test_order_of_arrival_and_repetition_change_nothing(found: list[Play], chance: object) -> None:
    before = league(found, SEASONS, TONIGHT)
    shuffled = [*found, *found[:3]]
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    after = league(shuffled, SEASONS, TONIGHT)
    assert after == before
    assert sum(row.games for row in before.rows) == sum(len(each.players) for each in found)


def test_who_wins_rises_and_equals_stay_equal() -> None:
    table = league([play(1, Player("Ada", 1), Player("Ben", 2), Player("Chloé", 2))], SEASONS, TONIGHT)
    assert [(row.rank, row.name, row.wins) for row in table.rows] == [(1, "Ada", 1), (2, "Ben", 0), (2, "Chloé", 0)]
    assert table.rows[0].rating > 25 > table.rows[1].rating == table.rows[2].rating


def test_a_season_begins_anew() -> None:
    spring = won(1, "Ben", "Ada", ended=NOON - 200 * DAY)
    autumn = won(2, "Ada", "Ben")
    assert season_at(SEASONS, evening_of(spring.ended)).name == "Spring"
    table = league([spring, autumn], SEASONS, TONIGHT)
    assert (table.season.name, [row.name for row in table.rows], len(table.evenings)) == ("Autumn", ["Ada", "Ben"], 1)
    assert league([spring, autumn], SEASONS, evening_of(spring.ended)).rows[0].name == "Ben"
    assert season_at(SEASONS, date(2025, 1, 1)).name == ""


def test_an_evening_goes_on_after_midnight(monkeypatch: pytest.MonkeyPatch) -> None:
    midnight = 1_794_960_000.0
    assert evening_of(midnight - 3600) == evening_of(midnight + 3600)
    assert evening_of(midnight + 12 * 3600) != evening_of(midnight)


def test_what_the_last_evening_changed() -> None:
    table = league([won(1, "Ada", "Ben"), won(2, "Ben", "Chloé", ended=NOON + DAY)], SEASONS, TONIGHT)
    by = {row.name: row for row in table.rows}
    assert by["Ada"].tonight is None
    assert by["Ben"].tonight is not None
    assert by["Ben"].tonight > 0
    assert by["Chloé"].tonight == pytest.approx(by["Chloé"].rating - 25, abs=0.1)


def test_bots_the_nameless_and_those_left_out_are_not_in_it() -> None:
    mixed = play(1, Player("Ada", 1), Player("Ben", 2), Player("Rob", 3, bot=True), Player("", 4), Player("Zoë", 5))
    table = league([mixed], SEASONS, TONIGHT, frozenset({"zoë"}))
    assert [row.name for row in table.rows] == ["Ada", "Ben"]
    alone = play(2, Player("Ada", 1), Player("Rob", 2, bot=True))
    assert league([alone], SEASONS, TONIGHT).rows == ()
    nobody = replace(mixed, players=(Player("Ada", 0), Player("Ben", 0)))
    assert league([nobody], SEASONS, TONIGHT).rows == ()


def test_one_person_however_the_name_is_typed_and_two_of_one_name_at_a_table_are_nobody() -> None:
    table = league([won(1, "Ada", "Ben"), won(2, "ada ", "BEN")], SEASONS, TONIGHT)
    assert [(row.name, row.games) for row in table.rows] == [("Ada", 2), ("Ben", 2)]
    assert league([won(1, "Ada", "ada", "Ben")], SEASONS, TONIGHT).rows == ()


def test_a_season_that_nobody_can_read_says_what_to_write() -> None:
    with pytest.raises(NoSeason, match="2026-03-01 Spring"):
        seasons_of(("spring",))
