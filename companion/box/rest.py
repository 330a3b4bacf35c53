"""Nothing is open: whose turn it is, and what is awaited."""

from __future__ import annotations

from typing import ClassVar

from companion.core import Page, Token
from companion.table import Snapshot

from .choosing import Choosing
from .dialog import Dialog, Then, turn_page
from .next_game import NextGame
from .take_back import TakeBack


class Rest(Dialog, frozen=True):
    """The bottom of the stack: takes every tag, and opens what there is to choose."""

    stays: ClassVar[bool] = True

    def page(self, scene: Snapshot) -> Page:
        return turn_page(scene)

    def tap(self, scene: Snapshot, token: Token) -> Then:
        return Choosing().tap(scene, token)

    def ok(self, scene: Snapshot, held: bool) -> Then:
        return _choices(scene), None

    def back(self, scene: Snapshot, held: bool) -> Then | None:
        return None if held else (TakeBack(), None)

    def turn(self, scene: Snapshot, steps: int) -> Dialog | None:
        """The first step opens the list at its first row; a dial may go on from there at once."""
        return _choices(scene).turn(scene, steps - 1 if steps > 0 else steps)


def _choices(scene: Snapshot) -> Dialog:
    """What there is to choose: things to do or, after the end, the next game."""
    return NextGame() if scene.shelf else Choosing(listed=True)
