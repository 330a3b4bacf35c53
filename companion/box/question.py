"""Something people must settle before the game goes on, such as one card on two readers."""

from __future__ import annotations

from companion.core import Button, Page, Token, TroublePage
from companion.table import GoOn, Snapshot

from .dialog import Interruption, Then


class Question(Interruption, frozen=True):
    """OK says that it is settled; nothing can be played until then."""

    def page(self, scene: Snapshot) -> Page:
        assert scene.question is not None, "due"
        return TroublePage(scene.question)

    def tap(self, scene: Snapshot, token: Token) -> Then:
        return self, None

    def press(self, scene: Snapshot, button: Button, held: bool) -> Then:
        return self, GoOn() if button == "ok" else None
