"""A table joins a club at its box: with the dial, or with NEXT and OK alone."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TypeVar

import pytest

from companion.box import Box
from companion.core import (
    CODE_SIGNS,
    ChoosePage,
    ConfirmPage,
    HubFound,
    Hubs,
    JoinPage,
    NumberPage,
    SpellPage,
    TroublePage,
    TurnPage,
    say,
)
from companion.journal import Journal
from companion.library import Tagbook
from companion.table import Desk, JoinClub, Referee, Snapshot, Table
from tests.pick import GAME, setup_for
from tests.table.conftest import Evening, is_a, journal

__all__ = ["journal"]
CODE = "K7MPQ2XW"
FOUND = Hubs(True, (HubFound("Club night", "192.168.1.20:8090"),), "192.168.1.")
NOBODY = Hubs(True, (), "192.168.1.")
T = TypeVar("T")


class Asked:
    """Stands in for whatever looks and joins; only notes what it was asked."""

    def __init__(self) -> None:
        self.looked, self.joins = 0, list[JoinClub]()

    def look(self) -> None:
        self.looked += 1

    def join(self, wish: JoinClub) -> None:
        self.joins.append(wish)


class AtTheBox(Evening):
    """Somebody at the box of a table that may join clubs."""

    def __init__(self, table: Table, referee: Referee) -> None:
        super().__init__(table, referee)
        self.asked = Asked()
        table.joins_by(self.asked)
        self.hears()

    def hears(self) -> Snapshot:
        """What the table was told besides the box."""
        self.now = self._shown.get(timeout=60)
        return self.now

    def finds(self, hubs: Hubs) -> Snapshot:
        self.table.hubs(hubs)
        return self.hears()

    def to_clubs(self, hubs: Hubs) -> Snapshot:
        self.press("next", held=True)
        is_a(ConfirmPage, self.press("next").page)
        assert is_a(TroublePage, self.press("ok").page).said.key == "club.looking"
        return self.finds(hubs)

    def spells(self, words: str) -> Snapshot:
        """With the dial, whichever way round is shorter."""
        for sign in words:
            page = is_a(SpellPage, self.now.page)
            steps = page.signs.index(sign) - page.at
            around = len(page.signs)
            self.turn((steps + around // 2) % around - around // 2)
            assert is_a(SpellPage, self.now.page).sign == sign
            self.press("ok")
        return self.now


@pytest.fixture
def box(journal: Journal) -> Iterator[AtTheBox]:
    referee = Referee.begin(GAME, setup_for(2), ("Ada", "Ben"), "strict", journal, itertools.count(1000.0).__next__)
    table = Table(Desk(referee, Tagbook(), Box()))
    yield AtTheBox(table, referee)
    table.stop()


def test_address_code_and_number_are_typed_with_the_dial(box: AtTheBox) -> None:
    page = is_a(ChoosePage, box.to_clubs(NOBODY).page)
    assert [row.key for row in page.items] == ["club.type"]
    assert is_a(SpellPage, box.press("ok").page).typed == "192.168.1.", "as addresses begin here"
    assert is_a(SpellPage, box.spells("20").page).typed == "192.168.1.20"
    assert is_a(SpellPage, box.press("ok", held=True).page).of == len(CODE)
    assert is_a(NumberPage, box.spells(CODE).page).at == 1
    box.turn(6)
    box.press("ok")
    assert box.asked.joins == [], "it is shown once more before it is sent"
    box.press("ok")
    assert box.asked.joins == [JoinClub("192.168.1.20", CODE, 7)]
    assert is_a(TroublePage, box.now.flash).said.key == "club.going"
    box.table.joined(say("club.joined"), joined=True)
    assert isinstance(box.hears().page, TurnPage)
    assert is_a(TroublePage, box.now.flash).said.key == "club.joined"
    assert box.now.seq == 1, "nothing of it is a part of the game"


def test_next_and_ok_are_enough(box: AtTheBox) -> None:
    """A hub was found; NEXT moves on one character at a time."""
    page = is_a(ChoosePage, box.to_clubs(FOUND).page)
    assert [row.key for row in page.items] == ["choice", "club.type"]
    box.press("ok")
    for sign in CODE:
        while is_a(SpellPage, box.now.page).sign != sign:
            box.press("next", held=True)
        box.press("ok")
    for _ in range(2):
        box.press("ok")
    assert box.asked.joins == [JoinClub("192.168.1.20:8090", CODE, 1)]


def test_a_wrong_code_is_said_and_mended(box: AtTheBox) -> None:
    box.to_clubs(Hubs(True, FOUND.near, "192.168.1.", "Oak 4"))
    box.press("ok")
    box.spells("K7MPQ2XX")
    is_a(ConfirmPage, box.now.page)
    box.press("ok")
    assert box.asked.joins == [JoinClub("192.168.1.20:8090", "K7MPQ2XX")], "a table with a name keeps it"
    box.table.joined(say("club.no.wrong"), joined=False)
    assert isinstance(box.hears().page, ConfirmPage), "what was typed is still there"
    assert is_a(TroublePage, box.now.flash).said.key == "club.no.wrong"
    assert box.now.signal == "trouble"
    assert is_a(SpellPage, box.press("back").page).typed == "K7MPQ2XX"
    assert is_a(SpellPage, box.press("back").page).typed == "K7MPQ2X"
    box.spells("W")
    box.press("ok")
    assert box.asked.joins[1] == JoinClub("192.168.1.20:8090", CODE)


def test_back_deletes_and_then_leaves(box: AtTheBox) -> None:
    box.to_clubs(NOBODY)
    box.press("ok")
    assert is_a(SpellPage, box.press("back").page).typed == "192.168.1"
    assert is_a(SpellPage, box.press("back", held=True).page).typed == ""
    assert isinstance(box.press("back").page, ChoosePage)
    assert isinstance(box.press("back").page, TurnPage)


@pytest.mark.parametrize("typed", ["", "7", "2.5", "256", "20:", "20:99999", "20:8090:1"])
def test_what_is_no_address_goes_no_further(box: AtTheBox, typed: str) -> None:
    box.to_clubs(NOBODY)
    box.press("ok")
    if typed == "7":
        box.press("back")
    box.spells(typed)
    box.press("ok", held=True)
    assert is_a(SpellPage, box.now.page).of == 0
    assert is_a(TroublePage, box.now.flash).said.key == "club.no.address"


def test_a_port_is_typed_after_a_colon_and_the_tick_ends_it(box: AtTheBox) -> None:
    box.to_clubs(NOBODY)
    box.press("ok")
    box.spells("20:8091")
    box.turn(-2)
    assert is_a(SpellPage, box.now.page).sign == ""
    assert is_a(SpellPage, box.press("ok").page).signs == tuple(CODE_SIGNS)


def test_while_it_looks_nothing_is_taken_and_back_leaves(box: AtTheBox) -> None:
    box.press("next", held=True)
    box.press("next")
    box.press("ok")
    for _ in range(2):
        assert isinstance(box.press("ok").page, TroublePage)
    assert box.asked.looked == 1
    assert isinstance(box.press("back").page, TurnPage)
    box.finds(FOUND)
    assert isinstance(box.now.page, TurnPage), "nobody waits for it any more"


def test_whoever_left_is_not_torn_from_what_they_do_now(box: AtTheBox) -> None:
    box.to_clubs(FOUND)
    box.press("ok")
    box.spells(CODE)
    box.press("ok")
    box.press("ok")
    box.press("back", held=True)
    box.press("next", held=True)
    box.table.joined(say("club.joined"), joined=True)
    assert isinstance(box.hears().page, JoinPage)


def test_a_table_that_is_shown_says_where(box: AtTheBox) -> None:
    box.table.shown_at("Café Tournesol")
    box.hears()
    box.press("next", held=True)
    assert is_a(ConfirmPage, box.press("next").page).said.key == "club.shown"
    assert isinstance(box.press("next").page, JoinPage)
