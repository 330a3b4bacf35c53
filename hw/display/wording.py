"""The pages' own texts, and how they name people."""

from __future__ import annotations

from companion.core import Fact, Name, Said
from companion.library import Speaker


def label(speaker: Speaker, name: str, **facts: Fact) -> str:
    return speaker.key(f"page.{name}", "oled", **facts)


def hands_do(speaker: Speaker, said: Said) -> str:
    """What people should do, or nothing: a key without such a text gives its general form."""
    words = speaker.say(said, "hands")
    return "" if words in (speaker.say(said), said.key) else words


def by(speaker: Speaker, who: str, what: str) -> str:
    return label(speaker, "by", who=Name(who), what=Name(what))
