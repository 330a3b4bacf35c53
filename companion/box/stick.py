"""A USB stick was put in: save everything on it, restore what is saved there, or neither."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core import ChoosePage, ConfirmPage, Name, Page, Said, say
from companion.table import Snapshot, UseStick

from .dialog import Dialog, Interruption, Then


class StickIn(Interruption, frozen=True):
    """OK takes a row, BACK leaves the stick alone. Restoring replaces everything: it asks again, for a held OK."""

    at: int = 0
    restores: bool = False

    def page(self, scene: Snapshot) -> Page:
        assert scene.stick is not None, "due"
        if self.restores:
            day = Name(scene.stick.saved)
            return ConfirmPage(say("stick.restore", day=day), (say("stick.restore.sure"),), takes="hold")
        return ChoosePage(say("stick.title"), _rows(scene), self.at)

    def ok(self, scene: Snapshot, held: bool) -> Then:
        assert scene.stick is not None, "due"
        if self.restores:
            return self, UseStick("restore") if held else None
        if self.at == 0:
            return self, UseStick("save")
        if self.at == 1 and scene.stick.saved:
            return replace(self, restores=True), None
        return self, UseStick("no")

    def back(self, scene: Snapshot, held: bool) -> Then:
        return (replace(self, restores=False), None) if self.restores else (self, UseStick("no"))

    def turn(self, scene: Snapshot, steps: int) -> Dialog:
        return self if self.restores else replace(self, at=(self.at + steps) % len(_rows(scene)))

    def walks(self, scene: Snapshot) -> bool:
        return not self.restores


def _rows(scene: Snapshot) -> tuple[Said, ...]:
    assert scene.stick is not None, "due"
    saved = (say("stick.row.restore", day=Name(scene.stick.saved)),) if scene.stick.saved else ()
    return (say("stick.row.save"), *saved, say("stick.row.no"))
