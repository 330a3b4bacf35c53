"""What readers are called in sentences: two have words of their own, any other is called as its owner named it."""

from __future__ import annotations

from typing import Final

from .facts import Name, Phrase, Said, Word
from .ids import ReaderId

_OWN: Final = ("left", "right")


def said_of(reader: ReaderId) -> Said:
    return Said(f"reader.{reader}") if reader in _OWN else Said("reader.named", (("name", Name(reader)),))


def called(reader: ReaderId) -> Word | Phrase:
    """The same within a sentence."""
    said = said_of(reader)
    return Phrase(said.key, said.facts) if said.facts else Word(said.key)
