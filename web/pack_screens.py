"""The pack editor as values: the packs of a game, the cards of a pack, the form of a card.

The game may be any on the shelf, so everything is said here, in that game's words; templates only lay it out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from companion.core.cards import CardKind, Wrong
from companion.core.errors import CompanionError
from companion.core.facts import say
from companion.core.game import Game
from companion.library import shelf
from companion.library.card_forms import LANGS, MOST_EFFECTS, NO_EFFECT, Effect, Field, Values, fields_of, typed
from companion.library.own_packs import SHIPPED, OwnPacks
from companion.library.texts import Names, Speaker
from companion.table.snapshot import Snapshot

from .dashboard import Dashboard
from .screen import Query, Screen
from .session import Phone

AnyGame = Game[Any, Any]
AnyKind = CardKind[Any, Any]


class PackRow(Struct, frozen=True):
    """One pack of a game; `name` is "" for the one that comes with it."""

    name: str
    title: str
    note: str
    author: str
    mine: bool
    problems: tuple[str, ...] = ()
    """Why it cannot be played to the end."""


class PacksScreen(Struct, frozen=True):
    game: str
    title: str
    packs: tuple[PackRow, ...]
    may: bool
    problems: tuple[str, ...] = ()


class CardRow(Struct, frozen=True):
    """A card in a list: its name, what is known about it, and how many there are (None where that is not counted)."""

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


class Option(Struct, frozen=True):
    value: str
    text: str


class FieldRow(Struct, frozen=True):
    """One thing to fill in, with what is wrong with it ("" if nothing). `path` is its name in what is sent."""

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
    """Fields that belong together under one name; "" for those that stand alone."""

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


def game_of(query: Query, snapshot: Snapshot) -> AnyGame | None:
    """The game an address names, or the one that is played; None where the shelf has no such game."""
    asked = query.get("game", "")
    try:
        return snapshot.game if asked in ("", snapshot.game.id) else shelf.open(asked)
    except (CompanionError, ImportError):
        return None


def packs_screen(dash: Dashboard, phone: Phone, game: AnyGame, own: OwnPacks, problems: tuple[str, ...] = ()) -> Screen:
    rows = packs_of(dash, phone, game, own)
    title = Speaker(dash.texts_of(game), phone.lang).key("game.title")
    model = PacksScreen(game.id, title, rows, phone.asker is not None, problems)
    return Screen("packs", say("web.title.packs"), "more", model)


def pack_screen(dash: Dashboard, phone: Phone, game: AnyGame, own: OwnPacks, name: str) -> Screen:
    """Every card of a pack. Raises UnknownPack, PackError."""
    pack, row = own.load(game, name), _pack_row(dash, phone, game, own, name)
    assert row is not None, "a pack that loads has a head"
    speaker = speaker_for(dash, phone, game, pack)
    kinds = tuple(_kind_rows(speaker, kind, pack) for kind in game.cards)
    may = row.mine and phone.asker is not None
    model = PackScreen(game.id, speaker.key("game.title"), row, kinds, own.mark(game, name), may)
    return Screen("pack", say("web.title.packs"), "more", model)


class CardAt(Struct, frozen=True):
    """A card of a pack: where it is (None for a new one), and the mark of the pack when it was looked at."""

    game: AnyGame
    pack: str
    kind: AnyKind
    card: Any
    at: int | None
    mark: str
    post: str = "/pack/card"


def card_screen(speaker: Speaker, of: CardAt, values: Values | None = None, wrongs: tuple[Wrong, ...] = ()) -> Screen:
    """The form of one card: as it is, or as somebody just filled it in, with what is wrong beside each field."""
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
    )
    return Screen("card", say("web.title.packs"), "more", model)


def speaker_for(dash: Dashboard, phone: Phone, game: AnyGame, pack: Any) -> Speaker:
    """Who names the cards of that pack."""
    names = Names((), lambda piece: game.describe(pack, piece), game.place)
    return Speaker(dash.texts_of(game), phone.lang, names)


def packs_of(dash: Dashboard, phone: Phone, game: AnyGame, own: OwnPacks) -> tuple[PackRow, ...]:
    """The packs of a game that can be read, the shipped one first."""
    names = (SHIPPED, *own.names(game.id))
    return tuple(row for name in names if (row := _pack_row(dash, phone, game, own, name)))


def _pack_row(dash: Dashboard, phone: Phone, game: AnyGame, own: OwnPacks, name: str) -> PackRow | None:
    try:
        head = own.head(game.id, name)
    except CompanionError:
        return None
    title, note = (getattr(both, phone.lang) for both in (head.name, head.note))
    problems = () if name == SHIPPED else _problems(dash, phone, game, own, name)
    return PackRow(name, title, note, head.author, own.may_change(game.id, name), problems)


def _problems(dash: Dashboard, phone: Phone, game: AnyGame, own: OwnPacks, name: str) -> tuple[str, ...]:
    try:
        pack = own.load(game, name)
    except CompanionError:
        return ()
    speaker = speaker_for(dash, phone, game, pack)
    return tuple(speaker.say(said) for _, said in game.unplayable(pack))


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
    """What is known about a card, on one line; names are left out, they stand above it."""
    found = []
    for field in fields:
        value = values.get(field.name, "")
        if field.kind == "effects":
            tags = [values[f"{field.name}.{at}.is"] for at in range(MOST_EFFECTS) if f"{field.name}.{at}.is" in values]
            found += [speaker.key(effect.label) for tag in tags for effect in field.effects if effect.tag == tag]
        elif field.kind == "choice" and value:
            found.append(f"{speaker.key(field.label)}: {speaker.key(field.choice_key(value))}")
        elif field.kind in ("number", "text") and value:
            found.append(f"{speaker.key(field.label)}: {value}")
    return " · ".join(found)


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
    """The effects there are, each with what else must be said about it, and room for one more."""
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
