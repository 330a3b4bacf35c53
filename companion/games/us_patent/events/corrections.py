"""Facts of the table set right."""

from __future__ import annotations

from typing import ClassVar

from companion.core import Concern, Event, Guarded, Hidden, PieceId, PlaceId, Public, SeatId


class GoldSet(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    number: Public[int]


class NumberSet(Event, frozen=True):
    seat: Public[SeatId]
    number: Public[int]


class NumberRemoved(Event, frozen=True):
    seat: Public[SeatId]


class PawnSet(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    place: Public[PlaceId]


class TurnSet(Event, frozen=True):
    seat: Public[SeatId]


class DieSet(Event, frozen=True):
    """The last die was another number."""

    number: Public[int]


class CardTurned(Event, frozen=True):
    """An attached card lies the other way up."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Public[PieceId]


class CardMoved(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    card: Public[PieceId]
    place: Public[PlaceId]


class CardDescribed(Event, frozen=True):
    """What is printed on a card, as JSON; known to whoever sees the card. `board` is given for a researched card."""

    seat: Public[SeatId]
    card: Guarded[Hidden[PieceId]]
    upgrade: Guarded[Hidden[str]]
    board: Public[int] = 0
