"""A second referee, slow and simple, written from the numbered rules alone; it shares no code with the game.

A world is a plain dictionary (the game's state as built-in types). Every lane of every column is painted with what
covers it; moves are found by walking from column to column.
"""

from __future__ import annotations

import copy
from typing import Any, TypeAlias

World: TypeAlias = dict[str, Any]
Move: TypeAlias = tuple[Any, ...]


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


def good_at(world: World, market: int, start: str) -> int | None:
    """Which good leads to a market: follow each of the four from Start."""
    for slot in range(4):
        if walk_right(world, 1, slot)[-1][1] == market:
            return "BYRG".index(start[slot])
    return None


def in_deck(world: World) -> int:
    return len(world["deck"]) - int(world.get("blanks", 0))


def free(world: World, seat: int, column: int, lane: int) -> bool:
    return all(
        (spot["column"], spot["lane"]) != (column, lane) for other, spot in enumerate(world["pawns"]) if other != seat
    )


def moves(world: World, seat: int, start: str, stand_ins: bool) -> set[Move]:
    """Every act of the seat on turn: ("move", column, lane), ("above",), ("below",), ("flip", column, top),
    ("travel", column, lane), ("explore", column), ("market",), ("sell", most), ("stay",)."""
    spot = world["pawns"][seat]
    column, lane, last = spot["column"], spot["lane"], len(world["columns"])
    found: set[Move] = {("stay",)}
    if column <= last:
        found |= local(world, seat, column, lane, stand_ins)
        found.add(("market",))
        for there, entry in walk_right(world, column, lane)[:-1]:
            found |= stop(world, seat, there, entry, entry, stand_ins)
    else:
        good = good_at(world, lane, start)
        if good is not None and world["goods"][seat][good]:
            found.add(("sell", world["goods"][seat][good]))
    for there, came, entry in walk_left(world, min(column, last + 1), lane):
        found |= stop(world, seat, there, came, entry, stand_ins)
    return found


def local(world: World, seat: int, column: int, lane: int, stand_ins: bool) -> set[Move]:
    found: set[Move] = {("above",), ("below",)} if in_deck(world) else set()
    for laid in world["columns"][column - 1]:
        if not laid["lines"]:
            if in_deck(world) or not stand_ins:
                found.add(("flip", column, laid["top"]))
            continue
        for slot in range(4):
            goal = laid["top"] + slot
            if goal != lane and free(world, seat, column, goal):
                found.add(("move", column, goal))
    return found


def stop(world: World, seat: int, column: int, edge: int, entry: int, stand_ins: bool) -> set[Move]:
    """What a traveller may do in a column that its line touches at lane `edge` on the near side."""
    cells, cards = covered(world, column), world["columns"][column - 1]
    if edge in cells:
        if cards[cells[edge][0]]["lines"]:
            return {("travel", column, entry)} if free(world, seat, column, entry) else set()
        return {("explore", column)} if in_deck(world) or not stand_ins else set()
    if min(cells) < edge < max(cells):
        return set()
    blanks = 0
    reach = min(cells) - 4 if edge < min(cells) else max(cells) + 4
    while not (reach <= edge if edge < min(cells) else edge <= reach):
        blanks += 1
        reach += -4 if edge < min(cells) else 4
    needed = 1 if stand_ins else blanks + 1
    return {("explore", column)} if in_deck(world) >= needed else set()


def stopped(world: World, seat: int, column: int, lane: int, above_only: bool) -> World:
    """The world after a pawn has stopped on a waypoint: take, slide, pass the turn."""
    after = copy.deepcopy(world)
    after["pawns"][seat] = {"column": column, "lane": lane}
    at, slot = covered(after, column)[lane]
    cards = after["columns"][column - 1]
    laid = cards[at]
    if laid["counters"] & 1 << slot:
        laid["counters"] -= 1 << slot
        after["goods"][seat]["BYRG".index(laid["lines"][4 + slot])] += 1
        riding = [(c["top"], c["top"] + 3) for c in (cards[: at + 1] if above_only else cards)]
        for spot in after["pawns"]:
            if spot["column"] == column and any(low <= spot["lane"] <= high for low, high in riding):
                spot["lane"] -= 1
        for one in cards[: at + 1] if above_only else cards:
            one["top"] -= 1
    after["turn"] = (seat + 1) % len(after["gold"])
    return after
