"""The referee check: named facts and named problems."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from companion.core import Finding, Said, Shown, say
from companion.table.outside import Told
from web.screen import Page, Screen, Visit


class CheckScreen(Struct, frozen=True):
    facts: tuple[Shown, ...]
    findings: tuple[Finding, ...]
    stands: tuple[Told, ...]
    """What stands against a rule so far."""
    lies_wrong: tuple[Said, ...] = ()
    """What readers see elsewhere than the record has it."""


def check_screen(visit: Visit) -> Screen:
    status = visit.seen.game.status(visit.seen.view)
    return Screen(
        "check",
        say("web.title.check"),
        "more",
        CheckScreen(status.facts, status.findings, visit.seen.past.against_rules(), visit.seen.lies_wrong),
    )


PAGES: Final = (Page("check", check_screen, live=True),)
