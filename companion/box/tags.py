"""Giving tags on the box alone: a list of what gets tags, and a list of pieces. `giving` comes next."""

from __future__ import annotations

from typing import Final, get_args

from msgspec.structs import replace

from companion.core import ChoosePage, Enrol, EnrolRow, Page, Piece, say
from companion.table import Snapshot, things_of

from .dialog import REST, Dialog, Then
from .switching_off import SwitchingOff

ROWS: Final[tuple[EnrolRow, ...]] = get_args(EnrolRow)
LEAP: Final = 10
"""How many lines a held NEXT skips in the long list of pieces."""


class Tags(Dialog, frozen=True):
    """Things about the box rather than the game: tags and, with BACK held again, switching off.

    Unless a row was marked by hand, the list starts at “one piece” if an unknown tag has just been laid down.
    """

    at: int | None = None

    def page(self, scene: Snapshot) -> Page:
        at = self._row(scene)
        return ChoosePage(say("tags.title", n=at + 1, of=len(ROWS)), tuple(say(f"tags.{row}") for row in ROWS), at)

    def ok(self, scene: Snapshot, held: bool) -> Then:
        row = ROWS[self._row(scene)]
        return (Pieces(), None) if row == "piece" else (None, Enrol("begin", row))

    def back(self, scene: Snapshot, held: bool) -> Then:
        return (SwitchingOff(), None) if held else REST

    def turn(self, scene: Snapshot, steps: int) -> Dialog:
        return replace(self, at=(self._row(scene) + steps) % len(ROWS))

    def walks(self, scene: Snapshot) -> bool:
        return True

    def _row(self, scene: Snapshot) -> int:
        return ROWS.index("piece" if scene.stranger else "deck") if self.at is None else self.at


class Pieces(Dialog, frozen=True):
    """Whose tag is it?"""

    at: int = 0

    def page(self, scene: Snapshot) -> Page:
        pieces = things_of(scene).pieces
        items = tuple(say("choice", item=Piece(piece)) for piece in pieces)
        return ChoosePage(say("tags.whose", n=self.at + 1, of=len(pieces)), items, self.at)

    def ok(self, scene: Snapshot, held: bool) -> Then:
        return None, Enrol("begin", "piece", things_of(scene).pieces[self.at], scene.stranger)

    def next(self, scene: Snapshot, held: bool) -> Then | None:
        return (self.turn(scene, LEAP), None) if held and self.walks(scene) else super().next(scene, held)

    def back(self, scene: Snapshot, held: bool) -> Then:
        return Tags(ROWS.index("piece")), None

    def turn(self, scene: Snapshot, steps: int) -> Dialog:
        size = len(things_of(scene).pieces)
        return replace(self, at=(self.at + steps) % size) if size else self

    def walks(self, scene: Snapshot) -> bool:
        return len(things_of(scene).pieces) > 1
