"""Cards that were entered during the game: read, and laid over the pack it began with."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import msgspec
from msgspec.structs import replace

from .cards import Pack, Upgrade

LONGEST: Final = 2000
_REMEMBERED: Final = 16
_packs: dict[tuple[int, tuple[str, ...]], tuple[Pack, Pack]] = {}


@lru_cache(maxsize=256)
def upgrade_of(text: str) -> Upgrade | None:
    """The card in a description; None if no such card could be printed."""
    if len(text) > LONGEST:
        return None
    try:
        return msgspec.json.decode(text, type=Upgrade)
    except (msgspec.MsgspecError, ValueError, UnicodeError):
        return None


def text_of(card: Upgrade) -> str:
    """A card as a description, always the same text for the same card."""
    return msgspec.json.encode(card).decode()


def pack_with(pack: Pack, texts: tuple[str, ...]) -> Pack:
    """The pack with these cards in place of its own; the same object each time, because look-ups are cached by it."""
    key = id(pack), texts
    found = _packs.get(key)
    if found is None or found[0] is not pack:
        while len(_packs) >= _REMEMBERED:
            _packs.pop(next(iter(_packs)), None)
        found = _packs[key] = pack, _made(pack, texts)
    return found[1]


def _made(pack: Pack, texts: tuple[str, ...]) -> Pack:
    fresh = {card.id: card for text in texts if (card := upgrade_of(text)) is not None}
    return replace(pack, upgrades=tuple(fresh.get(card.id, card) for card in pack.upgrades))
