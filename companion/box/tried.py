"""What was pointed at when the box said no."""

from __future__ import annotations

from companion.core.pages import Page
from companion.core.rules import Token
from companion.table.snapshot import Snapshot

from .dialog import Dialog
from .moment import turn_page


class Tried(Dialog, frozen=True):
    """Remembers it for an appeal; for everything else the box is at rest."""

    tokens: tuple[Token, ...]

    def page(self, scene: Snapshot) -> Page:
        return turn_page(scene)
