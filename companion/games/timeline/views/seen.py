"""Everything that is said, reworded as eyes see the board."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from companion.core import Fact, Piece, PieceId, Place, PlaceId, Said, Seat, SeatId, Word
from companion.games.timeline.state import (
    Column,
    State,
    Stopping,
    card_on,
    coming,
    find,
    found_at,
    goal,
    level,
    lies,
    lying,
    market,
    point,
    spot,
    unseen,
    where,
)

Known: TypeAlias = dict[str, Fact]
Sees: TypeAlias = Callable[[State, Known], None]


def _number(known: Known, name: str = "number") -> int:
    given = known[name]
    assert isinstance(given, int)
    return given


def _card(known: Known) -> PieceId:
    given = known["card"]
    assert isinstance(given, Piece)
    return given.id


def _place(known: Known) -> PlaceId:
    given = known["place"]
    assert isinstance(given, Place)
    return given.id


def _actor(known: Known) -> SeatId:
    given = known["actor"]
    assert isinstance(given, Seat)
    return given.id


def _waypoint_of_card(view: State, known: Known) -> None:
    found = find(view, _card(known))
    if found is not None:
        known["number"] = point(found[1], _number(known))
        known["card"] = lying(view, *found)


def _waypoint_of_new_card(view: State, known: Known) -> None:
    step = view.steps[-1]
    laid = card_on(_column(view, step.column), step.top) if isinstance(step, Stopping) else None
    known["number"] = point(laid, _number(known))


def _column(view: State, number: int) -> Column:
    return view.columns[number - 1] if 1 <= number <= len(view.columns) else ()


def _travel(view: State, known: Known) -> None:
    known["card"] = goal(view, _actor(known), _card(known))


def _explore(view: State, known: Known) -> None:
    known["place"] = unseen(view, _actor(known), _place(known))


def _things(view: State, known: Known) -> None:
    """Everything named as a piece or place, reworded as where eyes find it."""
    for name, fact in known.items():
        if isinstance(fact, Piece):
            known[name] = where(view, fact.id)
        elif isinstance(fact, Place):
            known[name] = found_at(view, fact.id)


def _height(name: str) -> Sees:
    def sees(view: State, known: Known) -> None:
        _things(view, known)
        known[name] = level(_number(known, name))

    return sees


def _to_market(name: str) -> Sees:
    def sees(view: State, known: Known) -> None:
        known[name] = market(view, _number(known, name))

    return sees


def _as_it_is(view: State, known: Known) -> None:
    """Only where it lies is told."""


def _new_face(view: State, known: Known) -> None:
    """What a card really is can only be told by its drawing."""
    known["place"] = found_at(view, _place(known))


def _face_set(view: State, known: Known) -> None:
    column = _number(known, "column")
    known["at"] = lies(column, _number(known, "at"), len(_column(view, column)))


def _comes(view: State, known: Known) -> None:
    known["top"] = coming(view, _number(known, "column"), _number(known, "top"))


def _counter(view: State, known: Known) -> None:
    known["lies"] = Word(f"counter.{known['lies']}")
    _waypoint_of_card(view, known)


def _pawn(view: State, known: Known) -> None:
    known["lane"] = spot(view, _number(known, "column"), _number(known, "lane"))


_SEES: Final[dict[str, Sees]] = {
    "intent.place": _waypoint_of_card,
    "intent.move": _waypoint_of_card,
    "intent.stop-on": _waypoint_of_new_card,
    "intent.travel": _travel,
    "intent.explore": _explore,
    "intent.set-counter": _waypoint_of_card,
    "intent.set-pawn": _waypoint_of_card,
    "intent.pawn-to-market": _to_market("number"),
    "intent.set-column": _height("number"),
    "intent.put-card": _height("number"),
    "intent.put-blank": _height("number"),
    "intent.set-face": _new_face,
    "event.placed": _waypoint_of_card,
    "event.moved": _waypoint_of_card,
    "event.set-out": _comes,
    "event.blank-laid": _comes,
    "event.card-laid": _comes,
    "event.entered-market": _to_market("lane"),
    "event.column-set": _height("top"),
    "event.counter-set": _counter,
    "event.pawn-set": _pawn,
    "event.card-put": _height("top"),
    "event.blank-put": _height("top"),
    "event.face-set": _face_set,
    "event.dealt": _as_it_is,
}
"""How the facts of each text become what eyes see; in all others only pieces and places do."""


def seen(view: State, said: Said) -> Said:
    """The same in words of the board."""
    if not said.facts:
        return said
    known = dict(said.facts)
    _SEES.get(said.key, _things)(view, known)
    return Said(said.key, tuple(known.items()))
