"""The bar at the top of the pretend table: which game, which language, and whether bots play for the others."""

from __future__ import annotations

import logging
from itertools import takewhile
from typing import Annotated

from flask import Blueprint, Response, abort, g, jsonify
from msgspec import Meta, Struct

from companion.core import TABLE, CompanionError, GameId, SeatId
from companion.library import LANGS, Lang, Speaker, shelf
from companion.table.outside import Chair, Seen
from web.door import CommandId, body_as, remember
from web.screen import Dashboard, Visit
from web.screens.tellings import MOST, Telling, acts_for, tellings

log = logging.getLogger(__name__)


class GameChoice(Struct, frozen=True):
    id: GameId
    title: str
    here: bool


class SeatChoice(Struct, frozen=True):
    seat: SeatId
    name: str
    here: bool


class Bar(Struct, frozen=True):
    """`is_there` if this table has a host; `seats` could be played by hand while bots play the others."""

    is_there: bool
    games: tuple[GameChoice, ...] = ()
    langs: tuple[Lang, ...] = ()
    bots: bool = False
    seats: tuple[SeatChoice, ...] = ()
    told: tuple[Telling, ...] = ()
    """What bots have done since a person last acted, oldest first."""


def bar(visit: Visit) -> Bar:
    seen = visit.public
    if visit.dash.host is None:
        return Bar(is_there=False)
    bots, hands = any(map(_is_bots, seen.chairs)), _hands(seen)
    choices = (SeatChoice(SeatId(n), chair.name, n == hands) for n, chair in enumerate(seen.chairs) if not chair.key)
    return Bar(
        is_there=True,
        games=_games(visit),
        langs=tuple(lang for lang in LANGS if lang != visit.phone.lang),
        bots=bots,
        seats=tuple(choices) if bots else (),
        told=_told(seen),
    )


def _games(visit: Visit) -> tuple[GameChoice, ...]:
    """The games on the shelf; one that fails to load doesn't hide the others."""
    found = []
    for game_id in shelf.games():
        try:
            title = Speaker(visit.dash.texts_of(shelf.open(game_id)), visit.phone.lang).key("game.title")
        except CompanionError as error:
            log.warning("%s is not on the bar: %s", game_id, error)
            continue
        found.append(GameChoice(GameId(game_id), title, game_id == visit.public.game.id))
    return tuple(found)


def _is_bots(chair: Chair) -> bool:
    return chair.bot and not chair.key


def _hands(seen: Seen) -> SeatId | None:
    """The seat played by hand beside bots: one that has neither bot nor phone. None if all have one."""
    return next((SeatId(n) for n, chair in enumerate(seen.chairs) if not chair.bot and not chair.key), None)


def _first_hands(seen: Seen) -> SeatId | None:
    """Whom hands play if nobody has said: the first seat, unless somebody plays it with a phone."""
    return None if any(chair.key for chair in seen.chairs) else SeatId(0)


def _told(seen: Seen) -> tuple[Telling, ...]:
    """The newest acts, as long as bots did them; dice belong to whoever rolled them."""
    bots = {SeatId(n) for n, chair in enumerate(seen.chairs) if chair.bot}
    if not bots:
        return ()
    acts = (each for each in seen.past.recent() if each.kind == "did" and not each.undone)
    since = takewhile(lambda each: each.who in bots or each.who == TABLE, acts)
    theirs = [each for each in since if each.lines and acts_for(each) in bots | {TABLE}]
    return tellings(reversed(theirs[:MOST]))


class ChosenGame(Struct, frozen=True, forbid_unknown_fields=True):
    command: CommandId
    game: Annotated[str, Meta(max_length=40)]


class Bots(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether bots play for the others, and for whom hands play; if not given, `_first_hands`."""

    command: CommandId
    on: bool
    hands: Annotated[int, Meta(ge=0, le=11)] | None = None


class ChosenLang(Struct, frozen=True, forbid_unknown_fields=True):
    command: CommandId
    lang: Lang


def add(screens: Blueprint, dash: Dashboard) -> None:
    """The requests by which the bar asks the host, if there is one."""
    host = dash.host
    if host is None:
        return

    @screens.post("/game")
    def game() -> Response:
        wanted = body_as(ChosenGame).game
        if wanted not in shelf.games():
            abort(400)
        host.play(GameId(wanted))
        return jsonify({})

    @screens.post("/bots")
    def bots() -> Response:
        wanted, seen = body_as(Bots), dash.table.moment.public
        if wanted.hands is not None and wanted.hands >= len(seen.chairs):
            abort(400)
        host.let_bots(wanted.on, _first_hands(seen) if wanted.hands is None else SeatId(wanted.hands))
        return jsonify({})

    @screens.post("/speak")
    def speak() -> Response:
        """Sets the box's language and this page's; phones keep what their own people chose."""
        lang, phone = body_as(ChosenLang).lang, g.visit.phone
        host.speak(lang)
        response = jsonify(go=phone.prefix + "/pretend")
        remember(response, phone, "lang", lang)
        return response
