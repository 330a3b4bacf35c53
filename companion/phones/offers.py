"""What a seat's phone shows, as keys and facts: made from that seat's view and nothing else."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import chain, groupby, islice
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from companion.core.facts import Name, Piece, Place, Refusal, Said, say
from companion.core.game import Game, Lies
from companion.core.ids import PUBLIC, REFEREE, TABLE, UNKNOWN, PieceId, RuleId, SeatId, Seq
from companion.core.inputs import Asked, Input, LetBot
from companion.core.judge import Checked, Refused, allowed, explain, legal, objection, verb_of
from companion.core.rules import Intent, Token, Verb
from companion.core.secrets import mask
from companion.core.selection import thought_of
from companion.core.telling import called, label, told, view_to_tell
from companion.journal import Did, Entry, Opened, Seated, TookBack, WasRefused
from companion.table import record
from companion.table.sitting import may_roll
from companion.table.snapshot import Snapshot

MOST_LOOKED_AT: Final = 60
"""Candidates of one verb that are looked at to answer a question of a person."""


class Offer(Struct, frozen=True):
    """An intent that would be accepted now, what to call it and what it would do."""

    intent: Intent
    json: str
    said: Said
    foreseen: tuple[Said, ...]


class Group(Struct, frozen=True):
    """The offers of one verb. With `low` ≤ `high` each wants a number between them in its last field."""

    verb: str
    said: Said
    offers: tuple[Offer, ...]
    low: int = 0
    high: int = -1


class NotNow(Struct, frozen=True):
    """Something that cannot be done now, and the first reason."""

    intent: Intent
    json: str
    said: Said
    refusal: Refusal


class Why(Struct, frozen=True):
    """The whole checklist of one intent; `refusal` is None if it would be accepted."""

    said: Said
    refusal: Refusal | None
    checks: tuple[Checked, ...]
    nearest: tuple[Offer, ...]


class Means(Struct, frozen=True):
    """What a rule means now for a seat: the verbs it speaks about, and those of them that it closes."""

    verbs: tuple[Said, ...]
    closes: tuple[NotNow, ...]


class Told(Struct, frozen=True):
    """One line of the history, as its reader may know it."""

    seq: Seq
    at: float
    who: SeatId
    lines: tuple[Said, ...]
    kind: Literal["opened", "did", "correction", "refused", "took-back", "seated"]
    undone: bool
    marks: tuple[str, ...] = ()


class PutBack(Struct, frozen=True):
    """Whether a seat may take back by itself, and what hands must then put back on the table."""

    allowed: bool
    refusal: Refusal | None
    moves: tuple[Said, ...]


def may(snapshot: Snapshot, seat: SeatId) -> tuple[Group, ...]:
    """“You may now”, grouped by verb."""
    return _groups(snapshot, seat, legal(snapshot.game, snapshot.view(seat), seat))


def dice(snapshot: Snapshot, asker: SeatId) -> tuple[Offer, ...]:
    """What may have fallen, for a phone that may type it; () where nothing is rolled, or cards are drawn."""
    if not may_roll(snapshot.at, asker, snapshot.away):
        return ()
    view, known = snapshot.view(PUBLIC), snapshot.known(PUBLIC)
    verbs = (verb for verb in snapshot.game.verbs if verb.is_typed)
    found = (i for verb in verbs for i in allowed(verb, view, TABLE))
    return tuple(_offer(snapshot.game, view, i, known) for i in found)


def corrections(snapshot: Snapshot, seat: SeatId) -> tuple[Group, ...]:
    """The public facts that can be set right."""
    view = snapshot.view(seat)
    return _groups(snapshot, seat, chain.from_iterable(allowed(v, view, seat) for v in snapshot.game.corrections))


def not_now(snapshot: Snapshot, seat: SeatId) -> tuple[NotNow, ...]:
    """“Not now”: each verb that is closed to the seat, with its nearest intent and why not."""
    view = snapshot.view(seat)
    known = snapshot.known(seat)
    rows = []
    for verb in snapshot.game.verbs:
        nearest = None if verb.chance or not verb.listed else _nearest(snapshot.game, view, verb, seat)
        if nearest:
            intent, refusal, several = nearest
            said = say("verb." + verb.name) if several else label(snapshot.game, view, intent, known)
            rows.append(NotNow(intent, _json(intent), said, refusal))
    return tuple(rows)


def why(snapshot: Snapshot, seat: SeatId, json: bytes) -> Why | None:
    """Every rule of one intent, kept or broken, as its seat sees them; None if it cannot be read or is another's."""
    try:
        intent = record.intent(snapshot.game, json)
    except msgspec.MsgspecError:
        return None
    if intent.actor != seat:
        return None
    view = snapshot.view(seat)
    checks = explain(snapshot.game, view, intent)
    broken = next((c for c in checks if c.broken is not None), None)
    refusal = Refusal(broken.rule, broken.key, broken.broken or ()) if broken else None
    known = snapshot.known(seat)
    nearest = _like(snapshot, seat, intent, known) if refusal else ()
    return Why(label(snapshot.game, view, intent, known), refusal, checks, nearest)


def means(snapshot: Snapshot, seat: SeatId, rule: RuleId) -> Means:
    """What one rule means for a seat just now."""
    view, known = snapshot.view(seat), snapshot.known(seat)
    verbs, closes = [], []
    for verb in snapshot.game.verbs:
        if verb.chance or rule not in {r.id for r in (*verb.guards, *verb.rules)}:
            continue
        verbs.append(say("verb." + verb.name))
        broken = [_broken(snapshot.game, view, i, rule) for i in islice(verb.arguments(view, seat), MOST_LOOKED_AT)]
        if broken and all(refusal is not None for _, refusal in broken):
            intent, refusal = broken[0]
            assert refusal is not None
            said = label(snapshot.game, view, intent, known) if len(broken) == 1 else verbs[-1]
            closes.append(NotNow(intent, _json(intent), said, refusal))
    return Means(tuple(verbs), tuple(closes))


def _broken(game: Game[Any, Any], view: Any, intent: Intent, rule: RuleId) -> tuple[Intent, Refusal | None]:
    """The intent with how it breaks just this rule, if it does."""
    for check in explain(game, view, intent):
        if check.rule == rule and check.broken is not None:
            return intent, Refusal(check.rule, check.key, check.broken)
    return intent, None


def concerning(snapshot: Snapshot, seat: SeatId, token: Token) -> tuple[tuple[Offer, ...], tuple[NotNow, ...]]:
    """What a seat may do with a thing it points at, and what not now: of each verb its nearest, with the reason.

    Answers to a question are told of only in their time, or where there is nothing else to tell.
    """
    game, view, known = snapshot.game, snapshot.view(seat), snapshot.known(seat)
    offers: list[Offer] = []
    closed: list[Refused] = []
    untimely: list[Refused] = []
    for verb in game.verbs:
        if verb.chance:
            continue
        about = tuple(islice(thought_of(verb, view, seat, (token,)), MOST_LOOKED_AT))
        refused = [objection(game, view, i) for i in about]
        fine = [i for i, why in zip(about, refused, strict=True) if why is None]
        offers += [_offer(game, view, i, known) for i in fine]
        nearest = min(filter(None, refused), key=lambda why: why.distance, default=None)
        if nearest and not fine:
            (closed if verb.listed or nearest.is_timely else untimely).append(nearest)
    if not offers and not closed:
        closed = sorted(untimely, key=lambda why: why.distance)[:1]
    rows = (NotNow(w.intent, _json(w.intent), label(game, view, w.intent, known), w.refusals[0]) for w in closed)
    return tuple(offers), tuple(rows)


def history(snapshot: Snapshot, audience: SeatId) -> tuple[Told, ...]:
    """The whole record, oldest first, as `audience` may know it."""
    return tuple(recent(snapshot, audience))[::-1]


def recent(snapshot: Snapshot, audience: SeatId) -> Iterator[Told]:
    """The record, newest first, one entry at a time; refusals made on others' phones are left out."""
    for entry in reversed(snapshot.history):
        line = _told(snapshot, entry, audience)
        if line is not None:
            yield line


def put_back(snapshot: Snapshot, audience: SeatId, to: Seq) -> PutBack:
    """What taking back everything after entry `to` would ask of people's hands."""
    refusal = record.bars_take_back(snapshot.deeds, snapshot.at, to, audience)
    if refusal is not None and refusal.rule == "C7":
        return PutBack(False, refusal, ())
    moves = _moves(snapshot.game, snapshot.view(audience), mask(snapshot.states[to], audience))
    return PutBack(refusal is None, refusal, tuple(moves))


def _groups(snapshot: Snapshot, seat: SeatId, intents: Iterable[Intent]) -> tuple[Group, ...]:
    game, view, known = snapshot.game, snapshot.view(seat), snapshot.known(seat)
    groups = []
    for _, alike in groupby(intents, type):
        offers = tuple(_offer(game, view, i, known) for i in alike)
        first = offers[0].intent
        verb = verb_of(game, first)
        low, high = verb.span(view, first) if verb.span else (0, -1)
        groups.append(Group(verb.name, say("verb." + verb.name), offers, low, high))
    return tuple(groups)


def _offer(game: Game[Any, Any], view: Any, intent: Intent, known: frozenset[PieceId]) -> Offer:
    return Offer(intent, _json(intent), label(game, view, intent, known), game.foresee(view, intent))


def _json(intent: Intent) -> str:
    return msgspec.json.encode(intent).decode()


def _nearest(
    game: Game[Any, Any], view: Any, verb: Verb[Any, Any], seat: SeatId
) -> tuple[Intent, Refusal, bool] | None:
    """Of a verb closed to the seat: the candidate nearest to being allowed, why not, whether there are more of them.

    None if the verb is open, or speaks of nothing that is there. Where a guard closes it, one candidate is as near as
    another; else it is the nearest to being allowed.
    """
    guards = [(g, facts) for g in verb.guards if (facts := g.broken(view, seat)) is not None]
    candidates = tuple(islice(verb.arguments(view, seat), 2 if guards else None))
    several = len(candidates) > 1
    if candidates and guards:
        guard, facts = min(guards, key=lambda pair: pair[0].basis)
        return candidates[0], Refusal(guard.id, guard.key, facts), several
    nearest: Refused | None = None
    for intent in candidates:
        why = objection(game, view, intent)
        if why is None:
            return None
        if nearest is None or why.distance < nearest.distance:
            nearest = why
    return (nearest.intent, nearest.refusals[0], several) if nearest else None


def _like(snapshot: Snapshot, seat: SeatId, intent: Intent, known: frozenset[PieceId]) -> tuple[Offer, ...]:
    """Up to two legal intents, those of the same verb first."""
    view = snapshot.view(seat)
    intents = sorted(legal(snapshot.game, view, seat), key=lambda i: type(i) is not type(intent))
    return tuple(_offer(snapshot.game, view, i, known) for i in intents[:2])


def _told(snapshot: Snapshot, entry: Entry, audience: SeatId) -> Told | None:
    match entry.body:
        case Did() as did:
            deed, stands = snapshot.deeds[entry.seq], snapshot.at.line
            then = view_to_tell(snapshot.game, snapshot.states[entry.seq], audience)
            lines = tuple(told(snapshot.game, then, event, audience) for event in deed.events)
            kind: Literal["correction", "did"] = "correction" if did.correction else "did"
            at = bisect_left(stands, entry.seq)
            undone = at == len(stands) or stands[at] != entry.seq
            return Told(entry.seq, entry.at, deed.intent.actor, lines, kind, undone, did.marks)
        case WasRefused(seat=seat, refusal=refusal, public=public):
            if not public and seat != audience:
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
    if isinstance(cause, Asked) and isinstance(cause.wish, LetBot):
        return "history.bot-ends"
    return "history.seated" if seated.key else "history.left"


def _moves(game: Game[Any, Any], view: Any, before: Any) -> Iterator[Said]:
    """What must be carried where, so that the table of `view` becomes that of `before`.

    Cards that may not be named are counted by place.
    """
    now, then = game.layout(view), game.layout(before)
    was = {lies.piece: lies for lies in then if lies.piece != UNKNOWN}
    named = set()
    for lies in now:
        back = was.get(lies.piece)
        if back and (back.place, back.facing) != (lies.place, lies.facing):
            named.add(lies.piece)
            piece, where = called(game, view, Piece(lies.piece)), called(game, before, Place(back.place))
            yield say("put-back.piece", piece=piece, place=where)
    for place in dict.fromkeys(lies.place for lies in (*now, *then)):
        missing = _lying(then, place, named) - _lying(now, place, named)
        if missing > 0:
            yield say("put-back.count", n=missing, place=called(game, before, Place(place)))


def _lying(layout: tuple[Lies, ...], place: str, named: set[PieceId]) -> int:
    return sum(1 for lies in layout if lies.place == place and lies.piece not in named)
