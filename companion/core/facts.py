"""What the program says, as keys and facts; sentences are made from them at the very edge."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from .ids import PieceId, PlaceId, RuleId, SeatId


class Piece(Struct, frozen=True, tag="piece"):
    id: PieceId


class Place(Struct, frozen=True, tag="place"):
    id: PlaceId


class Seat(Struct, frozen=True, tag="seat"):
    id: SeatId


class Word(Struct, frozen=True, tag="word"):
    """A key that is itself looked up in the reader's language."""

    key: str


class Name(Struct, frozen=True, tag="name"):
    """A string that stays as it is in every language: a person's name, an address."""

    text: str


class Both(Struct, frozen=True, tag="both"):
    """A name that a pack gives in both languages; one that is left out is the other."""

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
