"""Laying and lifting cards: the small changes that events are made of."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core import Hidden, PieceId, PlaceId, SeatId, including, swapped

from .machine import NOTHING, with_card
from .state import Cards, Lab, State, card, with_machine


def board_of(place: PlaceId) -> int:
    """The board of a space, by its name."""
    return int(place[0])


def in_sight(state: State) -> Cards:
    """The Upgrades that everyone sees."""
    markets = (piece for cards in state.markets for piece in cards)
    attached = (piece for machine in state.machines for piece in machine.attached())
    return (*markets, *state.junkyard, *attached)


def into_market(state: State, piece: PieceId, place: PlaceId) -> State:
    board = board_of(place)
    return replace(state, markets=swapped(state.markets, board, including(state.markets[board], piece)))


def onto_junkyard(state: State, piece: PieceId) -> State:
    return replace(state, junkyard=including(state.junkyard, piece))


def installed(state: State, seat: SeatId, piece: PieceId, *, works: bool) -> State:
    """The card in its own slot."""
    found = card(state, piece)
    assert found is not None, f"{piece} is no Upgrade of this pack"
    return with_machine(state, seat, with_card(state.machines[seat], found.slot, piece, works))


def off_machine(state: State, seat: SeatId, piece: PieceId) -> State:
    machine = state.machines[seat]
    return with_machine(state, seat, with_card(machine, machine.cards.index(piece), NOTHING, False))


def off_lab(state: State, piece: PieceId, board: int) -> State:
    """The Lab without that card; a view that may not know where it lies loses an unknown one."""
    lab = state.labs[board]
    values = [hidden.value for hidden in lab]
    at = values.index(piece) if piece in values else values.index(PieceId("?"))
    return replace(state, labs=swapped(state.labs, board, lab[:at] + lab[at + 1 :]))


def looked_at(state: State, seat: SeatId, cards: Cards, boards: range) -> State:
    """These cards lie before the seat's eyes; with `lab_memory` it knows them for good (P45, P.ai)."""
    looks = swapped(state.looks, seat, Hidden(cards, (seat,)))
    if state.setup.option("lab_memory") != "on":
        return replace(state, looks=looks)
    labs = tuple(_known(lab, seat) if board in boards else lab for board, lab in enumerate(state.labs))
    return replace(state, looks=looks, labs=labs)


def _known(lab: Lab, seat: SeatId) -> Lab:
    return tuple(Hidden(hidden.value, tuple(sorted({*hidden.known_by, seat}))) for hidden in lab)


def forgotten(state: State, seat: SeatId) -> State:
    """Nothing lies before the seat's eyes any more."""
    if not state.looks[seat].value:
        return state
    return replace(state, looks=swapped(state.looks, seat, Hidden((), (seat,))))
