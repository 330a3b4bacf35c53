"""What a game says about its cards so that their owners can describe them on a phone: a form for each kind of card.

The form is the card's own type; nothing about it is written twice. A field may be a `Literal` or a bool (a choice), an
int with bounds (a number), a str (free text), a struct of `en` and `fr` (a name in both languages), or a tuple of
tagged structs (effects, each with choices and numbers of its own).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from msgspec import Struct

from .facts import Said

P = TypeVar("P")
C = TypeVar("C", bound=Struct)


class Wrong(Struct, frozen=True):
    """What is wrong with one field of a card, for people; `field` is "" where it is the card as a whole."""

    field: str
    said: Said


class CardKind(Struct, Generic[P, C], frozen=True, kw_only=True, eq=False):
    """One kind of card that owners may describe: how a pack gives its cards, and takes them back.

    `write(pack, read(pack)) == pack`. `said` names a card in lists. `kept` are fields that people do not see, such as
    an id. `blank` is what a new card begins as; without it cards are changed, never added or removed. `count` names the
    field that says how many alike there are: those are counted in one list. `wrong` is asked about a card whose every
    field is fine by itself; `pack` is then the one without it.
    """

    name: str
    card: type[C]
    read: Callable[[P], tuple[C, ...]]
    write: Callable[[P, tuple[C, ...]], P]
    said: Callable[[C], Said]
    wrong: Callable[[P, C], tuple[Wrong, ...]] = lambda _pack, _card: ()
    kept: tuple[str, ...] = ()
    blank: C | None = None
    count: str = ""
