"""Where phones find the box; NEXT leads to the box's own Wi-Fi, if it has one, and to joining a club."""

from __future__ import annotations

from companion.core import ConfirmPage, JoinPage, Name, Page, say
from companion.table import AskMachine, FindHubs, Snapshot

from .club import HubChoosing
from .dialog import REST, Dialog, Then


class Join(Dialog, frozen=True):
    """The QR code of the dashboard."""

    def page(self, scene: Snapshot) -> Page:
        return JoinPage()

    def turn(self, scene: Snapshot, steps: int) -> Dialog:
        return _walked(scene, self, steps)

    def walks(self, scene: Snapshot) -> bool:
        return True


class Wifi(Dialog, frozen=True):
    """Name, password and code of the box's own Wi-Fi; OK, held, starts it at once."""

    def page(self, scene: Snapshot) -> Page:
        return scene.wifi or JoinPage()

    def ok(self, scene: Snapshot, held: bool) -> Then:
        return (None, AskMachine("wifi")) if held else REST

    def turn(self, scene: Snapshot, steps: int) -> Dialog:
        return _walked(scene, self, steps)

    def walks(self, scene: Snapshot) -> bool:
        return True


class ClubPage(Dialog, frozen=True):
    """The club where everybody sees this table; OK joins one, or another one."""

    def page(self, scene: Snapshot) -> Page:
        if scene.club:
            return ConfirmPage(say("club.shown", club=Name(scene.club)), (say("club.another"),))
        return ConfirmPage(say("club.join"), (say("club.join.what"),))

    def ok(self, scene: Snapshot, held: bool) -> Then:
        return HubChoosing(), FindHubs()

    def turn(self, scene: Snapshot, steps: int) -> Dialog:
        return _walked(scene, self, steps)

    def walks(self, scene: Snapshot) -> bool:
        return True


def _walked(scene: Snapshot, at: Dialog, steps: int) -> Dialog:
    """This many pages further among those this box has."""
    wifi = () if scene.wifi is None else (Wifi(),)
    club = () if scene.hubs is None else (ClubPage(),)
    pages: tuple[Dialog, ...] = (Join(), *wifi, *club)
    return pages[(pages.index(at) + steps) % len(pages)] if at in pages else pages[0]
