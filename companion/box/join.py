"""Where phones find the box; after NEXT, the box's own Wi-Fi where it has one."""

from __future__ import annotations

from companion.core import JoinPage, Page
from companion.table import AskMachine, Snapshot

from .dialog import REST, Dialog, Then


class Join(Dialog, frozen=True):
    """The QR code of the dashboard."""

    def page(self, scene: Snapshot) -> Page:
        return JoinPage()

    def turn(self, scene: Snapshot, steps: int) -> Dialog:
        return self if scene.wifi is None else Wifi()

    def walks(self, scene: Snapshot) -> bool:
        return True


class Wifi(Dialog, frozen=True):
    """Name, password and code of the box's own Wi-Fi; OK, held, opens it at once."""

    def page(self, scene: Snapshot) -> Page:
        return scene.wifi or JoinPage()

    def ok(self, scene: Snapshot, held: bool) -> Then:
        return (None, AskMachine("wifi")) if held else REST

    def turn(self, scene: Snapshot, steps: int) -> Dialog:
        return Join()

    def walks(self, scene: Snapshot) -> bool:
        return True
