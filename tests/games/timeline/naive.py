"""A second referee, slow and simple, written from the numbered rules alone; it shares no code with the game.

It lists everything that is wrong with a wish, and what each problem is about: that the game is over or hasn't
begun, whose turn it is, what must be settled first, the step of the turn, the place, the thing itself, or its
price.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from tests.games.timeline.naive_board import (
    Broken,
    World,
    card_at,
    covered,
    free,
    good_at,
    in_deck,
    in_market,
    is_seat,
    line,
    lying,
    named,
    pawn,
    spot,
    stand_ins,
    waits,
)
from tests.games.timeline.naive_meant import meant
from tests.games.timeline.naive_repairs import REPAIRS

__all__ = ["broken", "legal", "meant"]

Asked: TypeAlias = Callable[[World, World, World], Broken]


def broken(setup: World, world: World, wish: World) -> Broken:
    """Every condition that isn't met; a wish that is no act of play is a correction."""
    found = (PLAY | REPAIRS)[wish["verb"]](setup, world, wish)
    return list(dict.fromkeys(found))


def legal(setup: World, world: World, wish: World) -> bool:
    return not broken(setup, world, wish)


# When it is the moment


def ended(world: World) -> Broken:
    """T23: somebody has won; T.af: all agreed to stop, then nobody has."""
    if waits(world) != "over":
        return []
    return [("over", "T23" if max(world["gold"]) >= 21 else "T.af")]


def moment(world: World, wish: World, *due: str) -> Broken:
    """What an act of a seat waits for; `due` are the steps in which it is made."""
    step, found = waits(world), ended(world)
    if step == "dealing":
        found += [("over", "T2"), ("over", "T5")]
    if step == "naming":
        found += [("over", "T5")]
    if not is_seat(world, wish["actor"]):
        found += [("turn", "T30")]
    if step not in due:
        found += [("settling", rule) for rule in MUST_BE_SETTLED.get(step, ())]
    return found


MUST_BE_SETTLED: Final = {"placing": ("T5",), "drawing": ("T.x",), "stopping": ("T.x",), "selling": ("T.b",)}
"""Pawns are placed before the first turn; a card is laid, and its waypoint chosen, before anything else; a seat
that has moved into a market sells or doesn't.
"""


def whose(world: World, wish: World) -> Broken:
    """T5: pawns are placed clockwise; T6: then turns pass to the left."""
    if waits(world) in ("dealing", "naming", "over") or world["turn"] == wish["actor"]:
        return []
    return [("turn", "T5" if waits(world) == "placing" else "T6")]


def on_turn(world: World, wish: World) -> Broken:
    return moment(world, wish, "turn") + whose(world, wish)


def moving(world: World, wish: World) -> Broken:
    """T7: one move a turn; moving into a market uses it up."""
    moved = waits(world) == "selling" and world["turn"] == wish["actor"]
    return on_turn(world, wish) + ([("step", "T7")] if moved else [])


def local(world: World, wish: World) -> Broken:
    """T.d: the line is the only way out of a market; T8: a local move stays in your own column."""
    away = [("place", "T.d"), ("place", "T8")] if in_market(world, wish["actor"]) else []
    return moving(world, wish) + away


# Chance


def name_first(setup: World, world: World, wish: World) -> Broken:
    found = ended(world)
    if waits(world) == "dealing":
        found += [("over", "T2")]
    if wish["actor"] != -1:
        found += [("turn", "T5")]
    if waits(world) != "naming":
        found += [("step", "T5")]
    return found + ([] if is_seat(world, wish["seat"]) else [("thing", "T5"), ("thing", "T30")])


def drew(setup: World, world: World, wish: World) -> Broken:
    found = ended(world)
    if wish["actor"] != -1:
        found += [("turn", "T25")]
    if waits(world) not in ("dealing", "drawing"):
        found += [("step", "T25")]
    return found + ([] if wish["card"] in world["deck"] else [("thing", "T25")])


# Placement, local moves, stops


def place(setup: World, world: World, wish: World) -> Broken:
    """T5, T.aa: on any of the four waypoints, the first placer in column 1, the next in column 2."""
    found = moment(world, wish, "placing") + whose(world, wish)
    there = lying(world, wish["card"])
    if waits(world) != "placing":
        found += [("step", "T5")]
    elif there and there[0] != sum(1 for one in world["pawns"] if one["column"]) + 1:
        found += [("place", "T5"), ("place", "T.aa")]
    if not there:
        found += [("thing", "T5")]
    return found + waypoint(wish, "T5", "T.aa")


def waypoint(wish: World, *rules: str) -> Broken:
    return [] if 1 <= wish["number"] <= 4 else [("thing", rule) for rule in rules]


def move(setup: World, world: World, wish: World) -> Broken:
    found, seat = local(world, wish) + waypoint(wish, "T8"), wish["actor"]
    there, stop = lying(world, wish["card"]), spot(world, wish["card"], wish["number"])
    if not there:
        found += [("thing", "T8")]
    elif pawn(world, seat)[0] and there[0] != pawn(world, seat)[0]:
        found += [("place", "T8")]
    if stop and not free(world, seat, stop):
        found += [("thing", "T18")]
    return found + ([("thing", "T.u")] if stop and stop == pawn(world, seat) else [])


def off_the_map(setup: World, world: World, wish: World) -> Broken:
    return local(world, wish) + ([] if in_deck(world) else [("price", "T.g")])


def flip(setup: World, world: World, wish: World) -> Broken:
    """T.f: a blank of the own column; T.p: a stand-in is swapped for the next card of the deck."""
    found, laid = local(world, wish), card_at(world, wish["place"])
    if laid is None or laid["lines"]:
        found += [("thing", "T.f")]
    elif named(wish["place"], "card", 2)[0] != pawn(world, wish["actor"])[0]:
        found += [("place", "T.f"), ("place", "T8")]
    return found + no_card_to_swap(setup, world)


def no_card_to_swap(setup: World, world: World) -> Broken:
    return [] if in_deck(world) or not stand_ins(setup) else [("price", "T.p"), ("price", "T.g")]


def stop_on(setup: World, world: World, wish: World) -> Broken:
    """T9, T18: a free waypoint of the card just laid."""
    found, step = moment(world, wish, "stopping") + whose(world, wish), world["steps"][-1]
    found += waypoint(wish, "T9")
    if waits(world) != "stopping":
        return [*found, ("step", "T9")]
    taken = not free(world, wish["actor"], (step["column"], step["top"] + wish["number"] - 1))
    return found + ([("thing", "T18")] if taken and 1 <= wish["number"] <= 4 else [])


# Time travel


def travel(setup: World, world: World, wish: World) -> Broken:
    """T10: a card on your own line, in another column; T18, T.w: where no other pawn stands."""
    found, there, seat = moving(world, wish), lying(world, wish["card"]), wish["actor"]
    if not there:
        return [*found, ("thing", "T10")]
    if not pawn(world, seat)[0]:
        return found
    edge, stop = line(world, seat).get(there[0], (None, 0))
    if edge is None or not there[1] <= edge <= there[1] + 3:
        return [*found, ("place", "T10")]
    return found + ([] if free(world, seat, (there[0], stop)) else [("thing", "T.w"), ("thing", "T18")])


def explore(setup: World, world: World, wish: World) -> Broken:
    """T11, T14: open space or a blank in another column, where your own line goes."""
    found, numbers = moving(world, wish), named(wish["place"], "column", 1)
    if not numbers or not 1 <= numbers[0] <= len(world["columns"]):
        return [*found, ("place", "T14")]
    column = numbers[0]
    if column == pawn(world, wish["actor"])[0]:
        return [*found, ("place", "T10")]
    met = line(world, wish["actor"]).get(column)
    return found + (entered(setup, world, column, met[0]) if met else [])


def entered(setup: World, world: World, column: int, edge: int) -> Broken:
    """What keeps a traveller out of a column that their line touches at lane `edge`."""
    cells, cards = covered(world, column), world["columns"][column - 1]
    if edge in cells:
        return [("thing", "T11")] if cards[cells[edge][0]]["lines"] else no_card_to_swap(setup, world)
    if min(cells) < edge < max(cells):
        return [("thing", "T.ac")]
    needed = 1 if stand_ins(setup) else blanks_before(cells, edge) + 1
    return [] if in_deck(world) >= needed else [("price", "T.q"), ("price", "T.g")]


def blanks_before(cells: dict[int, tuple[int, int]], edge: int) -> int:
    """T12: lay one card after the other, away from the column, until one covers the lane."""
    blanks, above = 0, edge < min(cells)
    reach = min(cells) - 4 if above else max(cells) + 4
    while not (reach <= edge if above else edge <= reach):
        blanks += 1
        reach += -4 if above else 4
    return blanks


def enter_market(setup: World, world: World, wish: World) -> Broken:
    return moving(world, wish) + ([("place", "T.c")] if in_market(world, wish["actor"]) else [])


# In a market, and no move


def sell(setup: World, world: World, wish: World) -> Broken:
    """T21, T22, T.y: 1 to all of the good connected to the market in which the pawn stands."""
    found, seat = moment(world, wish, "turn", "selling") + whose(world, wish), wish["actor"]
    if not in_market(world, seat):
        return [*found, ("place", "T21")]
    good = good_at(world, pawn(world, seat)[1], setup["pack"].get("start", "BYRG"))
    if good is None:
        return [*found, ("thing", "T22")]
    held = world["goods"][seat][good]
    if not held:
        return [*found, ("thing", "T21")]
    return found + ([] if 1 <= wish["number"] <= held else [("price", "T.y"), ("price", "T21")])


def keep_goods(setup: World, world: World, wish: World) -> Broken:
    found = moment(world, wish, "selling") + whose(world, wish)
    return found + ([] if waits(world) == "selling" else [("step", "T.b")])


def agree_to_stop(setup: World, world: World, wish: World) -> Broken:
    found = moment(world, wish, "turn")
    return found + ([("thing", "T.af")] if wish["actor"] in world.get("agreed", []) else [])


PLAY: Final[dict[str, Asked]] = {
    "name-first": name_first,
    "drew": drew,
    "place": place,
    "move": move,
    "go-above": off_the_map,
    "go-below": off_the_map,
    "flip": flip,
    "travel": travel,
    "explore": explore,
    "enter-market": enter_market,
    "stop-on": stop_on,
    "sell": sell,
    "keep-goods": keep_goods,
    "stay": lambda setup, world, wish: on_turn(world, wish),
    "agree-to-stop": agree_to_stop,
}
