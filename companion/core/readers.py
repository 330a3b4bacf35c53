"""What readers are called in sentences: two have words of their own, those of a mat have numbers.

Any other is called as its owner named it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Final

from .facts import Facts, Name, Phrase, Place, Said, Word, say
from .ids import PlaceId, ReaderId

_OWN: Final = ("left", "right")
_NUMBERED: Final = re.compile(r"r([0-9]{2})")


def numbered(number: int) -> ReaderId:
    """The reader of that number on a mat, as its Pico calls it: r01."""
    return ReaderId(f"r{number:02}")


def reader_said(reader: ReaderId) -> Said:
    if reader in _OWN:
        return Said(f"reader.{reader}")
    if number := _NUMBERED.fullmatch(reader):
        return say("reader.numbered", at=int(number[1]))
    return Said("reader.named", (("name", Name(reader)),))


def said_on_mat(antennas: Mapping[ReaderId, PlaceId | None]) -> dict[ReaderId, Said]:
    """The readers of a mat by what they stand for; where several stand for the same, they are counted."""
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
    """The same within a sentence; of a zone also the place under which hands find it."""
    said = reader_said(reader)
    if place is not None and said.key == "reader.numbered":
        return Phrase("reader.placed", (*said.facts, ("place", Place(place))))
    return Phrase(said.key, said.facts) if said.facts else Word(said.key)
