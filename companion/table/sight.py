"""What the readers of places report. Pure: the table thread keeps the newest value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.core import Found, Game, Lifted, Lying, PlaceId, ReaderBack, ReaderId, ReaderLost, Tapped, Uid, Watch
from companion.library import PieceTag, Tagbook


class Sight(Struct, frozen=True):
    """The readers that are bound to places, and what lies on those that have been `heard`.

    A `lost` one keeps what lay on it and comes back with it; until then nobody can tell.
    """

    zones: Mapping[ReaderId, PlaceId]
    on: frozenset[tuple[ReaderId, Uid]] = frozenset()
    heard: frozenset[ReaderId] = frozenset()
    lost: frozenset[ReaderId] = frozenset()

    def after(self, given: Tapped | Lifted | Found | ReaderLost | ReaderBack) -> Sight:
        """What is seen after this report from a reader."""
        heard, found = self.heard | {given.reader}, self.lost - {given.reader}
        match given:
            case Tapped(uid=uid, reader=reader):
                return replace(self, heard=heard, lost=found, on=self.on | {(reader, uid)})
            case Lifted(uid=uid, reader=reader):
                return replace(self, heard=heard, lost=found, on=self.on - {(reader, uid)})
            case Found(reader=reader, uids=uids):
                rest = {each for each in self.on if each[0] != reader}
                on = frozenset({*rest, *((reader, uid) for uid in uids)})
                return replace(self, heard=heard, lost=found, on=on)
            case ReaderLost(reader=reader):
                return replace(self, lost=self.lost | {reader})
            case ReaderBack():
                return replace(self, lost=found)

    def lying(self, game: Game[Any, Any], pack: Any, tagbook: Tagbook) -> Lying:
        """The pieces of this game on their places."""
        beside = game.beside(pack)
        tags = ((self.zones[reader], tagbook.find(uid)) for reader, uid in self.on if reader in self._working)
        pieces = ((at, tag.piece) for at, tag in tags if isinstance(tag, PieceTag) and tag.game == game.id)
        return frozenset(each for each in pieces if each[1] not in beside)

    def watch(self, game: Game[Any, Any], pack: Any, tagbook: Tagbook) -> Watch:
        """What can be seen at all."""
        places = Counter(self.zones[reader] for reader in self._working)
        return Watch(places, tagbook.tagged(game.id) - game.beside(pack))

    @property
    def _working(self) -> frozenset[ReaderId]:
        """The readers of places that work; a wand sees what arrives, never what lies there."""
        return (self.heard & self.zones.keys()) - self.lost
