"""What an intent would be called and would do with this number or choice: the words on its button."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from companion.core import (
    TABLE,
    Intent,
    Refusal,
    Said,
    argument_kinds,
    change_by,
    is_correction,
    label,
    objection,
    set_by,
    standing_now,
    verb_of,
)
from companion.table import Seen, intent_from


class Span(Struct, frozen=True):
    """A number that completes an intent: the argument's name and its bounds."""

    field: str
    low: int
    high: int


class Preview(Struct, frozen=True):
    """`lines` tell what would come of it, () if it would be refused; `is_idle`: it would change nothing."""

    said: Said
    lines: tuple[Said, ...] = ()
    refusal: Refusal | None = None
    span: Span | None = None
    is_idle: bool = False


def preview(seen: Seen, json: bytes) -> Preview | None:
    """As its audience sees it; None if the intent is unreadable, another seat's, or nothing that people say."""
    game, view = seen.game, seen.view
    try:
        intent = intent_from(game, json)
    except msgspec.MsgspecError:
        return None
    verb, corrects = verb_of(game, intent), is_correction(game, intent)
    if intent.actor != seen.actor or (seen.actor == TABLE and not corrects and not verb.is_typed):
        return None
    said, why = label(game, view, intent, seen.known), objection(game, view, intent)
    if why is not None:
        return Preview(said, refusal=why.refusals[0])
    span = span_of(seen, intent)
    if not corrects:
        return Preview(said, game.foresee(view, intent), span=span)
    change, now = change_by(game, view, intent), standing_now(game, view, intent)
    lines = () if change is None else (change,)
    return Preview(said, lines, span=span, is_idle=now is not None and now == set_by(intent))


def span_of(seen: Seen, intent: Intent) -> Span | None:
    """The numbers that an intent's last argument may be; None if it takes no number."""
    verb = verb_of(seen.game, intent)
    if verb.span is None:
        return None
    return Span(argument_kinds(verb.intent)[-1][0], *verb.span(seen.view, intent))
