"""Who sits where: a dialog of the box that walks through the seats. See add-a-dialog.md."""

from __future__ import annotations

from msgspec.structs import replace

from companion.box import Dialog, Then
from companion.core import ChoosePage, Page, Seat, SeatId, say
from companion.table import Snapshot


class WhoSits(Dialog, frozen=True):
    """A row for each seat; OK goes back to the turn."""

    at: int = 0

    def page(self, scene: Snapshot) -> Page:
        seats = tuple(SeatId(seat) for seat in range(len(scene.chairs)))
        return ChoosePage(say("tags.seats"), tuple(say("choice", item=Seat(seat)) for seat in seats), self.at)

    def turn(self, scene: Snapshot, steps: int) -> Dialog:
        return replace(self, at=(self.at + steps) % len(scene.chairs))

    def walks(self, scene: Snapshot) -> bool:
        return True


def ok_in_join(scene: Snapshot, held: bool) -> Then:
    """What `Join.ok` becomes: OK on the QR code opens the dialog."""
    return WhoSits(), None
