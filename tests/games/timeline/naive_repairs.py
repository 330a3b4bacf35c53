"""The second referee on corrections: refuses only what hands could not do. It shares no code with the game."""

from __future__ import annotations

from typing import Any, Final

from tests.games.timeline.naive_board import (
    Broken,
    World,
    card_at,
    free,
    in_deck,
    is_seat,
    lying,
    named,
    path_cards,
    pawns_on,
    spot,
    stand_ins,
    waits,
)

MOST_GOLD, MOST_GOODS, FAR = 99, 60, 99
"""What the box can record: this much Gold, this many counters, lanes this far from Start."""


# When it is the moment


def board_laid(world: World) -> Broken:
    """T2: before that there is nothing to correct."""
    return [] if all(world["columns"]) else [("over", "T2")]


def still(world: World, *open_steps: str) -> Broken:
    """The game is running, and nothing in progress gets in the way."""
    step = waits(world)
    if step == "over":
        return [("over", "T23" if max(world["gold"]) >= 21 else "T.af")]
    under_way = {"drawing": "T.x", "stopping": "T.x", "selling": "T.b", "placing": "T5"}
    return [("settling", under_way[step])] if step in under_way and step not in open_steps else []


def cards_at_rest(world: World) -> Broken:
    """No card is due to be laid and no pawn is in transit."""
    return board_laid(world) + still(world, "placing")


def turn_open(world: World) -> Broken:
    """T5: before the first player is known, nobody has the turn, and no pawn stands anywhere."""
    return ([("over", "T5")] if waits(world) in ("dealing", "naming") else []) + still(world)


# What hands could not do


def seat_there(world: World, wish: World) -> Broken:
    return [] if is_seat(world, wish["seat"]) else [("thing", "T30")]


def within(number: int, low: int, high: int, rule: str) -> Broken:
    return [] if low <= number <= high else [("thing", rule)]


def card_there(world: World, wish: World, rule: str) -> Broken:
    return [] if lying(world, wish["card"]) else [("thing", rule)]


def column_named(world: World, wish: World) -> int:
    numbers = named(wish["place"], "column", 1)
    return numbers[0] if numbers and 1 <= numbers[0] <= len(world["columns"]) else 0


def column_there(world: World, wish: World) -> Broken:
    return [] if column_named(world, wish) else [("thing", "T1")]


def card_known(setup: World, wish: World) -> Broken:
    return [] if wish["card"] in path_cards(setup) else [("thing", "T25")]


def overlap(world: World, wish: World, but: str = "") -> Broken:
    """T.o: two cards of a column cover different lanes; a card that is moved makes room for itself."""
    column, lanes = column_named(world, wish), set(range(wish["number"], wish["number"] + 4))
    cards = world["columns"][column - 1] if column else []
    others = [laid for laid in cards if not laid["lines"] or laid["card"] != but]
    return [("thing", "T.o")] if any(lanes & set(range(c["top"], c["top"] + 4)) for c in others) else []


def last_of(world: World, column: int) -> Broken:
    """T2: every column has a card."""
    return [("thing", "T2")] if len(world["columns"][column - 1]) == 1 else []


# The corrections


def set_goods(setup: World, world: World, wish: World) -> Broken:
    known = wish["good"] in ("oil", "milk", "beet", "nuc")
    found = seat_there(world, wish) + ([] if known else [("thing", "T30")])
    return found + within(wish["number"], 0, MOST_GOODS, "T30")


def set_column(setup: World, world: World, wish: World) -> Broken:
    return cards_at_rest(world) + column_there(world, wish) + within(wish["number"], -FAR, FAR, "T26")


def set_counter(setup: World, world: World, wish: World) -> Broken:
    """T3: counters lie on the four waypoints of face-up cards; T15: not under a pawn, which took it."""
    found = board_laid(world) + card_there(world, wish, "T3") + within(wish["number"], 1, 4, "T3")
    there = spot(world, wish["card"], wish["number"])
    taken = there and pawns_on(world, there[0], range(there[1], there[1] + 1))
    return found + ([("thing", "T15")] if taken else [])


def set_pawn(setup: World, world: World, wish: World) -> Broken:
    """T8: pawns stand on waypoints of face-up cards; T18: never two on one."""
    found = board_laid(world) + turn_open(world) + seat_there(world, wish)
    found += card_there(world, wish, "T8") + within(wish["number"], 1, 4, "T8")
    there = spot(world, wish["card"], wish["number"])
    return found + ([("thing", "T18")] if there and not free(world, wish["seat"], there) else [])


def pawn_to_market(setup: World, world: World, wish: World) -> Broken:
    found = board_laid(world) + turn_open(world) + seat_there(world, wish)
    return found + within(wish["number"], -FAR, FAR, "T26")


def put_card(setup: World, world: World, wish: World) -> Broken:
    found = cards_at_rest(world) + card_known(setup, wish) + column_there(world, wish)
    found += within(wish["number"], -FAR, FAR, "T26") + overlap(world, wish, wish["card"])
    was = lying(world, wish["card"])
    if was is None:  # T25: it comes from the deck
        return found + ([] if in_deck(world) else [("thing", "T25"), ("price", "T.g")])
    return found + (last_of(world, was[0]) if was[0] != column_named(world, wish) else [])


def remove_card(setup: World, world: World, wish: World) -> Broken:
    """T25: it goes back into the deck, so it must lie on the board; T.a: with a pawn on it it stays."""
    found, there = cards_at_rest(world) + card_there(world, wish, "T25"), lying(world, wish["card"])
    if there is None:
        return found
    found += last_of(world, there[0])
    return found + ([("thing", "T.a")] if pawns_on(world, there[0], range(there[1], there[1] + 4)) else [])


def put_blank(setup: World, world: World, wish: World) -> Broken:
    """T.p: a blank is the next card of the deck, or a spare one."""
    found = cards_at_rest(world) + column_there(world, wish) + within(wish["number"], -FAR, FAR, "T26")
    has_card = stand_ins(setup) or in_deck(world) > 0
    return found + overlap(world, wish) + ([] if has_card else [("price", "T.p"), ("price", "T.q")])


def remove_blank(setup: World, world: World, wish: World) -> Broken:
    found, laid = cards_at_rest(world), card_at(world, wish["place"])
    if laid is None or laid["lines"]:
        return [*found, ("thing", "T.p")]
    return found + last_of(world, named(wish["place"], "card", 2)[0])


def set_face(setup: World, world: World, wish: World) -> Broken:
    """T25: each card is there once; T.p: under a stand-in lies nothing, its face comes from the deck."""
    found, laid = cards_at_rest(world) + card_known(setup, wish), card_at(world, wish["place"])
    if lying(world, wish["card"]):
        found += [("thing", "T25")]
    if laid is None:
        return [*found, ("thing", "T2")]
    spare = not laid["lines"] and stand_ins(setup)
    return found + ([("price", "T.p"), ("price", "T.g")] if spare and not in_deck(world) else [])


REPAIRS: Final[dict[str, Any]] = {
    "set-gold": lambda setup, world, wish: seat_there(world, wish) + within(wish["number"], 0, MOST_GOLD, "T30"),
    "set-goods": set_goods,
    "set-turn": lambda setup, world, wish: turn_open(world) + seat_there(world, wish),
    "set-column": set_column,
    "set-counter": set_counter,
    "set-pawn": set_pawn,
    "pawn-to-market": pawn_to_market,
    "put-card": put_card,
    "remove-card": remove_card,
    "put-blank": put_blank,
    "remove-blank": remove_blank,
    "set-face": set_face,
}
