"""Phones that ask for seats, in order of arrival, until somebody at the box lets them in or sends them away.

Being at the table is the key: whoever is let in sees what that seat may see. Pure.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from msgspec.structs import replace

from .seen import Joining
from .wishes import LetIn, SendAway

Queue: TypeAlias = tuple[Joining, ...]
"""Everybody who asked and has not sat down yet, let in or not."""

MOST: Final = 9
"""The most chairs that any table has, including the referee's; a longer queue is no longer made of guests."""


def asked(queue: Queue, who: Joining, instead: str = "") -> Queue | None:
    """The queue with one more; None if it is full. A phone that asks again (`instead` of its last code, or by repeating
    the same command) loses its place."""
    again = [each.code for each in queue if who.command and each.command == who.command]
    others = without(queue, (instead, *again))
    is_taken = any(each.code == who.code for each in others)
    return None if len(others) >= MOST or is_taken else (*others, who)


def waiting(queue: Queue) -> Queue:
    """Those still to be let in."""
    return tuple(each for each in queue if not each.admitted)


def answered(queue: Queue, answer: LetIn | SendAway) -> Queue:
    if isinstance(answer, SendAway):
        return without(queue, answer.codes)
    return tuple(replace(each, admitted=each.admitted or each.code in answer.codes) for each in queue)


def without(queue: Queue, codes: tuple[str, ...]) -> Queue:
    return tuple(each for each in queue if each.code not in codes)
