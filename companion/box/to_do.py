"""What hands have to do for what somebody else did: a phone, a bot, a step back. One thing at a time.

Readers tick off what they see; OK what they do not, and BACK everything at once. Taps go on to the game: nobody waits.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.core import Page, StepPage, say
from companion.table import Snapshot, Tick

from .dialog import Dialog, Interruption, Then


class ToDo(Interruption, frozen=True):
    """Step `at` is shown."""

    at: int = 0

    def page(self, scene: Snapshot) -> Page:
        at, of = self.at % len(scene.to_do), len(scene.to_do)
        return StepPage(say("step.hands"), scene.to_do[at], at + 1, of)

    def ok(self, scene: Snapshot, held: bool) -> Then | None:
        return self, Tick(scene.to_do[self.at % len(scene.to_do)])

    def back(self, scene: Snapshot, held: bool) -> Then | None:
        return None if held else (self, Tick(None))

    def turn(self, scene: Snapshot, steps: int) -> Dialog:
        return replace(self, at=(self.at + steps) % len(scene.to_do))
