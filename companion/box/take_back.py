"""Take back the last act?"""

from __future__ import annotations

from companion.core import PUBLIC, ConfirmPage, Page, beside, label, say
from companion.table import GoBack, Snapshot, bars_take_back, last_act

from .dialog import Dialog, Then


class TakeBack(Dialog, frozen=True):
    """OK takes back what is free; held, anything."""

    def page(self, scene: Snapshot) -> Page:
        undo = last_act(scene.deeds, scene.at)
        if undo is None:
            return ConfirmPage(say("back.nothing"), ())
        to, act = undo
        barred = bars_take_back(scene.deeds, scene.at, to, act.actor)
        hint = say("back.referee") if barred else say("back.free")
        what = label(scene.game, scene.view(PUBLIC), act, scene.known(PUBLIC))
        who = beside((), act.actor)
        return ConfirmPage(say("back.title", n=to + 1), (what, hint), who, other=bool(who.key))

    def ok(self, scene: Snapshot, held: bool) -> Then:
        undo = last_act(scene.deeds, scene.at)
        return None, GoBack(undo[0], undo[1].actor, held) if undo else None
