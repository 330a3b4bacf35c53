"""Setting up the next game."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, get_args

from flask import Blueprint, Response, abort, g, jsonify
from msgspec import Meta, Struct

from companion.core import Asked, CompanionError, Game, Mode, OpenGame, Refusal, SeatId, say
from companion.library import Speaker, shelf
from companion.table.outside import No, own_rule, question
from web.screen import LONGEST_NAME, CommandId, Dashboard, Page, Screen, Visit, body_as, clean_name

from .packs import packs_of
from .shelf import GameOnShelf, may_open, on_shelf
from .why import refused

Word = Annotated[str, Meta(max_length=40)]


class Opening(Struct, frozen=True, forbid_unknown_fields=True):
    """Which game, who sits where, and how it is played."""

    command: CommandId
    game: Word
    names: Annotated[tuple[Annotated[str, Meta(max_length=LONGEST_NAME * 8)], ...], Meta(max_length=12)]
    options: dict[Word, Word] = {}
    mode: Mode = "strict"
    pack: Word = ""


class Choice(Struct, frozen=True):
    """`why` it can't be chosen, if so."""

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
    """A seat in the next game, with its person from this one; `bot` if a bot keeps playing there."""

    name: str
    bot: bool = False


class SetupScreen(Struct, frozen=True):
    game: GameOnShelf
    seats: tuple[SeatRow, ...]
    options: tuple[OptionRow, ...]
    packs: tuple[Choice, ...]
    """The packs to choose from, the shipped one first; () if there is no choice."""
    modes: tuple[Mode, ...]
    may_open: bool


def setup_screen(visit: Visit) -> Screen | None:
    """How a game would be played; None where there is no such game."""
    try:
        game = shelf.open(visit.query.get("game", ""))
    except (CompanionError, ImportError):
        return None
    speak = Speaker(visit.dash.texts_of(game), visit.phone.lang).key
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
    seats = tuple(SeatRow(chair.name, chair.bot and not chair.key) for chair in visit.seen.chairs[: game.seats[1]])
    model = SetupScreen(
        game=on_shelf(visit, game),
        seats=(*seats, *(SeatRow("") for _ in range(game.seats[1] - len(seats)))),
        options=options,
        packs=_packs(visit, game),
        modes=get_args(Mode),
        may_open=may_open(visit),
    )
    return Screen("setup", say("web.title.setup"), "more", model)


def _packs(visit: Visit, game: Game[Any, Any]) -> tuple[Choice, ...]:
    rows = packs_of(visit, game, visit.dash.packs) if visit.dash.packs is not None else ()
    return tuple(Choice(row.name, row.title, " ".join(row.problems)) for row in rows) if len(rows) > 1 else ()


PAGES: Final = (Page("setup", setup_screen, live=True, reads={"game": re.compile("[a-z-]{1,40}")}),)


def blueprint(dash: Dashboard) -> Blueprint:
    ways = Blueprint("setup", __name__)

    @ways.post("/open")
    def open_game() -> Response:
        return _open(dash)

    return ways


def _open(dash: Dashboard) -> Response:
    if g.visit.phone.asker is None:
        abort(403)
    wanted = body_as(Opening)
    named = [(SeatId(n), name) for n, given in enumerate(wanted.names) if (name := clean_name(given))]
    names, sat = tuple(name for _, name in named), tuple(seat for seat, _ in named)
    game = OpenGame(wanted.game, names, tuple(sorted(wanted.options.items())), wanted.mode, wanted.pack, sat)
    asked = question(g.visit.seen, g.visit.phone.asker)
    misfit = _misfit(wanted.game, len(names))
    if misfit is not None:
        return refused(g.visit, No(misfit))
    answer = dash.table.ask(Asked(wanted.command, g.visit.phone.asker, asked, game, g.visit.seen.table), timeout=20.0)
    if isinstance(answer, No):
        return refused(g.visit, answer)
    return jsonify(go=g.visit.phone.prefix + ("/watch" if g.visit.phone.referee else "/seat"))


def _misfit(game_id: str, players: int) -> Refusal | None:
    """Why a game can't be played by this many; None if it can, or if there is no such game, which the table will
    report.
    """
    try:
        low, high = shelf.open(game_id).seats
    except (CompanionError, ImportError):
        return None
    return None if low <= players <= high else own_rule(10, "wrong-seats", n=players, low=low, high=high)
