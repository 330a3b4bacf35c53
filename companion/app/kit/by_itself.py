"""What happens by itself happens in front of everybody, so it may depend only on what everybody sees.

An evening with two pieces swapped (`worlds.py`) meets the moment that gives a secret away only by luck. Here every
moment is asked: two pieces swap places in the state without changing an audience's view, and for that audience the game
must go on as before.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice, product
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.app.kit.kit import AnyGame, Kit, pick
from companion.core import PUBLIC, Accepted, Event, Intent, PieceId, SeatId, judge, known_pieces, legal, mask

STEPS = 200
SEEDS = 2
PAIRS = 6
"""Swaps tried per audience and moment."""


def moments(kit: Kit, sizes: tuple[int, ...]) -> Iterator[Any]:
    """The states of some games in which people try whatever they have done least.

    Doing something even seldom is enough to reach what a game keeps for those who go after it.
    """
    for seats, seed in product(sizes, range(SEEDS)):
        chance, done = random.Random(f"{seats}.{seed}"), Counter[type[Intent]]()
        state = kit.game.start(kit.setup(seats, seed))
        for _ in range(STEPS):
            asked = kit.game.decisions(state)
            if not asked:
                break
            intents = legal(kit.game, state, pick(chance, asked[-1].seats))
            rarest = min(done[type(intent)] for intent in intents)
            intent = pick(chance, [intent for intent in intents if done[type(intent)] == rarest])
            verdict = judge(kit.game, state, kit.numbered(state, intent, chance))
            assert isinstance(verdict, Accepted), verdict
            done[type(intent)] += 1
            state = verdict.after
            yield state


def swayed(kit: Kit, game: AnyGame, states: Iterable[Any]) -> Iterator[str]:
    """Whatever `game` does or asks differently because of something an audience does not see."""
    for number, state in enumerate(states):
        chance = random.Random(number)
        for audience in (PUBLIC, SeatId(number % state.setup.seats)):
            view, before = mask(state, audience), _follows(game, state, audience)
            for one, other in islice(_unseen_pairs(kit, state, view, chance), PAIRS):
                there = swapped(state, {one: other, other: one})
                is_hidden = mask(there, audience) == view and not _named(before, one, other)
                if is_hidden and _follows(game, there, audience) != before:
                    yield f"{one} and {other} change what audience {audience} sees happen at step {number}"


def _unseen_pairs(kit: Kit, state: Any, view: Any, chance: random.Random) -> Iterator[tuple[PieceId, PieceId]]:
    """Pairs of pieces that the view does not show: somebody's, and one elsewhere that may stand for it."""
    seats, known = range(state.setup.seats), known_pieces(kit.game, view)
    to_some = frozenset[PieceId]().union(*(known_pieces(kit.game, mask(state, SeatId(seat))) for seat in seats))
    lying = {lies.piece: lies.place for lies in kit.game.layout(state) if lies.piece not in known}
    start, pieces = kit.game.start(state.setup), sorted(lying, key=lambda _: chance.random())
    for one in (piece for piece in pieces if piece in to_some):
        fitting = (other for other in pieces if lying[one] != lying[other] and kit.alike(one, other, start))
        if (other := next(fitting, None)) is not None:
            yield one, other


def _follows(game: AnyGame, state: Any, audience: SeatId) -> tuple[Any, ...]:
    """What now happens by itself, as the audience sees it, and then whom the game asks for what."""
    return tuple(mask(event, audience) for event in game.forced(state)), game.decisions(state)


def _named(thing: Any, one: PieceId, other: PieceId) -> bool:
    """Whether one of the two is turned up here, which tells them apart, as it should."""
    return bool(swapped(thing, {one: other, other: one}) != thing)


def swapped(thing: Any, there: dict[PieceId, PieceId]) -> Any:
    """A state, or any part of it, with pieces swapped; what has no order stays sorted."""
    match thing:
        case str():
            return there.get(PieceId(thing), thing)
        case tuple():
            found = tuple(swapped(item, there) for item in thing)
            is_set = found != thing and all(isinstance(item, str) for item in thing) and thing == tuple(sorted(thing))
            return tuple(sorted(found)) if is_set else found
        case Struct():
            fields = {name: getattr(thing, name) for name in thing.__struct_fields__ if name != "setup"}
            return replace(thing, **{name: swapped(value, there) for name, value in fields.items()})
        case _:
            return thing


def helpful(kit: Kit) -> AnyGame:
    """A broken build that makes a seat's choice for it, based on what only that seat knows."""
    game, names = kit.game, kit.game.pieces(kit.pack)

    def forced(state: Any) -> tuple[Event, ...]:
        asked = game.decisions(state)
        seat = asked[-1].seats[0] if asked else PUBLIC
        if game.forced(state) or seat < 0:
            return game.forced(state)
        own = known_pieces(game, mask(state, seat)) - known_pieces(game, mask(state, PUBLIC))
        if not own or names.index(min(own)) % 2:
            return ()
        verdict = judge(game, state, legal(game, state, seat)[0])
        return verdict.events if isinstance(verdict, Accepted) else ()

    return replace(game, forced=forced)
