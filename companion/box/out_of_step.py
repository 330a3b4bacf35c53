"""The table lies as no legal act would leave it: nothing is played until that is put right.

It comes and goes by itself. NEXT walks through the fewest things to put right; OK, held, believes the table.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.core import BelieveTable, Button, Page, StepPage, say
from companion.table import Snapshot

from .dialog import Dialog, Interruption, Then


class OutOfStep(Interruption, frozen=True):
    """Repair `at` is shown; each disappears from the list once it is seen to be done."""

    at: int = 0

    def page(self, scene: Snapshot) -> Page:
        at, of = self.at % len(scene.repairs), len(scene.repairs)
        return StepPage(say("step.astray"), scene.repairs[at], at + 1, of, is_wrong=True)

    def press(self, scene: Snapshot, button: Button, held: bool) -> Then | None:
        match button:
            case "next":
                return self.turn(scene, 1), None
            case "ok":
                return self, BelieveTable() if held else None
            case "back":
                return self, None
            case "check":
                return None

    def turn(self, scene: Snapshot, steps: int) -> Dialog:
        return replace(self, at=(self.at + steps) % len(scene.repairs))
