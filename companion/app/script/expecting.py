"""The forms of `expect`."""

from __future__ import annotations

from typing import Final, get_args

import msgspec

from companion.core import PUBLIC, Page, SeatId

from .lines import Accepts, Awaits, Decides, Expect, IsOver, Marks, May, Refuses, Sees, Shows, StateIs
from .names import Named
from .words import Unreadable, unknown

PAGES: Final = tuple(str(page.__struct_config__.tag) for page in get_args(Page))
_KINDS: Final = (
    "accepted",
    "refused",
    "awaited",
    "decision",
    "over",
    "winners",
    "marks",
    "state",
    "oled",
    "public",
)


def expectation(named: Named, words: tuple[str, ...]) -> Expect:  # noqa: C901, PLR0912 - one case for each form
    """One `expect` line; Unreadable if it has no known form."""
    match words:
        case ("accepted",):
            return Accepts()
        case ("refused", rule, *key) if len(key) <= 1:
            return Refuses(_rule(named, rule), *key)
        case ("awaited", *who) if who:
            return Awaits(tuple(named.actor(word) for word in who))
        case ("decision", kind):
            return Decides(kind)
        case ("over",):
            return IsOver()
        case ("winners", *who) if who:
            return IsOver(tuple(named.seat(word) for word in who))
        case ("marks", *rules) if rules:
            return Marks(tuple(_rule(named, rule) for rule in rules))
        case ("state", digest):
            return StateIs(digest)
        case ("oled", "then", *rest):
            return msgspec.structs.replace(_shows(named, tuple(rest)), then=True)
        case ("oled", *rest):
            return _shows(named, tuple(rest))
        case (name, "may", "not", *rest):
            return May(named.intent(named.seat(name), tuple(rest)), False)
        case (name, "may", *rest):
            return May(named.intent(named.seat(name), tuple(rest)), True)
        case (name, "sees", *rest):
            return _sees(named, named.seat(name), tuple(rest))
        case ("public", *rest):
            return _sees(named, PUBLIC, tuple(rest))
        case (word, *_):
            raise unknown("form of expect", word, (*_KINDS, *(f"{name} sees" for name in named.seats)))
        case _:
            raise Unreadable(f"what is expected? The forms are: {', '.join(_KINDS)}, NAME sees, NAME may")


def _rule(named: Named, rule: str) -> str:
    """A rule of the game, or one of the table's own (C1, C2 …)."""
    if rule in named.game.rules or (rule[:1] == "C" and rule[1:].isdecimal()):
        return rule
    raise unknown("rule", rule, named.game.rules)


def _shows(named: Named, words: tuple[str, ...]) -> Shows:
    match words:
        case ("text", text):
            return Shows(text=text)
        case ("refused", rule):
            return Shows("refused", _rule(named, rule))
        case (kind,) if kind in PAGES:
            return Shows(kind)
        case (kind, *_):
            raise unknown("page of the display", kind, PAGES)
        case _:
            raise Unreadable('what does the display show? Write: expect oled turn, or: expect oled text "Ada"')


def _sees(named: Named, audience: SeatId, words: tuple[str, ...]) -> Sees:
    match words:
        case (path, "=", *values) if values:
            return Sees(audience, _path(named, path), "=", tuple(values))
        case (path, "has", "no", *values) if values:
            return Sees(audience, _path(named, path), "has no", tuple(values))
        case (path, "has", *values) if values:
            return Sees(audience, _path(named, path), "has", tuple(values))
        case _:
            raise Unreadable("a fact is a path and its value; write: bench = make-3a, take-5, or: bench has make-3a")


def _path(named: Named, path: str) -> tuple[str, ...]:
    first, *rest = path.split(".")
    fields = [field.name for field in msgspec.structs.fields(named.game.state) if field.name != "setup"]
    if first not in fields:
        raise unknown(f"fact of {named.game.id}", first, fields)
    return (first, *rest)
