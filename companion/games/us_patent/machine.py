"""A Time Machine with its four slots, and the arithmetic of power (P5–P12)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.ids import PieceId, PlaceId
from companion.core.secrets import Public

from .cards import CHASSIS, PLANT, Card, Tables
from .effects import AnyEffect, Drive

NOTHING: Final = PieceId("")
"""Stands in an empty slot."""
NOWHERE: Final = PlaceId("")
NO_NUMBER: Final = -1
CALLED: Final = 0
"""The counter lies on “!”."""
OWN_POWER, PAIR_POWER = 5, 6
_EMPTY: Final = (NOTHING,) * 4
_OFF: Final = (False,) * 4


class Machine(Struct, frozen=True, omit_defaults=True):
    """What one seat has on the table, all of it public (P.ah). `cards` and `works` go by slot."""

    card: Public[PieceId] = NOTHING
    at: Public[PlaceId] = NOWHERE
    gold: Public[int] = 0
    number: Public[int] = NO_NUMBER
    cards: Public[tuple[PieceId, ...]] = _EMPTY
    works: Public[tuple[bool, ...]] = _OFF

    def slot_of(self, card: PieceId) -> int:
        """The slot where `card` is; -1 if it is not here."""
        return self.cards.index(card) if card and card in self.cards else -1

    def is_on(self, card: PieceId) -> bool:
        return card != NOTHING and card in self.cards and self.works[self.cards.index(card)]

    def is_off(self, card: PieceId) -> bool:
        return card != NOTHING and card in self.cards and not self.works[self.cards.index(card)]

    def attached(self) -> tuple[PieceId, ...]:
        return tuple(card for card in self.cards if card)

    def working(self) -> tuple[PieceId, ...]:
        return tuple(card for card, on in zip(self.cards, self.works, strict=True) if card and on)

    def disabled(self) -> tuple[PieceId, ...]:
        return tuple(card for card, on in zip(self.cards, self.works, strict=True) if card and not on)


def working(known: Tables, machine: Machine) -> Iterator[Card]:
    cards = known.cards
    return (cards[card] for card, on in zip(machine.cards, machine.works, strict=True) if on)


def rank_in(known: Tables, machine: Machine, slot: int) -> int:
    """The rank of the working Upgrade in a slot, 0 if there is none."""
    return known.cards[machine.cards[slot]].rank if machine.works[slot] else 0


def is_pair(known: Tables, machine: Machine) -> bool:
    """P8: Power Plant and Chassis both work, with equal ranks."""
    plant = rank_in(known, machine, PLANT)
    return plant > 0 and plant == rank_in(known, machine, CHASSIS)


def capacity(known: Tables, machine: Machine) -> int:
    """P8, with what working Upgrades add."""
    total = OWN_POWER + rank_in(known, machine, PLANT)
    if is_pair(known, machine):
        total += PAIR_POWER
    return total + sum(card.surplus for card in working(known, machine))


def draw(known: Tables, machine: Machine) -> int:
    """P9: what the working Weapon, Shield and Chassis need."""
    return sum(card.draw for card in working(known, machine))


def is_short(known: Tables, machine: Machine) -> bool:
    return True in machine.works and draw(known, machine) > capacity(known, machine)


E = TypeVar("E", bound=AnyEffect)


def effects(known: Tables, machine: Machine, kind: type[E]) -> tuple[tuple[Card, E], ...]:
    """The effects of one kind that work on this machine, each with its card (P33)."""
    found = ((card, card.by_kind.get(kind)) for card in working(known, machine))
    return tuple((card, effect) for card, effect in found if isinstance(effect, kind))


def has(known: Tables, machine: Machine, kind: type[AnyEffect]) -> bool:
    return any(kind in card.by_kind for card in working(known, machine))


def with_card(machine: Machine, slot: int, card: PieceId, works: bool) -> Machine:
    """The machine with `card` (or NOTHING) in the slot."""
    cards, states = machine.cards, machine.works
    return replace(
        machine,
        cards=(*cards[:slot], card, *cards[slot + 1 :]),
        works=(*states[:slot], works, *states[slot + 1 :]),
    )


def turned(machine: Machine, card: PieceId, works: bool) -> Machine:
    """The machine with one of its cards face up or face down."""
    return with_card(machine, machine.cards.index(card), card, works)


def mended(machine: Machine) -> Machine:
    """All its cards work."""
    return replace(machine, works=tuple(bool(card) for card in machine.cards))


def drive(known: Tables, machine: Machine) -> tuple[int, int]:
    """The dice of a move and what is added (P19)."""
    found = [effect for _, effect in effects(known, machine, Drive)]
    if not found:
        return 1, 0
    return max(effect.dice for effect in found), sum(effect.plus for effect in found)
