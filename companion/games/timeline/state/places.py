"""Places by name, and lanes by height: nobody sees their numbers on the table."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from companion.core import Phrase, PlaceId, Said, phrase, say

from .cards import GOODS

_REMEMBERED: Final = 2048
"""More than all places of a board; limited because phones may ask about any."""


def level(top: int) -> Phrase:
    """How high a card lies, relative to the top of Start."""
    return _beside("level", top)


def _beside(key: str, down: int) -> Phrase:
    if not down:
        return phrase(f"{key}.same")
    return phrase(f"{key}.below" if down > 0 else f"{key}.above", n=abs(down))


def tier(lane: int) -> Phrase:
    """How high a market lies: how many Finish cards above or below the one beside Start (T26)."""
    return _beside("tier", lane // 4)


def place(place: PlaceId) -> Said:
    """A place by name.

    `deck`; `box`, where pawns wait that are not on the board; a good; `column/3`, and `head/3` above it; `finish`;
    `market/-1` by its lane;
    `card/3/2`, the second from the top in column 3; `lane/3/-1`, where a card of column 3 has its top lane;
    `stop/3/-1`, a waypoint there.
    """
    area, _, rest = place.partition("/")
    numbers = [int(number) for number in rest.split("/")] if re.fullmatch(r"-?\d+(/-?\d+)?", rest) else []
    match area, numbers:
        case "lane" | "stop", [column, lane]:
            return say(f"place.{area}", column=column, at=level(lane))
        case "market", [lane]:
            return say("place.market", at=tier(lane))
        case _, [column, at]:
            return say(f"place.{area}", column=column, at=at)
        case _, [at]:
            return say(f"place.{area}", at=at)
        case _:
            return say("good." + area) if area in GOODS else say(f"place.{area}")


def column_place(column: int) -> PlaceId:
    return PlaceId(f"column/{column}")


def head_place(column: int) -> PlaceId:
    """The tray above a column, for pawns that go there."""
    return PlaceId(f"head/{column}")


FINISH: Final = PlaceId("finish")
"""The tray above Finish."""
TRAYS: Final = frozenset((FINISH, *map(head_place, range(1, 7))))


def stop_place(column: int, lane: int) -> PlaceId:
    return PlaceId(f"stop/{column}/{lane}")


def market_place(lane: int) -> PlaceId:
    return PlaceId(f"market/{lane}")


def card_place(column: int, at: int) -> PlaceId:
    return PlaceId(f"card/{column}/{at}")


@lru_cache(_REMEMBERED)
def place_numbers(place: PlaceId, area: str) -> tuple[int, ...]:
    """The numbers of a place in that area, () for any other place."""
    found = re.fullmatch(rf"{area}((?:/-?\d{{1,4}}){{1,2}})", place)
    return tuple(int(number) for number in found[1][1:].split("/")) if found else ()


def numbers_of(place: PlaceId, area: str, count: int) -> tuple[int, ...]:
    """This many numbers of a place in that area; for any other, zeros, which are no place."""
    numbers = place_numbers(place, area)
    return numbers if len(numbers) == count else (0,) * count
