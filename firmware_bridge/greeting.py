"""What a device says about itself, believed only where it makes sense. Pure; no port, no clock."""

from __future__ import annotations

from typing import Final, TypeAlias

from msgspec import Struct

from companion.core import Name, ReaderId, Said, reader_called, say

from . import wire

MOST_READERS: Final = 48
"""A Pico has pins for fewer; a pretend one may have as many as the settings can name."""
LINKS_SINCE: Final = 2
SHOWN: Final = 16
"""How many letters of an unbelievable word people are shown."""


class Up(Struct, frozen=True):
    """The device answers."""

    board: str
    firmware: str
    readers: tuple[ReaderId, ...]


class Down(Struct, frozen=True):
    """The device does not answer, or not as it should; `trouble` says which, its `hands` text what to do."""

    trouble: Said


LinkState: TypeAlias = Up | Down


def believed(words: list[str]) -> LinkState:
    """What to make of a HELLO of six words."""
    _, version, firmware, board, boot, listed = words
    theirs = wire.number(version)
    if theirs < 0 or len(boot) > wire.MAX_BOOT:
        return Down(say("trouble.greeting"))
    if theirs != wire.VERSION:
        return Down(say("trouble.wire-version", theirs=theirs, ours=wire.VERSION))
    names = [] if listed == wire.NOTHING else listed.split(",")
    trouble = _trouble_with(names)
    return Down(trouble) if trouble else Up(board, firmware, tuple(map(ReaderId, names)))


def _trouble_with(names: list[str]) -> Said | None:
    """What people must change before readers with these names can be used."""
    if not names:
        return say("trouble.no-readers")
    if len(names) > MOST_READERS:
        return say("trouble.many-readers", n=len(names), most=MOST_READERS)
    odd = next((name for name in names if not wire.is_reader(name)), None)
    if odd is not None:
        return say("trouble.reader-name", name=Name(odd[:SHOWN]))
    twice = first_double(tuple(map(ReaderId, names)))
    return None if twice is None else say("trouble.reader-twice", reader=reader_called(twice))


def writes_links(firmware: str) -> bool:
    """Whether a device with this firmware can write a link on a tag; older ones cannot."""
    name, _, version = firmware.partition("-")
    return firmware == "pretend" or (name == "companion" and wire.number(version) >= LINKS_SINCE)


def first_double(readers: tuple[ReaderId, ...]) -> ReaderId | None:
    return next((reader for n, reader in enumerate(readers) if reader in readers[:n]), None)
