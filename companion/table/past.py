"""The past as told to one audience from the whole record. Only the table has that; what leaves it is a `Past`."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, Literal, Protocol

from companion.core import (
    PUBLIC,
    REFEREE,
    TABLE,
    Asked,
    Duel,
    Event,
    Game,
    Input,
    LetBot,
    Line,
    Name,
    Said,
    SeatId,
    Seq,
    SitElsewhere,
    carries,
    change_by,
    known_pieces,
    label,
    mask,
    say,
    told,
    view_to_tell,
)
from companion.journal import Did, Entry, Opened, Seated, TookBack, WasRefused

from .record import Deed, Position, bars_take_back
from .seen import Corrected, Past, PutBack, Told, Undo, acts_as
from .turn_clock import overtimes

MOST_TOLD: Final = 3
"""How many corrections in a row are still told as news."""


class Recorded(Protocol):
    """Everything that happened, secrets included: the part of a snapshot that telling needs."""

    @property
    def game(self) -> Game[Any, Any]: ...
    @property
    def at(self) -> Position: ...
    @property
    def history(self) -> Sequence[Entry]: ...
    @property
    def states(self) -> Mapping[Seq, Any]: ...
    @property
    def deeds(self) -> Mapping[Seq, Deed]: ...
    def view(self, audience: SeatId) -> Any: ...


def past_of(all_of_it: Recorded, audience: SeatId) -> Past:
    """What `audience` may know of it. Nothing in a Past leads back to the record except its functions' own closures."""
    return Past(
        recent=lambda: _recent(all_of_it, audience, len(all_of_it.history)),
        before=lambda seq: _recent(
            all_of_it, audience, bisect_left(all_of_it.history, seq, key=lambda entry: entry.seq)
        ),
        corrected=lambda: tuple(islice(_corrected(all_of_it, audience), MOST_TOLD)),
        against_rules=lambda: tuple(_against_rules(all_of_it, audience)),
        put_back=lambda to: _put_back(all_of_it, audience, to),
        undo=lambda: _undo(all_of_it, audience),
        series=lambda: _series(all_of_it, audience),
        waited=lambda: _waited(all_of_it),
        overtimes=lambda seconds: overtimes(
            all_of_it.game, all_of_it.history, all_of_it.states, len(all_of_it.at.chairs), seconds
        ),
        showdown=lambda: showdown_of(all_of_it),
        kinds=lambda: _kinds(all_of_it),
    )


def showdown_of(record: Recorded) -> Duel | None:
    """What everybody may see of a showdown, without anything that was taken back."""
    return record.game.showdown(record.view(PUBLIC), acts(record.at, record.deeds))


def acts(at: Position, deeds: Mapping[Seq, Deed]) -> Iterator[tuple[Event, ...]]:
    """What each act that counts made true, newest first, together with the dice and cards that fell after it, since
    those are nobody's acts."""
    events: tuple[Event, ...] = ()
    for deed in (deeds[seq] for seq in reversed(at.line) if seq in deeds):
        events = (*(mask(event, PUBLIC) for event in deed.events), *events)
        if not deed.by_chance:
            yield events
            events = ()
    yield events


def _seq(entry: Entry) -> Seq:
    return entry.seq


def _recent(record: Recorded, audience: SeatId, end: int) -> Iterator[Told]:
    for at in range(end - 1, -1, -1):
        line = _told(record, record.history[at], audience)
        if line is not None:
            yield line


def _against_rules(record: Recorded, audience: SeatId) -> Iterator[Told]:
    """Looks only at marked entries, because the box asks at every press of CHECK."""
    for entry in record.history:
        if isinstance(entry.body, Did) and entry.body.marks:
            line = _told(record, entry, audience)
            if line is not None and line.stands_against_rules:
                yield line


def _told(record: Recorded, entry: Entry, audience: SeatId) -> Told | None:
    match entry.body:
        case Did() as did:
            deed, stands = record.deeds[entry.seq], record.at.line
            then = view_to_tell(record.game, record.states[entry.seq], audience)
            lines = tuple(told(record.game, then, event, audience) for event in deed.events)
            kind: Literal["correction", "did"] = "correction" if did.correction else "did"
            at = bisect_left(stands, entry.seq)
            undone = at == len(stands) or stands[at] != entry.seq
            return Told(entry.seq, entry.at, deed.intent.actor, lines, kind, undone, did.marks)
        case WasRefused(seat=seat, refusal=refusal, public=public):
            if not public and seat != acts_as(audience):
                return None
            lines = (Said("no." + refusal.key, refusal.facts),)
            return Told(entry.seq, entry.at, seat, lines, "refused", False, (refusal.rule,))
        case TookBack(to=to, by=by):
            return Told(entry.seq, entry.at, by, (say("history.took-back", n=to + 1),), "took-back", False)
        case Seated(seat=seat, name=name):
            line = say(_sitting(entry.body, entry.cause), name=Name(name))
            return Told(entry.seq, entry.at, seat, (line,), "seated", False)
        case Opened(names=names):
            return Told(entry.seq, entry.at, TABLE, (say("history.opened", n=len(names)),), "opened", False)


def _sitting(seated: Seated, cause: Input | None) -> str:
    if seated.seat == REFEREE:
        return "history.referee" if seated.key else "history.referee-left"
    if seated.bot:
        return "history.bot"
    given_back = cause is None and not seated.key  # by whoever sets up the table
    if given_back or (isinstance(cause, Asked) and isinstance(cause.wish, LetBot)):
        return "history.bot-ends"
    if isinstance(cause, Asked) and isinstance(cause.wish, SitElsewhere):
        return "history.elsewhere" if seated.elsewhere else "history.here-again"
    return "history.seated" if seated.key else "history.left"


def _corrected(record: Recorded, audience: SeatId) -> Iterator[Corrected]:
    game, line = record.game, record.at.line
    for entry in reversed(record.history):
        match entry.body:
            case Did(correction=True):
                intent = record.deeds[entry.seq].intent
                before = mask(record.states[line[bisect_left(line, entry.seq) - 1]], audience)
                said = label(game, before, intent, known_pieces(game, before))
                yield Corrected(entry.seq, intent.actor, said, change_by(game, before, intent))
            case Seated() | WasRefused():
                continue
            case _:
                return


def _put_back(record: Recorded, audience: SeatId, to: Seq) -> PutBack:
    refusal = bars_take_back(record.deeds, record.at, to, acts_as(audience))
    if refusal is not None and refusal.rule == "C7":
        return PutBack(False, refusal, ())
    moves = carries(record.game, record.view(audience), mask(record.states[to], audience), "put-back")
    return PutBack(refusal is None, refusal, tuple(each.said for each in moves))


def _undo(record: Recorded, audience: SeatId) -> Undo | None:
    """For seats only: what was done at the box is taken back there, or by a referee."""
    line, by = record.at.line, acts_as(audience)
    if by < 0 or len(line) < 2 or bars_take_back(record.deeds, record.at, line[-2], by):
        return None
    deed, before = record.deeds[line[-1]], mask(record.states[line[-2]], audience)
    said = label(record.game, before, deed.intent, known_pieces(record.game, before))
    moves = carries(record.game, record.view(audience), before, "put-back")
    return Undo(line[-2], said, tuple(each.said for each in moves), deed.by_chance)


def _series(record: Recorded, audience: SeatId) -> tuple[tuple[Line, ...], ...]:
    return tuple(record.game.series(mask(record.states[seq], audience)) for seq in record.at.line)


def _waited(record: Recorded) -> tuple[int, ...]:
    spent: Counter[SeatId] = Counter()
    before = record.history[0]
    state = record.states[before.seq]
    for entry in record.history[1:]:
        decisions = record.game.decisions(state)
        for seat in decisions[-1].seats if decisions else ():
            spent[seat] += max(0, round(entry.at - before.at))
        back = entry.body.to if isinstance(entry.body, TookBack) else entry.seq
        state = record.states.get(back, state)
        before = entry
    return tuple(spent[SeatId(n)] for n in range(len(record.at.chairs)))


def _kinds(record: Recorded) -> frozenset[str]:
    acted = {"did"} if any(deed.intent.actor != TABLE for deed in record.deeds.values()) else set()
    return frozenset(acted | ({"refused"} if any(isinstance(e.body, WasRefused) for e in record.history) else set()))
