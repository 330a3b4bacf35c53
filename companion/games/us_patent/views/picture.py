"""The table drawn for a phone: nine boards three by three, then each machine with its four slots."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.core.facts import Name, Piece, Place, Said, Seat, Word, say
from companion.core.ids import UNKNOWN, PieceId, PlaceId, SeatId
from companion.core.pictures import Card, Disc, Picture, Shape, Stroke, Zone
from companion.core.rules import Token
from companion.games.us_patent.cards import SLOTS, Space, board_place
from companion.games.us_patent.state import State, known, seats_of
from companion.games.us_patent.steps import Loot, Placing

from .books import junk, number, power, prices

WIDTH: Final = 360
_SIDE, _GAP, _STEP = 112, 6, 118
_GRID: Final = ((1, 1), (0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1))
"""Column and row of boards 0 to 8 (P1)."""
_CARD_W, _CARD_H, _HEAD = 81, 44, 22
_PLATE, _ROOM_W, _ROOM_H, _DOT = (52, 17), 44, 22, 4


def picture(view: State) -> Picture:
    """Shapes from top to bottom, and the same as rows of words."""
    shapes: list[Shape] = [*_boards(view), *_links(view), *_years(view), *_spaces(view), *_pawns(view)]
    y = 3 * _STEP + _GAP
    for seat in seats_of(view):
        cards = _before(view, SeatId(seat))
        if cards:
            shapes.extend(_cards_before(SeatId(seat), cards, y))
            y += _HEAD + (_CARD_H + _GAP) * -(-len(cards) // len(SLOTS)) + _GAP
    for seat in seats_of(view):
        shapes.extend(_machine(view, SeatId(seat), y))
        y += _HEAD + _CARD_H + 2 * _GAP
    return Picture(WIDTH, y, tuple(shapes), tuple(_rows(view)))


def _corner(board: int) -> tuple[int, int]:
    column, row = _GRID[board]
    return column * _STEP + 3, row * _STEP + _GAP


def _spot(space: Space) -> tuple[int, int]:
    x, y = _corner(int(space.id[0]))
    return x + space.x * _SIDE // 100, y + space.y * _SIDE // 100


def _boards(view: State) -> Iterator[Shape]:
    for board in range(len(view.setup.pack.years)):
        x, y = _corner(board)
        yield Zone(x, y, _SIDE, _SIDE, Said(""), token=Token("place", board_place(board)))


def _years(view: State) -> Iterator[Shape]:
    """Plates over the links, so that no line runs through a date."""
    for board, year in enumerate(view.setup.pack.years):
        x, y = _corner(board)
        yield Zone(x, y, *_PLATE, say("picture.board", year=year, board=board))


def _links(view: State) -> Iterator[Shape]:
    spaces = {space.id: space for space in view.setup.pack.spaces}
    for link in view.setup.pack.links:
        a, b = spaces[link.a], spaces[link.b]
        yield Stroke((_edge(a, _spot(b)), _edge(b, _spot(a))), "soft")


def _edge(space: Space, toward: tuple[int, int]) -> tuple[int, int]:
    """Where a line to somewhere leaves the space: it never runs through its words."""
    x, y = _spot(space)
    dx, dy = toward[0] - x, toward[1] - y
    if space.kind == "plain":
        part = _DOT / max(1.0, (dx * dx + dy * dy) ** 0.5)
    else:
        part = min(_ROOM_W / 2 / max(1, abs(dx)), _ROOM_H / 2 / max(1, abs(dy)))
    return round(x + dx * min(part, 1.0)), round(y + dy * min(part, 1.0))


def _spaces(view: State) -> Iterator[Shape]:
    for space in view.setup.pack.spaces:
        x, y = _spot(space)
        said, token = _space_said(view, space), Token("place", space.id)
        if space.kind == "plain":
            yield Disc(x, y, _DOT, said, ink="soft", token=token)
        else:
            yield Zone(x - _ROOM_W // 2, y - _ROOM_H // 2, _ROOM_W, _ROOM_H, said, token=token)


def _space_said(view: State, space: Space) -> Said:
    board = int(space.id[0])
    match space.kind:
        case "plain":
            return say("picture.space", place=Place(PlaceId(space.id)))
        case "market":
            return say("picture.market", n=len(view.markets[board]))
        case "lab":
            return say("picture.lab", n=len(view.labs[board]))
        case "junkyard":
            return say("picture.junkyard", n=len(view.junkyard))
        case _:
            return say(f"picture.{space.kind}")


def _pawns(view: State) -> Iterator[Shape]:
    spots = {space.id: _spot(space) for space in view.setup.pack.spaces}
    seen: dict[str, int] = {}
    for seat in seats_of(view):
        at = view.machines[seat].at
        if at in spots:
            beside = seen[at] = seen.get(at, -1) + 1
            x, y = spots[at]
            who = SeatId(seat)
            said = say("picture.pawn", seat=Seat(who))
            yield Disc(
                x + 11 - 9 * (beside % 3), y - 11 - 9 * (beside // 3), 7, said, seat=who, token=Token("seat", who)
            )


def _before(view: State, seat: SeatId) -> tuple[PieceId, ...]:
    """The loose cards before a seat: researched, stolen or looked at; `?` where the view's audience may not know."""
    held = (_held(step) for step in view.steps if isinstance(step, Placing | Loot) and step.seat == seat)
    return (*held, *view.looks[seat].value)


def _held(step: Placing | Loot) -> PieceId:
    return step.card.value if isinstance(step, Placing) else step.card


def _cards_before(seat: SeatId, cards: tuple[PieceId, ...], y: int) -> Iterator[Shape]:
    rows = -(-len(cards) // len(SLOTS))
    yield Zone(3, y, WIDTH - 6, _HEAD + (_CARD_H + _GAP) * rows, say("picture.before", seat=Seat(seat)), seat=seat)
    for at, piece in enumerate(cards):
        row, column = divmod(at, len(SLOTS))
        token = Token("piece", piece) if piece != UNKNOWN else None
        x, down = 9 + column * (_CARD_W + _GAP), y + _HEAD + row * (_CARD_H + _GAP)
        yield Card(x, down, _CARD_W, _CARD_H, say("choice", item=Piece(piece)), down=token is None, token=token)


def _machine(view: State, seat: SeatId, y: int) -> Iterator[Shape]:
    machine = view.machines[seat]
    said = say("picture.machine", seat=Seat(seat), gold=machine.gold, number=_number(machine.number))
    yield Zone(3, y, WIDTH - 6, _HEAD + _CARD_H + _GAP, said, seat=seat, token=Token("seat", seat))
    for at, (slot, piece, works) in enumerate(zip(SLOTS, machine.cards, machine.works, strict=True)):
        x = 9 + at * (_CARD_W + _GAP)
        if not piece:
            yield Zone(x, y + _HEAD, _CARD_W, _CARD_H, say("picture.empty", slot=Word(f"slot.{slot}")))
        else:
            face = say("picture.card" if works else "picture.card-down", card=Piece(piece))
            yield Card(x, y + _HEAD, _CARD_W, _CARD_H, face, down=not works, token=Token("piece", piece))


def _number(value: int) -> Word | Name:
    return Word("number.no") if value < 0 else Name("!" if value == 0 else str(value))


def _rows(view: State) -> Iterator[Said]:
    tables = known(view)
    yield say("status.deck", n=len(view.deck))
    yield from prices(view)
    yield from junk(view)
    yield from (say("status.lab", board=board, n=len(lab)) for board, lab in enumerate(view.labs) if lab)
    for at in seats_of(view):
        cards = _before(view, SeatId(at))
        yield from (say("picture.card-before", seat=Seat(SeatId(at)), card=Piece(piece)) for piece in cards)
    for seat in seats_of(view):
        machine, who = view.machines[seat], Seat(SeatId(seat))
        if not machine.card:
            continue
        working = len(machine.working())
        yield say("status.seat", seat=who, place=Place(machine.at), gold=machine.gold, n=working)
        yield number(view, SeatId(seat))
        yield power(view, machine)
        for piece, works in zip(machine.cards, machine.works, strict=True):
            if piece and piece in tables.cards:
                yield say("slot.works" if works else "slot.down", card=Piece(piece))
