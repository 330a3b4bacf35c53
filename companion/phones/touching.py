"""What a seat may touch on the drawn table: which things are lit, what each offers, and why not the others."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice
from typing import Any, TypeAlias

from msgspec import Struct

from companion.core import (
    Box,
    Intent,
    Picture,
    Refused,
    Stroke,
    Token,
    Verb,
    bounds,
    mentions,
    objection,
    thought_of,
    verb_of,
)
from companion.table import Seen

from .offers import MOST_LOOKED_AT, Group, NotNow, Offer, refused_now

Drawn: TypeAlias = dict[Token, list[Box]]


class Lit(Struct, frozen=True):
    """A drawn thing that something can be done with: everything it offers, and the number shown on it.

    `at_once`: touching it does it, because there is only one thing to do, nothing left to choose, and nothing is spent,
    rolled or revealed.
    """

    token: Token
    offers: tuple[Offer, ...]
    badge: str = ""
    at_once: bool = False


def lit(seen: Seen, groups: tuple[Group, ...], picture: Picture) -> tuple[Lit, ...]:
    """Every drawn thing that stands for one of these offers, in drawing order.

    Of nested things the innermost is lit: to go to a space, touch the space and not its board.
    """
    meant = [(group, offer, _things(seen, offer)) for group in groups for offer in group.offers]
    drawn = _drawn(picture, frozenset[Token]().union(*(things for *_, things in meant)))
    found: dict[Token, list[tuple[Group, Offer]]] = {token: [] for token in drawn}
    for group, offer, things in meant:
        for token in _innermost(drawn, things):
            found[token].append((group, offer))
    return tuple(_lit(seen, token, offered) for token, offered in found.items() if offered)


def _things(seen: Seen, offer: Offer) -> frozenset[Token]:
    return verb_of(seen.game, offer.intent).things(seen.view, offer.intent)


def touched(groups: tuple[Group, ...], lights: tuple[Lit, ...]) -> set[int]:
    """The groups whose offers can all be touched instead."""
    there = {offer.json for each in lights for offer in each.offers}
    return {n for n, group in enumerate(groups) if all(offer.json in there for offer in group.offers)}


def why_not(seen: Seen, token: Token) -> NotNow | None:
    """Of all that a thing could stand for, the intent nearest to being allowed, and why it is not."""
    refused = [why for verb in seen.game.verbs if not verb.chance for why in _objections(seen, verb, token)]
    nearest = min(refused, key=lambda why: why.distance, default=None)
    return None if nearest is None else refused_now(seen, nearest)


def _objections(seen: Seen, verb: Verb[Any, Any], token: Token) -> Iterator[Refused]:
    about = thought_of(verb, seen.view, seen.actor, (token,))
    meant = (i for i in islice(about, MOST_LOOKED_AT) if token in verb.things(seen.view, i) and _is_known(seen, i))
    return (why for i in meant if (why := objection(seen.game, seen.view, i)) is not None)


def _is_known(seen: Seen, intent: Intent) -> bool:
    """Whether it names only cards this seat has seen; nobody asked which card it might be."""
    return all(each.kind != "piece" or each.value in seen.known for each in mentions(intent))


def _drawn(picture: Picture, wanted: Collection[Token]) -> Drawn:
    """Where these things are drawn; those that are not drawn are left out."""
    drawn: Drawn = {}
    for shape in picture.shapes:
        if not isinstance(shape, Stroke) and shape.token in wanted:
            assert shape.token is not None
            drawn.setdefault(shape.token, []).append(bounds(shape))
    return drawn


def _innermost(drawn: Drawn, things: frozenset[Token]) -> Iterator[Token]:
    there = [token for token in things if token in drawn]
    for token in there:
        if not any(_holds(drawn[token], drawn[other]) for other in there if other != token):
            yield token


def _holds(outer: list[Box], inner: list[Box]) -> bool:
    """Whether everything drawn of one thing lies within another."""
    return all(any(_is_in(each, box) for box in outer) for each in inner)


def _is_in(inner: Box, outer: Box) -> bool:
    x, y = inner[0] + inner[2] // 2, inner[1] + inner[3] // 2
    is_smaller = inner[2] * inner[3] < outer[2] * outer[3]
    return is_smaller and 0 <= x - outer[0] <= outer[2] and 0 <= y - outer[1] <= outer[3]


def _lit(seen: Seen, token: Token, meant: list[tuple[Group, Offer]]) -> Lit:
    offers = tuple(offer for _, offer in meant)
    group, first = meant[0]
    numbers = {seen.game.badge(seen.view, offer.intent) for offer in offers}
    badge = numbers.pop() if len(numbers) == 1 else None
    is_free = not verb_of(seen.game, first.intent).asks and group.low >= group.high
    return Lit(token, offers, "" if badge is None else str(badge), len(offers) == 1 and is_free)
