"""A fact of a view: a path into the state, and its value in words that can be written in a script."""

from __future__ import annotations

from typing import Any, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from companion.core import Hidden, SeatId, kebab

from .names import Named
from .words import Unreadable, unknown

NOTHING = "nothing"


class Fact(Struct, frozen=True):
    """A value with its type, which says what a number means."""

    value: Any
    hint: Any


def look(named: Named, view: Any, path: tuple[str, ...]) -> Fact:
    """Follow a path: fields by name, seats by name, items by number from 0; `size` is how many there are."""
    fact = Fact(view, type(view))
    for part in path:
        fact = _into(named, _bare(fact), part)
    return _bare(fact)


def items(named: Named, fact: Fact) -> tuple[str, ...]:
    """The value as the words of a list; one word if it is not a list."""
    if isinstance(fact.value, tuple):
        return tuple(_told(named, _bare(Fact(one, _item(fact.hint)))) for one in fact.value) or (NOTHING,)
    return (_told(named, fact),)


def _bare(fact: Fact) -> Fact:
    """The content of a `Hidden`, as far as its reader may know."""
    while isinstance(fact.value, Hidden):
        hints = get_args(fact.hint)
        fact = Fact(fact.value.value, hints[0] if hints else Any)
    return fact


def _into(named: Named, fact: Fact, part: str) -> Fact:
    value = fact.value
    if part == "size" and hasattr(value, "__len__"):
        return Fact(len(value), int)
    if isinstance(value, Struct):
        hints = get_type_hints(type(value))
        if part not in hints:
            raise unknown("fact", part, hints)
        return Fact(getattr(value, part), hints[part])
    if isinstance(value, tuple):
        at = int(part) if part.isdecimal() else named.seat(part)
        if at >= len(value):
            raise Unreadable(f"there is no item {part} here; the list has {len(value)}, counted from 0")
        return Fact(value[at], _item(fact.hint))
    raise Unreadable(f"{part!r} leads nowhere: {value!r} has no parts")


def _item(hint: Any) -> Any:
    return next(iter(get_args(hint)), Any) if get_origin(hint) is tuple else Any


def _told(named: Named, fact: Fact) -> str:
    value = fact.value
    if isinstance(value, tuple):
        return " ".join(items(named, fact))
    if isinstance(value, Struct):
        return _struct(named, value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if fact.hint is SeatId:
        return named.seat_name(value).strip('"')
    return str(value)


def _struct(named: Named, value: Struct) -> str:
    """`effects(seat=Ada kind=plan …)`, or just `turn` if there are no fields to show."""
    hints = get_type_hints(type(value))
    name = value.__struct_config__.tag or kebab(type(value).__name__)
    inner = (f"{f.name}={_told(named, _bare(Fact(getattr(value, f.name), hints[f.name])))}" for f in _fields(value))
    told = " ".join(inner)
    return f"{name}({told})" if told else str(name)


def _fields(value: Struct) -> tuple[msgspec.structs.FieldInfo, ...]:
    return tuple(msgspec.structs.fields(type(value)))
