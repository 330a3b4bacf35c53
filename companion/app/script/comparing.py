"""What was found instead of what an `expect` line expects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, assert_never

from msgspec import Struct

from companion.core import Intent, Page, Refusal, RefusedPage, Said, SeatId, allowed, explain, verb_of
from companion.library import Speaker
from companion.table import Snapshot, state_hash

from .evening import Evening
from .facts import items, look
from .lines import Accepts, Awaits, Decides, Expect, IsOver, Marks, May, Refuses, Sees, Shows, StateIs
from .names import Named
from .words import Unreadable


class Happened(Struct, frozen=True):
    """What came of the last input."""

    accepted: bool = False
    refusal: Refusal | None = None
    marks: tuple[str, ...] = ()

    def told(self) -> str:
        if self.refusal is not None:
            return f"refused {self.refusal.rule} {self.refusal.key}"
        return "accepted" if self.accepted else "nothing was done or refused"


def found_instead(evening: Evening, happened: Happened, expected: Expect) -> str | None:  # noqa: C901
    """What there was instead; None if it is as expected."""
    now, named = evening.now, evening.named
    match expected:
        case Accepts():
            return None if happened.accepted else happened.told()
        case Refuses(rule=rule, key=key):
            refusal = happened.refusal
            same = refusal is not None and refusal.rule == rule and key in ("", refusal.key)
            return None if same else happened.told()
        case Awaits(seats=seats):
            return _unless(set(now.awaited) == set(seats), _seats(named, now.awaited))
        case Decides(kind=kind):
            asked = now.decisions[-1].kind if now.decisions else "none, the game is over"
            return _unless(asked == kind, asked)
        case IsOver(winners=winners):
            return _over(named, now, winners)
        case Marks(rules=rules):
            return _unless(set(happened.marks) == set(rules), ", ".join(happened.marks) or "no marks")
        case StateIs(hash=digest):
            return _unless(state_hash(now.state) == digest, state_hash(now.state))
        case Shows():
            return _shown(evening, expected)
        case May(intent=intent, is_offered=is_offered):
            offered = _is_offered(now, intent)
            return _unless(offered == is_offered, "offered" if offered else "not offered")
        case Sees():
            return _seen(named, now, expected)
        case _:
            assert_never(expected)


def _unless(same: bool, found: str) -> str | None:
    return None if same else found


def _seats(named: Named, seats: tuple[SeatId, ...]) -> str:
    return ", ".join(named.seat_name(seat) for seat in seats) or "nobody"


def _over(named: Named, now: Snapshot, winners: tuple[SeatId, ...] | None) -> str | None:
    if now.result is None:
        return f"not over; awaited: {_seats(named, now.awaited)}"
    same = winners is None or set(winners) == set(now.result.winners)
    return _unless(same, _seats(named, now.result.winners))


def _is_offered(now: Snapshot, intent: Intent) -> bool:
    verb = verb_of(now.game, intent)
    view = now.view(intent.actor)
    if verb.span is None:
        return intent in allowed(verb, view, intent.actor)
    return all(check.broken is None for check in explain(now.game, view, intent))


def _seen(named: Named, now: Snapshot, expected: Sees) -> str | None:
    try:
        found = items(named, look(named, now.view(expected.audience), expected.path))
    except Unreadable as error:
        return str(error)
    match expected.how:
        case "=":
            same = found == expected.values
        case "has":
            same = set(expected.values) <= set(found)
        case "has no":
            same = not set(expected.values) & set(found)
        case _:
            assert_never(expected.how)
    return _unless(same, ", ".join(found))


def _shown(evening: Evening, expected: Shows) -> str | None:
    now = evening.now
    page = now.page if expected.then or now.flash is None else now.flash
    if expected.text:
        text = page_text(page, evening.speaker())
        return _unless(expected.text.casefold() in text.casefold(), text)
    kind = str(page.__struct_config__.tag)
    rule = page.refusal.rule if isinstance(page, RefusedPage) else ""
    same = kind == expected.kind and expected.rule in ("", rule)
    return _unless(same, f"{kind} {rule}".strip())


def page_text(page: Page, speaker: Speaker) -> str:
    """Everything a page says, in the short words of the display."""
    return " · ".join(text for text in _texts(page, speaker) if text)


def _texts(value: Any, speaker: Speaker) -> Iterator[str]:
    match value:
        case Said():
            yield speaker.say(value, "oled")
        case Refusal():
            yield value.rule
            yield speaker.refuse(value, "oled")
            yield speaker.refuse(value, "hands")
        case tuple():
            for one in value:
                yield from _texts(one, speaker)
        case str():
            yield value
        case bool():
            return
        case int():
            yield str(value)
        case Struct():
            for name in value.__struct_fields__:
                yield from _texts(getattr(value, name), speaker)
        case _:
            return
