"""Corrections as phones show them: what can be set right and how it stands, and those that were just made."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core import correcting
from companion.core.facts import Fact, Piece, Place, Said, say
from companion.core.ids import SeatId, Seq
from companion.core.judge import allowed, verb_of
from companion.core.rules import Intent, Verb, argument_kinds, facts_of, set_by
from companion.core.secrets import mask
from companion.core.telling import called, known_pieces, label, veil
from companion.journal import Did, Seated, WasRefused
from companion.table.snapshot import Snapshot

MOST_TOLD: Final = 3
"""Corrections in a row that are still told as news."""


class Setting(Struct, frozen=True):
    """One way to set a thing; where that wants a number, `intent` has the present one. `stands` if it is so already."""

    intent: Intent
    json: str
    said: Said
    stands: bool


class Fixable(Struct, frozen=True):
    """One thing that can be set right: `about` names it among others of its kind, `present` is how it stands.

    `key` finds it again while the game goes on. `present` is None where nothing stands there, or different things.
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


class Corrected(Struct, frozen=True):
    """A correction that was just made: by whom, what is so now, and what became of what."""

    seq: Seq
    who: SeatId
    said: Said
    change: Said | None


def kinds(snapshot: Snapshot, actor: SeatId) -> tuple[Kind, ...]:
    """All that `actor` can set right now, thing by thing; what wants a text is typed elsewhere."""
    verbs = [v for v in snapshot.game.corrections if all(kind != "text" for _, kind in argument_kinds(v.intent))]
    found = ((verb, _things(snapshot, actor, verb)) for verb in verbs)
    return tuple(Kind(verb.name, say("verb." + verb.name), things) for verb, things in found if things)


def as_it_stands(snapshot: Snapshot, actor: SeatId, intent: Intent) -> Intent:
    """A correction that sets a number, with the number that is there now; any other one as it is."""
    verb, view = verb_of(snapshot.game, intent), snapshot.view(actor)
    now = correcting.present(snapshot.game, view, intent)
    if verb.span is None or not isinstance(now, int):
        return intent
    low, high = verb.span(view, intent)
    return replace(intent, **{argument_kinds(verb.intent)[-1][0]: min(max(now, low), high)})


def _things(snapshot: Snapshot, actor: SeatId, verb: Verb[Any, Any]) -> tuple[Fixable, ...]:
    """Where a verb has several arguments, the first one says which thing it is about."""
    arguments = argument_kinds(verb.intent)
    rows: dict[str, list[Intent]] = {}
    for intent in allowed(verb, snapshot.view(actor), actor):
        rows.setdefault(str(getattr(intent, arguments[0][0])) if len(arguments) > 1 else "", []).append(intent)
    return tuple(_thing(snapshot, actor, verb, key, intents) for key, intents in rows.items())


def _thing(snapshot: Snapshot, actor: SeatId, verb: Verb[Any, Any], key: str, intents: list[Intent]) -> Fixable:
    game, view, known = snapshot.game, snapshot.view(actor), snapshot.known(actor)
    present = _present(snapshot, actor, intents)
    settings = []
    for listed in intents:
        intent = as_it_stands(snapshot, actor, listed) if verb.span else listed
        # Of what wants a number, too, only what comes before it tells one from another.
        between = veil(facts_of(intent), known)[2:-1] if verb.span else ()
        said = _said(snapshot, actor, between[0][1]) if between else label(game, view, intent, known)
        stands = verb.span is None and present is not None and set_by(intent) == present
        settings.append(Setting(intent, msgspec.json.encode(intent).decode(), said, stands))
    about = _said(snapshot, actor, veil(facts_of(intents[0]), known)[1][1]) if key else None
    return Fixable(key, about, None if present is None else _said(snapshot, actor, present), tuple(settings))


def _present(snapshot: Snapshot, actor: SeatId, intents: list[Intent]) -> Fact | None:
    """How it stands, where that is one and the same for all of them: looked up once for each that differs before the
    last argument.
    """
    alike = {msgspec.structs.astuple(intent)[:-1]: intent for intent in intents}
    found = {correcting.present(snapshot.game, snapshot.view(actor), intent) for intent in alike.values()}
    return found.pop() if len(found) == 1 else None


def _said(snapshot: Snapshot, actor: SeatId, fact: Fact) -> Said:
    seen = called(snapshot.game, snapshot.view(actor), fact) if isinstance(fact, Piece | Place) else fact
    return say("choice", item=seen)


def just_made(snapshot: Snapshot, audience: SeatId) -> tuple[Corrected, ...]:
    """The corrections since anything else was done, newest first, as `audience` may know them."""
    return tuple(islice(_newest(snapshot, audience), MOST_TOLD))


def _newest(snapshot: Snapshot, audience: SeatId) -> Iterator[Corrected]:
    game, line = snapshot.game, snapshot.at.line
    for entry in reversed(snapshot.history):
        match entry.body:
            case Did(correction=True):
                intent = snapshot.deeds[entry.seq].intent
                before = mask(snapshot.states[line[bisect_left(line, entry.seq) - 1]], audience)
                said = label(game, before, intent, known_pieces(game, before))
                yield Corrected(entry.seq, intent.actor, said, correcting.change(game, before, intent))
            case Seated() | WasRefused():
                continue
            case _:
                return
