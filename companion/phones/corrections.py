"""Corrections as phones show them: what can be set right and how it stands."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core import (
    Fact,
    Intent,
    Piece,
    Place,
    Said,
    Verb,
    allowed,
    argument_kinds,
    called,
    facts_of,
    label,
    say,
    set_by,
    standing_now,
    veil,
    verb_of,
)
from companion.table import Seen


class Setting(Struct, frozen=True):
    """One way to set a thing; if it takes a number, `intent` has the present one. `stands` if it is already so."""

    intent: Intent
    json: str
    said: Said
    stands: bool


class Fixable(Struct, frozen=True):
    """One thing that can be set right: `about` tells it from others of its kind, `present` is how it stands.

    `key` finds it again as the game goes on. `present` is None if there is nothing, or not the same for all.
    """

    key: str
    about: Said | None
    present: Said | None
    settings: tuple[Setting, ...]


class Kind(Struct, frozen=True):
    """The things that one verb sets right."""

    verb: str
    said: Said
    things: tuple[Fixable, ...]


def kinds(seen: Seen) -> tuple[Kind, ...]:
    """All that this audience can set right now, thing by thing; anything that takes a text is typed elsewhere."""
    verbs = [v for v in seen.game.corrections if all(kind != "text" for _, kind in argument_kinds(v.intent))]
    found = ((verb, _things(seen, verb)) for verb in verbs)
    return tuple(Kind(verb.name, say("verb." + verb.name), things) for verb, things in found if things)


def as_it_stands(seen: Seen, intent: Intent) -> Intent:
    """A correction with its number set to the present value; one without a number is returned unchanged."""
    verb, view = verb_of(seen.game, intent), seen.view
    now = standing_now(seen.game, view, intent)
    if verb.span is None or not isinstance(now, int):
        return intent
    low, high = verb.span(view, intent)
    return replace(intent, **{argument_kinds(verb.intent)[-1][0]: min(max(now, low), high)})


def _things(seen: Seen, verb: Verb[Any, Any]) -> tuple[Fixable, ...]:
    """One row per thing: if a verb has several arguments, the first says which thing it is about."""
    arguments = argument_kinds(verb.intent)
    rows: dict[str, list[Intent]] = {}
    for intent in allowed(verb, seen.view, seen.actor):
        rows.setdefault(str(getattr(intent, arguments[0][0])) if len(arguments) > 1 else "", []).append(intent)
    return tuple(_thing(seen, verb, key, intents) for key, intents in rows.items())


def _thing(seen: Seen, verb: Verb[Any, Any], key: str, intents: list[Intent]) -> Fixable:
    game, view, known = seen.game, seen.view, seen.known
    present = _present(seen, intents)
    settings = []
    for listed in intents:
        intent = as_it_stands(seen, listed) if verb.span else listed
        # With a number, too, only what comes before it tells one thing from another.
        between = veil(facts_of(intent), known)[2:-1] if verb.span else ()
        said = _said(seen, between[0][1]) if between else label(game, view, intent, known)
        stands = verb.span is None and present is not None and set_by(intent) == present
        settings.append(Setting(intent, msgspec.json.encode(intent).decode(), said, stands))
    about = _said(seen, veil(facts_of(intents[0]), known)[1][1]) if key else None
    return Fixable(key, about, None if present is None else _said(seen, present), tuple(settings))


def _present(seen: Seen, intents: list[Intent]) -> Fact | None:
    """How it stands, if that is the same for all of them; looked up once per set of arguments before the last."""
    alike = {msgspec.structs.astuple(intent)[:-1]: intent for intent in intents}
    found = {standing_now(seen.game, seen.view, intent) for intent in alike.values()}
    return found.pop() if len(found) == 1 else None


def _said(seen: Seen, fact: Fact) -> Said:
    item = called(seen.game, seen.view, fact) if isinstance(fact, Piece | Place) else fact
    return say("choice", item=item)
