"""Exact odds, counted over all ways the dice can fall."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Final

DIE: Final = range(1, 7)
_SUMS: Final = tuple(a + b for a, b in product(DIE, DIE))


@lru_cache(256)
def dispute(attack: int, defence: int) -> int:
    """In how many of 36 cases the attacker wins: the higher sum does, ties go to the defender (F14)."""
    return sum(a + attack > b + defence for a, b in product(DIE, DIE))


@lru_cache(16)
def reaches(target: int) -> int:
    """In how many of 36 cases two dice show at least this sum."""
    return sum(total >= target for total in _SUMS)


@lru_cache(1024)
def successes(targets: tuple[int, ...]) -> tuple[int, ...]:
    """In how many of 36³ cases no, one, two, three of the systems hold (F26)."""
    ways = [1]
    for target in targets:
        good = reaches(target)
        held = [0, *(n * good for n in ways)]
        failed = [*(n * (36 - good) for n in ways), 0]
        ways = [a + b for a, b in zip(held, failed, strict=True)]
    return tuple(ways)
