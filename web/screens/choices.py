"""Offers as buttons, including those that need a number from the phone."""

from __future__ import annotations

from collections.abc import Callable, Collection
from math import ceil
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct

from companion.core import Intent, Refusal, Said, Seat, SeatId, argument_kinds, say, verb_name
from companion.phones import Group, Lit, NotNow, Offer, Span, offers, span_of, touched
from companion.table.outside import Seen, question
from web.draw import ROOM

Say: TypeAlias = Callable[[Said], str]
MOST_KEYS: Final = 20
"""More throws than this are typed into a field."""
IN_SIGHT: Final = 22
"""Lines that fit on a phone's first screen below the question."""
NEAR: Final = 10
"""The same with room for a drawn table above."""
LETTERS, SMALL_LETTERS = 17, 23
"""How many letters fit on one line of a button beside a drawn table."""
FEW: Final = 4
"""A verb with more offers is folded if they can be touched on the drawn table."""
FOLDED: Final = 2
"""Lines of a folded verb; beside a drawn table two of them share a row."""


class Button(Struct, frozen=True):
    """An offer, and the number that the phone must add to it, if any."""

    offer: Offer
    span: Span | None


class Choices(Struct, frozen=True):
    """The offers of one verb. `folded`: there are many, and they would push other verbs out of sight."""

    verb: str
    said: Said
    buttons: tuple[Button, ...]
    folded: bool = False
    touched: bool = False
    """Everything in it can be touched on the drawn table above; the list is for those who prefer reading."""
    lines: float = 0
    """About how many lines of a narrow phone it takes."""


class Near(NamedTuple):
    """What the offers stand next to: the `lights` of a drawn table, which takes at least this many lines `above`;
    the language they are read in; and how many lines of `news` are at the top of the page.
    """

    lights: tuple[Lit, ...]
    above: int
    say: Say
    news: int = 0


class Throw(Struct, frozen=True):
    """One possible roll. `face` is on its key; `again` if it is the one that was taken back."""

    offer: Offer
    face: Said
    again: bool


class Pad(Struct, frozen=True):
    """Keys for what the dice show; with many numbers, one field instead of keys."""

    throws: tuple[Throw, ...]
    number: Button | None
    asked: int
    who: bool = False
    """The key names a seat, not a number."""
    die: bool = False
    """A single die: its keys are its faces."""


_DIE: Final = [say("choice", item=number) for number in range(1, 7)]


def pad(public: Seen, asker: SeatId) -> Pad | None:
    """What a phone may type for the table right now, if anything."""
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
    """The label of a key: the last thing in which the rolls differ."""
    kinds = argument_kinds(type(intent))
    if not kinds:
        return say("verb." + verb_name(type(intent)))
    name, kind = kinds[-1]
    value = getattr(intent, name)
    return say("choice", item=Seat(SeatId(value)) if kind == "seat" else int(value))


class Closed(Struct, frozen=True):
    """Things that can't be done now for the same reason."""

    refusal: Refusal
    rows: tuple[NotNow, ...]


def by_reason(rows: tuple[NotNow, ...]) -> tuple[Closed, ...]:
    """“Not now”, grouped by reason in order of first appearance: a long list of identical reasons helps nobody."""
    reasons: dict[Refusal, list[NotNow]] = {}
    for row in rows:
        reasons.setdefault(row.refusal, []).append(row)
    return tuple(Closed(refusal, tuple(found)) for refusal, found in reasons.items())


def choices(seen: Seen, groups: tuple[Group, ...], near: Near | None = None) -> tuple[Choices, ...]:
    """The offers verb by verb.

    Verbs with many offers are folded if they would push others out of sight; those that the drawn table also offers
    are folded first.
    """
    drawn = touched(groups, near.lights) if near else set[int]()
    in_sight = max(NEAR, ROOM - near.above) - near.news if near else IN_SIGHT
    tall = _tall(groups, drawn, in_sight, near.say if near else None)
    return tuple(
        Choices(
            verb=group.verb,
            said=group.said,
            buttons=tuple(button(seen, offer) for offer in group.offers),
            folded=tall[n] is None,
            touched=n in drawn,
            lines=tall[n] or 0,
        )
        for n, group in enumerate(groups)
    )


def lines_of(found: tuple[Choices, ...]) -> int:
    """About how many lines these take beside a drawn table; everything that is folded and drawn is one list."""
    lists = sum(each.folded and not each.touched for each in found) + any(
        each.folded and each.touched for each in found
    )
    return ceil(sum(each.lines for each in found) + lists * FOLDED / 2)


def _tall(groups: tuple[Group, ...], drawn: Collection[int], in_sight: int, say: Say | None) -> list[float | None]:
    """The lines of each group, None if it is folded: the tallest are folded first, until all fit; a single group
    stays open unless it is drawn.
    """
    tall: list[float | None] = [_lines(group) if say is None else _near(group, say) for group in groups]
    for n in drawn:
        if len(groups[n].offers) > FEW:
            tall[n] = None
    folds = [n for n, group in enumerate(groups) if n in drawn or (len(group.offers) > 1 and len(groups) > 1)]
    folded = FOLDED if say is None else FOLDED / 2
    for n in sorted(folds, key=lambda n: (n not in drawn, -(tall[n] or 0))):
        if sum(folded if lines is None else lines for lines in tall) <= in_sight:
            break
        tall[n] = None
    return tall


def _lines(group: Group) -> float:
    """About how many lines of a narrow phone a verb's offers take; several share rows in pairs."""
    foreseen = max(len(offer.foreseen) for offer in group.offers)
    if len(group.offers) == 1:
        return 2 + foreseen + (2 if group.low < group.high else 0)
    if group.low <= group.high:
        return 1 + len(group.offers) * (4 + foreseen)
    return 1 + -(-len(group.offers) // 2) * (3 + 2 * foreseen)


def _near(group: Group, say: Say) -> float:
    """The same beside a drawn table, where all share rows in pairs and long labels take several lines."""
    high = [_high(offer, say) for offer in group.offers[: 2 * IN_SIGHT]]
    if group.low < group.high:
        return sum(max(each, FOLDED + 1) for each in high)
    if len(high) == 1:
        return high[0] / 2
    return 1 + sum(max(high[n : n + 2]) for n in range(0, len(high), 2))


def _high(offer: Offer, say: Say) -> float:
    words = ceil(len(say(offer.said)) / LETTERS)
    small = sum(ceil(len(say(line)) / SMALL_LETTERS) for line in offer.foreseen)
    return max(FOLDED, 0.5 + 0.72 * words + 0.6 * small)


def button(seen: Seen, offer: Offer) -> Button:
    return Button(offer, span_of(seen, offer.intent))
