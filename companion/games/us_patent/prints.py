"""What is printed: Upgrades, Time Machines, the nine boards, a dock for each machine, pawns, coins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.core import (
    Board,
    Counter,
    Dock,
    Front,
    Name,
    Picture,
    PieceId,
    Place,
    PlaceId,
    Prints,
    RuleId,
    Said,
    Seat,
    SeatId,
    Setup,
    Shape,
    Slot,
    SlotCode,
    Spread,
    Token,
    moved,
    say,
)

from .state import (
    BANK,
    BOARDS,
    SEATS_AT_MOST,
    SLOTS,
    UNDATED,
    Inventor,
    Pack,
    State,
    Upgrade,
    known,
    own_name,
    pawn_of,
    sentence,
    start,
    tables,
)
from .views.map import board_box, boards, links, spots
from .views.panels import STOPS

_COLUMN: Final = {"weapon": (0, 0), "shield": (2, 0), "chassis": (0, 1), "plant": (2, 1)}
_BOARD: Final = 123
"""Millimetres of a board's side, so that two fit on a sheet, one below the other."""
_REFERENCE: Final = (
    "P18", "P19", "P21", "P22", "P23", "P24", "P25", "P26", "P27", "P28", "P29", "P30",
)  # fmt: skip
_COINS: Final = ((1, 30), (5, 12))


def prints(setup: Setup[Pack]) -> Prints:
    pack, view = setup.pack, start(setup)
    return Prints(
        fronts=(*(_upgrade(pack, card) for card in pack.upgrades), *map(_machine, pack.inventors)),
        boards=tuple(_board(view, board) for board in range(BOARDS)),
        docks=tuple(_dock(SeatId(seat)) for seat in range(SEATS_AT_MOST)),
        counters=tuple(_counters()),
        reference=tuple(RuleId(rule) for rule in _REFERENCE),
    )


def _upgrade(pack: Pack, card: Upgrade) -> Front:
    text = tuple(sentence(effect) for effect in card.effects)
    if card.text:
        text += (say("panel.name", name=Name(card.text)),)
    known = tables(pack).cards[PieceId(card.id)]
    is_dated = card.period != UNDATED
    dated = (say("print.period", year=pack.years[card.period], board=card.period),) if is_dated else ()
    return Front(
        token=Token("piece", card.id),
        name=say("panel.name", name=own_name(card)),
        back="upgrade",
        kind=Said(f"slot.{card.slot}"),
        icon=card.slot,
        number=card.rank,
        facts=(*dated, say("print.gives", n=card.rank) if card.slot == "plant" else say("print.draws", n=known.draw)),
        text=text or (say("print.no-effect"),),
        is_described=is_dated,
    )


def _machine(machine: Inventor) -> Front:
    where = Place(PlaceId(machine.start))
    return Front(
        token=Token("piece", machine.id),
        name=say("panel.name", name=own_name(machine)),
        back="machine",
        kind=say("print.machine"),
        facts=(say("print.year", year=machine.year), say("print.gold", n=machine.gold)),
        text=(say("print.starts", place=where), *(Said(f"rule.{rule}") for rule in ("P3", "P8", "P9", "P10", "P42"))),
    )


def _board(view: State, board: int) -> Board:
    """Its part of the map as phones draw it."""
    left, top, width, height = board_box(board)
    places = {place: spot for place, spot in spots(view).items() if int(place[0]) == board}
    inside: list[Shape] = [*links(known(view)), *list(boards(view))[board : board + 1], *places.values()]
    drawn = Picture(width, height, tuple(moved(shape, -left, -top) for shape in inside), ())
    return Board(say("picture.board", year=view.setup.pack.years[board], board=board), drawn, _BOARD)


def _dock(seat: SeatId) -> Dock:
    slots = tuple(
        Slot(
            Said(f"slot.{slot}"),
            *_COLUMN[slot],
            Token("place", f"slot/{seat}/{slot}"),
            slot,
            say(f"print.slot.{slot}"),
        )
        for slot in SLOTS
    )
    machine = Slot(say("print.machine"), 1, 0, text=say("print.slot.machine"))
    return Dock(seat, (*slots, machine), STOPS, say("print.number"), (Said("rule.P17"), Said("rule.P31")))


def _counters() -> Iterator[Counter]:
    for seat in map(SeatId, range(SEATS_AT_MOST)):
        yield Counter(say("piece.pawn", seat=Seat(seat)), seat=seat, token=Token("piece", pawn_of(seat)))
    for seat in map(SeatId, range(SEATS_AT_MOST)):
        yield Counter(say("print.number"), seat=seat)
    yield Counter(say("place.bank"), icon="market", token=Token("place", BANK))
    for worth, copies in _COINS:
        yield Counter(say("print.gold", n=worth), sign=str(worth), ink="brass", copies=copies)


def spreads(seats: int) -> tuple[Spread, ...]:
    return tuple(_of(seat) for seat in range(seats))


def _of(seat: int) -> Spread:
    machine = PlaceId(f"machine/{seat}")
    slots = (SlotCode(PlaceId(f"slot/{seat}/{slot}"), *_COLUMN[slot]) for slot in SLOTS)
    return Spread(machine, (SlotCode(machine, 1, 0), *slots))
