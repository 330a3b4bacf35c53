"""Somebody has come to a place where one thing is done: offer it, and OK does it.

For every other button and tag the box is at rest.
"""

from __future__ import annotations

from companion.core import PUBLIC, ConfirmPage, Intent, Page, Seat, Token, argument_kinds, label, legal, say, verb_of
from companion.table import Do, Snapshot

from .dialog import Dialog, Then
from .rest import Rest


class Offered(Dialog, frozen=True):
    """What OK does now."""

    intent: Intent

    def page(self, scene: Snapshot) -> Page:
        view = scene.view(PUBLIC)
        what = label(scene.game, view, self.intent, scene.known(PUBLIC))
        return ConfirmPage(what, scene.game.foresee(view, self.intent), say("box.who", seat=Seat(self.intent.actor)))

    def ok(self, scene: Snapshot, held: bool) -> Then:
        return None, Do(self.intent)

    def turn(self, scene: Snapshot, steps: int) -> Dialog | None:
        return Rest().turn(scene, steps)


def offered_at(scene: Snapshot, place: Token) -> Offered | None:
    """What the awaited seat may do at this place without any further choice, if it needs an OK."""
    view = scene.view(PUBLIC)
    for seat in scene.awaited[:1] if len(scene.awaited) == 1 else ():
        for intent in legal(scene.game, view, seat):
            verb = verb_of(scene.game, intent)
            if verb.asks and not argument_kinds(verb.intent) and verb.stands_for(view, intent, place):
                return Offered(intent)
    return None
