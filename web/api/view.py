"""What the JSON API returns: the same views as the pages, as keys, facts and text in the reader's language."""

from __future__ import annotations

from itertools import takewhile
from typing import Literal

from msgspec import Raw, Struct

from companion.core import Fact, Refusal, Said, verb_name, words_of
from companion.library import Speaker
from companion.phones import offers
from companion.table.outside import Seen, Told, question
from web.screen import Visit
from web.screens.chairs import chair_rows
from web.screens.choices import button
from web.screens.rules import OWN_RULES
from web.screens.seat import awaited_of, turn_of


class Text(Struct, frozen=True):
    """One thing said: its key, its facts, and both as a sentence."""

    key: str
    facts: dict[str, Fact]
    text: str


class Number(Struct, frozen=True):
    """A number to be put into `field` of the intent, between `low` and `high`."""

    field: str
    low: int
    high: int


class Offered(Struct, frozen=True):
    """An intent that would be accepted now; send it back unchanged, with the number if it wants one."""

    verb: str
    intent: Raw
    said: Text
    foreseen: tuple[Text, ...]
    number: Number | None


class Refused(Struct, frozen=True):
    """Why not: the rule, the reason, and what people should do."""

    rule: str
    reason: Text
    hands: str


class NotOffered(Struct, frozen=True):
    intent: Raw
    said: Text
    refusal: Refused


class SeatRow(Struct, frozen=True):
    seat: int
    name: str
    phone: bool
    away: bool
    bot: bool
    awaited: bool


class View(Struct, frozen=True):
    """All that this client may know now. Send `asked` back with a command; `seat` is null for a spectator."""

    table: str
    game: str
    seq: int
    role: Literal["seat", "referee", "spectator"]
    seat: int | None
    asked: int
    over: bool
    turn: Text
    headline: Text
    awaited: Text | None
    own: tuple[Text, ...]
    on_table: tuple[Text, ...]
    may: tuple[Offered, ...]
    not_now: tuple[NotOffered, ...]
    dice: tuple[Offered, ...]
    """The possible rolls, if this client may type them for the table."""
    corrections: tuple[Offered, ...]
    seats: tuple[SeatRow, ...]
    troubles: tuple[Text, ...]


class Rule(Struct, frozen=True):
    id: str
    text: str


class Entry(Struct, frozen=True):
    """One entry of the record. `who` is a seat, -1 for the table, -2 for the referee."""

    seq: int
    at: float
    who: int
    kind: Literal["opened", "did", "correction", "refused", "took-back", "seated"]
    undone: bool
    marks: tuple[str, ...]
    lines: tuple[Text, ...]


class Accepted(Struct, frozen=True):
    """Recorded under `seq`; `again` if the same command had already done it."""

    seq: int
    again: bool


class Problem(Struct, frozen=True):
    """Why a request was not answered, as text."""

    status: int
    title: str
    hands: str


def text_of(speaker: Speaker, said: Said) -> Text:
    return Text(said.key, dict(said.facts), speaker.say(said))


def refused_of(speaker: Speaker, refusal: Refusal) -> Refused:
    reason = text_of(speaker, Said(f"no.{refusal.key}", refusal.facts))
    return Refused(refusal.rule, reason, speaker.refuse(refusal, "hands"))


def view_of(visit: Visit) -> View:
    speaker, seen, phone = visit.words, visit.seen, visit.phone
    view, seat = seen.view, phone.seat
    awaited = awaited_of(seen)

    def texts(lines: tuple[Said, ...]) -> tuple[Text, ...]:
        return tuple(text_of(speaker, line) for line in lines)

    return View(
        table=seen.table,
        game=seen.game.id,
        seq=seen.seq,
        role="referee" if phone.referee else "spectator" if seat is None else "seat",
        seat=seat,
        asked=0 if phone.asker is None else question(seen, phone.asker),
        over=seen.result is not None,
        turn=text_of(speaker, turn_of(seen, seat)),
        headline=text_of(speaker, seen.game.headline(view)),
        awaited=text_of(speaker, awaited) if awaited else None,
        own=() if seat is None else texts(words_of(seen.game.own(view, seat))),
        on_table=texts(seen.game.picture(view).rows),
        may=() if seat is None else _offered(speaker, seen, offers.may(seen)),
        not_now=() if seat is None else _not_now(speaker, seen),
        dice=_dice(visit),
        corrections=_corrections(visit),
        seats=tuple(
            SeatRow(row.seat, row.name, row.taken, row.away, row.bot, row.awaited) for row in chair_rows(seen, phone)
        ),
        troubles=texts(seen.troubles),
    )


def _dice(visit: Visit) -> tuple[Offered, ...]:
    speaker, asker = visit.words, visit.phone.asker
    found = () if asker is None else offers.dice(visit.public, asker)
    return tuple(
        Offered(
            verb_name(type(o.intent)),
            Raw(o.json.encode()),
            text_of(speaker, o.said),
            tuple(text_of(speaker, line) for line in o.foreseen),
            None,
        )
        for o in found
    )


def _corrections(visit: Visit) -> tuple[Offered, ...]:
    if visit.phone.asker is None:
        return ()
    return _offered(visit.words, visit.seen, offers.corrections(visit.seen))


def _offered(speaker: Speaker, seen: Seen, groups: tuple[offers.Group, ...]) -> tuple[Offered, ...]:
    found = []
    for group in groups:
        for offer in group.offers:
            span = button(seen, offer).span
            number = Number(span.field, span.low, span.high) if span else None
            foreseen = tuple(text_of(speaker, line) for line in offer.foreseen)
            found.append(Offered(group.verb, Raw(offer.json.encode()), text_of(speaker, offer.said), foreseen, number))
    return tuple(found)


def _not_now(speaker: Speaker, seen: Seen) -> tuple[NotOffered, ...]:
    return tuple(
        NotOffered(Raw(row.json.encode()), text_of(speaker, row.said), refused_of(speaker, row.refusal))
        for row in offers.not_now(seen)
    )


def rules_of(visit: Visit) -> tuple[Rule, ...]:
    key = visit.words.key
    return tuple(Rule(rule, key(f"rule.{rule}")) for rule in (*visit.seen.game.rules, *OWN_RULES))


def history_of(visit: Visit, after: int) -> tuple[Entry, ...]:
    newer = takewhile(lambda told: told.seq > after, visit.seen.past.recent())
    return tuple(_entry(visit.words, told) for told in newer)[::-1]


def _entry(speaker: Speaker, told: Told) -> Entry:
    lines = tuple(text_of(speaker, line) for line in told.lines)
    return Entry(told.seq, told.at, told.who, told.kind, told.undone, told.marks, lines)
