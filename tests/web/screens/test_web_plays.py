"""Plays on the phone: who sees them, and the files."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from companion.core import GameId
from companion.library import Play, Player
from tests.web.conftest import Phone
from web import dashboard_of

PLAYS = tuple(
    Play(f"id-{n}", GameId("actionworks"), "ActionWorks", "Table 2", 60.0 * n, 9000.0, 65, players)
    for n, players in enumerate([(Player("Ada", 2, 41), Player("Ben", 1, 64)), (Player("Zoë", 0, 3), Player("", 0, 2))])
)


@pytest.fixture(autouse=True)
def kept(app: Flask) -> Flask:
    dashboard_of(app).plays = lambda: PLAYS
    return app


def test_plays_are_listed_best_first(ada: Phone) -> None:
    html = ada.html("/plays")
    assert html.index("1 Ben") < html.index("2 Ada")
    assert "– Zoë" in html
    assert "#2" in html
    assert "2 plays" in html
    assert "/plays" in ada.html("/more")


@pytest.mark.parametrize(("file", "kind"), [("/plays.csv", "text/csv"), ("/plays.bgsplay", "application/json")])
def test_files_are_for_those_at_the_table(ada: Phone, phone: Callable[[], Phone], file: str, kind: str) -> None:
    response = ada.get(file)
    assert response.mimetype == kind
    assert b"id-1" in response.data
    assert file.removeprefix("/plays") in response.headers["Content-Disposition"]
    stranger = phone()
    assert stranger.get(file).status_code == 403
    assert "Ben" not in stranger.html("/plays")
    assert "Take a seat first" in stranger.html("/plays")


def test_before_the_first_end_it_says_so(ada: Phone, app: Flask) -> None:
    dashboard_of(app).plays = tuple
    assert "No finished games yet" in ada.html("/plays")
