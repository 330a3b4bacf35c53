"""The form of one card of a pack."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

import msgspec
from flask import Blueprint, Response, abort, g
from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.core import Misfit, Wrong, say
from companion.library import Speaker
from companion.library.card_forms import LANGS, MOST_EFFECTS, NO_EFFECT, Effect, Field, Values, fields_of, read, typed
from web.screen import Dashboard, Page, Screen, Visit, body_as, clean_name, render_part

from .card_photo import piece_of
from .pack import At, Where, save, where
from .packs import AnyGame, AnyKind, Id, Pointed, changing, own_of, speaker_for

LONGEST_VALUE: Final = 800
Typed = dict[Annotated[str, Meta(max_length=80)], Annotated[str, Meta(max_length=LONGEST_VALUE)]]


class Written(Pointed, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A card as it was filled in; `at` is None for a new one. With `show` it is only redrawn, not saved."""

    kind: Id
    mark: Id
    at: At | None = None
    values: Typed = msgspec.field(default_factory=dict)
    show: bool = False


class Option(Struct, frozen=True):
    value: str
    text: str


class FieldRow(Struct, frozen=True):
    """One field, with what is wrong with it ("" if nothing). `path` is its name in what is sent."""

    path: str
    kind: str
    label: str
    value: str
    options: tuple[Option, ...] = ()
    low: int = 0
    high: int = 0
    longest: int = 0
    needed: bool = True
    wrong: str = ""
    shows: bool = False
    """Choosing another value changes which fields there are."""


class Group(Struct, frozen=True):
    """Fields that belong together under one name; "" for those without a group."""

    label: str
    rows: tuple[FieldRow, ...]


class CardScreen(Struct, frozen=True):
    game: str
    pack: str
    kind: str
    title: str
    at: int | None
    mark: str
    groups: tuple[Group, ...]
    wrong: str
    wrongs: int
    may_remove: bool
    post: str
    piece: str = ""
    """The card's own id, if it has one: then it may have a photo."""
    has_photo: bool = False


class CardAt(Struct, frozen=True):
    """A card of a pack: where it is (None for a new one), and the pack's mark when it was looked at."""

    game: AnyGame
    pack: str
    kind: AnyKind
    card: Any
    at: int | None
    mark: str
    post: str = "/pack/card"
    piece: str = ""
    has_photo: bool = False


def card_screen(speaker: Speaker, of: CardAt, values: Values | None = None, wrongs: tuple[Wrong, ...] = ()) -> Screen:
    """The form of one card: as it is, or as somebody just filled it in, with errors beside the fields."""
    said = {wrong.field: speaker.say(wrong.said) for wrong in wrongs}
    filled = typed(of.kind, of.card) if values is None else values
    groups = tuple(group for field in fields_of(of.kind) for group in _groups(speaker, field, filled, said))
    model = CardScreen(
        game=of.game.id,
        pack=of.pack,
        kind=of.kind.name,
        title=speaker.key("web.card.new") if of.at is None else speaker.say(of.kind.said(of.card)),
        at=of.at,
        mark=of.mark,
        groups=groups,
        wrong=said.get("", ""),
        wrongs=len(wrongs),
        may_remove=of.at is not None and of.kind.blank is not None,
        post=of.post,
        piece=of.piece,
        has_photo=of.has_photo,
    )
    return Screen("card", say("web.title.packs"), "more", model)


def _groups(speaker: Speaker, field: Field, values: Values, wrongs: Mapping[str, str]) -> list[Group]:
    label = speaker.key(field.label)
    match field.kind:
        case "name":
            rows = [
                _row(speaker, field, f"{field.name}.{lang}", values, wrongs, speaker.key(f"web.lang.{lang}"))
                for lang in LANGS
            ]
            return [Group(label, tuple(rows))]
        case "effects":
            return [Group(label, tuple(_effect_rows(speaker, field, values, wrongs)))]
        case _:
            return [Group("", (_row(speaker, field, field.name, values, wrongs, label),))]


def _effect_rows(speaker: Speaker, field: Field, values: Values, wrongs: Mapping[str, str]) -> list[FieldRow]:
    """The existing effects with their fields, and room for one more."""
    known = {effect.tag: effect for effect in field.effects}
    none = Option(NO_EFFECT, speaker.key("web.card.no-effect"))
    options = (none, *(Option(effect.tag, speaker.key(effect.label)) for effect in field.effects))
    rows: list[FieldRow] = []
    there = [at for at in range(MOST_EFFECTS) if values.get(f"{field.name}.{at}.is")]
    for number, old in enumerate([*there, None][:MOST_EFFECTS]):
        path, was = f"{field.name}.{number}", f"{field.name}.{old}"
        tag = NO_EFFECT if old is None else values[f"{was}.is"]
        label = speaker.key("web.card.effect", n=number + 1)
        wrong = wrongs.get(f"{was}.is", "")
        rows.append(FieldRow(f"{path}.is", "choice", label, tag, options, wrong=wrong, shows=True))
        rows += _arguments(speaker, known.get(tag), path, was, values, wrongs)
    return rows


def _arguments(
    speaker: Speaker, effect: Effect | None, path: str, was: str, values: Values, wrongs: Mapping[str, str]
) -> list[FieldRow]:
    if effect is None:
        return []
    moved = {f"{path}.{f.name}": values.get(f"{was}.{f.name}", f.default) for f in effect.fields}
    told = {f"{path}.{f.name}": wrongs.get(f"{was}.{f.name}", "") for f in effect.fields}
    return [_row(speaker, f, f"{path}.{f.name}", moved, told, speaker.key(f.label)) for f in effect.fields]


def _row(speaker: Speaker, field: Field, path: str, values: Values, wrongs: Mapping[str, str], label: str) -> FieldRow:
    kind = "text" if field.kind == "name" else field.kind
    return FieldRow(
        path=path,
        kind=kind,
        label=label,
        value=values.get(path, ""),
        options=tuple(Option(choice, speaker.key(field.choice_key(choice))) for choice in field.choices),
        low=field.low,
        high=field.high,
        longest=field.longest,
        needed=field.needed,
        wrong=wrongs.get(path, ""),
    )


def _shown(visit: Visit) -> Screen:
    query, own = visit.query, own_of(visit.dash)
    at, name = query.get("at", ""), query.get("pack", "")
    place = where(visit.dash, query.get("game", ""), name, query.get("kind", ""))
    number = int(at) if at.isdecimal() and len(at) < 4 else None
    card = _card(place, number)
    piece = "" if number is None else piece_of(place, card)
    has_photo = own.photo(place.game.id, name, piece) is not None
    mark = own.mark(place.game, name)
    of = CardAt(place.game, name, place.kind, card, number, mark, piece=piece, has_photo=has_photo)
    return card_screen(speaker_for(visit, place.game, place.pack), of)


PAGES: Final = (Page("card", _shown),)


def blueprint(dash: Dashboard) -> Blueprint:
    ways = Blueprint("card", __name__)

    @ways.post("/pack/card")
    def write() -> Response:
        changing(dash)
        return _write(dash, body_as(Written))

    return ways


def _write(dash: Dashboard, wanted: Written) -> Response:
    place = where(dash, wanted.game, wanted.pack, wanted.kind)
    old, at = _card(place, wanted.at), wanted.at
    wanted = replace(wanted, values={name: clean_name(value, LONGEST_VALUE) for name, value in wanted.values.items()})
    if wanted.show:
        return _drawn(place, wanted, old, ())
    card, wrongs = read(place.kind, wanted.values, old)
    others = place.cards if at is None else (*place.cards[:at], *place.cards[at + 1 :])
    if not wrongs:
        rest = place.pack if place.kind.blank is None else place.kind.write(place.pack, others)
        wrongs = place.kind.wrong(rest, card)
    if wrongs:
        return _drawn(place, wanted, old, wrongs)
    fresh = (*place.cards, card) if at is None else (*place.cards[:at], card, *place.cards[at + 1 :])
    try:
        return save(dash, place, wanted.pack, wanted.mark, fresh)
    except Misfit as error:  # the pack's own check of all its cards
        return _drawn(place, wanted, old, tuple(Wrong("", said) for _, said in error.found))


def _drawn(place: Where, wanted: Written, old: Any, wrongs: tuple[Wrong, ...]) -> Response:
    """The form again, as it was filled in."""
    speaker = speaker_for(g.visit, place.game, place.pack)
    of = CardAt(place.game, wanted.pack, place.kind, old, wanted.at, wanted.mark)
    screen = card_screen(speaker, of, wanted.values, wrongs)
    html = render_part(g.visit, screen, "card_form")
    return Response(html, 422 if wrongs else 200, mimetype="text/html")


def _card(place: Where, at: int | None) -> Any:
    """The card there, or the initial values of a new one."""
    if at is None:
        return place.kind.blank or abort(404)
    return place.cards[at] if at < len(place.cards) else abort(404)
