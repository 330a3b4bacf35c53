"""What hands have to do for somebody else's act: a phone's, a bot's, a step back. One thing at a time.

Readers tick off what they see, OK what they do not, and BACK everything at once. Taps go on to the game: nobody waits.
If no reader watches, nothing can be ticked off: the steps stay until the next act, and OK and BACK do what they do at
rest.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.core import Page, Seat, StepPage, say
from companion.table import Snapshot, Tick

from .dialog import Dialog, Interruption, Then
from .rest import Rest


class ToDo(Interruption, frozen=True):
    """Step `at` is shown."""

    at: int = 0

    def page(self, scene: Snapshot) -> Page:
        at, of = self.at % len(scene.to_do), len(scene.to_do)
        title = say("step.hands") if scene.served is None else say("step.hands-for", seat=Seat(scene.served))
        return StepPage(title, scene.to_do[at], at + 1, of)

    def yields(self, scene: Snapshot) -> bool:
        return not scene.is_watched

    def ok(self, scene: Snapshot, held: bool) -> Then | None:
        if self.yields(scene):
            return Rest().ok(scene, held)
        return self, Tick(scene.to_do[self.at % len(scene.to_do)])

    def back(self, scene: Snapshot, held: bool) -> Then | None:
        if self.yields(scene):
            return Rest().back(scene, held)
        return None if held else (self, Tick(None))

    def turn(self, scene: Snapshot, steps: int) -> Dialog | None:
        if self.yields(scene) and len(scene.to_do) == 1:
            return Rest().turn(scene, steps)
        return replace(self, at=(self.at + steps) % len(scene.to_do))
