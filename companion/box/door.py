"""Phones ask for seats: hold OK to let them all in; NEXT marks one, which OK lets in and BACK sends away.

The page may come up just as somebody presses OK for a move, so a short OK lets in only the one marked with NEXT.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.core import AdmitPage, Button, Name, Page, Seat, SeatId, Waits, say
from companion.table import LetIn, Queue, SendAway, Snapshot, waiting

from .dialog import Dialog, Interruption, Then


class Door(Interruption, frozen=True):
    """`marked` is the code of a waiting phone; taps go on to the game."""

    marked: str = ""

    def page(self, scene: Snapshot) -> Page:
        waits = waiting(scene.joining)
        rows = tuple(Waits(say("admit.who", name=Name(each.name), seat=Seat(each.seat)), each.code) for each in waits)
        return AdmitPage(rows, self._at(waits))

    def press(self, scene: Snapshot, button: Button, held: bool) -> Then:
        waits = waiting(scene.joining)
        at = self._at(waits)
        match button:
            case "next":
                return self.turn(scene, 1), None
            case "ok" if held:
                return Door(), LetIn(_one_a_seat(waits))
            case "ok" if at is not None:
                return Door(), LetIn((self.marked,))
            case "back":
                return Door(), SendAway(tuple(each.code for each in waits) if held else (waits[at or 0].code,))
            case _:
                return self, None

    def turn(self, scene: Snapshot, steps: int) -> Dialog:
        """The first step marks the first row."""
        waits = waiting(scene.joining)
        at = self._at(waits)
        if at is None:
            at = -1 if steps > 0 else 0
        return replace(self, marked=waits[(at + steps) % len(waits)].code)

    def _at(self, waits: Queue) -> int | None:
        return next((at for at, each in enumerate(waits) if each.code == self.marked), None)


def _one_a_seat(waits: Queue) -> tuple[str, ...]:
    """Two people can't share a chair: it goes to whoever came first."""
    first: dict[SeatId, str] = {}
    for each in waits:
        first.setdefault(each.seat, each.code)
    return tuple(first.values())
