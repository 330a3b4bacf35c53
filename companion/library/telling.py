"""What one seat did, told in one go: “Ben goes to Lab 3, takes 2 Gold and ends the turn.”

Only plain sentences about that seat are joined. Anything with a comma, a colon or an “and” of its own, or about
somebody else, stays a separate sentence: joined, it would mean something else, in English and in French.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby, repeat
from typing import Final

from companion.core import Name, Said, Seat, SeatId

from .texts import Speaker

MOST: Final = 4
"""The most things that one sentence tells before the next begins."""
_PLAIN: Final = re.compile(r"[^,.:;!?]+\.")


def tell(speaker: Speaker, who: SeatId, lines: Iterable[Said]) -> Iterator[str]:
    """The sentences, in the order of the lines."""
    joint, deeds = speaker.key("telling.and"), list[str]()
    for line, same in groupby(lines):
        words, after, times = speaker.say(line), speaker.after(line, Seat(who)), sum(1 for _ in same)
        plain = after is not None and _PLAIN.fullmatch(after) and f" {joint} " not in after
        if deeds and (not plain or len(deeds) == MOST):
            yield _sentence(deeds, joint)
            deeds = []
        if after is None or not plain:
            yield from repeat(words, times)
        else:
            subject = "" if deeds else words.removesuffix(after)
            deeds.append(subject + _often(speaker, after.removesuffix("."), times))
    if deeds:
        yield _sentence(deeds, joint)


def _often(speaker: Speaker, deed: str, times: int) -> str:
    """Two different hidden cards look like the same card drawn twice, and are told that way."""
    if times == 1:
        return deed
    return speaker.key("telling.twice" if times == 2 else "telling.often", deed=Name(deed), n=times)


def _sentence(deeds: list[str], joint: str) -> str:
    *before, last = deeds
    return f"{', '.join(before)} {joint} {last}." if before else f"{last}."
