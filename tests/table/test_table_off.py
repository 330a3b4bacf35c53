"""Switching the box off with its buttons: hold BACK twice, hold OK. Anything else leaves it on."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import pytest

from companion.box import Box
from companion.core import ConfirmPage, JoinPage, TroublePage, TurnPage, WifiPage
from companion.journal import Journal
from companion.library import Tagbook
from companion.table import Desk, Machine, Referee, Table
from companion.table.desk import NO_MACHINE
from tests.pick import GAME, setup_for

from .conftest import Evening, is_a

WIFI = WifiPage("TABLE", "K7QX2M9PAB", "WIFI:T:WPA;S:TABLE;P:K7QX2M9PAB;;")
Open = Callable[[bool], tuple[Evening, list[str]]]


@pytest.fixture
def opened(journal: Journal) -> Iterator[Open]:
    tables: list[Table] = []

    def open_one(can: bool) -> tuple[Evening, list[str]]:
        asked: list[str] = []
        clock = itertools.count(1000.0).__next__
        referee = Referee.begin(GAME, setup_for(2), ("Ada", "Ben"), "strict", journal, clock)
        machine = Machine(lambda: asked.append("off"), lambda: asked.append("wifi"), WIFI)
        table = Table(Desk(referee, Tagbook(), Box(), machine=machine if can else NO_MACHINE))
        tables.append(table)
        return Evening(table, referee), asked

    yield open_one
    for table in tables:
        table.stop()


def to_the_question(evening: Evening) -> None:
    evening.press("back", held=True)
    evening.press("back", held=True)
    assert is_a(ConfirmPage, evening.now.page).said.key == "off.title"


def test_hold_back_twice_and_ok_switches_off(opened: Open) -> None:
    evening, asked = opened(True)
    to_the_question(evening)
    evening.press("ok", held=True)
    assert asked == ["off"]
    assert is_a(TroublePage, evening.now.flash).said.key == "off.going"
    assert evening.now.seq == 1, "nothing of it is a part of the game"


def test_a_short_ok_is_not_enough_and_back_leaves(opened: Open) -> None:
    evening, asked = opened(True)
    to_the_question(evening)
    evening.press("ok")
    assert isinstance(evening.now.page, ConfirmPage)
    evening.press("next")
    assert isinstance(evening.now.page, ConfirmPage)
    evening.press("back")
    assert isinstance(evening.now.page, TurnPage)
    assert asked == []


def test_the_wifi_of_the_box_is_shown_and_opened_by_holding_ok(opened: Open) -> None:
    evening, asked = opened(True)
    assert evening.press("next", held=True).page == JoinPage()
    assert evening.press("next").page == WIFI
    assert evening.press("next").page == JoinPage()
    evening.press("next")
    evening.press("ok")
    assert (asked, type(evening.now.page)) == ([], TurnPage)
    evening.press("next", held=True)
    evening.press("next")
    evening.press("ok", held=True)
    assert asked == ["wifi"]
    assert is_a(TroublePage, evening.now.flash).said.key == "wifi.going"


def test_without_a_wifi_of_its_own_there_is_only_the_address(opened: Open) -> None:
    evening, _ = opened(False)
    evening.press("next", held=True)
    evening.press("next")
    assert evening.now.page == JoinPage()


def test_where_it_cannot_it_says_so(opened: Open) -> None:
    evening, _ = opened(False)
    to_the_question(evening)
    evening.press("ok", held=True)
    assert is_a(TroublePage, evening.now.flash).said.key == "off.not-here"


def test_a_table_that_hangs_is_not_alive(opened: Open) -> None:
    evening, _ = opened(True)
    assert evening.table.is_alive(60)
    evening.table._busy_since = 0.0
    assert not evening.table.is_alive(5)
    evening.press("check")
    assert evening.table.is_alive(5), "the next letter shows that it lives"
