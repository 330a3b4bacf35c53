"""Owners of a game enter their own cards: its packs, copied, imported, exported as files.

The game may be any on the shelf, so all texts are made here, in that game's words; templates only do layout.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

from flask import Blueprint, Response, abort, g, jsonify, request
from msgspec import Meta, Struct

from companion.core import CardKind, CompanionError, Game, say
from companion.library import SHIPPED, InBoth, Names, OwnPacks, PackError, Speaker, shelf
from companion.library.card_forms import LANGS, LONGEST
from companion.library.shelf import UnknownPack
from companion.table.outside import Seen
from web.screen import CommandId, Dashboard, Page, Query, Screen, Visit, body_as, clean_name, render_part

AnyGame = Game[Any, Any]
AnyKind = CardKind[Any, Any]
LARGEST_FILE: Final = 1536 * 1024
"""For a pack with a photo of every card."""
LARGEST_UPLOAD: Final = 2 * 1024 * 1024
"""A file as JSON, where some letters take more room. Phones send nothing larger, and only a seated one may send it."""
MOST_PROBLEMS: Final = 20
Id = Annotated[str, Meta(max_length=40)]


class Pointed(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A pack of a game."""

    command: CommandId
    game: Id
    pack: Id = ""


class Copied(Pointed, frozen=True, forbid_unknown_fields=True, kw_only=True):
    called: Annotated[str, Meta(max_length=LONGEST)]


class TakenIn(Pointed, frozen=True, forbid_unknown_fields=True, kw_only=True):
    text: Annotated[str, Meta(max_length=LARGEST_FILE)]


class PackRow(Struct, frozen=True):
    """One pack of a game; `name` is "" for the one that ships with it."""

    name: str
    title: str
    note: str
    author: str
    mine: bool
    problems: tuple[str, ...] = ()
    """Why it can't be played to the end."""


class PacksScreen(Struct, frozen=True):
    game: str
    title: str
    packs: tuple[PackRow, ...]
    may: bool
    problems: tuple[str, ...] = ()


def game_of(query: Query, seen: Seen) -> AnyGame | None:
    """The game that an address names, or the current one; None if the shelf has no such game."""
    asked = query.get("game", "")
    try:
        return seen.game if asked in ("", seen.game.id) else shelf.open(asked)
    except (CompanionError, ImportError):
        return None


def packs_screen(visit: Visit, game: AnyGame, own: OwnPacks, problems: tuple[str, ...] = ()) -> Screen:
    rows = packs_of(visit, game, own)
    title = Speaker(visit.dash.texts_of(game), visit.phone.lang).key("game.title")
    model = PacksScreen(game.id, title, rows, visit.phone.asker is not None, problems)
    return Screen("packs", say("web.title.packs"), "more", model)


def speaker_for(visit: Visit, game: AnyGame, pack: Any) -> Speaker:
    """The speaker that names that pack's cards."""
    names = Names((), lambda piece: game.describe(pack, piece), game.place)
    return Speaker(visit.dash.texts_of(game), visit.phone.lang, names)


def packs_of(visit: Visit, game: AnyGame, own: OwnPacks) -> tuple[PackRow, ...]:
    """The game's packs that can be read, the shipped one first."""
    names = (SHIPPED, *own.names(game.id))
    return tuple(row for name in names if (row := pack_row(visit, game, own, name)))


def pack_row(visit: Visit, game: AnyGame, own: OwnPacks, name: str) -> PackRow | None:
    try:
        head = own.head(game.id, name)
    except CompanionError:
        return None
    title, note = (getattr(both, visit.phone.lang) for both in (head.name, head.note))
    problems = () if name == SHIPPED else _problems(visit, game, own, name)
    return PackRow(name, title, note, head.author, own.may_change(game.id, name), problems)


def _problems(visit: Visit, game: AnyGame, own: OwnPacks, name: str) -> tuple[str, ...]:
    try:
        pack = own.load(game, name)
    except CompanionError:
        return ()
    speaker = speaker_for(visit, game, pack)
    return tuple(speaker.say(said) for _, said in game.unplayable(pack))


def _packs(visit: Visit) -> Screen | None:
    game = game_of(visit.query, visit.seen)
    return None if game is None else packs_screen(visit, game, own_of(visit.dash))


PAGES: Final = (Page("packs", _packs),)


def blueprint(dash: Dashboard) -> Blueprint:
    ways = Blueprint("packs", __name__)
    _add_packs(ways, dash)
    return ways


def _add_packs(ways: Blueprint, dash: Dashboard) -> None:
    @ways.post("/pack/copy")
    def copy() -> Response:
        own, wanted = changing(dash), body_as(Copied)
        game, called = game_named(wanted.game), clean_name(wanted.called, LONGEST)
        if not called:
            abort(400)
        texts = dash.texts_of(game)
        note = InBoth(*(Speaker(texts, lang).key("web.pack.note") for lang in LANGS))
        try:
            name = own.copy(game, wanted.pack, called, _author(), note)
        except (UnknownPack, PackError):
            abort(404)
        return go(f"/pack?game={game.id}&pack={name}")

    @ways.post("/pack/take-in")
    def take_in() -> Response:
        own = changing(dash)
        request.max_content_length = LARGEST_UPLOAD
        wanted = body_as(TakenIn)
        game = game_named(wanted.game)
        try:
            name = own.take_in(game, wanted.text)
        except PackError as error:
            problems = _told(error, Speaker(dash.texts_of(game), g.visit.phone.lang))
            screen = packs_screen(g.visit, game, own, problems)
            return Response(render_part(g.visit, screen, "take_in"), 422, mimetype="text/html")
        return go(f"/pack?game={game.id}&pack={name}")

    @ways.post("/pack/throw-away")
    def throw_away() -> Response:
        own, wanted = changing(dash), body_as(Pointed)
        game = game_named(wanted.game)
        try:
            own.throw_away(game, wanted.pack)
        except CompanionError:
            abort(404)
        return go(f"/packs?game={game.id}")


def _told(error: PackError, speaker: Speaker) -> tuple[str, ...]:
    """Everything that is wrong with a file, each with what to do about it, in the game's words."""
    first = error.problems[:MOST_PROBLEMS]
    return tuple(" ".join(map(speaker.say, problem.told)) or problem.line() for problem in first)


def go(path: str) -> Response:
    return jsonify(go=g.visit.phone.prefix + path)


def own_of(dash: Dashboard) -> OwnPacks:
    if dash.packs is None:
        abort(404)
    return dash.packs


def changing(dash: Dashboard) -> OwnPacks:
    """The packs, for a phone that may change them."""
    if g.visit.phone.asker is None or dash.packs is None:
        abort(403)
    return dash.packs


def game_named(game_id: str) -> Game[Any, Any]:
    return game_of({"game": game_id}, g.visit.seen) or abort(404)


def _author() -> str:
    seat, seen = g.visit.phone.seat, g.visit.seen
    return str(seen.chairs[seat].name if seat is not None else seen.referee.name)
