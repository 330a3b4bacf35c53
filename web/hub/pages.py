"""The pages of a hub, for everybody: the wall, a single table, the evening, the league, a player."""

from __future__ import annotations

import time
from datetime import date
from typing import Any

from flask import Blueprint, Response, abort, jsonify, request
from msgspec import Struct

from companion.core import Name
from companion.library import Lang, Play
from web.door import CommandId, Theme, body_as, remember
from web.draw import code_of
from web.screens.plays import as_file, in_order

from .hub import Hub, Look, look_of
from .large import Large
from .league import League, Rated, key_of
from .seasons import ALWAYS, evening_of
from .wall import Wall, state_of

TOP = 10
"""How much of the league is shown beside the wall."""
MOST_FREE = 2


class Liking(Struct, frozen=True, forbid_unknown_fields=True):
    """How this browser would like to read from now on."""

    command: CommandId
    lang: Lang
    theme: Theme


class Ended(Struct, frozen=True):
    """A finished play in a list, as text."""

    clock: str
    day: str
    title: str
    table: str
    minutes: int
    players: tuple[tuple[int, str, str], ...]


def ended(look: Look, play: Play) -> Ended:
    at = time.localtime(play.ended)
    title = look.hub.title(play.game, look.phone.lang)
    return Ended(
        time.strftime("%H:%M", at), evening_of(play.ended).isoformat(), title, play.table, play.minutes, in_order(play)
    )


def aside(look: Look) -> dict[str, Any]:
    """What is shown beside the tables: the top of the league, what has just ended, how to get here."""
    results = look.hub.results
    tonight = results.tonight()
    return {
        "league": results.league(tonight),
        "top": TOP,
        "season": season_name(look, results.league(tonight)),
        "ended": tuple(ended(look, play) for play in results.evening(tonight)),
        "qr": code_of(look.hub.address()),
        "free": _free(look),
        "hidden": look.hub.floor.hidden(),
        "connected": look.hub.is_connected(),
        "delay": round(look.hub.floor.delay / 60),
    }


def tonight(look: Look) -> dict[str, int]:
    """How many tables and people are here; bots don't count."""
    here = [table for table in look.hub.floor.tables() if table.here]
    seens = [seen for table in here if (seen := look.hub.floor.look(table).seen) is not None]
    return {"tables": len(here), "people": sum(not chair.bot for seen in seens for chair in seen.chairs)}


def _free(look: Look) -> tuple[str, ...]:
    """Tables at which somebody could sit down."""
    floor = look.hub.floor
    seens = ((table, floor.look(table).seen) for table in floor.tables())
    return tuple(table.name for table, seen in seens if seen is not None and state_of(table, seen) == "free")[
        :MOST_FREE
    ]


def season_name(look: Look, league: League) -> str:
    return league.season.name if league.season != ALWAYS else look.words.key("web.hub.season.none")


def cards(look: Look, wall: Wall) -> tuple[str, ...]:
    return tuple(wall.card(table, look.phone) for table in look.hub.floor.tables())


def blueprint(hub: Hub, wall: Wall, large: Large) -> Blueprint:
    ways = Blueprint("pages", __name__)
    _tables(ways, hub, wall, large)
    _lists(ways, hub)
    return ways


def _tables(ways: Blueprint, hub: Hub, wall: Wall, large: Large) -> None:
    @ways.get("/")
    @ways.get("/wall", endpoint="also-wall")
    def floor() -> str:
        look = look_of(hub)
        return look.page(
            "wall",
            look.words.key("web.hub.title.wall"),
            "wall",
            cards=cards(look, wall),
            **aside(look),
            **tonight(look),
        )

    @ways.get("/table/<table>")
    def one(table: str) -> str:
        found = hub.floor.find(table) or abort(404)
        return large.page(look_of(hub), found)

    @ways.get("/mini/<table>")
    def mini(table: str) -> Response:
        found = hub.floor.find(table) or abort(404)
        response = Response(wall.mini(found, look_of(hub).phone), mimetype="text/html")
        response.headers["Cache-Control"] = "private, max-age=300"  # its address changes with its content
        response.headers["Vary"] = "Cookie, Accept-Language"
        return response

    @ways.post("/settings")
    def settings() -> Response:
        liking, look = body_as(Liking), look_of(hub)
        response = jsonify(go="")
        remember(response, look.phone, "lang", liking.lang)
        remember(response, look.phone, "theme", liking.theme)
        return response


def _lists(ways: Blueprint, hub: Hub) -> None:
    @ways.get("/evening")
    @ways.get("/evening/<day>", endpoint="evening-of")
    def evening(day: str = "") -> str:
        look, at = look_of(hub), _evening(hub, day)
        plays = tuple(ended(look, play) for play in hub.results.evening(at))
        days = tuple(each.isoformat() for each in hub.results.evenings())
        more: dict[str, Any] = {"plays": plays, "day": at.isoformat(), "days": days}
        return look.page("evening", look.words.key("web.hub.title.evening"), **more)

    @ways.get("/league")
    @ways.get("/league/<day>", endpoint="league-of")
    def table(day: str = "") -> str:
        look, at = look_of(hub), _evening(hub, day)
        league = hub.results.league(at)
        seasons = tuple((each.begins.isoformat(), each.name) for each in hub.results.seasons)
        more: dict[str, Any] = {"league": league, "season": season_name(look, league), "seasons": seasons}
        return look.page("league", look.words.key("web.hub.title.league"), **more)

    @ways.get("/player/<name>")
    def player(name: str) -> str:
        look, at = look_of(hub), _evening(hub, request.args.get("at", ""))
        league = hub.results.league(at)
        standing = league.players.get(key_of(name)) or abort(404)
        row = next(row for row in league.rows if key_of(row.name) == key_of(name))
        plays = tuple(ended(look, play) for play in reversed(standing.plays))
        more: dict[str, Any] = {"row": row, "plays": plays, "games": _by_game(look, standing)}
        title, season = look.words.key("web.hub.title.player", name=Name(row.name)), season_name(look, league)
        return look.page("player", title, season=season, **more)

    @ways.get("/plays.<any(bgsplay, csv):kind>")
    def plays(kind: str) -> Response:
        day = request.args.get("evening", "")
        found = hub.results.evening(_evening(hub, day)) if day else hub.results.plays()[::-1]
        return as_file(found, f"club-{day or hub.results.tonight().isoformat()}", kind)


def _evening(hub: Hub, day: str) -> date:
    """The evening that an address names; without one, tonight or the last evening with a play."""
    if not day:
        evenings = hub.results.evenings()
        return evenings[0] if evenings else hub.results.tonight()
    try:
        return date.fromisoformat(day)
    except ValueError:
        abort(404)


def _by_game(look: Look, standing: Rated) -> tuple[tuple[str, int, int], ...]:
    """For each game: its title, how often it was played, and how often won."""
    key, found = key_of(standing.name), dict[str, tuple[int, int]]()
    for play in standing.plays:
        title = look.hub.title(play.game, look.phone.lang)
        games, wins = found.get(title, (0, 0))
        won = any(player.won for player in play.players if key_of(player.name) == key)
        found[title] = games + 1, wins + won
    return tuple((title, games, wins) for title, (games, wins) in sorted(found.items()))
