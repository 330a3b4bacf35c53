"""The shape of every dialog the box waits in, and the present moment in words."""

from __future__ import annotations

from typing import ClassVar, TypeAlias, assert_never

from msgspec import Struct

from companion.core import PUBLIC, Button, Page, Said, Seat, Token, TurnPage, say
from companion.table import Snapshot, Wish

Then: TypeAlias = "tuple[Dialog | None, Wish | None]"
"""The dialog that replaces this one (None: the box comes to rest), and a wish, if any."""

REST: Then = (None, None)


class Dialog(Struct, frozen=True):
    """One thing the box is busy with. A new one is a new file beside this one; `stack` says what opens it.

    Pure: it sees the newest snapshot and answers with the dialog that follows. Subclasses override what differs.
    """

    stays: ClassVar[bool] = False
    """Whether it stays on the stack when the box comes to rest."""

    to_club: ClassVar[bool] = False
    """Whether it is a step into a club; those close once the table is in one."""

    def page(self, scene: Snapshot) -> Page:
        """What the box shows."""
        raise NotImplementedError

    def tap(self, scene: Snapshot, token: Token) -> Then | None:
        """The tag of a known thing was laid down; None passes it to the dialog below."""
        return None

    def press(self, scene: Snapshot, button: Button, held: bool) -> Then | None:
        """A button was pressed, or held; None means what that button opens everywhere."""
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
        """On a list, holding it just goes on: the button repeats by itself while it is down."""
        return (self.turn(scene, 1), None) if self.walks(scene) or not held else None

    def back(self, scene: Snapshot, held: bool) -> Then | None:
        return None if held else REST

    def turn(self, scene: Snapshot, steps: int) -> Dialog | None:
        """The dial moved, or NEXT was pressed."""
        return self

    def yields(self, scene: Snapshot) -> bool:
        """Whether it is hidden behind what people open."""
        return False

    def walks(self, scene: Snapshot) -> bool:
        """Whether a list or a number is open that NEXT walks through."""
        return False


class Interruption(Dialog, frozen=True):
    """A dialog that appears by itself, above all others, for as long as it is due (see `interruptions`)."""

    stays: ClassVar[bool] = True


def whose_move(scene: Snapshot) -> tuple[Said, Said]:
    """Who is awaited, and for what; after the end, how it ended."""
    if scene.result is not None:
        return scene.result.said, say("box.over-what")
    decision = scene.decisions[-1]
    one = len(decision.seats) == 1
    who = say("box.who", seat=Seat(decision.seats[0])) if one else say("box.several", n=len(decision.seats))
    return who, Said("decide." + decision.kind, decision.facts)


def turn_page(scene: Snapshot) -> Page:
    """Whose turn it is and what is awaited."""
    view = scene.view(PUBLIC)
    if scene.result is not None:
        return TurnPage(say("game.short"), say("box.over"), scene.result.said, say("box.over-what"), say("box.next"))
    return TurnPage(say("game.short"), scene.banner or scene.game.headline(view), *whose_move(scene), _hint(scene))


def _hint(scene: Snapshot) -> Said:
    """How to go on, or whose phone is away, so that nobody waits in vain."""
    away = [seat for seat in scene.away if seat in scene.awaited] or list(scene.away)
    return say("box.away", seat=Seat(away[0])) if away else say("box.next")
