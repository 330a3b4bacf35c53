"""What leads up to a movement: acts that no reader can see, where only one way leads there. Pure.

Laying a card of a far Market into your machine means you have gone there; laying one from a Lab means you have looked
into it. Hands have done it all, so nobody has to say it again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final, TypeAlias

from .evidence import Laid, Lying, Watch, differs, laid
from .game import Game, Lies, verb_of
from .ids import PieceId, PlaceId, SeatId
from .legality import carry_out, legal, objection
from .rules import Intent, Token, argument_kinds
from .selection import thought_of

MOST_UNSEEN: Final = 3
"""How many acts in a row may lead up to a movement: roll, go, look."""

_Way: TypeAlias = tuple[tuple[Intent, ...], Any]


def led_to(
    game: Game[Any, Any],
    state: Any,
    awaited: tuple[SeatId, ...],
    should: Laid,
    seen: Lying,
    watch: Watch,
    excused: Collection[PieceId] = (),
) -> tuple[Intent, ...]:
    """Everything that was done, if `seen` shows the end of it and exactly one shortest way leads there; else ()."""
    if len(awaited) != 1:
        return ()
    come = sorted(each for each in seen - should.lying if each[0] not in should.believed and each[1] not in excused)
    ends = [end for place, piece in come for end in _ends(game, state, awaited[0], piece, place)]
    ways: list[_Way] = [((), state)]
    for _ in range(MOST_UNSEEN if ends else 0):
        ways = [on for way in ways for on in _unseen(game, way, awaited)]
        found = [
            (*done, end)
            for done, after in ways
            for end in ends
            if objection(game, after, end) is None and _explains(game, after, end, should, seen, watch, excused)
        ]
        if found:
            return found[0] if len(found) == 1 else ()
    return ()


def _ends(game: Game[Any, Any], state: Any, actor: SeatId, piece: PieceId, place: PlaceId) -> Iterator[Intent]:
    """What the seat may have meant by laying the piece there, now or at any other moment."""
    token, there = Token("piece", piece), Token("place", place)
    for verb in game.verbs:
        if verb.lands is not None and verb.span is None and not verb.chance:
            thought = thought_of(verb, state, actor, (token,))
            yield from (intent for intent in thought if verb.lands_on(state, intent, there))


def _unseen(game: Game[Any, Any], way: _Way, awaited: tuple[SeatId, ...]) -> Iterator[_Way]:
    """What the seat may do next that no reader sees and that leaves it still being asked."""
    done, state = way
    before = None
    for intent in legal(game, state, awaited[0]):
        verb = verb_of(game, intent)
        if verb.span is not None or any(kind != "place" for _, kind in argument_kinds(type(intent))):
            continue
        after = carry_out(game, state, verb, intent)[1]
        asked = game.decisions(after)
        if not asked or asked[-1].seats != awaited:
            continue
        before = _lying(game, state) if before is None else before
        if _lying(game, after) == before:
            yield (*done, intent), after


def _lying(game: Game[Any, Any], state: Any) -> frozenset[Lies]:
    """Everything that lies anywhere, except what stands beside readers."""
    beside = game.beside(state.setup.pack)
    return frozenset(lies for lies in game.layout(state) if lies.piece not in beside)


def _explains(
    game: Game[Any, Any],
    state: Any,
    end: Intent,
    should: Laid,
    seen: Lying,
    watch: Watch,
    excused: Collection[PieceId],
) -> bool:
    after = carry_out(game, state, verb_of(game, end), end)[1]
    return not differs(laid(game, after, watch), should, seen, excused)
