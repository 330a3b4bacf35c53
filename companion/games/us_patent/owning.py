"""What owners of the printed game enter: their Upgrades and Time Machines, and the spaces and links of their map."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from companion.core import CardKind, Place, PlaceId, Said, Word, Wrong, say

from .state import Inventor, Link, Pack, Space, Upgrade, own_name, place


def _called(card: Upgrade) -> Said:
    return say("piece.upgrade", name=own_name(card), slot=Word(f"slot.{card.slot}"), rank=card.rank)


def _nowhere(pack: Pack, field: str, space: str) -> tuple[Wrong, ...]:
    there = any(other.id == space for other in pack.spaces)
    return () if there else (Wrong(field, say("card.no-such-space")),)


def _lost_or_twice(pack: Pack, card: Inventor) -> tuple[Wrong, ...]:
    twice = any(other.year == card.year and other.id != card.id for other in pack.inventors)
    dated = (Wrong("year", say("card.inventor.twice")),) if twice else ()
    return (*dated, *_nowhere(pack, "start", card.start))


def _there_already(pack: Pack, space: Space) -> tuple[Wrong, ...]:
    there = any(other.id == space.id for other in pack.spaces)
    return (Wrong("id", say("card.space.twice")),) if there else ()


def _with_spaces(pack: Pack, spaces: tuple[Space, ...]) -> Pack:
    """A space removed from the map takes its links with it."""
    there = {space.id for space in spaces}
    links = tuple(link for link in pack.links if link.a in there and link.b in there)
    return replace(pack, spaces=spaces, links=links)


def _loose(pack: Pack, link: Link) -> tuple[Wrong, ...]:
    return (*_nowhere(pack, "a", link.a), *_nowhere(pack, "b", link.b))


def _joins(link: Link) -> Said:
    return say("card.link", a=Place(PlaceId(link.a)), b=Place(PlaceId(link.b)))


UPGRADES: Final[CardKind[Pack, Upgrade]] = CardKind(
    name="upgrade",
    card=Upgrade,
    read=lambda pack: pack.upgrades,
    write=lambda pack, cards: replace(pack, upgrades=cards),
    said=_called,
    kept=("id",),
)
INVENTORS: Final[CardKind[Pack, Inventor]] = CardKind(
    name="inventor",
    card=Inventor,
    read=lambda pack: pack.inventors,
    write=lambda pack, cards: replace(pack, inventors=cards),
    said=lambda card: say("piece.machine", name=own_name(card), year=card.year),
    wrong=_lost_or_twice,
    kept=("id",),
)
SPACES: Final[CardKind[Pack, Space]] = CardKind(
    name="space",
    card=Space,
    read=lambda pack: pack.spaces,
    write=_with_spaces,
    said=lambda space: place(PlaceId(space.id)),
    wrong=_there_already,
    blank=Space("1/c"),
)
LINKS: Final[CardKind[Pack, Link]] = CardKind(
    name="link",
    card=Link,
    read=lambda pack: pack.links,
    write=lambda pack, links: replace(pack, links=links),
    said=_joins,
    wrong=_loose,
    blank=Link("1/lab", "1/market"),
)
OWNED: Final = (UPGRADES, INVENTORS, SPACES, LINKS)
