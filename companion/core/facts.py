"""What the program says, as keys and facts; sentences are made from them at the very edge.

This includes the names of readers: two have words of their own, those of a mat are numbered.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Final, TypeAlias

from msgspec import Struct

from .ids import TABLE, PieceId, PlaceId, ReaderId, RuleId, SeatId


class Piece(Struct, frozen=True, tag="piece"):
    id: PieceId


class Place(Struct, frozen=True, tag="place"):
    id: PlaceId


class Seat(Struct, frozen=True, tag="seat"):
    id: SeatId


class Word(Struct, frozen=True, tag="word"):
    """A key that is itself looked up in the language of whoever reads it."""

    key: str


class Name(Struct, frozen=True, tag="name"):
    """A string that is the same in every language: a person's name, an address."""

    text: str


class Both(Struct, frozen=True, tag="both"):
    """A name that a pack gives in both languages; if one is missing, the other stands in."""

    en: str
    fr: str


class Phrase(Struct, frozen=True, tag="phrase"):
    """Words within a sentence that have facts of their own: “the second card of column 3”."""

    key: str
    facts: Facts = ()


Fact: TypeAlias = int | Piece | Place | Seat | Word | Name | Both | Phrase
Facts: TypeAlias = tuple[tuple[str, Fact], ...]

NO_FACTS: Facts = ()


class Said(Struct, frozen=True):
    """One thing said: a text key with the facts that fill it."""

    key: str
    facts: Facts = NO_FACTS


def say(key: str, **facts: Fact) -> Said:
    return Said(key, tuple(facts.items()))


def beside(awaited: tuple[SeatId, ...], seat: SeatId) -> Said:
    """A name to show, or nothing if only that seat is awaited and the page names it anyway."""
    return Said("") if seat == TABLE or awaited == (seat,) else say("box.who", seat=Seat(seat))


def phrase(key: str, **facts: Fact) -> Phrase:
    return Phrase(key, tuple(facts.items()))


class Refusal(Struct, frozen=True):
    """A broken rule: its id, the condition that failed, and the facts that show it."""

    rule: RuleId
    key: str
    facts: Facts = NO_FACTS


class Finding(Struct, frozen=True):
    """A named problem of the referee check."""

    rule: RuleId
    said: Said


_OWN: Final = ("left", "right")
_NUMBERED: Final = re.compile(r"r([0-9]{2})")


def numbered(number: int) -> ReaderId:
    """The reader with that number on a mat, named as its Pico names it: r01."""
    return ReaderId(f"r{number:02}")


def reader_said(reader: ReaderId) -> Said:
    if reader in _OWN:
        return Said(f"reader.{reader}")
    if number := _NUMBERED.fullmatch(reader):
        return say("reader.numbered", at=int(number[1]))
    return Said("reader.named", (("name", Name(reader)),))


def said_on_mat(antennas: Mapping[ReaderId, PlaceId | None]) -> dict[ReaderId, Said]:
    """The readers of a mat, named by what they stand for and numbered where several stand for the same thing."""
    many, met, said = Counter(antennas.values()), Counter[PlaceId | None](), dict[ReaderId, Said]()
    for reader, place in antennas.items():
        met[place] += 1
        if place is None and not _NUMBERED.fullmatch(reader):
            continue
        counted: Facts = (("at", met[place]),) if many[place] > 1 else ()
        key, facts = ("reader.wand", counted) if place is None else ("reader.zone", (("place", Place(place)), *counted))
        said[reader] = Said(f"{key}.one-of" if counted else key, facts)
    return said


def reader_called(reader: ReaderId, place: PlaceId | None = None) -> Word | Phrase:
    """The name of a reader within a sentence; for a zone, with the place it lies under."""
    said = reader_said(reader)
    if place is not None and said.key == "reader.numbered":
        return Phrase("reader.placed", (*said.facts, ("place", Place(place))))
    return Phrase(said.key, said.facts) if said.facts else Word(said.key)
