"""The games on the shelf."""

from __future__ import annotations

import logging
from typing import Any, Final

from msgspec import Struct

from companion.core import Game, say
from companion.library import LeftOut, Speaker
from companion.library import shelf as games
from web.screen import Page, Screen, Visit

log = logging.getLogger(__name__)


class GameOnShelf(Struct, frozen=True):
    id: str
    title: str
    low: int
    high: int
    here: bool


class ShelfScreen(Struct, frozen=True):
    games: tuple[GameOnShelf, ...]
    may_open: bool
    left_out: tuple[LeftOut, ...] = ()


def may_open(visit: Visit) -> bool:
    """Whether this phone could begin the next game now; the table has the last word."""
    return visit.phone.referee or (visit.phone.seat is not None and visit.seen.result is not None)


def shelf_screen(visit: Visit) -> Screen:
    found = []
    for game_id in games.games():
        try:
            found.append(on_shelf(visit, games.open(game_id)))
        except Exception as error:  # noqa: BLE001 - a folder that gives no game, for whatever reason, does not hide the others
            log.warning("%s is not on the shelf: %s", game_id, error)
    model = ShelfScreen(tuple(found), may_open(visit), games.left_out())
    return Screen("shelf", say("web.title.shelf"), "more", model)


def on_shelf(visit: Visit, game: Game[Any, Any]) -> GameOnShelf:
    title = Speaker(visit.dash.texts_of(game), visit.phone.lang).key("game.title")
    return GameOnShelf(game.id, title, *game.seats, here=game.id == visit.seen.game.id)


PAGES: Final = (Page("shelf", shelf_screen, live=True),)
