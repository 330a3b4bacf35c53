"""What eyes see: a card by its place in its column, a waypoint by its good, a lane by its height beside Start.

Nobody can see the number of a face or a lane on the table. Everything here reads a view, and may be said to everybody.
"""

from __future__ import annotations

from typing import Final

from companion.core import Fact, Phrase, Piece, PieceId, Place, PlaceId, SeatId, Word, phrase

from .cards import colours, good_word
from .lanes import met_in, worth
from .places import level, place_numbers, tier
from .state import Laid, State, card_on, find

ORDINALS: Final = 9
"""Up to this number, cards of a column are counted in words."""
_AREAS: Final = ("card", "lane", "stop", "market")


def lies(column: int, at: int, of: int) -> Phrase:
    """The card `at` of the `of` cards in a column, counted from the top."""
    if of == 1:
        return phrase("lies.only", column=column)
    if at in (1, of):
        return phrase("lies.top" if at == 1 else "lies.bottom", column=column)
    if at <= ORDINALS:
        return phrase("lies.nth", column=column, nth=Word(f"nth.{at}"))
    return phrase("lies.at", column=column, at=at)


def where(view: State, card: PieceId) -> Fact:
    """A card by where it lies face up on the board; elsewhere by its drawing."""
    found = find(view, card)
    return Piece(card) if found is None else lying(view, *found)


def lying(view: State, number: int, laid: Laid) -> Phrase:
    column = view.columns[number - 1]
    return lies(number, column.index(laid) + 1, len(column))


def point(laid: Laid | None, number: int) -> Fact:
    """A waypoint by its good and its distance from the top of its card."""
    if laid is None or not laid.lines or not 1 <= number <= 4:
        return number
    return point_of(colours(laid.lines)[number - 1], number)


def point_of(good: int, number: int) -> Phrase:
    return phrase(f"point.{number}", good=good_word(good))


def counters(laid: Laid) -> Phrase:
    """The goods whose counters still lie on a card."""
    left = [good_word(good) for slot, good in enumerate(colours(laid.lines)) if laid.counters >> slot & 1]
    return Phrase(f"counters.{len(left)}", tuple(zip("abcd", left, strict=False)))


def market(view: State, lane: int) -> Phrase:
    """A market by what it pays and how high it lies."""
    return phrase("market.at", value=worth(view.setup.pack, lane), tier=tier(lane))


def spot(view: State, column: int, lane: int) -> Phrase:
    """Where a pawn stands: a waypoint of a card, or a market."""
    if column > len(view.columns):
        return market(view, lane)
    laid = card_on(view.columns[column - 1], lane) if column else None
    if laid is None:
        return phrase("spot.none", column=column)
    return phrase("spot.on", number=point(laid, lane - laid.top + 1), card=lying(view, column, laid))


def coming(view: State, number: int, top: int) -> Phrase:
    """Where in its column the card that comes to `top` lies, before and after it is laid.

    The column may have gone up a lane since.
    """
    column = view.columns[number - 1]
    at = next((at for at, laid in enumerate(column, 1) if laid.top in (top, top - 1)), None)
    if at is None:
        return lies(number, 1 if not column or top < column[0].top else len(column) + 1, len(column) + 1)
    return lies(number, at, len(column))


def found_at(view: State, place: PlaceId) -> Fact:
    """A place on the board in the words of the board; any other by its name."""
    area = place.partition("/")[0]
    match place_numbers(place, area) if area in _AREAS else (), area:
        case (column, at), "card" if 1 <= column <= len(view.columns):
            return lies(column, at, len(view.columns[column - 1]))
        case (column, top), "lane":
            return phrase("lies.level", column=column, level=level(top))
        case (column, lane), "stop" if 1 <= column <= len(view.columns):
            return spot(view, column, lane)
        case (lane,), "market":
            return market(view, lane)
        case _:
            return Place(place)


def goal(view: State, seat: SeatId, card: PieceId) -> Fact:
    """A card as a traveller's goal: where on the pawn's line it lies."""
    found = find(view, card)
    there = met_in(view, seat, found[0]) if found else None
    if found is None or there is None or there.laid != found[1]:
        return where(view, card)
    good = good_word(colours(there.laid.lines)[there.lane - there.laid.top])
    return phrase("goal.left-end" if there.column == 1 else "goal.line", column=there.column, good=good)


def unseen(view: State, seat: SeatId, place: PlaceId) -> Fact:
    """A column as the goal of a traveller who will stop on a card that nobody has seen."""
    numbers = place_numbers(place, "column")
    there = met_in(view, seat, numbers[0]) if len(numbers) == 1 else None
    if there is None:
        return Place(place)
    if there.laid is not None:
        return phrase("goal.blank", column=there.column)
    column = view.columns[there.column - 1]
    return phrase("goal.above" if column and there.lane < column[0].top else "goal.below", column=there.column)
