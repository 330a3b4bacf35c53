"""How good a machine is, now and after its owner has switched off what they must."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from companion.core import PieceId
from companion.games.us_patent.state import CHASSIS, PLANT, Machine, Tables, is_short, turned


def standing(tables: Tables, machine: Machine) -> float:
    """How good a machine is: cards that could work together, then those that do, then power to spare."""
    return _standing(tables, machine.cards, machine.works)


@lru_cache(512)
def _standing(tables: Tables, cards: tuple[PieceId, ...], works: tuple[bool, ...]) -> float:
    could = could_work(tables, Machine(cards=cards, works=works))
    return 10 * could + 4 * sum(works) + 0.1 * sum(bool(c) for c in cards)


def could_work(tables: Tables, machine: Machine) -> int:
    """The most Upgrades that would work together after a visit to the Mechanic."""
    best = 0
    for wanted in product((True, False), repeat=CHASSIS + 1):
        works = (*(bool(c) and on for c, on in zip(machine.cards, wanted, strict=False)), bool(machine.cards[PLANT]))
        trial = Machine(cards=machine.cards, works=works)
        if sum(works) > best and not is_short(tables, trial):
            best = sum(works)
    return best


def settled(tables: Tables, machine: Machine) -> Machine:
    """The machine after its owner switched off what they must (P10), in the best way the bot can see."""
    while is_short(tables, machine):
        options = [turned(machine, c, False) for c in machine.working() if c != machine.cards[PLANT]]
        machine = max(options, key=lambda m: (not is_short(tables, m), sum_of_ranks(tables, m)))
    return machine


def sum_of_ranks(tables: Tables, machine: Machine) -> int:
    return sum(tables.cards[c].rank for c in machine.working())
