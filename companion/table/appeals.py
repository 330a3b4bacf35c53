"""A refused act can still be let stand: someone at the box holds OK, or the referee agrees."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from companion.core import (
    FLASH_SECONDS,
    PUBLIC,
    Asked,
    ConfirmPage,
    Intent,
    Name,
    Refusal,
    RefusedPage,
    Said,
    beside,
    known_pieces,
    label,
    mask,
    objection,
    say,
    seen_refusal,
)

from .referee import Referee
from .seen import Appealed
from .wishes import Do

GRACE: Final = 2.0
"""Seconds allowed for a hold that began while the refusal was still shown."""


class Refused(Struct, frozen=True):
    """What the box has just refused, and until when that can be appealed."""

    intent: Intent | None
    """What would stand; None if hands cannot have done anything."""
    until: float


class Asking(Struct, frozen=True):
    """A phone's appeal: the act with all its secrets, the command behind it, and what everybody may know of it."""

    intent: Intent
    cause: Asked
    shown: Appealed


def standing(referee: Referee, wish: Do) -> Intent | None:
    """What stands if a refused wish is appealed: the intent itself or, if hands could not do that, what they did do."""
    meant = (wish.intent, wish.instead)
    return next((intent for intent in meant if intent is not None and referee.may_stand(intent)), None)


def page(referee: Referee, refusal: Refusal, by: Said, stands: Intent | None, *, several: bool) -> RefusedPage:
    """NO; then what holding OK would let stand, or that it lists `several` acts to choose from."""
    if stands is None and not several:
        return RefusedPage(refusal, by, "cannot")
    if stands is None:
        return RefusedPage(refusal, by, "which", ConfirmPage(say("appeal.several"), (), takes="stand"))
    against, decisions = _refusal(referee, stands), referee.at.decisions
    who = beside(decisions[-1].seats if decisions else (), stands.actor)
    leaf = ConfirmPage(_called(referee, stands), (against_rule(against),), who, bool(who.key), "stand")
    return RefusedPage(refusal, by, "stands", leaf)


def against_rule(refusal: Refusal) -> Said:
    return say("appeal.against", rule=Name(refusal.rule))


def refused(intent: Intent | None, shown: RefusedPage, now: float) -> Refused:
    return Refused(intent, now + FLASH_SECONDS * len(shown.leaves) + GRACE)


def asking(referee: Referee, intent: Intent, cause: Asked) -> Asking | None:
    """What a phone asks the table to let stand, as everybody may know it; None if no rule refuses it."""
    if objection(referee.game, referee.at.state, intent) is None:
        return None
    shown = Appealed(intent.actor, _called(referee, intent), _refusal(referee, intent), cause.command)
    return Asking(intent, cause, shown)


def _refusal(referee: Referee, intent: Intent) -> Refusal:
    """The first rule in the way of a refused intent, as everybody may know it."""
    why = objection(referee.game, referee.at.state, intent)
    assert why is not None, "refused"
    return seen_refusal(referee.game, mask(referee.at.state, PUBLIC), why)


def _called(referee: Referee, intent: Intent) -> Said:
    view = mask(referee.at.state, PUBLIC)
    return label(referee.game, view, intent, known_pieces(referee.game, view))
