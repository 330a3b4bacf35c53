"""Owners of a game enter their own cards: copy a pack, change it card by card, count a deck, give packs on as files."""

from __future__ import annotations

from typing import Annotated, Any, Final, NamedTuple

from flask import Blueprint, Response, abort, g, jsonify, request
from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from companion.core.cards import CardKind, Wrong
from companion.core.errors import CompanionError, Misfit
from companion.core.game import Game
from companion.library.card_forms import LANGS, LONGEST, fields_of, read
from companion.library.own_packs import ChangedMeanwhile, OwnPacks
from companion.library.packs import InBoth, PackError
from companion.library.shelf import UnknownPack
from companion.library.texts import Speaker
from companion.table.answers import No
from companion.table.record import own_rule

from . import rendering
from .asking import clean_name
from .dashboard import Dashboard
from .guard import body_as
from .join import CommandId, refused
from .pack_screens import CardAt, card_screen, game_of, pack_screen, packs_screen, speaker_for

LARGEST_FILE: Final = 128 * 1024
LARGEST_UPLOAD: Final = LARGEST_FILE * 2
"""A file as JSON: some of its letters are longer there."""
"""A whole pack is larger than anything else a phone sends; only a seated phone may send one."""
MOST_PROBLEMS: Final = 20
MOST_CARDS: Final = 400
LONGEST_VALUE: Final = 800

Id = Annotated[str, Meta(max_length=40)]
At = Annotated[int, Meta(ge=0, lt=MOST_CARDS)]
Typed = dict[Annotated[str, Meta(max_length=80)], Annotated[str, Meta(max_length=LONGEST_VALUE)]]


class Pointed(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A pack of a game."""

    command: CommandId
    game: Id
    pack: Id = ""


class Copied(Pointed, frozen=True, forbid_unknown_fields=True, kw_only=True):
    called: Annotated[str, Meta(max_length=LONGEST)]


class TakenIn(Pointed, frozen=True, forbid_unknown_fields=True, kw_only=True):
    text: Annotated[str, Meta(max_length=LARGEST_FILE)]


class Counted(Pointed, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How many there are of each card of a kind, in the order of the pack; none takes a card out."""

    kind: Id
    mark: Id
    counts: Annotated[tuple[Annotated[int, Meta(ge=0, le=99)], ...], Meta(max_length=MOST_CARDS)]


class Written(Pointed, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A card as it was filled in; `at` is None for a new one. With `show` it is only drawn again, nothing is saved."""

    kind: Id
    mark: Id
    at: At | None = None
    values: Typed = {}
    show: bool = False


class Removed(Pointed, frozen=True, forbid_unknown_fields=True, kw_only=True):
    kind: Id
    mark: Id
    at: At


class _At(NamedTuple):
    """Where in which pack somebody works."""

    game: Game[Any, Any]
    pack: Any
    kind: CardKind[Any, Any]
    cards: tuple[Any, ...]


def blueprint(dash: Dashboard) -> Blueprint:
    screens = Blueprint("packs", __name__)
    _add_looking(screens, dash)
    _add_packs(screens, dash)
    _add_cards(screens, dash)
    return screens


def _add_looking(screens: Blueprint, dash: Dashboard) -> None:
    @screens.get("/packs")
    def packs() -> str:
        game = _game(request.args.get("game", ""))
        return rendering.page(dash, g.snapshot, g.phone, packs_screen(dash, g.phone, game, _own(dash)))

    @screens.get("/pack")
    def pack() -> str:
        game, name = _game(request.args.get("game", "")), request.args.get("pack", "")
        try:
            screen = pack_screen(dash, g.phone, game, _own(dash), name)
        except (UnknownPack, PackError):
            abort(404)
        return rendering.page(dash, g.snapshot, g.phone, screen)

    @screens.get("/pack.toml")
    def file() -> Response:
        game, name = _game(request.args.get("game", "")), request.args.get("pack", "")
        try:
            text = _own(dash).text(game, name)
        except (UnknownPack, PackError):
            abort(404)
        response = Response(text, mimetype="application/toml")
        response.headers["Content-Disposition"] = f'attachment; filename="{game.id}-{name or "pack"}.toml"'
        return response

    @screens.get("/card")
    def card() -> str:
        at = request.args.get("at", "")
        where = _where(dash, request.args.get("game", ""), request.args.get("pack", ""), request.args.get("kind", ""))
        number = int(at) if at.isdecimal() and len(at) < 4 else None
        shown = _card(where, number)
        speaker, own = speaker_for(dash, g.phone, where.game, where.pack), _own(dash)
        name = request.args.get("pack", "")
        of = CardAt(where.game, name, where.kind, shown, number, own.mark(where.game, name))
        screen = card_screen(speaker, of)
        return rendering.page(dash, g.snapshot, g.phone, screen)


def _add_packs(screens: Blueprint, dash: Dashboard) -> None:
    @screens.post("/pack/copy")
    def copy() -> Response:
        own, wanted = _changing(dash), body_as(Copied)
        game, called = _game(wanted.game), clean_name(wanted.called, LONGEST)
        if not called:
            abort(400)
        texts = dash.texts_of(game)
        note = InBoth(*(Speaker(texts, lang).key("web.pack.note") for lang in LANGS))
        try:
            name = own.copy(game, wanted.pack, called, _author(), note)
        except (UnknownPack, PackError):
            abort(404)
        return _go(f"/pack?game={game.id}&pack={name}")

    @screens.post("/pack/take-in")
    def take_in() -> Response:
        own = _changing(dash)
        request.max_content_length = LARGEST_UPLOAD
        wanted = body_as(TakenIn)
        game = _game(wanted.game)
        try:
            name = own.take_in(game, wanted.text)
        except PackError as error:
            problems = _told(error, Speaker(dash.texts_of(game), g.phone.lang))
            screen = packs_screen(dash, g.phone, game, own, problems)
            return Response(rendering.part(dash, g.snapshot, g.phone, screen, "take_in"), 422, mimetype="text/html")
        return _go(f"/pack?game={game.id}&pack={name}")

    @screens.post("/pack/throw-away")
    def throw_away() -> Response:
        own, wanted = _changing(dash), body_as(Pointed)
        game = _game(wanted.game)
        try:
            own.throw_away(game, wanted.pack)
        except CompanionError:
            abort(404)
        return _go(f"/packs?game={game.id}")


def _add_cards(screens: Blueprint, dash: Dashboard) -> None:
    @screens.post("/pack/count")
    def count() -> Response:
        _changing(dash)
        wanted = body_as(Counted)
        where = _where(dash, wanted.game, wanted.pack, wanted.kind)
        if not where.kind.count or len(wanted.counts) != len(where.cards):
            abort(400)
        return _save(dash, where, wanted.pack, wanted.mark, _recounted(where, wanted.counts))

    @screens.post("/pack/card")
    def write() -> Response:
        _changing(dash)
        return _write(dash, body_as(Written))

    @screens.post("/pack/remove")
    def remove() -> Response:
        _changing(dash)
        wanted = body_as(Removed)
        where = _where(dash, wanted.game, wanted.pack, wanted.kind)
        if where.kind.blank is None or wanted.at >= len(where.cards):
            abort(400)
        rest = (*where.cards[: wanted.at], *where.cards[wanted.at + 1 :])
        return _save(dash, where, wanted.pack, wanted.mark, rest)


def _write(dash: Dashboard, wanted: Written) -> Response:
    where = _where(dash, wanted.game, wanted.pack, wanted.kind)
    old, at = _card(where, wanted.at), wanted.at
    wanted = replace(wanted, values={name: clean_name(value, LONGEST_VALUE) for name, value in wanted.values.items()})
    if wanted.show:
        return _drawn(dash, where, wanted, old, ())
    card, wrongs = read(where.kind, wanted.values, old)
    others = where.cards if at is None else (*where.cards[:at], *where.cards[at + 1 :])
    if not wrongs:
        rest = where.pack if where.kind.blank is None else where.kind.write(where.pack, others)
        wrongs = where.kind.wrong(rest, card)
    if wrongs:
        return _drawn(dash, where, wanted, old, wrongs)
    fresh = (*where.cards, card) if at is None else (*where.cards[:at], card, *where.cards[at + 1 :])
    try:
        return _save(dash, where, wanted.pack, wanted.mark, fresh)
    except Misfit as error:  # the pack's own check of its cards together
        return _drawn(dash, where, wanted, old, tuple(Wrong("", said) for _, said in error.found))


def _drawn(dash: Dashboard, where: _At, wanted: Written, old: Any, wrongs: tuple[Wrong, ...]) -> Response:
    """The form again, as it was filled in."""
    speaker = speaker_for(dash, g.phone, where.game, where.pack)
    of = CardAt(where.game, wanted.pack, where.kind, old, wanted.at, wanted.mark)
    screen = card_screen(speaker, of, wanted.values, wrongs)
    html = rendering.part(dash, g.snapshot, g.phone, screen, "card_form")
    return Response(html, 422 if wrongs else 200, mimetype="text/html")


def _told(error: PackError, speaker: Speaker) -> tuple[str, ...]:
    """Everything that is wrong with a file, each with what to do about it, in the words of its game."""
    first = error.problems[:MOST_PROBLEMS]
    return tuple(" ".join(map(speaker.say, problem.told)) or problem.line() for problem in first)


def _recounted(where: _At, counts: tuple[int, ...]) -> tuple[Any, ...]:
    """The cards with new numbers; of a card that is no longer there, nothing is left."""
    field = next(field for field in fields_of(where.kind) if field.name == where.kind.count)
    fresh = []
    for card, number in zip(where.cards, counts, strict=True):
        if number == 0 and where.kind.blank is not None:
            continue
        if not field.low <= number <= field.high:
            abort(400)
        fresh.append(type(card)(**{**asdict(card), field.name: number}))
    return tuple(fresh)


def _save(dash: Dashboard, where: _At, name: str, mark: str, cards: tuple[Any, ...]) -> Response:
    pack = where.kind.write(where.pack, cards)
    try:
        _own(dash).change(where.game, name, pack, mark)
    except ChangedMeanwhile:
        return refused(dash, No(own_rule(1, "stale")))
    return _go(f"/pack?game={where.game.id}&pack={name}")


def _go(path: str) -> Response:
    return jsonify(go=g.phone.prefix + path)


def _own(dash: Dashboard) -> OwnPacks:
    if dash.packs is None:
        abort(404)
    return dash.packs


def _changing(dash: Dashboard) -> OwnPacks:
    """The packs, for a phone that may change them."""
    if g.phone.asker is None or dash.packs is None:
        abort(403)
    return dash.packs


def _game(game_id: str) -> Game[Any, Any]:
    return game_of({"game": game_id}, g.snapshot) or abort(404)


def _where(dash: Dashboard, game_id: str, name: str, kind_name: str) -> _At:
    game, own = _game(game_id), _own(dash)
    kind = next((kind for kind in game.cards if kind.name == kind_name), None) or abort(404)
    try:
        if not own.may_change(game.id, name):
            abort(403)
        pack = own.load(game, name)
    except (UnknownPack, PackError):
        abort(404)
    return _At(game, pack, kind, kind.read(pack))


def _card(where: _At, at: int | None) -> Any:
    """The card there, or for a new one what it begins as."""
    if at is None:
        return where.kind.blank or abort(404)
    return where.cards[at] if at < len(where.cards) else abort(404)


def _author() -> str:
    seat = g.phone.seat
    return str(g.snapshot.chairs[seat].name if seat is not None else g.snapshot.referee.name)
