"""What may be done with a thing held over the drawn table, why not elsewhere, and which inputs a drop amounts to.

For the pretend table's page. Nothing is decided here: what lights up is what the rules allow, and a drop is what hands
would do at a real box: a tap, a turn of the dial, a press. The box itself says what comes of it. Pure.
"""

from __future__ import annotations

from collections import Counter
from typing import Final, TypeAlias

from msgspec import Struct

from companion.core import (
    PUBLIC,
    Blocked,
    ChoosePage,
    End,
    HowMany,
    Intent,
    More,
    NumberPage,
    PieceId,
    PlaceId,
    Pressed,
    Ready,
    Refusal,
    Said,
    Token,
    TurnPage,
    Watch,
    evidence,
    mentions,
    objection,
    refused_with,
    say,
    seen_refusal,
    verb_of,
)
from companion.table import Do, Snapshot, Wish

from . import stack as stacks
from .choosing import Choosing
from .hands import Move, Tap, moves_for
from .pointing import Pointing, ending
from .stack import Stack

MOST_ROWS: Final = 12
"""Longer lists are walked with the dial."""
_NOTHING: Final = Watch({}, ())
_POINTED: Final = ("piece", "place", "seat")


class Meant(Struct, frozen=True):
    """A legal intent, the things that stand for it, and the places where it lays what it is about."""

    intent: Intent
    things: frozenset[Token]
    lands: frozenset[Token]


Meanings: TypeAlias = tuple[Meant, ...]


class Rows(Struct, frozen=True):
    """The list that the box has open or would open, and how far the dial is from each row."""

    items: tuple[Said, ...] = ()
    steps: tuple[int, ...] = ()


class Reasons(Struct, frozen=True):
    """Why not on each of these things; `otherwise` is why it cannot be done at all, if so."""

    on: tuple[tuple[Token, Refusal], ...]
    otherwise: Refusal | None


def meanings(scene: Snapshot) -> Meanings:
    """Everything that may be done now, with the things that stand for it."""
    game, state = scene.game, scene.state
    here = {lies.piece: lies.place for lies in game.layout(state)}
    return tuple(_meant(scene, way, here) for way in evidence.ways(game, state, scene.awaited, _NOTHING))


def _meant(scene: Snapshot, way: evidence.Way, here: dict[PieceId, PlaceId]) -> Meant:
    things = _stands_for(scene, way.intent)
    pieces = {token.value for token in things if token.kind == "piece"}
    then = {lies.piece: lies.place for lies in scene.game.layout(way.after) if lies.piece in pieces} if pieces else {}
    lands = {Token("place", place) for piece, place in then.items() if here.get(piece) != place}
    return Meant(way.intent, things, frozenset(lands))


def _stands_for(scene: Snapshot, intent: Intent) -> frozenset[Token]:
    """What an intent names, where it lays something, and what else means it."""
    verb, things = verb_of(scene.game, intent), set(mentions(intent)[1:])
    if verb.lands is not None:
        things |= {Token("place", place) for place in verb.lands(scene.state, intent)}
    if verb.also is not None:
        things |= set(verb.also(scene.state, intent))
    return frozenset(token for token in things if token.kind in _POINTED)


def about(known: Meanings, held: Token | None) -> Meanings:
    """What may be done with a thing; without one, everything. A pawn stands for everything its seat does."""
    if held is None:
        return known
    return tuple(meant for meant in known if held in meant.things or _is_by(meant, held))


def _is_by(meant: Meant, held: Token) -> bool:
    return held.kind == "seat" and meant.intent.actor == held.value and any(t.kind == "place" for t in meant.things)


def lit(known: Meanings, held: Token | None) -> frozenset[Token]:
    """What lights up: where a held thing may be dropped or, if none is held, what may be touched."""
    found = {token for meant in about(known, held) for token in _goals(meant, held)}
    return frozenset(found - {held})


def _goals(meant: Meant, held: Token | None) -> frozenset[Token]:
    if held is None:
        return meant.things
    if held not in meant.things:
        return frozenset(token for token in meant.things if token.kind == "place")
    return meant.things | meant.lands


def touched(scene: Snapshot, known: Meanings) -> frozenset[Token]:
    """What may be touched with nothing in hand: things that have a tag, or that stand for one act only."""
    tagged, found = scene.game.places(scene.state.setup.pack), lit(known, None)
    acts = Counter(token for meant in known for token in meant.things)
    return frozenset(t for t in found if t.kind != "place" or t.value in tagged or acts[t] == 1)


def reasons(scene: Snapshot, held: Token) -> Reasons:
    """Why not: a reason for each thing that the held one could have been meant for, and one for everything else."""
    game, view = scene.game, scene.view(PUBLIC)
    found: dict[Token, Refusal] = {}
    refused = refused_with(game, scene.state, scene.awaited, held, game.verbs)
    for each in refused:
        fresh = [token for token in _stands_for(scene, each.intent) if token not in found and token != held]
        if fresh:
            found |= dict.fromkeys(fresh, seen_refusal(game, view, each))
    ends = _of_another(scene, held) if _is_anothers(scene, held) else (ending(scene, Choosing(tokens=(held,))),)
    blocked = [end.refused for end in ends if isinstance(end, Blocked)]
    otherwise = seen_refusal(game, view, min(blocked, key=lambda refused: refused.bases[0])) if blocked else None
    return Reasons(tuple(found.items()), otherwise)


def inputs(scene: Snapshot, stack: Stack, known: Meanings, held: Token | None, on: Token) -> tuple[Move, ...]:
    """What hands do on the box for it, up to its question or its NO; () if there is nothing they can do."""
    fitting = tuple(meant for meant in about(known, held) if on in _goals(meant, held))
    both = tuple(token for token in (held, on) if token is not None)
    if not fitting:
        return () if _is_anothers(scene, held) and on.kind == "place" else _refused(scene, stack, both)
    wanted = {meant.intent for meant in fitting}
    if _leads_to(scene, stack, both, wanted):
        return tuple(Tap(token) for token in both)
    if len(wanted) == 1:
        return _unconfirmed(scene, stack, moves_for(scene, fitting[0].intent, stack) or ())
    return next((tuple(map(Tap, (each,))) for each in both if _leads_to(scene, stack, (each,), wanted)), ())


def _is_anothers(scene: Snapshot, held: Token | None) -> bool:
    """Whether it is the pawn of a seat that is not asked: carried to a place, it is that seat that would go there, and
    nobody means the attack on it that its tag would stand for.
    """
    return held is not None and held.kind == "seat" and held.value not in scene.awaited


def _of_another(scene: Snapshot, held: Token) -> tuple[End, ...]:
    """Where each thing leads that this seat might do, were it asked."""
    whose = Token("actor", held.value)
    return tuple(ending(scene, Choosing(tokens=(whose, Token("verb", verb.name)))) for verb in scene.game.verbs)


def _leads_to(scene: Snapshot, stack: Stack, tokens: tuple[Token, ...], wanted: set[Intent]) -> bool:
    """Whether tapping these tags in order does one of the wanted intents or opens the choice among them."""
    after, wish = _tapped(scene, stack, tokens)
    if isinstance(wish, Do):
        return wish.intent in wanted
    if after is None or wish is not None or not isinstance(after[-1], Pointing):
        return False
    end = ending(scene, after[-1])
    return end.intent in wanted if isinstance(end, Ready) else isinstance(end, More | HowMany)


def _tapped(scene: Snapshot, stack: Stack, tokens: tuple[Token, ...]) -> tuple[Stack | None, Wish | None]:
    """What the box has open after these taps; None if one has no tag, or something is done before the last."""
    tagged = scene.game.places(scene.state.setup.pack)
    if any(token.kind == "place" and token.value not in tagged for token in tokens):
        return None, None
    wish: Wish | None = None
    for token in tokens:
        if wish is not None:
            return None, None
        stack, wish = stacks.tap(scene, stack, token)
    return stack, wish


def _refused(scene: Snapshot, stack: Stack, both: tuple[Token, ...]) -> tuple[Move, ...]:
    """The taps that make the box say NO and do nothing else."""
    for tokens in (both, both[:1]):
        _, wish = _tapped(scene, stack, tokens)
        if isinstance(wish, Do) and objection(scene.game, scene.state, wish.intent) is not None:
            return tuple(Tap(token) for token in tokens)
    return ()


def _unconfirmed(scene: Snapshot, stack: Stack, moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """The same without the final OK, if the box asks for one: people press it once they have read what it would do."""
    if len(moves) < 2 or moves[-1] != Pressed("ok"):
        return moves
    for move in moves[:-1]:
        stack = _made(scene, stack, move)
    last = stack[-1]
    is_asked = isinstance(last, Pointing) and isinstance(ending(scene, last), Ready | HowMany)
    return moves[:-1] if is_asked else moves


def _made(scene: Snapshot, stack: Stack, move: Move) -> Stack:
    match move:
        case Tap(token=token):
            return stacks.tap(scene, stack, token)[0]
        case Pressed(button=button, held=held):
            return stacks.press(scene, stack, button, held)[0]
        case _:
            return stacks.turn(scene, stack, move.steps)


def rows(scene: Snapshot) -> Rows:
    """The rows of the open list, or of the one that the dial would open."""
    match scene.page:
        case ChoosePage(items=items, at=at):
            return _few(items, -at)
        case NumberPage(low=low, high=high, at=at):
            return _few(_numbers(low, high), low - at)
        case TurnPage() if scene.decisions:
            return _at_rest(scene)
        case _:
            return Rows()


def _at_rest(scene: Snapshot) -> Rows:
    match ending(scene, Choosing(listed=True)):
        case More(choices=choices):
            return _few(tuple(choice.said for choice in choices), 1)
        case HowMany(low=low, high=high):
            return _few(_numbers(low, high), 1)
        case _:
            return Rows()


def _few(items: tuple[Said, ...], first: int) -> Rows:
    if len(items) > MOST_ROWS:
        return Rows()
    return Rows(items, tuple(range(first, first + len(items))))


def _numbers(low: int, high: int) -> tuple[Said, ...]:
    return tuple(say("choice", item=number) for number in range(low, min(high, low + MOST_ROWS) + 1))
