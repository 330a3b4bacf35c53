"""Who may know what.

Every field of a state or an event says how it is seen: `Public`, `Guarded`, `Sealed` or `Static`. There is no default.
From those marks alone `mask` builds what one audience may know, in the same type as the state, so labels, reasons,
pictures and bots read a view exactly as rules read a state.
"""

from __future__ import annotations

from collections.abc import Callable
from types import UnionType
from typing import Annotated, Any, Final, Generic, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from .ids import TABLE, UNKNOWN, PieceId, SeatId

T = TypeVar("T")
_Masker = Callable[[Any, SeatId], Any]

_PUBLIC: Final = "seen:public"
_GUARDED: Final = "seen:guarded"
_SEALED: Final = "seen:sealed"
_STATIC: Final = "seen:static"
_MARKS: Final = (_PUBLIC, _GUARDED, _SEALED, _STATIC)

Public = Annotated[T, _PUBLIC]
"""Lies open on the table."""
Guarded = Annotated[T, _GUARDED]
"""Holds `Hidden` values, or structs with marks of their own; masked part by part."""
Sealed = Annotated[T, _SEALED]
"""Known to nobody; an audience sees how many, never which."""
Static = Annotated[T, _STATIC]
"""Fixed by the setup for the whole game; neither masked nor sent with a view."""

EVERYONE: Final = (TABLE,)
"""Who knows what lies open: the table itself, and therefore every audience."""
NOBODY: Final[tuple[SeatId, ...]] = ()


class Hidden(Struct, Generic[T], frozen=True, gc=False):
    """A secret and the seats that may know it, or `EVERYONE`."""

    value: T
    known_by: tuple[SeatId, ...]


class Deck(Struct, frozen=True, gc=False):
    """Face-down cards: a known top in order, over an unseen set without order.

    Works for real and virtual decks alike, and there is no order that could leak.
    """

    top: Guarded[tuple[Hidden[PieceId], ...]]
    unseen: Sealed[tuple[PieceId, ...]]

    def __len__(self) -> int:
        return len(self.top) + len(self.unseen)

    def next(self) -> tuple[PieceId, ...]:
        """The cards that a draw may turn up: the known top, or any unseen one."""
        return (self.top[0].value,) if self.top else self.unseen

    def without(self, card: PieceId) -> Deck:
        """The deck after `card` was drawn."""
        if self.top and self.top[0].value == card:
            return Deck(self.top[1:], self.unseen)
        return Deck(self.top, without(self.unseen, card))


def deck_of(cards: tuple[PieceId, ...]) -> Deck:
    return Deck((), tuple(sorted(cards)))


def without(cards: tuple[PieceId, ...], card: PieceId) -> tuple[PieceId, ...]:
    """`cards` minus one `card`; a view that may not know where it is loses an unknown one."""
    at = cards.index(card if card in cards else UNKNOWN)
    return cards[:at] + cards[at + 1 :]


def including(cards: tuple[PieceId, ...], card: PieceId) -> tuple[PieceId, ...]:
    """`cards` plus `card`, sorted so that the order does not tell when it came."""
    return tuple(sorted((*cards, card)))


def knows(hidden: Hidden[Any], audience: SeatId) -> bool:
    return audience in hidden.known_by or TABLE in hidden.known_by


def mask(value: T, audience: SeatId) -> T:
    """What `audience` may know of `value`, a struct whose fields are all marked."""
    return cast(T, _masker(type(value))(value, audience))


_MASKERS: dict[type, _Masker] = {}


def _masker(cls: type) -> _Masker:
    """How to mask a struct of this class; cached."""
    masker = _MASKERS.get(cls)
    if masker is None:
        masker = _MASKERS[cls] = _make_masker(cls)
    return masker


def _make_masker(cls: type) -> _Masker:
    names = [field.name for field in msgspec.structs.fields(cls)]
    hints = get_type_hints(cls, include_extras=True)
    maskers = [(name, _field_masker(cls, name, hints[name])) for name in names]
    hiding = tuple((name, masker) for name, masker in maskers if masker is not _open)
    return _struct(hiding) if hiding else _open


def _struct(hiding: tuple[tuple[str, _Masker], ...]) -> _Masker:
    """A struct with these fields masked. What an audience last saw of a field is reused, because an act leaves most
    things unchanged.

    Safe to call from any thread: the cache of a field is one pair, stored in one step.
    """
    kept: dict[SeatId, dict[str, tuple[Any, Any]]] = {}

    def struct(value: Any, audience: SeatId) -> Any:
        shown = kept.setdefault(audience, {})
        made = {}
        for name, masker in hiding:
            field, last = getattr(value, name), shown.get(name)
            if last is None or last[0] is not field:
                last = shown[name] = field, masker(field, audience)
            made[name] = last[1]
        return replace(value, **made)

    return struct


def _open(value: Any, _audience: SeatId) -> Any:
    return value


def _each(masker: _Masker) -> _Masker:
    """The same for each element of a tuple; elements that have not moved are reused."""
    kept: dict[SeatId, tuple[tuple[Any, ...], tuple[Any, ...]]] = {}

    def masked(values: tuple[Any, ...], audience: SeatId) -> tuple[Any, ...]:
        last, views = kept.get(audience, ((), ()))
        same = zip(values, last, views, strict=False)
        made = [view if value is was else masker(value, audience) for value, was, view in same]
        made += [masker(value, audience) for value in values[len(made) :]]
        view = tuple(made)
        kept[audience] = values, view
        return view

    return masked


def _field_masker(cls: type, name: str, hint: Any) -> _Masker:
    marks = [m for m in getattr(hint, "__metadata__", ()) if m in _MARKS]
    match marks:
        case ["seen:public" | "seen:static"]:
            return _open
        case ["seen:sealed"]:
            return _sealed
        case ["seen:guarded"]:
            return _masker_for(get_args(hint)[0])
        case _:
            raise TypeError(
                f"{cls.__qualname__}.{name} does not say who may see it: annotate it with exactly one of "
                "Public, Guarded, Sealed or Static (companion.core.secrets)"
            )


def _masker_for(hint: Any) -> _Masker:
    origin = get_origin(hint) or hint
    if origin is Hidden:
        return _hidden
    if origin is tuple:
        item = _masker_for(get_args(hint)[0])
        if item is _hidden:
            return _all_hidden
        return _each(item)
    if origin in (Union, UnionType):
        return lambda value, audience: mask(value, audience) if isinstance(value, Struct) else value
    if isinstance(origin, type) and issubclass(origin, Struct):
        return _masker(origin)
    raise TypeError(f"Guarded[{hint}] holds nothing to guard: use Public, or put Hidden values inside")


def _hidden(value: Hidden[Any], audience: SeatId) -> Hidden[Any]:
    return value if audience in value.known_by or TABLE in value.known_by else _veiled(value)


def _all_hidden(values: tuple[Hidden[Any], ...], audience: SeatId) -> tuple[Hidden[Any], ...]:
    if not values:
        return values
    return tuple([v if audience in v.known_by or TABLE in v.known_by else _veiled(v) for v in values])


def _veiled(hidden: Hidden[Any]) -> Hidden[Any]:
    """The same with its secret left out. For a card, as most are, one shared value per group of seats that know it."""
    if type(hidden.value) is not str:
        return Hidden(_blank(hidden.value), hidden.known_by)
    known_by = hidden.known_by
    veiled = _VEILED.get(known_by)
    if veiled is None:
        veiled = _VEILED[known_by] = Hidden(UNKNOWN, known_by)
    return veiled


_VEILED: Final[dict[tuple[SeatId, ...], Hidden[PieceId]]] = {}
"""Keyed by who knows: as many entries as there are groups of seats."""


def _sealed(value: Any, _audience: SeatId) -> Any:
    return _blank(value)


def _blank(value: Any) -> Any:
    if isinstance(value, tuple):
        return (UNKNOWN,) * len(value)
    if isinstance(value, str):
        return UNKNOWN
    raise TypeError(f"no blank stands for {value!r}: hide a piece or a tuple of pieces")


def classify(cls: type) -> dict[str, str]:
    """The mark of each field of `cls`; raises TypeError where one is missing."""
    _masker(cls)
    hints = get_type_hints(cls, include_extras=True)
    return {
        field.name: next(m.removeprefix("seen:") for m in hints[field.name].__metadata__ if m in _MARKS)
        for field in msgspec.structs.fields(cls)
    }
