"""Why not: the reason, what hands do, every rule of it kept or broken, what would work instead."""

from __future__ import annotations

from typing import Final

from flask import Response, abort
from msgspec import Struct

from companion.core import Checked, Refusal, RuleId, Said, say
from companion.phones import offers
from companion.table.outside import No, Seen
from web.screen import Page, Screen, Visit, render_sheet

from .choices import Button, button


class WhyScreen(Struct, frozen=True):
    """Why an intent is refused: the reason, what hands do, every rule of it kept or broken, what would work instead."""

    said: Said | None
    refusal: Refusal | None
    checks: tuple[Checked, ...]
    nearest: tuple[Button, ...]
    rules: tuple[RuleId, ...]
    asked: int
    anyway: Button | None = None
    """The act itself, if hands could do it: the table is asked, or records it with a mark."""
    appeals: bool = False


def why_screen(seen: Seen, intent: bytes, answered: Refusal | None = None) -> Screen | None:
    """The “why not?” sheet for an intent, or for a refusal just made; None if the intent can't be read."""
    why = offers.why(seen, intent)
    if why is None and answered is None:
        return None
    refusal = answered or (why.refusal if why else None)
    checks = why.checks if why and (answered is None or answered == why.refusal) else ()
    nearest = tuple(button(seen, offer) for offer in why.nearest) if why else ()
    broken = tuple(dict.fromkeys(c.rule for c in checks if c.broken is not None))
    rules = broken or ((refusal.rule,) if refusal else ())
    anyway = button(seen, why.anyway) if why and why.anyway else None
    asked, appeals = seen.asked[seen.audience], seen.mode == "strict"
    model = WhyScreen(why.said if why else None, refusal, checks, nearest, rules, asked, anyway, appeals)
    return Screen("why", say("web.title.why"), "seat", model)


def refusal_screen(refusal: Refusal) -> Screen:
    """The sheet for a refusal without an intent: of the table itself, or of an undo."""
    return Screen("why", say("web.title.why"), "", WhyScreen(None, refusal, (), (), (refusal.rule,), 0))


def refused(visit: Visit, answer: No) -> Response:
    """The sheet for a refusal without an intent."""
    sheet = render_sheet(visit.afresh(), refusal_screen(answer.refusal))
    return Response(sheet, status=409, mimetype="text/html")


def _asked(visit: Visit) -> Screen | None:
    if visit.phone.seat is None:
        abort(403)
    return why_screen(visit.seen, visit.query.get("intent", "").encode())


PAGES: Final = (Page("why", _asked, over="may"),)
