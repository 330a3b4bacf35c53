"""What readers are called in sentences: two have words of their own, those of a mat have numbers.

Any other is called as its owner named it.
"""

from __future__ import annotations

import re
from typing import Final

from .facts import Name, Phrase, Said, Word, say
from .ids import ReaderId

_OWN: Final = ("left", "right")
_NUMBERED: Final = re.compile(r"r([0-9]{2})")


def numbered(number: int) -> ReaderId:
    """The reader of that number on a mat, as its Pico calls it: r01."""
    return ReaderId(f"r{number:02}")


def said_of(reader: ReaderId) -> Said:
    if reader in _OWN:
        return Said(f"reader.{reader}")
    if number := _NUMBERED.fullmatch(reader):
        return say("reader.numbered", at=int(number[1]))
    return Said("reader.named", (("name", Name(reader)),))


def called(reader: ReaderId) -> Word | Phrase:
    """The same within a sentence."""
    said = said_of(reader)
    return Phrase(said.key, said.facts) if said.facts else Word(said.key)
