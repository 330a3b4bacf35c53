"""The table drawn for a phone: the map, loose cards before a seat, then each machine with its four slots."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.core import (
    UNKNOWN,
    Box,
    Card,
    Face,
    Icon,
    Key,
    Picture,
    Piece,
    PieceId,
    Place,
    Said,
    Seat,
    SeatId,
    Shape,
    Token,
    Word,
    Zone,
    say,
    seats_of,
)
from companion.games.us_patent.state import (
    CALLED,
    NO_NUMBER,
    SLOTS,
    Loot,
    Machine,
    Placing,
    State,
    card_name,
    known,
    pack_now,
)

from .books import junk, number, power, prices
from .map import boards, links, mover, pawns, spots
from .plan import EDGE, GAP, UPRIGHT

WIDTH: Final = 360
_ACROSS: Final = WIDTH - 2 * EDGE
CARD_H, HEAD = 50, 23
_PLACES: Final[tuple[Icon, ...]] = ("market", "lab", "library", "office", "mechanic", "junkyard")
LEGEND: Final = (
    *(Key(icon, Said(f"picture.legend.{icon}")) for icon in _PLACES),
    *(Key(slot, Said(f"slot.{slot}")) for slot in SLOTS),
)


def picture(view: State) -> Picture:
    """Shapes from top to bottom, and the same as rows of words."""
    places = spots(view)
    shapes: list[Shape] = [*links(known(view)), *boards(view), *places.values(), *pawns(view, places)]
    y = UPRIGHT.bottom
    for seat in seats_of(view):
        cards = before(view, SeatId(seat))
        if cards:
            shapes.extend(_cards_before(view, SeatId(seat), cards, y))
            y += HEAD + (CARD_H + GAP) * -(-len(cards) // len(SLOTS)) + GAP
    for seat in seats_of(view):
        shapes.extend(machine_of(view, SeatId(seat), EDGE, y, _ACROSS))
        y += HEAD + CARD_H + 2 * GAP
    return Picture(WIDTH, y, tuple(shapes), tuple(rows(view)), LEGEND, deck(view), UPRIGHT.bottom)


def before(view: State, seat: SeatId) -> tuple[PieceId, ...]:
    """The loose cards before a seat: researched, stolen or looked at; `?` if the view's audience may not know."""
    held = (_held(step) for step in view.steps if isinstance(step, Placing | Loot) and step.seat == seat)
    return (*held, *view.looks[seat].value)


def _held(step: Placing | Loot) -> PieceId:
    return step.card.value if isinstance(step, Placing) else step.card


def _cards_before(view: State, seat: SeatId, cards: tuple[PieceId, ...], y: int) -> Iterator[Shape]:
    high = HEAD + (CARD_H + GAP) * -(-len(cards) // len(SLOTS))
    yield Zone(EDGE, y, _ACROSS, high, say("picture.before", seat=Seat(seat)), seat=seat)
    for at, piece in enumerate(cards):
        row, column = divmod(at, len(SLOTS))
        x, w = _column(EDGE, _ACROSS, column)
        yield upgrade(view, piece, (x, y + HEAD + row * (CARD_H + GAP), w, CARD_H))


def _column(left: int, across: int, at: int) -> tuple[int, int]:
    """Where a slot of a machine begins, and how wide it is."""
    wide = (across - GAP * (len(SLOTS) + 1)) // len(SLOTS)
    return left + GAP + at * (wide + GAP), wide


def upgrade(view: State, piece: PieceId, where: Box, *, down: bool = False) -> Card:
    """A card in this box; its audience may not know which."""
    x, y, w, h = where
    if piece == UNKNOWN:
        return Card(x, y, w, h, say("choice", item=Piece(piece)), down=True)
    card, name = known(view).cards[piece], card_name(pack_now(view), piece)
    key = "picture.card-down" if down else "picture.card"
    said = say(key, name=name, rank=card.rank, slot=Word(f"slot.{SLOTS[card.slot]}"))
    face = Face(SLOTS[card.slot], say("picture.name", name=name), card.rank)
    return Card(x, y, w, h, said, down, Token("piece", piece), face)


def machine_of(view: State, seat: SeatId, left: int, y: int, across: int) -> Iterator[Shape]:
    """A Time Machine with its four slots."""
    machine = view.machines[seat]
    said, token = _headed(machine, seat), Token("seat", seat)
    yield Zone(left, y, across, HEAD + CARD_H + GAP, said, seat, token, marked=seat == mover(view))
    for at, (slot, piece, works) in enumerate(zip(SLOTS, machine.cards, machine.works, strict=True)):
        (x, w), top = _column(left, across, at), y + HEAD
        if not piece:
            empty = Face(slot, Said(f"slot.{slot}"))
            said, place = say("picture.empty", slot=Word(f"slot.{slot}")), Token("place", f"slot/{seat}/{slot}")
            yield Card(x, top, w, CARD_H, said, token=place, face=empty)
        else:
            yield upgrade(view, piece, (x, top, w, CARD_H), down=not works)


def _headed(machine: Machine, seat: SeatId) -> Said:
    if machine.number == NO_NUMBER:
        return say("picture.machine-none", seat=Seat(seat), gold=machine.gold)
    if machine.number == CALLED:
        return say("picture.machine-called", seat=Seat(seat), gold=machine.gold)
    return say("picture.machine", seat=Seat(seat), gold=machine.gold, number=machine.number)


def deck(view: State) -> Said:
    return say("status.deck", n=len(view.deck))


def rows(view: State) -> Iterator[Said]:
    tables = known(view)
    yield deck(view)
    yield from prices(view)
    yield from junk(view)
    yield from (say("status.lab", board=board, n=len(lab)) for board, lab in enumerate(view.labs) if lab)
    for at in seats_of(view):
        cards = before(view, SeatId(at))
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
