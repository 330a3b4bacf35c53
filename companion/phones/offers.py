"""What a seat's phone shows, as keys and facts: made from that seat's view and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, groupby, islice
from typing import Any, Final

import msgspec
from msgspec import Struct

from companion.core import (
    TABLE,
    Checked,
    Game,
    Intent,
    PieceId,
    Refusal,
    Refused,
    RuleId,
    Said,
    SeatId,
    Token,
    Verb,
    allowed,
    explain,
    is_possible,
    label,
    legal,
    mentions,
    objection,
    possible,
    say,
    thought_of,
    verb_of,
)
from companion.table import Seen, intent_from, may_roll

MOST_LOOKED_AT: Final = 60
"""How many candidates of one verb are tried when answering a person."""


class Offer(Struct, frozen=True):
    """An intent that would be accepted now, what to call it, and what it would do."""

    intent: Intent
    json: str
    said: Said
    foreseen: tuple[Said, ...]


class Group(Struct, frozen=True):
    """The offers of one verb. If `low` ≤ `high`, each takes a number between them in its last field."""

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
    anyway: Offer | None = None
    """The refused intent itself, where hands could do it."""


class Means(Struct, frozen=True):
    """What a rule means for a seat now: the verbs it applies to, and which of those it closes."""

    verbs: tuple[Said, ...]
    closes: tuple[NotNow, ...]


def may(seen: Seen) -> tuple[Group, ...]:
    """“You may now”, grouped by verb."""
    return _groups(seen, legal(seen.game, seen.view, seen.actor))


def noted_too(seen: Seen) -> tuple[Group, ...]:
    """What else a scribe would record: everything against a rule that the seat's hands could do. () in other modes."""
    if seen.mode != "scribe":
        return ()
    verbs = (verb for verb in seen.game.verbs if verb.listed and not verb.chance)
    return _groups(seen, chain.from_iterable(_against(seen, verb) for verb in verbs))


def _against(seen: Seen, verb: Verb[Any, Any]) -> Iterator[Intent]:
    found = islice(possible(verb, seen.view, seen.actor), MOST_LOOKED_AT)
    return (intent for intent in found if objection(seen.game, seen.view, intent) is not None)


def dice(seen: Seen, asker: SeatId) -> tuple[Offer, ...]:
    """What may have been rolled, as all see it, for a phone that may type it; () if no dice are due."""
    if not may_roll(seen, asker, seen.away):
        return ()
    view, known = seen.view, seen.known
    verbs = (verb for verb in seen.game.verbs if verb.is_typed)
    found = (i for verb in verbs for i in allowed(verb, view, TABLE))
    return tuple(_offer(seen.game, view, i, known) for i in found)


def thrown(public: Seen, asker: SeatId | None, token: Token) -> tuple[Offer, ...]:
    """The rolls that a number or a seat tag stands for."""
    if asker is None or token.kind not in ("number", "seat"):
        return ()
    return tuple(offer for offer in dice(public, asker) if mentions(offer.intent)[-1] == token)


def corrections(seen: Seen) -> tuple[Group, ...]:
    """The public facts that can be set right."""
    verbs = seen.game.corrections
    return _groups(seen, chain.from_iterable(allowed(v, seen.view, seen.actor) for v in verbs))


def not_now(seen: Seen) -> tuple[NotNow, ...]:
    """“Not now”: each verb that is closed to the seat, with its nearest intent and why not."""
    view, known = seen.view, seen.known
    rows = []
    for verb in seen.game.verbs:
        nearest = None if verb.chance or not verb.listed else _nearest(seen.game, view, verb, seen.actor)
        if nearest and not (seen.mode == "scribe" and is_possible(seen.game, view, nearest[0])):
            intent, refusal, several = nearest
            said = say("verb." + verb.name) if several else label(seen.game, view, intent, known)
            rows.append(NotNow(intent, _json(intent), said, refusal))
    return tuple(rows)


def why(seen: Seen, json: bytes) -> Why | None:
    """Every rule of one intent, kept or broken, as its seat sees them; None if it is unreadable or another seat's."""
    try:
        intent = intent_from(seen.game, json)
    except msgspec.MsgspecError:
        return None
    if intent.actor != seen.actor:
        return None
    view = seen.view
    checks = explain(seen.game, view, intent)
    broken = next((c for c in checks if c.broken is not None), None)
    refusal = Refusal(broken.rule, broken.key, broken.broken or ()) if broken else None
    if refusal is None:
        return Why(label(seen.game, view, intent, seen.known), None, checks, ())
    offer = Offer(intent, _json(intent), label(seen.game, view, intent, seen.known), ())
    anyway = offer if is_possible(seen.game, view, intent) else None
    return Why(offer.said, refusal, checks, _like(seen, intent), anyway)


def means(seen: Seen, rule: RuleId) -> Means:
    """What one rule means for a seat right now."""
    view, known = seen.view, seen.known
    verbs, closes = [], []
    for verb in seen.game.verbs:
        if verb.chance or rule not in {r.id for r in (*verb.guards, *verb.rules)}:
            continue
        verbs.append(say("verb." + verb.name))
        broken = [_broken(seen.game, view, i, rule) for i in islice(verb.arguments(view, seen.actor), MOST_LOOKED_AT)]
        if broken and all(refusal is not None for _, refusal in broken):
            intent, refusal = broken[0]
            assert refusal is not None
            said = label(seen.game, view, intent, known) if len(broken) == 1 else verbs[-1]
            closes.append(NotNow(intent, _json(intent), said, refusal))
    return Means(tuple(verbs), tuple(closes))


def _broken(game: Game[Any, Any], view: Any, intent: Intent, rule: RuleId) -> tuple[Intent, Refusal | None]:
    """The intent, and how it breaks this rule, if it does."""
    for check in explain(game, view, intent):
        if check.rule == rule and check.broken is not None:
            return intent, Refusal(check.rule, check.key, check.broken)
    return intent, None


def concerning(seen: Seen, token: Token) -> tuple[tuple[Offer, ...], tuple[NotNow, ...]]:
    """What a seat may do with a thing it points at, and what not now: the nearest intent of each verb, with the reason.

    Answers to a question are mentioned only when it is asked, or if there is nothing else to say.
    """
    game, view, known = seen.game, seen.view, seen.known
    offers: list[Offer] = []
    closed: list[Refused] = []
    untimely: list[Refused] = []
    for verb in game.verbs:
        if verb.chance:
            continue
        about = tuple(islice(thought_of(verb, view, seen.actor, (token,)), MOST_LOOKED_AT))
        refused = [objection(game, view, i) for i in about]
        fine = [i for i, why in zip(about, refused, strict=True) if why is None]
        offers += [_offer(game, view, i, known) for i in fine]
        nearest = min(filter(None, refused), key=lambda why: why.distance, default=None)
        if nearest and not fine:
            (closed if verb.listed or nearest.is_timely else untimely).append(nearest)
    if not offers and not closed:
        closed = sorted(untimely, key=lambda why: why.distance)[:1]
    return tuple(offers), tuple(refused_now(seen, each) for each in closed)


def refused_now(seen: Seen, why: Refused) -> NotNow:
    """What cannot be done now: its name and the first reason."""
    said = label(seen.game, seen.view, why.intent, seen.known)
    return NotNow(why.intent, _json(why.intent), said, why.refusals[0])


def _groups(seen: Seen, intents: Iterable[Intent]) -> tuple[Group, ...]:
    game, view, known = seen.game, seen.view, seen.known
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
    """For a verb closed to the seat: the intent nearest to being allowed, why not, and whether there are more.

    None if the verb is open, or concerns nothing that is there. If a guard closes it, any candidate is as near as the
    next.
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


def _like(seen: Seen, intent: Intent) -> tuple[Offer, ...]:
    """Up to two legal intents, preferably of the same verb."""
    intents = sorted(legal(seen.game, seen.view, seen.actor), key=lambda i: type(i) is not type(intent))
    return tuple(_offer(seen.game, seen.view, i, seen.known) for i in intents[:2])
