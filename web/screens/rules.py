"""Every rule of the game in the reader’s words, and what it means now."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from companion.core import RuleId, say
from companion.phones import Means, offers
from web.screen import WORDS, Page, Screen, Visit

MEANT: Final = 12
"""How many of the rules found are also explained for the current position."""
OWN_RULES: Final = tuple(f"C{number}" for number in range(1, 15))
"""The table's own rules, so that every rule id on a phone leads somewhere."""


class RuleRow(Struct, frozen=True):
    """A rule in the reader's language; `means` is what it means now for the reader's seat, if asked."""

    id: str
    text: str
    means: Means | None = None


class RulesScreen(Struct, frozen=True):
    rules: tuple[RuleRow, ...]
    asked_for: str
    seated: bool = False


def rules_screen(visit: Visit) -> Screen:
    """All of the game's rules in the reader's language, or those that contain the words searched for."""
    seen, key, words = visit.seen, visit.words.key, visit.query.get("q", "")[:60]
    is_seat = visit.phone.seat is not None
    rows = tuple(RuleRow(rule, key(f"rule.{rule}")) for rule in (*seen.game.rules, *OWN_RULES))
    named = tuple(r for r in rows if r.id.casefold() == words.casefold())
    found = named or tuple(r for r in rows if all(w in f"{r.id} {r.text}".casefold() for w in words.casefold().split()))
    if words and is_seat and len(found) <= MEANT:
        found = tuple(RuleRow(r.id, r.text, offers.means(seen, RuleId(r.id))) for r in found)
    return Screen("rules", say("web.title.rules"), "more", RulesScreen(found, words, is_seat))


PAGES: Final = (Page("rules", rules_screen, live=True, reads={"q": WORDS}),)
