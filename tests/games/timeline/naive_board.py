"""The table as the second referee sees it: plain dictionaries, every lane painted with what covers it.

It shares no code with the game. Lines are found by walking from column to column.
"""

from __future__ import annotations

import json
from typing import Any, TypeAlias

World: TypeAlias = dict[str, Any]
Broken: TypeAlias = list[tuple[str, str]]
"""Conditions that aren't met: what each is about, and the rule that states it."""


def waits(world: World) -> str:
    """The kind of thing the game waits for."""
    return str(world["steps"][-1]["type"])


def is_seat(world: World, seat: int) -> bool:
    return 0 <= seat < len(world["gold"])


def stand_ins(setup: World) -> bool:
    return ["blanks", "stand-ins"] in [list(option) for option in setup["options"]]


def in_deck(world: World) -> int:
    return len(world["deck"]) - int(world.get("blanks", 0))


def path_cards(setup: World) -> set[str]:
    found: set[str] = set()
    for number, face in enumerate(setup["pack"]["faces"], 1):
        count = face.get("count", 2)
        letters = "abcdefghijklmnopqrstuvwxyz"[:count] if count > 1 else [""]
        found |= {f"face-{number}{letter}" for letter in letters}
    return found


def named(place: str, area: str, parts: int) -> list[int]:
    """`card/3/2` is the second card of column 3; [] for any other place."""
    head, *numbers = place.split("/")
    wanted = head == area and len(numbers) == parts and all(n.removeprefix("-").isdecimal() for n in numbers)
    return [int(number) for number in numbers] if wanted else []


def lying(world: World, card: str) -> tuple[int, int] | None:
    """Column and top lane of a face-up card."""
    for column, cards in enumerate(world["columns"], 1):
        for laid in cards:
            if laid["card"] == card and laid["lines"]:
                return column, laid["top"]
    return None


def spot(world: World, card: str, number: int) -> tuple[int, int] | None:
    """Column and lane of a waypoint of a face-up card."""
    there = lying(world, card)
    return (there[0], there[1] + number - 1) if there is not None and 1 <= number <= 4 else None


def card_at(world: World, place: str) -> World | None:
    """The card that lies at `card/3/2`."""
    numbers = named(place, "card", 2)
    if not numbers or not 1 <= numbers[0] <= len(world["columns"]):
        return None
    cards = world["columns"][numbers[0] - 1]
    return dict(cards[numbers[1] - 1]) if 1 <= numbers[1] <= len(cards) else None


def pawn(world: World, seat: int) -> tuple[int, int]:
    """Column and lane of a pawn; (0, 0) beside the board, or if the seat has none."""
    if not is_seat(world, seat):
        return 0, 0
    return world["pawns"][seat]["column"], world["pawns"][seat]["lane"]


def in_market(world: World, seat: int) -> bool:
    return pawn(world, seat)[0] > len(world["columns"])


def pawns_on(world: World, column: int, lanes: range) -> list[int]:
    return [seat for seat, one in enumerate(world["pawns"]) if one["column"] == column and one["lane"] in lanes]


def free(world: World, seat: int, there: tuple[int, int]) -> bool:
    """T18: no pawn but your own stands there."""
    column, lane = there
    return pawns_on(world, column, range(lane, lane + 1)) in ([], [seat])


# Lines


def covered(world: World, column: int) -> dict[int, tuple[int, int]]:
    """Lane → (which card of the column, which left slot)."""
    cells = {}
    for at, laid in enumerate(world["columns"][column - 1]):
        for slot in range(4):
            cells[laid["top"] + slot] = (at, slot)
    return cells


def out_of(lines: str, slot: int) -> int:
    return int(lines[slot]) - 1 if lines else slot


def into(lines: str, slot: int) -> int:
    return next(left for left in range(4) if out_of(lines, left) == slot)


def walk_right(world: World, column: int, lane: int) -> list[tuple[int, int]]:
    """(column, entry lane) of every later column and of Finish, for a pawn whose segment begins on `lane`."""
    path = []
    last = len(world["columns"])
    for here in range(column, last + 1):
        cells = covered(world, here)
        if lane in cells:
            at, slot = cells[lane]
            laid = world["columns"][here - 1][at]
            lane = laid["top"] + out_of(laid["lines"], slot)
        path.append((here + 1, lane))
    return path


def walk_left(world: World, column: int, lane: int) -> list[tuple[int, int, int]]:
    """(column, exit lane there, entry lane there) of every earlier column."""
    path = []
    for here in range(column - 1, 0, -1):
        cells, came = covered(world, here), lane
        if lane in cells:
            at, slot = cells[lane]
            laid = world["columns"][here - 1][at]
            lane = laid["top"] + into(laid["lines"], slot)
        path.append((here, came, lane))
    return path


def line(world: World, seat: int) -> dict[int, tuple[int, int]]:
    """T10, T.m: column → (lane at which the own line touches it on the near side, lane of its waypoint there)."""
    column, lane = pawn(world, seat)
    last = len(world["columns"])
    if not column:
        return {}
    right = walk_right(world, column, lane)[:-1] if column <= last else []
    found = {there: (entry, entry) for there, entry in right}
    found |= {there: (came, entry) for there, came, entry in walk_left(world, min(column, last + 1), lane)}
    return found


def end_of_line(world: World, seat: int) -> int | None:
    """The market at the right end of the own line; the own one for who is in a market."""
    column, lane = pawn(world, seat)
    if not column:
        return None
    return lane if in_market(world, seat) else walk_right(world, column, lane)[-1][1]


def good_at(world: World, market: int, start: str) -> int | None:
    """Which good leads to a market: follow each of the four from Start."""
    for slot in range(4):
        if walk_right(world, 1, slot)[-1][1] == market:
            return "BYRG".index(start[slot])
    return None


def stopped(world: World, seat: int, column: int, lane: int, above_only: bool) -> World:
    """The world after a pawn has stopped on a waypoint: take, slide, pass the turn."""
    after: World = json.loads(json.dumps(world))
    after["pawns"][seat] = {"column": column, "lane": lane}
    at, slot = covered(after, column)[lane]
    cards = after["columns"][column - 1]
    laid = cards[at]
    if laid["counters"] & 1 << slot:
        laid["counters"] -= 1 << slot
        after["goods"][seat]["BYRG".index(laid["lines"][4 + slot])] += 1
        riding = [(c["top"], c["top"] + 3) for c in (cards[: at + 1] if above_only else cards)]
        for one in after["pawns"]:
            if one["column"] == column and any(low <= one["lane"] <= high for low, high in riding):
                one["lane"] -= 1
        for card in cards[: at + 1] if above_only else cards:
            card["top"] -= 1
    after["turn"] = (seat + 1) % len(after["gold"])
    return after
