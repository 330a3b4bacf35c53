"""Offers made ready to be pressed: with the number a phone must still add to some of them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from msgspec import Struct

from companion.core import Intent, Refusal, Said, Seat, SeatId, argument_kinds, say, verb_name
from companion.phones import offers
from companion.phones.offers import Group, NotNow, Offer
from companion.phones.previews import Span, span_of
from companion.phones.touching import Lit, on_the_table
from companion.table.outside import Seen, question

MOST_KEYS: Final = 20
"""More throws than this are typed into a field."""
IN_SIGHT: Final = 22
"""Lines below what is asked that fit on the first screen of a phone."""
FEWEST: Final = 6
"""Lines below a drawn table that fills the screen."""
FEW: Final = 4
"""More offers of a verb are folded where they can be touched on the drawn table."""
FOLDED: Final = 2
"""Lines of a verb whose offers are folded away."""


class Button(Struct, frozen=True):
    """An offer, and the number that the phone must add to it, if any."""

    offer: Offer
    span: Span | None


class Choices(Struct, frozen=True):
    """The offers of one verb. `folded`: there are many, and other verbs would be out of sight below them."""

    verb: str
    said: Said
    buttons: tuple[Button, ...]
    folded: bool = False
    touched: bool = False
    """All of it can be touched on the drawn table above: the list is for who would rather read."""


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


def pad(public: Seen, asker: SeatId) -> Pad | None:
    """What a phone may type for the table just now, if anything."""
    found = offers.dice(public, asker)
    if not found:
        return None
    asked, fallen = question(public, asker), public.fallen
    kinds = argument_kinds(type(found[0].intent))
    if len(found) > MOST_KEYS and [kind for _, kind in kinds] == ["number"]:
        numbers = [getattr(offer.intent, kinds[0][0]) for offer in found]
        return Pad((), Button(found[0], Span(kinds[0][0], min(numbers), max(numbers))), asked)
    throws = tuple(Throw(o, _face(o.intent), o.intent == fallen) for o in found)
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


def choices(seen: Seen, groups: tuple[Group, ...], lights: tuple[Lit, ...] = (), above: int = 0) -> tuple[Choices, ...]:
    """The offers verb by verb. Verbs with many are folded where others would be out of sight below them, those that the
    drawn table with its `lights` offers, too, before others. That takes so many lines `above`.
    """
    touched = {n for n, group in enumerate(groups) if on_the_table(group, lights)}
    folded = _too_tall(groups, touched, max(FEWEST, IN_SIGHT - above))
    return tuple(
        Choices(
            verb=group.verb,
            said=group.said,
            buttons=tuple(button(seen, offer) for offer in group.offers),
            folded=n in folded,
            touched=n in touched,
        )
        for n, group in enumerate(groups)
    )


def _too_tall(groups: tuple[Group, ...], touched: Collection[int], in_sight: int) -> set[int]:
    """Which groups to fold, the tallest first, until all fit; the only one there is stays open unless it is drawn."""
    folded = {n for n in touched if len(groups[n].offers) > FEW}
    tall = {n: FOLDED if n in folded else _lines(group) for n, group in enumerate(groups)}
    several = [n for n, group in enumerate(groups) if len(group.offers) > 1 and (len(groups) > 1 or n in touched)]
    for n in sorted(several, key=lambda n: (n not in touched, -tall[n])):
        if sum(tall.values()) <= in_sight:
            break
        folded.add(n)
        tall[n] = FOLDED
    return folded


def _lines(group: Group) -> int:
    """About how many lines of a narrow phone the offers of a verb take; several stand two by two."""
    foreseen = max(len(offer.foreseen) for offer in group.offers)
    if len(group.offers) == 1:
        return 2 + foreseen + (2 if group.low < group.high else 0)
    if group.low <= group.high:
        return 1 + len(group.offers) * (4 + foreseen)
    return 1 + -(-len(group.offers) // 2) * (3 + 2 * foreseen)


def button(seen: Seen, offer: Offer) -> Button:
    return Button(offer, span_of(seen, offer.intent))
