"""What a photo means: one code is a tap, several are the table as it lies.

Made from the view of the seat that took it and nothing else: a card that the seat may not know is described in the same
words wherever it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from companion.core import Game, GameId, Lies, Piece, PieceId, Place, PlaceId, Said, called, evidence, say
from companion.core.evidence import Laid, Lying, Watch, amiss_said
from companion.library import Codes, PieceTag, PlaceTag, Tag, game_of
from companion.table import Seen

from .photo.placing import SheetSeen, slots
from .photo.spotting import Corners, Sighted, Spotted

WIDER: Final = 1.5
"""How much wider than a code its frame is."""
NOTHING: Final = "nothing"
"""No code is on the photo."""


class Foreign(Struct, frozen=True):
    """The only code belongs to another game."""

    game: GameId


class Stray(Struct, frozen=True):
    """The only code belongs to nothing in this game's pack."""


class Mark(Struct, frozen=True):
    """One code on the photo, and whether the thing it is on lies where it belongs."""

    corners: Corners
    state: Literal["right", "wrong", "other"]


class Laying(Struct, frozen=True):
    """The table as it lies: the pieces seen, those that lie elsewhere than the record says, what to say about these and
    the missing ones, and the marks on the photo."""

    seen: frozenset[PieceId]
    astray: frozenset[PieceId]
    wrong: tuple[Said, ...]
    marks: tuple[Mark, ...]
    width: int
    height: int


Meant: TypeAlias = Tag | Foreign | Stray | Laying | Literal["nothing"]


def meant(seen: Seen, sighted: Sighted, codes: Codes, games: Iterable[GameId]) -> Meant:
    """What somebody with this view shows by taking a photo."""
    match sighted.codes:
        case ():
            return NOTHING
        case (only,):
            return codes.thing(only.digits) or _unknown(only, (codes.game, *games))
        case _:
            return laying(seen, sighted, codes)


def _unknown(code: Spotted, games: tuple[GameId, ...]) -> Foreign | Stray:
    """A code of nothing in this game; the first of `games` is the one being played."""
    game = game_of(code.digits, games)
    return Stray() if game is None or game == games[0] else Foreign(game)


def laying(seen: Seen, sighted: Sighted, codes: Codes) -> Laying:
    """The table on the photo compared with the record, as this audience knows it."""
    tags = [(code, codes.thing(code.digits)) for code in sighted.codes]
    pieces = {tag.piece: code for code, tag in tags if isinstance(tag, PieceTag)}
    places = {tag.place: code for code, tag in tags if isinstance(tag, PlaceTag)}
    layout = {lies.piece: lies for lies in seen.game.layout(seen.view)}
    sheets = tuple(_sheets(seen, sighted, pieces, places, layout))
    wrong = dict(_wrong(seen, pieces, sheets, layout))
    held = {lies.place for lies in layout.values()}
    empty = {places[place].digits for sheet in sheets for place in sheet.empty & held}
    amiss = {pieces[piece].digits for piece in wrong if piece in pieces} | empty
    right = {code.digits for code in pieces.values()}
    marks = (Mark(_around(code), _state(code, amiss, right)) for code, _ in tags)
    seen_here, astray = frozenset(pieces), frozenset(wrong)
    return Laying(seen_here, astray, tuple(wrong.values()), tuple(marks), sighted.width, sighted.height)


def _around(code: Spotted) -> Corners:
    """A frame around a code that leaves the code itself visible."""
    x, y = code.middle
    a, b, c, d = ((round(x + (px - x) * WIDER), round(y + (py - y) * WIDER)) for px, py in code.corners)
    return a, b, c, d


def _state(code: Spotted, amiss: set[Any], right: set[Any]) -> Literal["right", "wrong", "other"]:
    if code.digits in amiss:
        return "wrong"
    return "right" if code.digits in right else "other"


def _sheets(
    seen: Seen,
    sighted: Sighted,
    pieces: dict[PieceId, Spotted],
    places: dict[PlaceId, Spotted],
    layout: dict[PieceId, Lies],
) -> Iterator[SheetSeen]:
    """What the photo shows of each printed sheet in it."""
    at = {lies.place: lies.piece for lies in layout.values()}
    for spread in seen.game.spreads(len(seen.chairs)):
        found = slots(spread, sighted, places, pieces, at.get(spread.anchor, PieceId("")))
        if found is not None:
            yield found


def _wrong(
    seen: Seen, pieces: dict[PieceId, Spotted], sheets: tuple[SheetSeen, ...], layout: dict[PieceId, Lies]
) -> Iterator[tuple[PieceId, Said]]:
    """Each piece that lies elsewhere, in the words of the check by readers; then what only eyes can see."""
    game, view = seen.game, seen.view
    lying: Lying = frozenset((place, piece) for sheet in sheets for place, piece in sheet.lying.items())
    should = _should(game, view, sheets, pieces)
    whole = {piece: lies.place for piece, lies in layout.items()}
    hidden = [piece for piece, lies in layout.items() if lies.facing == "down" and piece not in pieces]
    for each in evidence.amiss(should, lying, whole, hidden):
        yield each.piece, amiss_said(game, view, each, {*pieces, *layout})
    laid = {piece for _, piece in lying}
    for piece in sorted(pieces.keys() - layout.keys() - laid):
        yield piece, say("check.not-open", piece=called(game, view, Piece(piece)))
    for place, piece in sorted(lying & should.lying):
        if layout[piece].facing == "down":
            yield (
                piece,
                say("check.face-up", piece=called(game, view, Piece(piece)), place=called(game, view, Place(place))),
            )


def _should(game: Game[Any, Any], view: Any, sheets: tuple[SheetSeen, ...], pieces: Iterable[PieceId]) -> Laid:
    in_sight = {place: 1 for sheet in sheets for place in sheet.in_sight}
    known = {lies.piece for lies in game.layout(view)} | {*pieces}
    return evidence.laid(game, view, Watch(in_sight, known - game.beside(view.setup.pack)))
