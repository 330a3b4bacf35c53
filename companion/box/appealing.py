"""A phone asks to let an act stand against a rule."""

from __future__ import annotations

from companion.core import ConfirmPage, LetStand, Page, beside
from companion.table import Snapshot, against_rule

from .dialog import Interruption, Then


class Appealing(Interruption, frozen=True):
    """OK, held, lets it stand; BACK does not. Tags can be played meanwhile; any act ends the question."""

    def page(self, scene: Snapshot) -> Page:
        asked = scene.appeal
        assert asked is not None, "due"
        return ConfirmPage(asked.said, (against_rule(asked.refusal),), beside((), asked.seat), True, "hold")

    def ok(self, scene: Snapshot, held: bool) -> Then:
        assert scene.appeal is not None, "due"
        return self, LetStand(scene.appeal.command) if held else None

    def back(self, scene: Snapshot, held: bool) -> Then:
        assert scene.appeal is not None, "due"
        return self, LetStand(scene.appeal.command, yes=False)
