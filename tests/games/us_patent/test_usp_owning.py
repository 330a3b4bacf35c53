"""Owners of the printed game enter their cards and their map: impossible values are reported beside their field."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.app.opening import make_setup
from companion.core import CardKind, Unplayable
from companion.games.us_patent import GAME
from companion.games.us_patent.owning import INVENTORS, LINKS, SPACES, UPGRADES
from companion.games.us_patent.state import Inventor, Link, Pack, Space
from companion.games.us_patent.state.cards import Words
from tests.games.us_patent.play import CLERK, setup_for

YEARS = sorted(machine.year for machine in CLERK.inventors)
MIDDLE = next(machine for machine in CLERK.inventors if machine.year == YEARS[3])


def wrong(card: Inventor) -> list[tuple[str, str]]:
    assert INVENTORS.wrong is not None
    return [(found.field, found.said.key) for found in INVENTORS.wrong(CLERK, card)]


@pytest.mark.rule("P.aq")
def test_no_two_time_machines_are_of_one_year() -> None:
    for year in (YEARS[3] - 1, YEARS[3] + 1, YEARS[0] - 1, YEARS[-1] + 1):
        assert wrong(replace(MIDDLE, id="newcomer", year=year)) == []
    for year in YEARS:
        assert wrong(replace(MIDDLE, id="newcomer", year=year)) == [("year", "card.inventor.twice")]
    assert wrong(MIDDLE) == [], "it may keep its own year"
    assert wrong(replace(MIDDLE, id="a", year=YEARS[0])) == [("year", "card.inventor.twice")]
    assert wrong(replace(MIDDLE, id="zz", year=YEARS[0])) == [("year", "card.inventor.twice")]


@pytest.mark.rule("P2")
def test_a_time_machine_starts_on_the_map() -> None:
    for start in ("0/aa", "4/zz", "8/zzz"):
        assert wrong(replace(MIDDLE, start=start)) == [("start", "card.no-such-space")]


@pytest.mark.rule("P.ak")
def test_a_space_is_entered_once_and_a_link_has_two_ends() -> None:
    assert SPACES.wrong is not None
    assert LINKS.wrong is not None
    spaces = [space.id for space in CLERK.spaces]
    for taken in (min(spaces), max(spaces), "4/lab"):
        assert [found.field for found in SPACES.wrong(CLERK, Space(taken))] == ["id"]
    for free in ("0/aa", "4/lac", "8/zzz"):
        assert SPACES.wrong(CLERK, Space(free)) == ()
    assert LINKS.wrong(CLERK, Link("1/lab", "4/lab")) == ()
    lost = [found.field for found in LINKS.wrong(CLERK, Link("1/aaa", "8/zzz"))]
    assert lost == ["a", "b"]
    assert [found.field for found in LINKS.wrong(CLERK, Link("1/lab", "4/lac"))] == ["b"]


@pytest.mark.rule("P.ak")
def test_a_space_that_is_taken_off_takes_its_links_along() -> None:
    gone = "4/lab"
    rest = tuple(space for space in SPACES.read(CLERK) if space.id != gone)
    after = SPACES.write(CLERK, rest)
    assert after.spaces == rest
    assert after.links == tuple(link for link in CLERK.links if gone not in (link.a, link.b))
    assert 0 < len(CLERK.links) - len(after.links) < len(CLERK.links)


def test_what_is_written_is_read_again() -> None:
    kinds: tuple[CardKind[Pack, Any], ...] = (UPGRADES, INVENTORS, LINKS)
    for kind in kinds:
        cards = kind.read(CLERK)[1:]
        assert kind.read(kind.write(CLERK, cards)) == cards
    assert LINKS.said(Link("1/lab", "4/market")).key == "card.link"
    assert UPGRADES.said(CLERK.upgrades[0]).key == "piece.upgrade"
    assert INVENTORS.said(MIDDLE).key == "piece.machine"


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"inventors": (MIDDLE, replace(MIDDLE, id="newcomer"))}, "two Time Machines are of"),
        ({"inventors": (MIDDLE, replace(MIDDLE, year=1))}, "two cards are called"),
        ({"spaces": (*CLERK.spaces, CLERK.spaces[0])}, "two spaces are called"),
        ({"links": (Link("1/lab", "1/nowhere"),)}, "there is no space 1/nowhere"),
        ({"years": CLERK.years[:-1]}, "years holds 8 numbers"),
        ({"years": (*CLERK.years, 3000)}, "years holds 10 numbers"),
    ],
)
def test_a_pack_that_contradicts_itself_says_how(changed: dict[str, object], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        replace(CLERK, **changed)


def test_an_empty_pack_needs_no_years() -> None:
    assert Pack("", Words("", ""), Words("", ""), (), (), (), (), ()).years == ()


def without(pack: Pack, *names: str) -> Pack:
    """The map without these spaces."""
    return SPACES.write(pack, tuple(space for space in pack.spaces if space.id not in names))


@pytest.mark.rule("P30")
def test_a_map_without_a_patent_office_is_not_played_and_says_why() -> None:
    lost = without(CLERK, "0/office")
    with pytest.raises(Unplayable, match="no Patent Office on the map, so nobody can win"):
        make_setup(GAME, 3, pack=lost)
    assert [said.key for _, said in GAME.unplayable(lost)] == ["pack.no-office"]
    assert GAME.unplayable(CLERK) == ()
    elsewhere = tuple(replace(space, kind="office") if space.id == "3/a" else space for space in lost.spaces)
    assert GAME.unplayable(replace(lost, spaces=elsewhere)) == (), "an owner's Office may be anywhere"


@pytest.mark.rule("P30", "P.ak")
def test_an_office_to_which_no_way_leads_is_not_played_either() -> None:
    cut = replace(CLERK, links=tuple(link for link in CLERK.links if "0/office" not in (link.a, link.b)))
    with pytest.raises(Unplayable, match="to the Patent Office"):
        make_setup(GAME, 3, pack=cut)
    one_way = replace(cut, links=(*cut.links, Link("2/library", "0/office", one_way=True)))
    assert GAME.unplayable(one_way) == ()
    trap = replace(
        CLERK, spaces=(*CLERK.spaces, Space("5/pit")), links=(*CLERK.links, Link("5/a", "5/pit", one_way=True))
    )
    assert [text for text, _ in GAME.unplayable(trap)] == ["no way leads from 5/pit to the Patent Office"]
    out_of_the_way = replace(CLERK, spaces=(*CLERK.spaces, Space("5/pit")))
    assert GAME.unplayable(out_of_the_way) == (), "nobody gets there"


@pytest.mark.rule("P30")
def test_a_game_that_is_on_with_such_a_map_still_opens() -> None:
    assert GAME.start(setup_for(3, without(CLERK, "0/office"))).steps


@pytest.mark.rule("P2")
def test_a_start_that_is_not_on_the_map_is_told_in_the_same_way() -> None:
    assert [said.key for _, said in GAME.unplayable(without(CLERK, "1/lab"))] == ["pack.lost-start"]
