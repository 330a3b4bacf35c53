"""Offers made ready to be pressed: with the number a phone must still add to some of them."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from companion import offers
from companion.core.facts import Refusal, Said, Seat, say
from companion.core.ids import SeatId
from companion.core.judge import verb_of
from companion.core.rules import Intent, argument_kinds, verb_name
from companion.offers import Group, NotNow, Offer
from companion.sitting import question
from companion.snapshot import Snapshot

MOST_KEYS: Final = 20
"""More throws than this are typed into a field."""


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


class Throw(Struct, frozen=True):
    """One way the dice may have fallen. `face` is what stands on its key; `again` if it is what was taken back."""

    offer: Offer
    face: Said
    again: bool


class Pad(Struct, frozen=True):
    """Keys for what the dice show; with many numbers, one field instead of keys."""

    throws: tuple[Throw, ...]
    number: Button | None
    asked: int
    who: bool = False
    """It is a seat that is named, not a number that fell."""
    die: bool = False
    """It is one die: its keys are its faces."""


_DIE: Final = [say("choice", item=number) for number in range(1, 7)]


def pad(snapshot: Snapshot, asker: SeatId) -> Pad | None:
    """What a phone may type for the table just now, if anything."""
    found = offers.dice(snapshot, asker)
    if not found:
        return None
    asked, fallen = question(snapshot.at, asker), snapshot.at.lifted[:1]
    kinds = argument_kinds(type(found[0].intent))
    if len(found) > MOST_KEYS and [kind for _, kind in kinds] == ["number"]:
        numbers = [getattr(offer.intent, kinds[0][0]) for offer in found]
        return Pad((), Button(found[0], Span(kinds[0][0], min(numbers), max(numbers))), asked)
    throws = tuple(Throw(o, _face(o.intent), o.intent in fallen) for o in found)
    is_seat = bool(kinds) and kinds[-1][1] == "seat"
    return Pad(throws, None, asked, who=is_seat, die=[throw.face for throw in throws] == _DIE)


def _face(intent: Intent) -> Said:
    """What stands on a key: the last thing in which the throws differ."""
    kinds = argument_kinds(type(intent))
    if not kinds:
        return say("verb." + verb_name(type(intent)))
    name, kind = kinds[-1]
    value = getattr(intent, name)
    return say("choice", item=Seat(SeatId(value)) if kind == "seat" else int(value))


class Closed(Struct, frozen=True):
    """Things that cannot be done now for one and the same reason."""

    refusal: Refusal
    rows: tuple[NotNow, ...]


def by_reason(rows: tuple[NotNow, ...]) -> tuple[Closed, ...]:
    """“Not now” in the order of the first of each reason: a long list of the same words helps nobody."""
    reasons: dict[Refusal, list[NotNow]] = {}
    for row in rows:
        reasons.setdefault(row.refusal, []).append(row)
    return tuple(Closed(refusal, tuple(found)) for refusal, found in reasons.items())


def choices(snapshot: Snapshot, seat: SeatId, groups: tuple[Group, ...]) -> tuple[Choices, ...]:
    return tuple(Choices(g.verb, g.said, tuple(button(snapshot, seat, o) for o in g.offers)) for g in groups)


def button(snapshot: Snapshot, seat: SeatId, offer: Offer) -> Button:
    verb = verb_of(snapshot.game, offer.intent)
    if verb.span is None:
        return Button(offer, None)
    low, high = verb.span(snapshot.view(seat), offer.intent)
    return Button(offer, Span(argument_kinds(verb.intent)[-1][0], low, high))
