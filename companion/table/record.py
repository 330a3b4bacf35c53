"""Reading a game's entries: its intents and events, and what may still be taken back."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeAlias, Union

import msgspec
from msgspec import Raw, Struct

from companion.core import Event, Fact, Game, Intent, Refusal, RuleId, Seat, SeatId, Seq, verb_of
from companion.journal import Did

from .position import Position


class Deed(Struct, frozen=True):
    """An accepted intent and what it made true; `by_chance` if it was a roll or a draw."""

    intent: Intent
    events: tuple[Event, ...]
    by_chance: bool


Deeds: TypeAlias = Mapping[Seq, Deed]
"""Every accepted intent of a game by its entry, whether it still counts or not."""


def own_rule(number: int, key: str, **facts: Fact) -> Refusal:
    """A refusal of the table itself: C1, C2 …"""
    return Refusal(RuleId(f"C{number}"), key, tuple(facts.items()))


def intent_from(game: Game[Any, Any], raw: bytes | Raw) -> Intent:
    """An intent from JSON; raises msgspec.MsgspecError where it is none of this game."""
    decoded: Intent = _intents(game).decode(raw)
    return decoded


def deed(game: Game[Any, Any], did: Did) -> Deed:
    """What an entry says was done."""
    decode = _events(game).decode
    return deed_of(game, intent_from(game, did.intent), tuple(decode(raw) for raw in did.events))


def deed_of(game: Game[Any, Any], done: Intent, events: tuple[Event, ...]) -> Deed:
    return Deed(done, events, verb_of(game, done).chance)


def counting(deeds: Deeds, at: Position, after: Seq) -> tuple[tuple[Seq, Deed], ...]:
    """What was done later than entry `after` and still counts."""
    return tuple((seq, deeds[seq]) for seq in at.line if seq > after)


def bars_take_back(deeds: Deeds, at: Position, to: Seq, by: SeatId) -> Refusal | None:
    """Why a seat may not go back to entry `to` by itself; None if it may.

    Free until something was shown or rolled, or another seat acted; beyond that it is the referee's.
    """
    if to not in at.line[:-1]:
        return own_rule(7, "nothing-to-take-back")
    for seq, done in counting(deeds, at, to):
        actor = done.intent.actor
        if done.by_chance or any(event.reveals for event in done.events):
            return own_rule(6, "take-back-shown", n=seq)
        if actor != by:
            return own_rule(6, "take-back-other", seat=Seat(actor), n=seq)
    return None


def last_act(deeds: Deeds, at: Position) -> tuple[Seq, Intent] | None:
    """The last act of a person that counts, and the entry to return to in order to take it back."""
    for to, seq in reversed(list(zip(at.line, at.line[1:], strict=False))):
        if not deeds[seq].by_chance:
            return to, deeds[seq].intent
    return None


def chance_after(deeds: Deeds, at: Position, to: Seq) -> tuple[Intent, ...]:
    """The chance outcomes later than entry `to`, oldest first."""
    return tuple(done.intent for _, done in counting(deeds, at, to) if done.by_chance)


@cache
def _intents(game: Game[Any, Any]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(Union[*(verb.intent for verb in (*game.verbs, *game.corrections))])


@cache
def _events(game: Game[Any, Any]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(game.event)
