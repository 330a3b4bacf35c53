"""A Time Machine with its four slots, and the arithmetic of power (P5–P12)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core import PieceId, PlaceId, Public

from .cards import CHASSIS, PLANT, Card, Tables
from .vocabulary import AnyEffect, Drive, Effect, Repair, SelfRepair

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
    """What one seat has on the table, all of it public (P.ah). `cards` and `works` are by slot."""

    card: Public[PieceId] = NOTHING
    at: Public[PlaceId] = NOWHERE
    gold: Public[int] = 0
    number: Public[int] = NO_NUMBER
    cards: Public[tuple[PieceId, ...]] = _EMPTY
    works: Public[tuple[bool, ...]] = _OFF

    def slot_of(self, card: PieceId) -> int:
        """The slot that `card` is in; -1 if it is not here."""
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


class Workings(Struct, frozen=True, eq=False):
    """What the cards of a machine add up to, working or not.

    `texts` include those of disabled cards. `capacity` is that of P8 plus what working Upgrades add. `mends`: something
    is disabled, and one of the texts could repair it.
    """

    disabled: tuple[PieceId, ...]
    mends: bool
    ranks: tuple[int, ...]
    pair: bool
    capacity: int
    draw: int
    drive: tuple[int, int]
    effects: dict[type[Effect], tuple[tuple[Card, Any], ...]]
    texts: dict[type[Effect], tuple[tuple[Card, Any], ...]]


def workings(known: Tables, machine: Machine) -> Workings:
    """Computed once for the same cards in the same states, because every rule about a machine asks."""
    return _workings(known, machine.cards, machine.works)


@lru_cache(maxsize=256)
def _workings(known: Tables, cards: tuple[PieceId, ...], works: tuple[bool, ...]) -> Workings:
    attached = [known.cards[card] for card in cards if card]
    working = [known.cards[card] for card, on in zip(cards, works, strict=True) if on]
    ranks = tuple([known.cards[card].rank if on else 0 for card, on in zip(cards, works, strict=True)])
    effects = _by_kind(working)
    texts = effects if len(working) == len(attached) else _by_kind(attached)
    disabled = tuple([card.id for card in attached if card not in working])
    pair = works[PLANT] and works[CHASSIS] and ranks[PLANT] == ranks[CHASSIS]
    return Workings(
        disabled,
        bool(disabled) and (Repair in texts or SelfRepair in texts),
        ranks,
        pair,
        OWN_POWER + ranks[PLANT] + PAIR_POWER * pair + sum([card.surplus for card in working]),
        sum([card.draw for card in working]),
        _drive([effect for _, effect in effects.get(Drive, ())]),
        effects,
        texts,
    )


def _by_kind(cards: list[Card]) -> dict[type[Effect], tuple[tuple[Card, Any], ...]]:
    found: dict[type[Effect], tuple[tuple[Card, Any], ...]] = {}
    for card in cards:
        for kind, effects in card.by_kind.items():
            found[kind] = (*found.get(kind, ()), *((card, effect) for effect in effects))
    return found


def _drive(found: list[Drive]) -> tuple[int, int]:
    if not found:
        return 1, 0
    return max(effect.dice for effect in found), sum(effect.plus for effect in found)


def rank_in(known: Tables, machine: Machine, slot: int) -> int:
    """The rank of the working Upgrade in a slot, 0 if there is none."""
    return workings(known, machine).ranks[slot]


def is_pair(known: Tables, machine: Machine) -> bool:
    """P8: Power Plant and Chassis both work, with equal ranks."""
    return workings(known, machine).pair


def capacity(known: Tables, machine: Machine) -> int:
    return workings(known, machine).capacity


def draw(known: Tables, machine: Machine) -> int:
    """P9: what the working Weapon, Shield and Chassis need."""
    return workings(known, machine).draw


def is_short(known: Tables, machine: Machine) -> bool:
    now = workings(known, machine)
    return now.draw > now.capacity


def drive(known: Tables, machine: Machine) -> tuple[int, int]:
    """The dice of a move and what is added to them (P19)."""
    return workings(known, machine).drive


E = TypeVar("E", bound=AnyEffect)


def effects(known: Tables, machine: Machine, kind: type[E]) -> tuple[tuple[Card, E], ...]:
    """The effects of one kind that work on this machine, each with its card (P33)."""
    return workings(known, machine).effects.get(kind, ())


def texts(known: Tables, machine: Machine, kind: type[E]) -> tuple[tuple[Card, E], ...]:
    """The effects of one kind on this machine, including those of disabled cards."""
    return workings(known, machine).texts.get(kind, ())


def has(known: Tables, machine: Machine, kind: type[AnyEffect]) -> bool:
    return kind in workings(known, machine).effects


def with_card(machine: Machine, slot: int, card: PieceId, works: bool) -> Machine:
    """The machine with `card` (or NOTHING) in the slot."""
    cards, states = machine.cards, machine.works
    return replace(
        machine,
        cards=(*cards[:slot], card, *cards[slot + 1 :]),
        works=(*states[:slot], works, *states[slot + 1 :]),
    )


def turned(machine: Machine, card: PieceId, works: bool) -> Machine:
    """The machine with one of its cards turned face up or down."""
    return with_card(machine, machine.cards.index(card), card, works)


def mended(machine: Machine) -> Machine:
    """The machine with all its cards working."""
    return replace(machine, works=tuple(bool(card) for card in machine.cards))
