"""The form for a card, made from its type; turns what people type into a card, or says what is wrong with it.

Typed values are flat: `value`, `name.fr`, `effects.1.dice`. So a page needs to know only names and texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import NODEFAULT, Meta, Struct

from companion.core import CardKind, CompanionError, Said, Wrong, say

from .form_words import bare

Kind = Literal["choice", "number", "text", "name", "effects"]
Values: TypeAlias = Mapping[str, str]

YES_NO: Final = ("no", "yes")
LANGS: Final = ("en", "fr")
"""The languages in which a pack names things; readers of any other see the first."""
LONGEST: Final = 80
LARGEST: Final = 999
MOST_EFFECTS: Final = 6
NO_EFFECT: Final = ""


class NoForm(CompanionError, TypeError):
    """The card type has a field that no form can ask for."""


class Field(Struct, frozen=True):
    """One thing printed on a card. `label` is the key of its name; a choice `c` is called `<name>.<c>`."""

    name: str
    kind: Kind
    label: str
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = LARGEST
    longest: int = LONGEST
    needed: bool = True
    is_flag: bool = False
    pattern: str = ""
    default: str = ""
    """What an empty form starts with."""
    effects: tuple[Effect, ...] = ()

    def choice_key(self, choice: str) -> str:
        return f"card.{choice}" if self.is_flag else f"{self.name}.{choice}"


class Effect(Struct, frozen=True):
    """One arm of a vocabulary of effects: its word, and what else has to be said about it."""

    tag: str
    tag_field: str
    fields: tuple[Field, ...]

    @property
    def label(self) -> str:
        return f"{self.tag_field}.{self.tag}"


def fields_of(kind: CardKind[Any, Any]) -> tuple[Field, ...]:
    """The form for a kind of card; raises NoForm if its type has a field that cannot be asked for."""
    card: type[Struct] = kind.card
    return tuple(field for field in _fields(card, kind.name) if field.name not in kind.kept)


@cache
def _fields(cls: type[Struct], owner: str) -> tuple[Field, ...]:
    hints = get_type_hints(cls, include_extras=True)
    return tuple(_field(f, hints[f.name], owner) for f in msgspec.structs.fields(cls))


def _field(of: msgspec.structs.FieldInfo, hint: Any, owner: str) -> Field:
    field = _bare_field(of, hint, owner)
    if of.default is NODEFAULT or of.default is None or field.kind in ("name", "effects"):
        return field
    return msgspec.structs.replace(field, default=YES_NO[of.default] if field.is_flag else str(of.default))


def _bare_field(of: msgspec.structs.FieldInfo, hint: Any, owner: str) -> Field:
    plain, meta = bare(hint)
    arms = [arm for arm in get_args(plain) if arm is not NoneType] if get_origin(plain) in (Union, UnionType) else []
    if len(arms) == 1:
        plain, inner = bare(arms[0])
        meta = meta or inner
    needed = of.default is NODEFAULT and of.default_factory is NODEFAULT
    name, label = of.encode_name, f"field.{owner}.{of.encode_name}"
    if get_origin(plain) is Literal:
        return Field(name, "choice", label, choices=tuple(str(choice) for choice in get_args(plain)))
    if plain is bool:
        return Field(name, "choice", label, choices=YES_NO, is_flag=True)
    if plain is int:
        low, high = (meta.ge, meta.le) if meta else (None, None)
        ends = (0 if low is None else int(low), LARGEST if high is None else int(high))
        return Field(name, "number", label, low=ends[0], high=ends[1], needed=not arms)
    if plain is str:
        meta = meta or Meta()
        return Field(
            name, "text", label, longest=meta.max_length or LONGEST, needed=needed or bool(meta.min_length),
            pattern=meta.pattern or "",
        )  # fmt: skip
    if isinstance(plain, type) and issubclass(plain, Struct) and plain.__struct_fields__ == LANGS:
        return Field(name, "name", label, needed=not arms)
    if get_origin(plain) is tuple and get_args(plain)[-1] is Ellipsis:
        return Field(name, "effects", label, effects=tuple(_effects(get_args(plain)[0])), needed=False)
    raise NoForm(f"{owner}.{name} is {hint}: give it a type that companion.core.cards names, or keep it from the form")


def _effects(hint: Any) -> Iterator[Effect]:
    plain, _ = bare(hint)
    for arm in get_args(plain) if get_origin(plain) in (Union, UnionType) else (plain,):
        config = arm.__struct_config__
        yield Effect(str(config.tag), str(config.tag_field), _fields(arm, str(config.tag)))


def typed(kind: CardKind[Any, Any], card: Struct) -> dict[str, str]:
    """A card as a filled-in form."""
    return dict(_typed(fields_of(kind), msgspec.to_builtins(card), ""))


def _typed(fields: tuple[Field, ...], built: Mapping[str, Any], before: str) -> Iterator[tuple[str, str]]:
    for field in fields:
        value, path = built.get(field.name), before + field.name
        if field.kind == "name":
            yield from ((f"{path}.{lang}", (value or {}).get(lang, "")) for lang in LANGS)
        elif field.kind == "effects":
            for at, one in enumerate(value or ()):
                effect = next(e for e in field.effects if one[e.tag_field] == e.tag)
                yield f"{path}.{at}.is", effect.tag
                yield from _typed(effect.fields, one, f"{path}.{at}.")
        elif value is not None:
            yield path, YES_NO[value] if field.is_flag else str(value)


def read(kind: CardKind[Any, Any], values: Values, old: Struct | None) -> tuple[Any, tuple[Wrong, ...]]:
    """The card that was typed, or None and what is wrong with it. Fields that people do not see come from `old`."""
    reading = _Reading(values, kind.name)
    built = reading.struct(fields_of(kind), "")
    if reading.wrongs:
        return None, tuple(reading.wrongs)
    kept = msgspec.to_builtins(old) if old is not None else {}
    built |= {name: kept[name] for name in kind.kept if name in kept}
    try:
        return msgspec.convert(built, kind.card), ()
    except (msgspec.ValidationError, ValueError):
        return None, (Wrong("", say("card.wrong.whole")),)


class _Reading:
    """One pass through the typed values of a form; collects everything wrong instead of stopping at the first."""

    def __init__(self, values: Values, owner: str) -> None:
        self._values = values
        self._owner = owner
        self.wrongs: list[Wrong] = []

    def struct(self, fields: tuple[Field, ...], before: str) -> dict[str, Any]:
        built = {field.name: self.value(field, before + field.name) for field in fields}
        return {name: value for name, value in built.items() if value is not None}

    def value(self, field: Field, path: str) -> Any:
        text = self._values.get(path, "").strip()
        match field.kind:
            case "choice":
                return self.choice(field, path, text)
            case "number":
                return self.number(field, path, text)
            case "text":
                return self.text(field, path, text)
            case "name":
                both = {lang: self._values.get(f"{path}.{lang}", "").strip() for lang in LANGS}
                for lang in LANGS:
                    self.text(field, f"{path}.{lang}", both[lang])
                return both if field.needed or any(both.values()) else None
            case "effects":
                return self.effects(field, path)

    def wrong(self, path: str, said: Said) -> Any:
        self.wrongs.append(Wrong(path, said))
        return None

    def choice(self, field: Field, path: str, text: str) -> Any:
        if text not in field.choices:
            return self.wrong(path, say("card.wrong.choice"))
        return text == "yes" if field.is_flag else text

    def number(self, field: Field, path: str, text: str) -> Any:
        if not text and not field.needed:
            return None
        is_number = text.removeprefix("-").isdecimal() and len(text) <= 9
        if not is_number or not field.low <= int(text) <= field.high:
            return self.wrong(path, say("card.wrong.number", low=field.low, high=field.high))
        return int(text)

    def text(self, field: Field, path: str, text: str) -> Any:
        if not text:
            return self.wrong(path, say("card.wrong.empty")) if field.needed else None
        if len(text) > field.longest:
            return self.wrong(path, say("card.wrong.long", n=field.longest))
        if field.pattern and not re.search(field.pattern, text):
            return self.wrong(path, say(f"{field.label}.must"))
        return text

    def effects(self, field: Field, path: str) -> tuple[dict[str, Any], ...]:
        known = {effect.tag: effect for effect in field.effects}
        found = []
        for at in range(MOST_EFFECTS):
            tag = self._values.get(f"{path}.{at}.is", NO_EFFECT)
            if tag in known:
                effect = known[tag]
                found.append({effect.tag_field: tag, **self.struct(effect.fields, f"{path}.{at}.")})
            elif tag != NO_EFFECT:
                self.wrong(f"{path}.{at}.is", say("card.wrong.choice"))
        return tuple(found)
