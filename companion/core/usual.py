"""What most games share. A game takes from here whatever it has no version of its own for.

Rules read what the game waits for; words, check and drawing read its layout and numbers. Their texts are in
`companion/games/texts`; a text of the game's own with the same key wins. A hand is the place `hand/<seat>`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias

from .facts import Piece, Place, Said, Seat, Word, say
from .game import Decision, Lies, Line, Status
from .ids import TABLE, UNKNOWN, PieceId, PlaceId, RuleId, SeatId
from .pictures import Card, Picture, Shape, Shown, Standing, Zone
from .rules import Basis, Rule, Token, unless

Decisions: TypeAlias = Callable[[Any], tuple[Decision, ...]]
Layout: TypeAlias = Callable[[Any], tuple[Lies, ...]]
Series: TypeAlias = Callable[[Any], tuple[Line, ...]]
Guard: TypeAlias = Rule[Any, SeatId]
AnyRule: TypeAlias = Rule[Any, Any]


# Rules


def running(rule: str, decisions: Decisions) -> Guard:
    """The game is not over."""
    return Rule(RuleId(rule), "running", lambda state, _: unless(not decisions(state)), basis=Basis.OVER)


def your_turn(rule: str, decisions: Decisions) -> Guard:
    """The game waits for this seat."""

    def others(state: Any, actor: SeatId) -> Any:
        awaited = decisions(state)[-1].seats if decisions(state) else (actor,)
        return unless(actor not in awaited, seat=Seat(awaited[0]))

    return Rule(RuleId(rule), "your-turn", others, basis=Basis.TURN)


def by_chance(rule: str, decisions: Decisions) -> Guard:
    """The game waits for chance, and nobody else decides what comes."""

    def barred(state: Any, actor: SeatId) -> Any:
        return unless(actor != TABLE or not decisions(state) or not decisions(state)[-1].is_chance)

    return Rule(RuleId(rule), "by-chance", barred, basis=Basis.SETTLING)


def in_deck(rule: str, coming: Callable[[Any], tuple[PieceId, ...]]) -> AnyRule:
    """The intent's `card` is one that may come up next."""

    def elsewhere(state: Any, intent: Any) -> Any:
        return unless(intent.card not in coming(state), card=Piece(intent.card))

    return Rule(RuleId(rule), "in-deck", elsewhere, physical=True)


def in_hand(rule: str, hand: Callable[[Any, SeatId], tuple[PieceId, ...]]) -> AnyRule:
    """The seat holds the intent's `card`."""

    def lacks(state: Any, intent: Any) -> Any:
        held = hand(state, intent.actor) if 0 <= intent.actor < state.setup.seats else ()
        return unless(intent.card not in held, card=Piece(intent.card))

    return Rule(RuleId(rule), "in-hand", lacks, physical=True)


def seat_there(rule: str) -> AnyRule:
    """The intent's `seat` is at this table."""
    return Rule(RuleId(rule), "seat-there", lambda state, i: unless(not 0 <= i.seat < state.setup.seats), physical=True)


def in_span(rule: str, low: int, high: int) -> AnyRule:
    """The intent's `number` lies within these bounds."""
    return Rule(
        RuleId(rule), "in-span", lambda _, i: unless(not low <= i.number <= high, low=low, high=high), physical=True
    )


# Words


def headline(decisions: Decisions) -> Callable[[Any], Said]:
    """Whose turn it is, or what is awaited."""

    def told(view: Any) -> Said:
        asked = decisions(view)
        if not asked:
            return say("usual.over")
        return say("usual.chance") if asked[-1].is_chance else say("usual.turn", seat=Seat(asked[-1].seats[0]))

    return told


def place(place_id: PlaceId) -> Said:
    """`deck` is `place.deck`; `hand/2` is `place.hand` with the seat."""
    name, _, seat = place_id.partition("/")
    return say(f"place.{name}", seat=Seat(SeatId(int(seat)))) if seat.isdecimal() else say(f"place.{name}")


def own(layout: Layout) -> Callable[[Any, SeatId], tuple[Shown, ...]]:
    """The cards of a seat's hand."""
    return lambda view, seat: tuple(say("usual.card", card=Piece(each.piece)) for each in _hand(layout, view, seat))


def status(layout: Layout, series: Series) -> Callable[[Any], Status]:
    """For each seat, the first number of the report that every seat has and how many cards it holds."""

    def check(view: Any) -> Status:
        seats = view.setup.seats
        line = next(line for line in series(view) if len(line.values) == seats)
        return Status(tuple(_standing(layout, view, SeatId(seat), line) for seat in range(seats)))

    return check


def _standing(layout: Layout, view: Any, seat: SeatId, line: Line) -> Standing:
    n = line.values[seat] or 0
    words = say("usual.standing", seat=Seat(seat), what=Word(line.key), n=n)
    holds = say("usual.holds", n=len(_hand(layout, view, seat)))
    return Standing((words,), seat, holds, Said(line.key), str(n))


def _hand(layout: Layout, view: Any, seat: SeatId) -> list[Lies]:
    return [lies for lies in layout(view) if lies.place == f"hand/{seat}"]


# The drawing

_WIDTH: Final = 360
_EDGE, _GAP, _CARD_W, _CARD_H, _HEAD = 8, 6, 62, 40, 20
_PER_ROW: Final = 5


def picture(layout: Layout) -> Callable[[Any], Picture]:
    """A zone for each place where something lies, one below the other; unknown cards are drawn as one, face down."""

    def drawn(view: Any) -> Picture:
        places: dict[PlaceId, list[PieceId]] = {}
        for lies in layout(view):
            places.setdefault(lies.place, []).append(lies.piece)
        shapes: list[Shape] = []
        y = _GAP
        for place, pieces in places.items():
            y = _zone(place, pieces, y, shapes)
        return Picture(_WIDTH, y, tuple(shapes), tuple(_rows(places)))

    return drawn


def _zone(place: PlaceId, pieces: list[PieceId], y: int, shapes: list[Shape]) -> int:
    shown = sorted(set(pieces))
    height = _HEAD + -(-len(shown) // _PER_ROW) * (_CARD_H + _GAP) + _GAP
    said = say("usual.place", place=Place(place), n=len(pieces))
    shapes.append(Zone(_EDGE, y, _WIDTH - 2 * _EDGE, height, said, token=Token("place", place)))
    for at, piece in enumerate(shown):
        row, column = divmod(at, _PER_ROW)
        x, top = _EDGE + _GAP + column * (_CARD_W + _GAP), y + _HEAD + row * (_CARD_H + _GAP)
        token = None if piece == UNKNOWN else Token("piece", piece)
        shapes.append(Card(x, top, _CARD_W, _CARD_H, say("usual.card", card=Piece(piece)), piece == UNKNOWN, token))
    return y + height + _GAP


def _rows(places: dict[PlaceId, list[PieceId]]) -> Iterator[Said]:
    for place, pieces in places.items():
        yield say("usual.place", place=Place(place), n=len(pieces))
        yield from (say("usual.lies", card=Piece(p), place=Place(place)) for p in sorted(set(pieces)) if p != UNKNOWN)
