"""Switch the box off?"""

from __future__ import annotations

from companion.core import ConfirmPage, Page, say
from companion.table import AskMachine, Snapshot

from .dialog import REST, Dialog, Then


class SwitchingOff(Dialog, frozen=True):
    """Only a held OK does it; BACK never does."""

    def page(self, scene: Snapshot) -> Page:
        return ConfirmPage(say("off.title"), (say("off.hint"),))

    def ok(self, scene: Snapshot, held: bool) -> Then:
        return (None, AskMachine("off")) if held else (self, None)

    def back(self, scene: Snapshot, held: bool) -> Then:
        return REST
