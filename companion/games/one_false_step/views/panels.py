"""What people take in at a glance: the week, the way to 30, Food and meals, the rocket, cities."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.core import (
    Bar,
    Ledger,
    Meter,
    Part,
    Piece,
    PieceId,
    Row,
    Said,
    Seat,
    SeatId,
    Stages,
    Standing,
    Word,
    Words,
    say,
    top,
)
from companion.games.one_false_step.rules.week import green, owed
from companion.games.one_false_step.state import (
    HIGHEST_LEVEL,
    KNOW_HOW,
    KNOW_HOW_POINTS,
    NOBODYS,
    SYSTEMS,
    WINNING,
    Day,
    Holding,
    State,
    Wednesday,
    bill,
    card_of,
    claims_of,
    income,
    score,
    target,
)

WEEK: Final[tuple[Day, ...]] = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
FEW: Final = 2
"""This many cities are shown at once; more are folded."""


def stages(view: State) -> Stages | None:
    """The days of the week (F9), and what the next ones bring."""
    if view.day == "setup" or not view.steps:
        return None
    return Stages(tuple(say(f"panel.day.{day}") for day in WEEK), WEEK.index(view.day), say(f"panel.then.{view.day}"))


def _points(view: State, seat: SeatId) -> tuple[Part, ...]:
    """The points (F35), and how far it is to the end."""
    points, red = score(view, seat), view.red[seat]
    known = KNOW_HOW_POINTS * view.know_how.count(seat)
    cities = points - red - known
    return (
        Part(say("panel.red", n=red), red, "used"),
        Part(say("panel.cities", n=cities), cities),
        Part(say("panel.know-how", n=known), known, "extra"),
        Part(say("panel.to-go", n=WINNING - points), max(0, WINNING - points), "left"),
    )


def _meal(view: State, seat: SeatId) -> tuple[int, int]:
    """The Food there will be for the next meal, and the Food it takes (F20, F21)."""
    if isinstance(top(view), Wednesday):
        return view.food[seat], sum(green(view, city) for city in owed(view, seat))
    return view.food[seat] + income(view, seat)[0], bill(view, seat)


def _eaten(there: int, need: int) -> tuple[Part, ...]:
    return (
        Part(say("panel.n", n=need), min(there, need), "used"),
        Part(say("panel.over", n=need - there), max(0, need - there), "over"),
        Part(say("panel.left", n=there - need), max(0, there - need), "left"),
    )


def chips_meter(view: State, seat: SeatId, words: Words) -> Meter:
    """Score, Food against the next meal, and Gold, all in chips."""
    food, gold = income(view, seat) if view.claims else (0, 0)
    bars = [
        Bar(say("panel.score", n=score(view, seat)), _points(view, seat)),
        Bar(say("panel.food", n=view.food[seat]), _growing(view.food[seat], food)),
        Bar(say("panel.gold", n=view.gold[seat]), _growing(view.gold[seat], gold)),
    ]
    if not view.claims:
        return Meter(words, tuple(bars))
    there, need = _meal(view, seat)
    bars.insert(2, Bar(say("panel.eat", n=need), _eaten(there, need)))
    return Meter(words, tuple(bars), say("panel.hungry", n=need - there) if need > there else None)


def _growing(have: int, more: int) -> tuple[Part, ...]:
    return Part(say("panel.n", n=have), have), Part(say("panel.more", n=more), more, "extra")


def rocket_meter(view: State, seat: SeatId, words: Words) -> Meter:
    """The three systems on their way to level 10, with what their dice must reach and the counters aboard."""
    systems = zip(SYSTEMS, view.levels[seat], strict=True)
    bars = tuple(_system(system, level, target(view, level)) for system, level in systems)
    crew = view.crew[seat]
    aboard = (Bar(say("panel.crew", n=crew), (Part(say("panel.n", n=crew), crew, "extra"),)),) if crew else ()
    return Meter(words, (*bars, *aboard))


def _system(system: str, level: int, dice: int) -> Bar:
    needs, reached, left = say("panel.dice", n=dice), say("panel.n", n=level), HIGHEST_LEVEL - level
    first, second = (reached, needs) if left > level else (needs, say("panel.n", n=left))
    parts = Part(first, level, "used"), Part(second, left, "left")
    return Bar(say("panel.level", system=Word(f"system.{system}"), n=level), parts)


def own_cities(view: State, seat: SeatId, words: Words) -> Iterator[Ledger]:
    """A seat's cities, each with what it eats; nothing if it has none."""
    due = owed(view, seat)
    mine = (held for held in view.owned if held.seat == seat)
    rows = tuple(Row(_state(held, due), _city(held), str(_green(view, held))) for held in mine)
    if rows:
        yield Ledger(words, say("panel.own-cities"), say("panel.eats"), rows, len(rows) > FEW)


def _state(held: Holding, due: tuple[PieceId, ...]) -> Said:
    if held.chips:
        return say("panel.fridays", n=held.chips)
    return say("panel.hungry-city") if held.city in due else say("panel.counters", n=held.counters)


def _city(held: Holding) -> Said:
    key = f"panel.city{'-card' if held.middle else ''}{'-train' if held.train else ''}"
    return say(key, city=Piece(held.city), middle=held.middle, train=held.train)


def _green(view: State, held: Holding) -> int:
    """An inactive city eats nothing (F31)."""
    card = card_of(view, held.city)
    return card.green if card and not held.chips else 0


def standing(view: State, seat: SeatId, words: Words) -> Standing:
    """A seat in the referee check."""
    red, food, gold, crew = view.red[seat], view.food[seat], view.gold[seat], view.crew[seat]
    notes = list[Said]()
    if view.claims:
        more, coins = income(view, seat)
        n = claims_of(view, seat).bit_count()
        notes.append(say("panel.income", n=n, food=more, gold=coins, bill=bill(view, seat)))
        first, second, third = view.levels[seat]
        notes.append(say("panel.rocket", guidance=first, life=second, fuel=third, crew=crew))
    undecided = len(owed(view, seat)) if view.steps else 0
    return Standing(
        words,
        seat,
        say("panel.chips", red=red, food=food, gold=gold),
        say("panel.points"),
        str(score(view, seat)),
        Bar(say("panel.of", goal=WINNING), _points(view, seat)),
        alarm=say("panel.undecided", n=undecided) if undecided else None,
        notes=tuple(notes),
    )


def all_cities(view: State) -> Iterator[Ledger]:
    """Every city that someone has, with its counters on the map; their words are with the seat."""
    rows = tuple(
        Row(say("panel.who", seat=Seat(held.seat)), _asleep(held) if held.chips else _city(held), str(held.counters))
        for held in view.owned
    )
    if rows:
        yield Ledger((), say("panel.all-cities"), say("panel.in-city"), rows, folded=True)


def _asleep(held: Holding) -> Said:
    return say("panel.asleep", city=Piece(held.city), n=held.chips)


def know_how(view: State, words: Words) -> Ledger:
    """Who holds each Know-how."""
    rows = zip(KNOW_HOW, view.know_how, strict=True)
    listed = tuple(Row(_holder(seat), say("choice", item=Piece(card)), str(KNOW_HOW_POINTS)) for card, seat in rows)
    return Ledger(words, say("panel.know-hows"), say("panel.points"), listed)


def _holder(seat: SeatId) -> Said:
    return say("panel.bank") if seat == NOBODYS else say("panel.who", seat=Seat(seat))
