"""The shape of everything that the box waits in."""

from __future__ import annotations

from typing import ClassVar, TypeAlias, assert_never

from msgspec import Struct

from companion.core.inputs import Button
from companion.core.pages import Page
from companion.core.rules import Token
from companion.table.snapshot import Snapshot
from companion.table.wishes import Wish

Then: TypeAlias = "tuple[Dialog | None, Wish | None]"
"""The dialog that follows in the place of this one (None: the box comes to rest), and a wish, if there is any."""

REST: Then = (None, None)


class Dialog(Struct, frozen=True):
    """One thing that the box is about. A new one is one new file beside this; `stack` says what opens it.

    Pure: it sees the newest snapshot and answers with the dialog that follows. A subclass overrides what differs.
    """

    stays: ClassVar[bool] = False
    """Whether it stays where it is when the box comes to rest."""

    def page(self, scene: Snapshot) -> Page:
        """What the box shows."""
        raise NotImplementedError

    def tap(self, scene: Snapshot, token: Token) -> Then | None:
        """A tag of a known thing was laid down; None leaves it to the dialog below."""
        return None

    def press(self, scene: Snapshot, button: Button, held: bool) -> Then | None:
        """A button was pressed, or held; None leaves it to what that button opens everywhere."""
        match button:
            case "ok":
                return self.ok(scene, held)
            case "next":
                return self.next(scene, held)
            case "back":
                return self.back(scene, held)
            case "check":
                return None
            case _:
                assert_never(button)

    def ok(self, scene: Snapshot, held: bool) -> Then | None:
        return REST

    def next(self, scene: Snapshot, held: bool) -> Then | None:
        """Held on a list it only goes on; the button repeats by itself while it is down."""
        return (self.turn(scene, 1), None) if self.walks(scene) or not held else None

    def back(self, scene: Snapshot, held: bool) -> Then | None:
        return None if held else REST

    def turn(self, scene: Snapshot, steps: int) -> Dialog | None:
        """The dial moved, or NEXT was pressed."""
        return self

    def yields(self, scene: Snapshot) -> bool:
        """Whether what people open hides it."""
        return False

    def walks(self, scene: Snapshot) -> bool:
        """Is there a list or a number open that NEXT walks through?"""
        return False


class Interruption(Dialog, frozen=True):
    """A dialog that comes by itself, above all others, for as long as it is due (see `interruptions`)."""

    stays: ClassVar[bool] = True
