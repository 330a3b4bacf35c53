"""Tags are being given: what to lay next, and what each button does meanwhile."""

from __future__ import annotations

from typing import assert_never

from companion.core import Button, Enrol, EnrolPage, Page, Said, say
from companion.library import Enrolling, ReaderNamed, Things, item
from companion.table import Snapshot, things_of

from .dialog import Interruption, Then


class Giving(Interruption, frozen=True):
    """Which tag goes where is in `scene.enrolling`, because phones drive it, too; tags laid down go there."""

    def page(self, scene: Snapshot) -> Page:
        assert scene.enrolling is not None, "due"
        return enrol_page(scene.enrolling, things_of(scene))

    def press(self, scene: Snapshot, button: Button, held: bool) -> Then:
        assert scene.enrolling is not None, "due"
        return self, pressed(scene.enrolling, button, held)


def pressed(now: Enrolling, button: Button, held: bool) -> Enrol | None:
    """What a button asks for while tags are being given."""
    match button:
        case "ok" if held and now.refused:
            return Enrol("anyway")
        case "ok":
            return Enrol("end" if now.is_done else "dead")
        case "next":
            return None if held else Enrol("skip")
        case "back":
            return Enrol("end" if held or not now.wanted else "undo")
        case "check":
            return Enrol("link" if held else "look")
        case _:
            assert_never(button)


def enrol_page(now: Enrolling, things: Things) -> EnrolPage:
    """What to lay next and what came of the last."""
    of = len(now.wanted)
    want = now.next
    if want is None:
        if now.looking or not of:
            said, note = (now.note, Said("")) if now.note.key else (say("enrol.look-at"), Said(""))
            return EnrolPage(said, note, 0, 0, say("enrol.tell"))
        return EnrolPage(say("enrol.finished", n=now.given, of=of), now.note, of, of, say("enrol.end"))
    asks = say("enrol.touch" if isinstance(want, ReaderNamed) else "enrol.lay")
    return EnrolPage(
        say("choice", item=item(want, things)), now.note, len(now.steps) + 1, of, asks, now.refused is not None
    )
