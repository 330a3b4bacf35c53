"""One pack: its cards by kind, how many there are of each, and the file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, NamedTuple

from flask import Blueprint, Response, abort, g, request
from msgspec import Meta, Struct
from msgspec.structs import asdict

from companion.core import CardKind, Game, Name, say
from companion.library import ChangedMeanwhile, PackError, Speaker
from companion.library.card_forms import MOST_EFFECTS, Field, fields_of, typed
from companion.library.shelf import UnknownPack
from companion.table.outside import No, own_rule
from web.screen import Dashboard, Page, Screen, Visit, body_as

from .packs import AnyKind, Id, PackRow, Pointed, changing, game_named, go, own_of, pack_row, speaker_for
from .why import refused

MOST_CARDS: Final = 400
At = Annotated[int, Meta(ge=0, lt=MOST_CARDS)]


class Counted(Pointed, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How many there are of each card of a kind, in the pack's order; 0 removes a card."""

    kind: Id
    mark: Id
    counts: Annotated[tuple[Annotated[int, Meta(ge=0, le=99)], ...], Meta(max_length=MOST_CARDS)]


class Removed(Pointed, frozen=True, forbid_unknown_fields=True, kw_only=True):
    kind: Id
    mark: Id
    at: At


class CardRow(Struct, frozen=True):
    """A card in a list: its name, what is known about it, and how many there are (None if not counted)."""

    at: int
    title: str
    known: str
    count: int | None


class KindRows(Struct, frozen=True):
    name: str
    title: str
    cards: tuple[CardRow, ...]
    may_add: bool
    count: Field | None


class PackScreen(Struct, frozen=True):
    game: str
    title: str
    pack: PackRow
    kinds: tuple[KindRows, ...]
    mark: str
    may: bool


def pack_screen(visit: Visit) -> Screen | None:
    """Every card of a pack."""
    game, own, name = game_named(visit.query.get("game", "")), own_of(visit.dash), visit.query.get("pack", "")
    try:
        pack, row = own.load(game, name), pack_row(visit, game, own, name)
    except (UnknownPack, PackError):
        return None
    assert row is not None, "a pack that loads has a head"
    speaker = speaker_for(visit, game, pack)
    kinds = tuple(_kind_rows(speaker, kind, pack) for kind in game.cards)
    may = row.mine and visit.phone.asker is not None
    model = PackScreen(game.id, speaker.key("game.title"), row, kinds, own.mark(game, name), may)
    return Screen("pack", say("web.title.packs"), "more", model)


def _kind_rows(speaker: Speaker, kind: AnyKind, pack: Any) -> KindRows:
    fields = fields_of(kind)
    count = next((field for field in fields if field.name == kind.count), None)
    shown = tuple(field for field in fields if field is not count)
    cards = tuple(
        CardRow(
            at=at,
            title=speaker.say(kind.said(card)),
            known=_known(speaker, shown, typed(kind, card)),
            count=None if count is None else int(getattr(card, count.name)),
        )
        for at, card in enumerate(kind.read(pack))
    )
    return KindRows(kind.name, speaker.key(f"kind.{kind.name}"), cards, kind.blank is not None, count)


def _known(speaker: Speaker, fields: tuple[Field, ...], values: Mapping[str, str]) -> str:
    """What is known about a card, on one line; without names, which are above it."""
    found = []
    for field in fields:
        value = values.get(field.name, "")
        if field.kind == "effects":
            tags = [values[f"{field.name}.{at}.is"] for at in range(MOST_EFFECTS) if f"{field.name}.{at}.is" in values]
            found += [speaker.key(effect.label) for tag in tags for effect in field.effects if effect.tag == tag]
        elif field.kind == "choice" and value:
            found.append(_field(speaker, field, speaker.key(field.choice_key(value))))
        elif field.kind in ("number", "text") and value:
            found.append(_field(speaker, field, value))
    return " · ".join(found)


def _field(speaker: Speaker, field: Field, value: str) -> str:
    return speaker.key("web.pack.field", field=Name(speaker.key(field.label)), value=Name(value))


PAGES: Final = (Page("pack", pack_screen),)


def blueprint(dash: Dashboard) -> Blueprint:
    ways = Blueprint("pack", __name__)

    @ways.get("/pack.toml")
    def file() -> Response:
        game, name = game_named(request.args.get("game", "")), request.args.get("pack", "")
        try:
            text = own_of(dash).file(game, name)
        except (UnknownPack, PackError):
            abort(404)
        response = Response(text, mimetype="application/toml")
        response.headers["Content-Disposition"] = f'attachment; filename="{game.id}-{name or "pack"}.toml"'
        return response

    @ways.post("/pack/count")
    def count() -> Response:
        changing(dash)
        wanted = body_as(Counted)
        at = where(dash, wanted.game, wanted.pack, wanted.kind)
        if not at.kind.count or len(wanted.counts) != len(at.cards):
            abort(400)
        return save(dash, at, wanted.pack, wanted.mark, _recounted(at, wanted.counts))

    @ways.post("/pack/remove")
    def remove() -> Response:
        changing(dash)
        wanted = body_as(Removed)
        at = where(dash, wanted.game, wanted.pack, wanted.kind)
        if at.kind.blank is None or wanted.at >= len(at.cards):
            abort(400)
        rest = (*at.cards[: wanted.at], *at.cards[wanted.at + 1 :])
        return save(dash, at, wanted.pack, wanted.mark, rest)

    return ways


class Where(NamedTuple):
    """The pack somebody is editing, and where in it."""

    game: Game[Any, Any]
    pack: Any
    kind: CardKind[Any, Any]
    cards: tuple[Any, ...]


def where(dash: Dashboard, game_id: str, name: str, kind_name: str) -> Where:
    game, own = game_named(game_id), own_of(dash)
    kind = next((kind for kind in game.cards if kind.name == kind_name), None) or abort(404)
    try:
        if not own.may_change(game.id, name):
            abort(403)
        pack = own.load(game, name)
    except (UnknownPack, PackError):
        abort(404)
    return Where(game, pack, kind, kind.read(pack))


def _recounted(at: Where, counts: tuple[int, ...]) -> tuple[Any, ...]:
    """The cards with new counts; a card with none is removed."""
    field = next(field for field in fields_of(at.kind) if field.name == at.kind.count)
    fresh = []
    for card, number in zip(at.cards, counts, strict=True):
        if number == 0 and at.kind.blank is not None:
            continue
        if not field.low <= number <= field.high:
            abort(400)
        fresh.append(type(card)(**{**asdict(card), field.name: number}))
    return tuple(fresh)


def save(dash: Dashboard, at: Where, name: str, mark: str, cards: tuple[Any, ...]) -> Response:
    pack = at.kind.write(at.pack, cards)
    try:
        own_of(dash).change(at.game, name, pack, mark)
    except ChangedMeanwhile:
        return refused(g.visit, No(own_rule(1, "stale")))
    return go(f"/pack?game={at.game.id}&pack={name}")
