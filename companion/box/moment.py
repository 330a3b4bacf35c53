"""The present moment in words: whose move it is, and the page of a box at rest."""

from __future__ import annotations

from companion.core import PUBLIC, Page, Said, Seat, TurnPage, say
from companion.table import Snapshot


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
    return TurnPage(say("game.short"), scene.game.headline(view), *whose_move(scene), _hint(scene))


def _hint(scene: Snapshot) -> Said:
    """How to go on; or whose phone is away, so that nobody waits in vain."""
    away = [seat for seat in scene.away if seat in scene.awaited] or list(scene.away)
    return say("box.away", seat=Seat(away[0])) if away else say("box.next")
