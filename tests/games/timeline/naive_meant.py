"""The second referee on what people mean by what they point at. It shares no code with the game."""

from __future__ import annotations

from typing import TypeAlias

from tests.games.timeline.naive_board import (
    World,
    covered,
    end_of_line,
    in_market,
    line,
    lying,
    named,
    path_cards,
    pawn,
    spot,
    waits,
)

Pointed: TypeAlias = tuple[str, str | int]
"""What kind of thing (piece, place, seat, number, verb), and which."""

OF_COLUMNS, OF_CARDS = ("explore", "set-column", "put-card", "put-blank"), ("flip", "remove-blank", "set-face")


def meant(setup: World, world: World, wish: World, token: Pointed) -> bool:
    """Whether a person who points at this could mean this wish."""
    kind, value = token
    match kind:
        case "verb":
            return bool(wish["verb"] == value)
        case "seat" | "actor":
            return value in (wish["actor"], wish.get("seat"))
        case "number":
            return value == wish.get("number")
        case "piece":
            return value in pieces_of(setup, world, wish)
        case "place":
            return names_place(world, wish, str(value)) or value in drawn(world, wish)
        case _:
            return False


def pieces_of(setup: World, world: World, wish: World) -> set[str]:
    """The card of a wish; the card just laid, for a stop on it; the pawn that is corrected. A pawn isn't a card."""
    found = {wish["card"]} & path_cards(setup) if "card" in wish else set()
    if wish["verb"] in ("set-pawn", "pawn-to-market"):
        found.add(f"pawn-{wish['seat']}")
    if wish["verb"] == "stop-on" and waits(world) == "stopping":
        step = world["steps"][-1]
        found |= {laid["card"] for laid in world["columns"][step["column"] - 1] if laid["top"] == step["top"]}
    return found


def names_place(world: World, wish: World, value: str) -> bool:
    """Whether the wish names this place, and the place is of the kind that such a wish is about."""
    if wish["verb"] == "set-goods":
        return value == wish["good"] and value in ("oil", "milk", "beet", "nuc")
    if wish.get("place") != value:
        return False
    return bool(named(value, "column", 1) if wish["verb"] in OF_COLUMNS else named(value, "card", 2))


def drawn(world: World, wish: World) -> set[str]:
    """The drawn things that mean a wish although it doesn't name them."""
    seat, columns = wish["actor"], range(1, len(world["columns"]) + 1)
    column, lane = pawn(world, seat)
    match wish["verb"]:
        case "place" | "move" | "set-counter" | "set-pawn":
            return waypoints([spot(world, wish["card"], wish["number"])])
        case "stop-on" if waits(world) == "stopping":
            step = world["steps"][-1]
            return waypoints([(step["column"], step["top"] + wish["number"] - 1)])
        case "travel":
            return waypoints(goals(world, wish))
        case "explore":
            return {place for place in [blank_met(world, wish)] if place}
        case "go-above" | "go-below" if column in columns:
            return {f"column/{column}"}
        case "enter-market":
            return {f"market/{end_of_line(world, seat)}"}
        case "sell" if in_market(world, seat):
            return {f"market/{lane}"}
        case _:
            return set()


def waypoints(spots: list[tuple[int, int] | None]) -> set[str]:
    return {f"stop/{there[0]}/{there[1]}" for there in spots if there}


def goals(world: World, wish: World) -> list[tuple[int, int] | None]:
    """Where the line meets the card; people who don't see that it misses the card may mean any of its waypoints."""
    there = lying(world, wish["card"])
    if there is None:
        return []
    edge, stop = line(world, wish["actor"]).get(there[0], (None, 0))
    if edge is not None and there[1] <= edge <= there[1] + 3:
        return [(there[0], stop)]
    return [(there[0], there[1] + slot) for slot in range(4)]


def blank_met(world: World, wish: World) -> str:
    """The blank of that column on the own line."""
    numbers = named(wish["place"], "column", 1)
    met = line(world, wish["actor"]).get(numbers[0]) if numbers else None
    cells = covered(world, numbers[0]) if met else {}
    if not met or met[0] not in cells or world["columns"][numbers[0] - 1][cells[met[0]][0]]["lines"]:
        return ""
    return f"card/{numbers[0]}/{cells[met[0]][0] + 1}"
