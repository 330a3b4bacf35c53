"""The second referee on corrections: only what hands could not do is refused. It shares no code with the game."""

from __future__ import annotations

from typing import Any, TypeAlias

World: TypeAlias = dict[str, Any]


def in_deck(world: World) -> int:
    return len(world["deck"]) - int(world.get("blanks", 0))


def waits(world: World) -> str:
    """The kind of thing the game waits for."""
    return str(world["steps"][-1]["type"])


def stand_ins(setup: World) -> bool:
    return ["blanks", "stand-ins"] in [list(option) for option in setup["options"]]


def is_seat(world: World, seat: int) -> bool:
    return 0 <= seat < len(world["gold"])


def spot(world: World, card: str, number: int) -> tuple[int, int] | None:
    """Column and lane of a waypoint of a face-up card."""
    for column, cards in enumerate(world["columns"], 1):
        for laid in cards:
            if laid["card"] == card and laid["lines"] and 1 <= number <= 4:
                return column, laid["top"] + number - 1
    return None


def named(place: str, area: str, parts: int) -> list[int]:
    """`card/3/2` is the second card of column 3; [] for any other place."""
    head, *numbers = place.split("/")
    wanted = head == area and len(numbers) == parts and all(n.removeprefix("-").isdecimal() for n in numbers)
    return [int(number) for number in numbers] if wanted else []


def begun(world: World) -> bool:
    return all(world["columns"])


def quiet(world: World) -> bool:
    """No card is to be laid and no pawn under way."""
    return begun(world) and waits(world) in ("turn", "placing", "naming")


def pawns_on(world: World, column: int, lanes: range) -> list[int]:
    return [seat for seat, pawn in enumerate(world["pawns"]) if pawn["column"] == column and pawn["lane"] in lanes]


def near(number: int) -> bool:
    return -99 <= number <= 99


def column_of(world: World, card: str) -> int:
    """Where a face-up card lies; 0 if nowhere."""
    found = spot(world, card, 1)
    return found[0] if found else 0


def path_cards(setup: World) -> set[str]:
    found: set[str] = set()
    for number, face in enumerate(setup["pack"]["faces"], 1):
        count = face.get("count", 2)
        found |= (
            {f"face-{number}{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"[:count]}
            if count > 1
            else {f"face-{number}"}
        )
    return found


def columns_named(world: World, wish: World) -> int:
    numbers = named(wish["place"], "column", 1)
    return numbers[0] if numbers and 1 <= numbers[0] <= len(world["columns"]) else 0


def place_of(world: World, wish: World) -> World | None:
    """The card that lies at `card/3/2`."""
    numbers = named(wish["place"], "card", 2)
    if not numbers or not 1 <= numbers[0] <= len(world["columns"]):
        return None
    cards = world["columns"][numbers[0] - 1]
    return dict(cards[numbers[1] - 1]) if 1 <= numbers[1] <= len(cards) else None


def overlaps(world: World, column: int, top: int, but: str) -> bool:
    """Two cards of a column cover different lanes; a card that is moved makes room for itself."""
    lanes = set(range(top, top + 4))
    others = [laid for laid in world["columns"][column - 1] if not laid["lines"] or laid["card"] != but]
    return any(lanes & set(range(laid["top"], laid["top"] + 4)) for laid in others)


def may_put_card(setup: World, world: World, wish: World) -> bool:
    column, card = columns_named(world, wish), wish["card"]
    if not quiet(world) or not column or card not in path_cards(setup) or not near(wish["number"]):
        return False
    was = column_of(world, card)
    leaves_none = was and was != column and len(world["columns"][was - 1]) == 1
    from_deck = not was
    return (
        not overlaps(world, column, wish["number"], card) and not leaves_none and not (from_deck and in_deck(world) < 1)
    )


def may_remove_card(setup: World, world: World, wish: World) -> bool:
    there = spot(world, wish["card"], 1)
    if not quiet(world) or there is None or len(world["columns"][there[0] - 1]) == 1:
        return False
    return not pawns_on(world, there[0], range(there[1], there[1] + 4))


def may_put_blank(setup: World, world: World, wish: World) -> bool:
    column = columns_named(world, wish)
    if not quiet(world) or not column or not near(wish["number"]):
        return False
    has_card = stand_ins(setup) or in_deck(world) > 0
    return has_card and not overlaps(world, column, wish["number"], "")


def may_remove_blank(setup: World, world: World, wish: World) -> bool:
    laid = place_of(world, wish)
    if not quiet(world) or laid is None or laid["lines"]:
        return False
    return len(world["columns"][named(wish["place"], "card", 2)[0] - 1]) > 1


def may_set_face(setup: World, world: World, wish: World) -> bool:
    laid = place_of(world, wish)
    if not quiet(world) or laid is None or wish["card"] not in path_cards(setup) or column_of(world, wish["card"]):
        return False
    return bool(laid["lines"]) or not stand_ins(setup) or in_deck(world) > 0


def may_set_counter(setup: World, world: World, wish: World) -> bool:
    there = spot(world, wish["card"], wish["number"])
    return begun(world) and there is not None and not pawns_on(world, there[0], range(there[1], there[1] + 1))


def may_set_pawn(setup: World, world: World, wish: World) -> bool:
    there = spot(world, wish["card"], wish["number"])
    if waits(world) != "turn" or not begun(world) or there is None or not is_seat(world, wish["seat"]):
        return False
    return pawns_on(world, there[0], range(there[1], there[1] + 1)) in ([], [wish["seat"]])


REPAIRS: dict[str, Any] = {
    "set-gold": lambda setup, world, wish: is_seat(world, wish["seat"]) and 0 <= wish["number"] <= 99,
    "set-goods": lambda setup, world, wish: (
        is_seat(world, wish["seat"]) and wish["good"] in ("oil", "milk", "beet", "nuc") and 0 <= wish["number"] <= 60
    ),
    "set-turn": lambda setup, world, wish: waits(world) == "turn" and is_seat(world, wish["seat"]),
    "set-column": lambda setup, world, wish: quiet(world) and columns_named(world, wish) > 0 and near(wish["number"]),
    "set-counter": may_set_counter,
    "set-pawn": may_set_pawn,
    "pawn-to-market": lambda setup, world, wish: (
        waits(world) == "turn" and begun(world) and is_seat(world, wish["seat"]) and near(wish["number"])
    ),
    "put-card": may_put_card,
    "remove-card": may_remove_card,
    "put-blank": may_put_blank,
    "remove-blank": may_remove_blank,
    "set-face": may_set_face,
}
