"""Offers made ready to be pressed: with the number a phone must still add to some of them."""

from __future__ import annotations

from msgspec import Struct

from companion.core.facts import Said
from companion.core.ids import SeatId
from companion.core.judge import verb_of
from companion.core.rules import argument_kinds
from companion.offers import Group, Offer
from companion.snapshot import Snapshot


class Span(Struct, frozen=True):
    """A number the phone must add to an offer: the argument's name and its bounds."""

    field: str
    low: int
    high: int


class Button(Struct, frozen=True):
    offer: Offer
    span: Span | None


class Choices(Struct, frozen=True):
    """The offers of one verb."""

    verb: str
    said: Said
    buttons: tuple[Button, ...]


def choices(snapshot: Snapshot, seat: SeatId, groups: tuple[Group, ...]) -> tuple[Choices, ...]:
    return tuple(Choices(g.verb, g.said, tuple(button(snapshot, seat, o) for o in g.offers)) for g in groups)


def button(snapshot: Snapshot, seat: SeatId, offer: Offer) -> Button:
    verb = verb_of(snapshot.game, offer.intent)
    if verb.span is None:
        return Button(offer, None)
    low, high = verb.span(snapshot.view(seat), offer.intent)
    return Button(offer, Span(argument_kinds(verb.intent)[-1][0], low, high))
