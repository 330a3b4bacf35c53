"""Switch the box off?"""

from __future__ import annotations

from companion.core import ConfirmPage, Page, say
from companion.table import AskMachine, Snapshot

from .dialog import REST, Dialog, Then


class SwitchingOff(Dialog, frozen=True):
    """Only a long OK does it; BACK, however long, does not."""

    def page(self, scene: Snapshot) -> Page:
        return ConfirmPage(say("off.title"), (say("off.hint"),))

    def ok(self, scene: Snapshot, held: bool) -> Then:
        return (None, AskMachine("off")) if held else (self, None)

    def back(self, scene: Snapshot, held: bool) -> Then:
        return REST
