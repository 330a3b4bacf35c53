"""What hands do on the box to get an intent done: the fewest taps and presses, found by trying.

Pure: it plays with copies of what the box shows. Used by demos, saved scripts and the count of inputs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Final, TypeAlias

from msgspec import Struct

from companion.core import (
    TABLE,
    GameId,
    HowMany,
    Intent,
    More,
    PieceId,
    PlaceId,
    Pressed,
    SeatId,
    Token,
    Turned,
    is_correction,
    mentions,
    verb_of,
)
from companion.library import NumberTag, PieceTag, PlaceTag, SeatTag, Tag
from companion.table import Do, Snapshot, Wish

from . import stack as stacks
from .choosing import Choosing
from .pointing import Pointing, ending, number_at
from .stack import REST, Stack

MOST_STEPS: Final = 8
"""Longer ways are not searched for: nothing at the table should need one."""
MOST_TRIED: Final = 600
"""Inputs tried at most, three times what any act has needed, so that the unreachable is given up soon."""
FEW: Final = 4
"""Up to this many steps of a list are presses of NEXT; beyond that, people turn the dial."""


class Tap(Struct, frozen=True):
    """Lay the tag of this piece, place, seat or number on a reader."""

    token: Token


def tag_of(game: GameId, token: Token) -> Tag:
    """The tag that points at this."""
    match token.kind:
        case "seat":
            return SeatTag(SeatId(int(token.value)))
        case "number":
            return NumberTag(int(token.value))
        case "place":
            return PlaceTag(game, PlaceId(str(token.value)))
        case _:
            return PieceTag(game, PieceId(str(token.value)))


Move: TypeAlias = Tap | Pressed | Turned


def moves_for(scene: Snapshot, intent: Intent, stack: Stack = REST) -> tuple[Move, ...] | None:
    """The fewest inputs that do `intent` on the box; None if no way was found."""
    start = stacks.press(scene, stack, "check", True)[0] if is_correction(scene.game, intent) else stack
    opening: tuple[Move, ...] = (Pressed("check", held=True),) if start != stack else ()
    ways: deque[tuple[Stack, tuple[Move, ...]]] = deque([(start, opening)])
    seen, tried = {start}, 0
    while ways and tried < MOST_TRIED:
        at, way = ways.popleft()
        for move in _tries(scene, at, intent):
            tried += 1
            after, want = _made(scene, at, move)
            if isinstance(want, Do):
                if want.intent == intent:
                    return (*way, move)
            elif want is None and after not in seen and len(way) < MOST_STEPS:
                seen.add(after)
                ways.append((after, (*way, move)))
    return None


def spread(moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """The same, with short turns of the dial as presses of NEXT, so that four buttons are enough."""
    out: list[Move] = []
    for move in moves:
        if isinstance(move, Turned) and 0 < move.steps <= FEW:
            out += [Pressed("next")] * move.steps
        else:
            out.append(move)
    return tuple(out)


def _standing_for(scene: Snapshot, intent: Intent) -> Iterator[Token]:
    """The tags of places that mean it: where it lays something, or where it is done."""
    verb = verb_of(scene.game, intent)
    if verb.lands is not None:
        yield from (Token("place", place) for place in verb.lands(scene.state, intent))
    if verb.also is not None:
        yield from (token for token in verb.also(scene.state, intent) if token.kind == "place")


def _made(scene: Snapshot, stack: Stack, move: Move) -> tuple[Stack, Wish | None]:
    match move:
        case Tap(token=token):
            return stacks.tap(scene, stack, token)
        case Pressed(button=button, held=held):
            return stacks.press(scene, stack, button, held)
        case Turned(steps=steps):
            return stacks.turn(scene, stack, steps), None


def _tries(scene: Snapshot, stack: Stack, intent: Intent) -> Iterator[Move]:
    """The inputs that may lead on from here: taps of what the intent mentions, its row in the list, OK."""
    now = stack[-1]
    tokens = now.tokens if isinstance(now, Pointing) else ()
    who = () if intent.actor == TABLE else (Token("seat", intent.actor), Token("actor", intent.actor))
    pointed = (*mentions(intent), *who)
    tagged = scene.game.places(scene.state.setup.pack)
    for token in pointed:
        can_tap = token.kind in ("piece", "seat") or (token.kind == "place" and token.value in tagged)
        if can_tap and token not in tokens:
            yield Tap(token)
    yield Pressed("ok")
    yield from (Tap(token) for token in _standing_for(scene, intent) if token.value in tagged)
    if stack == REST:
        yield Pressed("next")
        now = Choosing(at=-1, listed=True)  # one step before its first row
    if isinstance(now, Pointing):
        yield from _rows(scene, now, pointed)


def _rows(scene: Snapshot, now: Pointing, pointed: tuple[Token, ...]) -> Iterator[Move]:
    """The turns of the dial that mark one of these."""
    match ending(scene, now):
        case More(choices=choices):
            for at, offered in enumerate(choices):
                if offered.token in pointed and at != now.at:
                    yield Turned(at - now.at)
        case HowMany() as end:
            numbers = [int(token.value) for token in pointed if token.kind == "number"]
            if numbers and numbers[-1] != number_at(scene, now, end):
                yield Turned(numbers[-1] - number_at(scene, now, end))
        case _:
            return
