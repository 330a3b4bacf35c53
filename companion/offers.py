"""What a seat's phone shows, as keys and facts: made from that seat's view and nothing else."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import chain, groupby, islice
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from . import record
from .core.facts import Name, Piece, Place, Refusal, Said, say
from .core.game import Game, Lies
from .core.ids import PUBLIC, REFEREE, TABLE, UNKNOWN, PieceId, RuleId, SeatId, Seq
from .core.inputs import Asked, Input, LetBot
from .core.judge import Checked, allowed, explain, legal, verb_of
from .core.rules import Intent, Token, Verb, mentions
from .core.secrets import mask
from .core.telling import label, told
from .journal import Did, Entry, Opened, Seated, TookBack, WasRefused
from .sitting import may_roll
from .snapshot import Snapshot

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
    return tuple(Offer(i, _json(i), label(i, known), snapshot.game.foresee(view, i)) for i in found)


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
        nearest = None if verb.chance or not verb.listed else _nearest(view, verb, seat)
        if nearest:
            intent, refusal, several = nearest
            said = say("verb." + verb.name) if several else label(intent, known)
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
    return Why(label(intent, known), refusal, checks, nearest)


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
            said = label(intent, known) if len(broken) == 1 else verbs[-1]
            closes.append(NotNow(intent, _json(intent), said, refusal))
    return Means(tuple(verbs), tuple(closes))


def _broken(game: Game[Any, Any], view: Any, intent: Intent, rule: RuleId) -> tuple[Intent, Refusal | None]:
    """The intent with how it breaks just this rule, if it does."""
    for check in explain(game, view, intent):
        if check.rule == rule and check.broken is not None:
            return intent, Refusal(check.rule, check.key, check.broken)
    return intent, None


def concerning(snapshot: Snapshot, seat: SeatId, token: Token) -> tuple[tuple[Offer, ...], tuple[NotNow, ...]]:
    """What a seat may do with a thing it points at, and what not now: of each verb its nearest, with the reason."""
    game, view, known = snapshot.game, snapshot.view(seat), snapshot.known(seat)
    offers: list[Offer] = []
    closed: list[NotNow] = []
    for verb in game.verbs:
        if verb.chance:
            continue
        about = [i for i in islice(verb.arguments(view, seat), MOST_LOOKED_AT) if token in mentions(i)]
        judged = [(i, next((c for c in explain(game, view, i) if c.broken is not None), None)) for i in about]
        fine = [i for i, broken in judged if broken is None]
        offers += [_offer(game, view, i, known) for i in fine]
        if judged and not fine and verb.listed:
            intent, first = judged[0]
            assert first is not None
            refusal = Refusal(first.rule, first.key, first.broken or ())
            closed.append(NotNow(intent, _json(intent), label(intent, known), refusal))
    return tuple(offers), tuple(closed)


def history(snapshot: Snapshot, audience: SeatId) -> tuple[Told, ...]:
    """The whole record, oldest first, as `audience` may know it."""
    return tuple(recent(snapshot, audience))[::-1]


def recent(snapshot: Snapshot, audience: SeatId) -> Iterator[Told]:
    """The record, newest first, one entry at a time; refusals made on others' phones are left out."""
    for place in range(snapshot.seq - 1, -1, -1):
        line = _told(snapshot, snapshot.history[place], audience)
        if line is not None:
            yield line


def put_back(snapshot: Snapshot, audience: SeatId, to: Seq) -> PutBack:
    """What taking back everything after entry `to` would ask of people's hands."""
    refusal = record.bars_take_back(snapshot.deeds, snapshot.at, to, audience)
    if refusal is not None and refusal.rule == "C7":
        return PutBack(False, refusal, ())
    then = snapshot.game.layout(mask(snapshot.states[to], audience))
    now = snapshot.game.layout(snapshot.view(audience))
    return PutBack(refusal is None, refusal, tuple(_moves(now, then)))


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
    return Offer(intent, _json(intent), label(intent, known), game.foresee(view, intent))


def _json(intent: Intent) -> str:
    return msgspec.json.encode(intent).decode()


def _nearest(view: Any, verb: Verb[Any, Any], seat: SeatId) -> tuple[Intent, Refusal, bool] | None:
    """Of a verb closed to the seat: the candidate nearest to being allowed, why not, whether there are more of them.

    None if the verb is open, or speaks of nothing that is there. Where a guard closes it, one candidate is as near as
    another; else it is the one that breaks the fewest rules.
    """
    guard = next(
        (Refusal(g.id, g.key, facts) for g in verb.guards if (facts := g.broken(view, seat)) is not None), None
    )
    candidates = tuple(islice(verb.arguments(view, seat), 2 if guard else None))
    if guard:
        return (candidates[0], guard, len(candidates) > 1) if candidates else None
    best: tuple[int, Intent, Refusal] | None = None
    for intent in candidates:
        broken = [(r, f) for r in verb.rules if (f := r.broken(view, intent)) is not None]
        if not broken:
            return None
        if best is None or len(broken) < best[0]:
            rule, facts = broken[0]
            best = len(broken), intent, Refusal(rule.id, rule.key, facts)
    return (*best[1:], len(candidates) > 1) if best else None


def _like(snapshot: Snapshot, seat: SeatId, intent: Intent, known: frozenset[PieceId]) -> tuple[Offer, ...]:
    """Up to two legal intents, those of the same verb first."""
    view = snapshot.view(seat)
    intents = sorted(legal(snapshot.game, view, seat), key=lambda i: type(i) is not type(intent))
    return tuple(_offer(snapshot.game, view, i, known) for i in intents[:2])


def _told(snapshot: Snapshot, entry: Entry, audience: SeatId) -> Told | None:
    match entry.body:
        case Did() as did:
            deed, stands = snapshot.deeds[entry.seq], snapshot.at.line
            lines = tuple(told(event, audience) for event in deed.events)
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


def _moves(now: tuple[Lies, ...], then: tuple[Lies, ...]) -> Iterator[Said]:
    """What must be carried where, so that `now` becomes `then`; cards that may not be named are counted by place."""
    was = {lies.piece: lies for lies in then if lies.piece != UNKNOWN}
    named = set()
    for lies in now:
        before = was.get(lies.piece)
        if before and (before.place, before.facing) != (lies.place, lies.facing):
            named.add(lies.piece)
            yield say("put-back.piece", piece=Piece(lies.piece), place=Place(before.place))
    for place in dict.fromkeys(lies.place for lies in (*now, *then)):
        missing = _lying(then, place, named) - _lying(now, place, named)
        if missing > 0:
            yield say("put-back.count", n=missing, place=Place(place))


def _lying(layout: tuple[Lies, ...], place: str, named: set[PieceId]) -> int:
    return sum(1 for lies in layout if lies.place == place and lies.piece not in named)
