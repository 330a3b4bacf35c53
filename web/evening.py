"""The shelf, setting up the next game, and the report of the evening."""

from __future__ import annotations

import logging
import time
from typing import Annotated, Any, Literal

from flask import Blueprint, Response, abort, g, jsonify, request
from msgspec import Meta, Struct

from companion.core.errors import CompanionError
from companion.core.facts import Refusal, say
from companion.core.game import Game
from companion.core.ids import SeatId
from companion.core.inputs import Asked, OpenGame
from companion.library import shelf
from companion.library.published import LeftOut
from companion.library.texts import Speaker
from companion.table.answers import No
from companion.table.record import own_rule
from companion.table.sitting import question
from companion.table.snapshot import Snapshot

from . import rendering
from .asking import LONGEST_NAME, clean_name
from .dashboard import Dashboard
from .guard import body_as
from .join import CommandId, refused
from .pack_screens import packs_of
from .report import report_screen
from .screen import Query, Screen
from .session import Phone

log = logging.getLogger(__name__)
Word = Annotated[str, Meta(max_length=40)]


class Opening(Struct, frozen=True, forbid_unknown_fields=True):
    """Which game, who sits there, and how it is played."""

    command: CommandId
    game: Word
    names: Annotated[tuple[Annotated[str, Meta(max_length=LONGEST_NAME * 8)], ...], Meta(max_length=12)]
    options: dict[Word, Word] = {}
    mode: Literal["strict", "advise"] = "strict"
    pack: Word = ""


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


class Choice(Struct, frozen=True):
    """`why` it cannot be chosen, if so."""

    value: str
    text: str
    why: str = ""


class OptionRow(Struct, frozen=True):
    name: str
    text: str
    rule: str
    ruling: str
    choices: tuple[Choice, ...]


class SeatRow(Struct, frozen=True):
    """A seat of the next game, with who sat there in this one; `bot` if a bot goes on playing there."""

    name: str
    bot: bool = False


class SetupScreen(Struct, frozen=True):
    game: GameOnShelf
    seats: tuple[SeatRow, ...]
    options: tuple[OptionRow, ...]
    packs: tuple[Choice, ...]
    """The packs to choose from, the shipped one first; () where there is no choice."""
    may_open: bool


def may_open(snapshot: Snapshot, phone: Phone) -> bool:
    """Whether this phone could begin the next game now; the table has the last word."""
    return phone.referee or (phone.seat is not None and snapshot.result is not None)


def shelf_screen(dash: Dashboard, snapshot: Snapshot, phone: Phone, _query: Query) -> Screen:
    games = []
    for game_id in shelf.games():
        try:
            games.append(_on_shelf(dash, snapshot, phone, shelf.open(game_id)))
        except Exception as error:  # noqa: BLE001 - a folder that gives no game, for whatever reason, does not hide the others
            log.warning("%s is not on the shelf: %s", game_id, error)
    model = ShelfScreen(tuple(games), may_open(snapshot, phone), shelf.left_out())
    return Screen("shelf", say("web.title.shelf"), "more", model)


def setup_screen(dash: Dashboard, snapshot: Snapshot, phone: Phone, query: Query) -> Screen:
    """How a game would be played; where there is no such game, the shelf."""
    return _setup(dash, snapshot, phone, query) or shelf_screen(dash, snapshot, phone, query)


def _setup(dash: Dashboard, snapshot: Snapshot, phone: Phone, query: Query) -> Screen | None:
    try:
        game = shelf.open(query.get("game", ""))
    except (CompanionError, ImportError):
        return None
    speak = Speaker(dash.texts_of(game), phone.lang).key
    options = tuple(
        OptionRow(
            name=option.name,
            text=speak(f"option.{option.name}"),
            rule=option.rule,
            ruling=speak(f"rule.{option.rule}"),
            choices=tuple(Choice(value, speak(f"option.{option.name}.{value}")) for value in option.choices),
        )
        for option in game.options
    )
    seats = tuple(SeatRow(chair.name, chair.bot and not chair.key) for chair in snapshot.chairs[: game.seats[1]])
    model = SetupScreen(
        game=_on_shelf(dash, snapshot, phone, game),
        seats=(*seats, *(SeatRow("") for _ in range(game.seats[1] - len(seats)))),
        options=options,
        packs=_packs(dash, phone, game),
        may_open=may_open(snapshot, phone),
    )
    return Screen("setup", say("web.title.setup"), "more", model)


def _packs(dash: Dashboard, phone: Phone, game: Game[Any, Any]) -> tuple[Choice, ...]:
    rows = packs_of(dash, phone, game, dash.packs) if dash.packs is not None else ()
    return tuple(Choice(row.name, row.title, " ".join(row.problems)) for row in rows) if len(rows) > 1 else ()


def _on_shelf(dash: Dashboard, snapshot: Snapshot, phone: Phone, game: Game[Any, Any]) -> GameOnShelf:
    title = Speaker(dash.texts_of(game), phone.lang).key("game.title")
    return GameOnShelf(game.id, title, *game.seats, here=game.id == snapshot.game.id)


def blueprint(dash: Dashboard) -> Blueprint:
    screens = Blueprint("evening", __name__)

    @screens.get("/shelf")
    def on_shelf() -> str:
        return rendering.page(dash, g.snapshot, g.phone, shelf_screen(dash, g.snapshot, g.phone, {}), "shelf")

    @screens.get("/setup")
    def setup() -> str:
        query = {"game": request.args.get("game", "")}
        screen = _setup(dash, g.snapshot, g.phone, query)
        if screen is None:
            abort(404)
        return rendering.page(dash, g.snapshot, g.phone, screen, "setup", **query)

    @screens.post("/open")
    def open_game() -> Response:
        return _open(dash)

    @screens.get("/report")
    def report() -> str:
        return rendering.page(dash, g.snapshot, g.phone, report_screen(dash, g.snapshot, g.phone, {}))

    @screens.get("/report.html")
    def saved() -> Response:
        screen = report_screen(dash, g.snapshot, g.phone, {})
        html = rendering.report(dash, g.snapshot, g.phone, screen)
        response = Response(html, mimetype="text/html")
        day = time.strftime("%Y-%m-%d", time.localtime(screen.model.opened))
        name = f"{g.snapshot.game.id}-{day}-{g.snapshot.table}.html"
        response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return response

    return screens


def _open(dash: Dashboard) -> Response:
    if g.phone.asker is None:
        abort(403)
    wanted = body_as(Opening)
    named = [(SeatId(n), name) for n, given in enumerate(wanted.names) if (name := clean_name(given))]
    names, sat = tuple(name for _, name in named), tuple(seat for seat, _ in named)
    game = OpenGame(wanted.game, names, tuple(sorted(wanted.options.items())), wanted.mode, wanted.pack, sat)
    asked = question(g.snapshot.at, g.phone.asker)
    misfit = _misfit(wanted.game, len(names))
    if misfit is not None:
        return refused(dash, No(misfit))
    answer = dash.table.ask(Asked(wanted.command, g.phone.asker, asked, game, g.snapshot.table), timeout=20.0)
    if isinstance(answer, No):
        return refused(dash, answer)
    return jsonify(go=g.phone.prefix + ("/watch" if g.phone.referee else "/seat"))


def _misfit(game_id: str, players: int) -> Refusal | None:
    """Why so many cannot play a game; None if they can, and where there is no such game, which the table will say."""
    try:
        low, high = shelf.open(game_id).seats
    except (CompanionError, ImportError):
        return None
    return None if low <= players <= high else own_rule(10, "wrong-seats", n=players, low=low, high=high)
