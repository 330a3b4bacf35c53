"""What each screen shows, as values made from one look of one phone. Pages and the stream draw the same ones.

They are made of what that phone may see, and there is nothing else to make them of.
"""

from __future__ import annotations

from itertools import islice
from typing import Final, Literal

from msgspec import Struct

from companion.core.facts import Finding, Refusal, Said, Seat, say
from companion.core.ids import PUBLIC, REFEREE, TABLE, RuleId, SeatId, Seq
from companion.core.judge import Checked
from companion.core.panels import Shown, Stages, Standing
from companion.phones import offers
from companion.phones.offers import Means
from companion.table.seen import Seen, Told
from companion.table.sitting import question, who_rolls

from .chairs import ChairRow, chair_rows
from .choices import Button, Choices, Closed, Pad, button, by_reason, choices, pad
from .drawing import Drawing, draw
from .screen import Screen
from .visit import Visit

MEANT: Final = 12
"""Rules found for which it is also told what they mean now."""
OWN_RULES: Final = tuple(f"C{number}" for number in range(1, 12))
"""The table's own rules, so that every id on a phone leads somewhere."""


class May(Struct, frozen=True):
    """What a seat may do now, and the number of the question that each would answer."""

    asked: int
    choices: tuple[Choices, ...]
    describes: str = ""
    """A card that this seat has to describe before the game goes on."""
    corrects: bool = False
    """People do now what no rule knows: corrections are one touch away."""


NOTHING: Final = May(0, ())


class SeatScreen(Struct, frozen=True):
    seat: SeatId | None
    turn: Said
    headline: Said
    awaited: Said | None
    asked_of: SeatId | None
    is_over: bool
    asked: int
    own: tuple[Shown, ...]
    may: May
    not_now: tuple[Closed, ...]
    lately: tuple[Told, ...]
    stages: Stages | None = None
    standings: tuple[Standing, ...] = ()
    """How every seat stands: for who has none, and for all once the game is over."""
    waits: tuple[ChairRow, ...] = ()
    """Seats the game waits for although their phone is away."""
    bots: tuple[ChairRow, ...] = ()
    """Awaited seats for which a bot plays."""
    mine: ChairRow | None = None
    refereeing: bool = False
    pad: Pad | None = None
    """Keys for what real dice show, on the phone of who rolls."""


class TableScreen(Struct, frozen=True):
    form: Literal["drawn", "list"]
    drawing: Drawing
    rows: tuple[Said, ...]


class Deeds(Struct, frozen=True):
    """What one seat did before another one did something, newest first; `who` is TABLE for what opens a game."""

    who: SeatId
    entries: tuple[Told, ...]


class HistoryScreen(Struct, frozen=True):
    groups: tuple[Deeds, ...]
    may_take_back: bool
    newest: Seq | None


class TakeBackScreen(Struct, frozen=True):
    entry: Told
    allowed: bool
    refusal: Refusal | None
    moves: tuple[Said, ...]
    to: Seq
    asked: int


class CheckScreen(Struct, frozen=True):
    facts: tuple[Shown, ...]
    findings: tuple[Finding, ...]


class RuleRow(Struct, frozen=True):
    """A rule in the reader's words; `means` is what it means now for the reader's seat, where that was asked."""

    id: str
    text: str
    means: Means | None = None


class RulesScreen(Struct, frozen=True):
    rules: tuple[RuleRow, ...]
    asked_for: str
    seated: bool = False


class WhyScreen(Struct, frozen=True):
    """Why an intent is refused: the reason, what hands do, every rule of it kept or broken, what would work instead."""

    said: Said | None
    refusal: Refusal | None
    checks: tuple[Checked, ...]
    nearest: tuple[Button, ...]
    rules: tuple[RuleId, ...]
    asked: int


def turn_of(seen: Seen, seat: SeatId | None) -> Said:
    """Whose turn it is, in words for this seat."""
    awaited = seen.awaited
    if seen.result is not None:
        return say("web.turn.over")
    if seat is not None and seat in awaited:
        return say("web.turn.yours", who=Seat(seat))
    if awaited == (TABLE,) or not awaited:
        rolls = who_rolls(seen)
        if rolls is None:
            return say("web.turn.table")
        return say("web.turn.rolls-you" if rolls == seat else "web.turn.rolls", who=Seat(rolls))
    if len(awaited) == 1:
        return say("web.turn.other", who=Seat(awaited[0]))
    return say("web.turn.several", n=len(awaited))


def awaited_of(seen: Seen) -> Said | None:
    """What is awaited, in the words of the game; how it ended once it is over."""
    if seen.result is not None:
        return seen.result.said
    top = seen.decisions[-1] if seen.decisions else None
    return Said("decide." + top.kind, top.facts) if top else None


def _asked_of(seen: Seen, seat: SeatId | None) -> SeatId | None:
    """The one other seat whose answer is awaited, so that nobody takes its question for their own."""
    awaited = seen.awaited
    return awaited[0] if len(awaited) == 1 and awaited != (TABLE,) and seat not in awaited else None


def seat_screen(visit: Visit) -> Screen:
    """My seat; for a phone without one, what everybody may see."""
    title = "web.title.watch" if visit.phone.seat is None else "web.title.seat"
    return _seat_or_public(visit, visit.seen, say(title))


def watch_screen(visit: Visit) -> Screen:
    """What everybody may see, also on a phone that has a seat."""
    return _seat_or_public(visit, visit.public, say("web.title.watch"))


def _seat_or_public(visit: Visit, seen: Seen, title: Said) -> Screen:
    phone, seat = visit.phone, None if seen.audience == PUBLIC else seen.audience
    view, rows = seen.view, chair_rows(seen, phone)
    asked = 0 if seat is None else seen.asked[seat]
    may = () if seat is None else choices(seen, offers.may(seen))
    model = SeatScreen(
        seat=seat,
        turn=turn_of(seen, seat),
        headline=seen.game.headline(view),
        awaited=awaited_of(seen),
        asked_of=_asked_of(seen, seat),
        is_over=seen.result is not None,
        asked=asked,
        own=() if seat is None else seen.game.own(view, seat),
        may=_may(seen, seat, may),
        not_now=() if seat is None else by_reason(offers.not_now(seen)),
        lately=() if seat in seen.awaited else _lately(seen),
        stages=seen.game.stages(view),
        standings=_standings(seen) if seat is None or seen.result is not None else (),
        waits=tuple(row for row in rows if row.waits and row.seat != seat),
        bots=tuple(row for row in rows if row.awaited and row.bot and row.seat != seat),
        mine=next((row for row in rows if row.seat == seat), None),
        refereeing=phone.referee,
        pad=pad(visit.public, phone.asker) if phone.asker in (seat, REFEREE) and phone.asker is not None else None,
    )
    return Screen("seat", title, "seat", model, spoken=model.turn)


def _may(seen: Seen, seat: SeatId | None, found: tuple[Choices, ...]) -> May:
    if seat is None or not found:
        return NOTHING
    describes = seen.game.undescribed(seen.view, seat) or ""
    corrects = bool(seen.decisions) and seen.decisions[-1].corrects and seat in seen.awaited
    return May(seen.asked[seat], found, describes, corrects)


def _standings(seen: Seen) -> tuple[Standing, ...]:
    return tuple(each for each in seen.game.status(seen.view).facts if isinstance(each, Standing))


def table_screen(visit: Visit) -> Screen:
    picture = visit.seen.game.picture(visit.seen.view)
    form: Literal["drawn", "list"] = "list" if visit.query.get("form") == "list" else "drawn"
    model = TableScreen(form, draw(picture, visit.words), picture.rows)
    return Screen("table", say("web.title.table"), "table", model)


def history_screen(visit: Visit) -> Screen:
    entries = visit.seen.past.told()
    standing = (e.seq for e in reversed(entries) if can_be_taken_back(e))
    model = HistoryScreen(_grouped(entries), visit.phone.asker is not None, next(standing, None))
    return Screen("history", say("web.title.history"), "history", model)


def _grouped(entries: tuple[Told, ...]) -> tuple[Deeds, ...]:
    """Runs of one seat's entries, newest first; what chance did belongs to the seat whose act it followed."""
    groups: list[list[Told]] = []
    for entry in entries:
        if groups and (entry.who in (TABLE, groups[-1][0].who)):
            groups[-1].append(entry)
        else:
            groups.append([entry])
    return tuple(Deeds(group[0].who, tuple(reversed(group))) for group in reversed(groups))


def can_be_taken_back(entry: Told) -> bool:
    """Whether an entry is somebody's act that still counts; what chance did goes back with the act before it."""
    return entry.kind in ("did", "correction") and entry.who != TABLE and not entry.undone


def take_back_screen(visit: Visit) -> Screen | None:
    """The question before a take back, or None where there is no such entry."""
    seen, phone = visit.seen, visit.phone
    entry = next((e for e in seen.past.recent() if str(e.seq) == visit.query.get("entry")), None)
    if entry is None or phone.asker is None or not can_be_taken_back(entry):
        return None
    to = max(seq for seq in seen.line if seq < entry.seq)
    found = seen.past.put_back(to)
    allowed = found.allowed or (phone.referee and found.refusal is not None and found.refusal.rule == "C6")
    asked = question(seen, phone.asker)
    model = TakeBackScreen(entry, allowed, None if allowed else found.refusal, found.moves, to, asked)
    return Screen("take_back", say("web.title.take-back"), "history", model)


def check_screen(visit: Visit) -> Screen:
    status = visit.seen.game.status(visit.seen.view)
    return Screen("check", say("web.title.check"), "more", CheckScreen(status.facts, status.findings))


def rules_screen(visit: Visit) -> Screen:
    """Every rule of the game in the reader's language, or those that hold the words asked for."""
    seen, key, words = visit.seen, visit.words.key, visit.query.get("q", "")[:60]
    is_seat = visit.phone.seat is not None
    rows = tuple(RuleRow(rule, key(f"rule.{rule}")) for rule in (*seen.game.rules, *OWN_RULES))
    named = tuple(r for r in rows if r.id.casefold() == words.casefold())
    found = named or tuple(r for r in rows if all(w in f"{r.id} {r.text}".casefold() for w in words.casefold().split()))
    if words and is_seat and len(found) <= MEANT:
        found = tuple(RuleRow(r.id, r.text, offers.means(seen, RuleId(r.id))) for r in found)
    return Screen("rules", say("web.title.rules"), "more", RulesScreen(found, words, is_seat))


def why_screen(seen: Seen, intent: bytes, answered: Refusal | None = None) -> Screen | None:
    """The “why not?” sheet for an intent, or for a refusal just answered; None where the intent cannot be read."""
    why = offers.why(seen, intent)
    if why is None and answered is None:
        return None
    refusal = answered or (why.refusal if why else None)
    checks = why.checks if why and (answered is None or answered == why.refusal) else ()
    nearest = tuple(button(seen, offer) for offer in why.nearest) if why else ()
    broken = tuple(dict.fromkeys(c.rule for c in checks if c.broken is not None))
    rules = broken or ((refusal.rule,) if refusal else ())
    model = WhyScreen(why.said if why else None, refusal, checks, nearest, rules, seen.asked[seen.audience])
    return Screen("why", say("web.title.why"), "seat", model)


def refusal_screen(refusal: Refusal) -> Screen:
    """The sheet for a refusal that is about no intent: of the table itself, or of a take back."""
    return Screen("why", say("web.title.why"), "", WhyScreen(None, refusal, (), (), (refusal.rule,), 0))


def _lately(seen: Seen) -> tuple[Told, ...]:
    """The last few things that were done, newest first."""
    done = (e for e in seen.past.recent() if e.kind in ("did", "correction") and not e.undone)
    return tuple(islice(done, 3))
