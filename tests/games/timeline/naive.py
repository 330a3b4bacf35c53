"""A second referee, slow and simple, written from the numbered rules alone; it shares no code with the game.

A world is a plain dictionary (the game's state as built-in types). Every lane of every column is painted with what
covers it; moves are found by walking from column to column.
"""

from __future__ import annotations

import copy
from typing import Any, TypeAlias

from tests.games.timeline.naive_repairs import REPAIRS, World, in_deck, is_seat, named, spot, stand_ins, waits

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


# The same questions, asked about one wish


def legal(setup: World, world: World, wish: World) -> bool:
    """Whether the rules allow a wish now; a wish that is no act of play sets something right."""
    asked = PLAY.get(wish["verb"]) or REPAIRS.get(wish["verb"])
    return asked is not None and bool(asked(setup, world, wish))


def turn_moves(setup: World, world: World, seat: int) -> set[Move]:
    """T6, T7: the acts of the seat whose turn it is."""
    if waits(world) != "turn" or not is_seat(world, seat) or world["turn"] != seat:
        return set()
    return moves(world, seat, setup["pack"].get("start", "BYRG"), stand_ins(setup))


def may_travel(setup: World, world: World, wish: World) -> bool:
    """A traveller names the card; the line says which waypoint."""
    on_card = {spot(world, wish["card"], number) for number in (1, 2, 3, 4)} - {None}
    return any(move[0] == "travel" and move[1:] in on_card for move in turn_moves(setup, world, wish["actor"]))


def may_move(setup: World, world: World, wish: World) -> bool:
    there = spot(world, wish["card"], wish["number"])
    return there is not None and ("move", *there) in turn_moves(setup, world, wish["actor"])


def may_flip(setup: World, world: World, wish: World) -> bool:
    numbers = named(wish["place"], "card", 2)
    if not numbers or not 1 <= numbers[0] <= len(world["columns"]):
        return False
    cards = world["columns"][numbers[0] - 1]
    if not 1 <= numbers[1] <= len(cards):
        return False
    top = cards[numbers[1] - 1]["top"]
    return ("flip", numbers[0], top) in turn_moves(setup, world, wish["actor"])


def may_explore(setup: World, world: World, wish: World) -> bool:
    numbers = named(wish["place"], "column", 1)
    return bool(numbers) and ("explore", *numbers) in turn_moves(setup, world, wish["actor"])


def may_sell(setup: World, world: World, wish: World) -> bool:
    """T21, T22, T.b: 1 to all of the good connected to the market in which the pawn stands, once a turn."""
    seat = wish["actor"]
    if waits(world) not in ("turn", "selling") or not is_seat(world, seat) or world["turn"] != seat:
        return False
    pawn = world["pawns"][seat]
    if pawn["column"] <= len(world["columns"]):
        return False
    good = good_at(world, pawn["lane"], setup["pack"].get("start", "BYRG"))
    return good is not None and 1 <= wish["number"] <= world["goods"][seat][good]


def may_place(setup: World, world: World, wish: World) -> bool:
    """T5, T.aa: the next seat, on the next column."""
    there = spot(world, wish["card"], wish["number"])
    due = sum(1 for pawn in world["pawns"] if pawn["column"]) + 1
    return waits(world) == "placing" and world["turn"] == wish["actor"] and there is not None and there[0] == due


def may_stop(setup: World, world: World, wish: World) -> bool:
    """T9, T18: a free waypoint of the card just laid."""
    step = world["steps"][-1]
    if waits(world) != "stopping" or wish["actor"] != world["turn"] or not 1 <= wish["number"] <= 4:
        return False
    lane = step["top"] + wish["number"] - 1
    return all((pawn["column"], pawn["lane"]) != (step["column"], lane) for pawn in world["pawns"])


def simple(*move: Any) -> Any:
    return lambda setup, world, wish: move in turn_moves(setup, world, wish["actor"])


PLAY: dict[str, Any] = {
    "name-first": lambda setup, world, wish: (
        waits(world) == "naming" and wish["actor"] == -1 and is_seat(world, wish["seat"])
    ),
    "drew": lambda setup, world, wish: (
        waits(world) in ("dealing", "drawing") and wish["actor"] == -1 and wish["card"] in world["deck"]
    ),
    "place": may_place,
    "move": may_move,
    "go-above": simple("above"),
    "go-below": simple("below"),
    "flip": may_flip,
    "travel": may_travel,
    "explore": may_explore,
    "enter-market": simple("market"),
    "stop-on": may_stop,
    "sell": may_sell,
    "keep-goods": lambda setup, world, wish: waits(world) == "selling" and world["turn"] == wish["actor"],
    "stay": simple("stay"),
    "agree-to-stop": lambda setup, world, wish: (
        waits(world) == "turn" and is_seat(world, wish["actor"]) and wish["actor"] not in world.get("agreed", [])
    ),
}
