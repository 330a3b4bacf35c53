"""Two worlds that one audience cannot tell apart: an evening, and the same with two unseen pieces swapped."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from msgspec.structs import replace

from companion.app.kit.evening import Back, Move, evening, replayed
from companion.app.kit.kit import Kit, kit_of, pick
from companion.app.kit.sent import Outlet, audiences, sent
from companion.core import PUBLIC, Intent, PieceId, SeatId, argument_kinds, known_pieces, mask
from companion.table import Snapshot

STEPS = 70
WHOLE_EVERY = 15
WORD = re.compile(rb"[A-Za-z0-9_/-]+")


class Pair(NamedTuple):
    """Two pieces that an audience could not tell apart before step `until`."""

    one: PieceId
    other: PieceId
    until: int

    def __str__(self) -> str:
        return f"{self.one} and {self.other}, in {self.until} steps"


class World(NamedTuple):
    """The same evening with the two swapped: its moments, and whether all of it could be played."""

    pair: Pair
    shown: list[Snapshot]
    went_on: bool


class Evening:
    """What was done, and what a sound build sent each audience about it. Everything is computed once."""

    def __init__(self, kit: Kit, seats: int, seed: int) -> None:
        self.kit, self.seed = kit, seed
        self.moves, self.shown = evening(kit, seats, seed, STEPS)
        self.setup = self.shown[0].state.setup
        self._start = kit.game.start(self.setup)
        states = [self._start, *(at.state for at in self.shown)]
        self._opened = next((number for number, state in enumerate(states) if kit.hides(state)), 0)
        self.audiences = audiences(seats, seed)
        self._sound: dict[SeatId, list[bytes]] = {}
        self._worlds: dict[SeatId, World | None] = {}
        # If nobody keeps a secret, everybody sees a piece as it is turned up: there the two worlds part, and all that
        # can be asked of that step is that both go on.
        self._parting = int(not kit.keeps_secrets)

    def sound(self, audience: SeatId) -> list[bytes]:
        """What a sound build tells this audience, moment by moment."""
        if audience not in self._sound:
            outlet = Outlet(self.kit)
            self._sound[audience] = [told(outlet, at, audience, number) for number, at in enumerate(self.shown)]
        return self._sound[audience]

    def known_before(self, audience: SeatId) -> frozenset[PieceId]:
        """What lay open before anything was hidden: hearing its name later tells nobody where it is."""
        if not self._opened:
            return frozenset()
        early = [at.known(audience) for at in self.shown[: self._opened - 1]]
        return known_pieces(self.kit.game, mask(self._start, audience)).union(*early)

    def first_seen(self, audience: SeatId) -> dict[PieceId, int]:
        """When each piece was first named to the audience, or seen again; those never named are left out."""
        seen, before = dict[PieceId, int](), self.known_before(audience)
        pieces = {piece.encode(): piece for piece in self.kit.game.pieces(self.kit.pack) if piece not in before}
        for number, at in enumerate(self.shown):
            for word in set(WORD.findall(told(Unasked(self.kit), at, audience, number))) & pieces.keys():
                seen.setdefault(pieces[word], number)
            for piece in before & self.shown[number].known(audience) if number >= self._opened - 1 else ():
                seen.setdefault(piece, number)
        return seen

    def pair(self, audience: SeatId) -> Pair | None:
        """Two pieces worth swapping: one was handled while the audience knew neither."""
        seen, chance, end = self.first_seen(audience), random.Random(self.seed), len(self.moves)
        pieces, first = self.kit.game.pieces(self.kit.pack), max(self._opened - 1, 0)
        opened = self.shown[first].state if self._opened else self._start
        handled = {p: number for number in reversed(range(first, end)) for p in pieces_of(self.moves[number])}
        touched = [p for p in pieces if p in handled and handled[p] < seen.get(p, end) + self._parting]
        longest = sorted(touched, key=lambda p: handled[p] - seen.get(p, end))[:5]
        for one in sorted(longest, key=lambda _: chance.random()):
            late = [p for p in pieces if p != one and seen.get(p, end) > handled[one] + 1 - self._parting]
            alike = [p for p in late if self.kit.alike(p, one, opened)]
            if alike:
                other = pick(chance, alike)
                return Pair(one, other, min(seen.get(one, end), seen.get(other, end)))
        return None

    def world(self, audience: SeatId) -> World | None:
        """Another world, if the audience left two pieces unseen that are worth swapping."""
        if audience not in self._worlds:
            pair = self.pair(audience)
            self._worlds[audience] = None if pair is None else self._swapped(pair, audience)
        return self._worlds[audience]

    def _swapped(self, pair: Pair, audience: SeatId) -> World:
        there = {pair.one: pair.other, pair.other: pair.one}
        moves = [in_place(move, there, audience) for move in self.moves[: pair.until + self._parting]]
        shown = replayed(self.kit.game, self.setup, moves)
        return World(pair, shown, len(shown) == len(moves))

    def leak(self, outlet: Outlet, audience: SeatId) -> str:
        """How the audience could tell two worlds apart; "" if it could not."""
        world = self.world(audience)
        if world is None:
            return ""
        pair, is_sound = world.pair, type(outlet) is Outlet
        # Anybody may lay down a card that lay open earlier, and so ask about what all have seen.
        is_tapped = is_sound and pair.one not in self.known_before(audience)
        for number, (here, there) in enumerate(zip(self.shown[: pair.until], world.shown, strict=False)):
            mine = self.sound(audience)[number] if is_sound else told(outlet, here, audience, number)
            if mine != told(outlet, there, audience, number):
                return f"audience {audience} was sent something else at step {number} ({pair})"
            if is_tapped and not same_tap(outlet, here, pair.one, there, pair.other):
                return f"the box showed something else at step {number} when it was tapped ({pair})"
        return "" if world.went_on else f"audience {audience}: the game went another way ({pair})"


class Unasked(Outlet):
    """Without the answers to wishes: naming a piece oneself does not count as seeing it."""

    def refusals(self, at: Snapshot, audience: SeatId, wishes: list[Intent]) -> list[Any]:
        return []


@cache
def evening_of(game_id: str, seats: int, seed: int) -> Evening:
    """The one that all tests look at."""
    return Evening(kit_of(game_id), seats, seed)


def evenings(kit: Kit, seeds: range, seats: tuple[int, ...]) -> Iterator[Evening]:
    return (evening_of(kit.game.id, size, seed) for seed in seeds for size in seats)


def told(outlet: Outlet, at: Snapshot, audience: SeatId, number: int) -> bytes:
    return sent(outlet, at, audience, number, whole=number % WHOLE_EVERY == WHOLE_EVERY - 1)


def same_tap(outlet: Outlet, here: Snapshot, piece: PieceId, there: Snapshot, other: PieceId) -> bool:
    """Whether the box shows the same if either piece is laid down by someone who has it.

    If the rules treat the two differently, their owner gives that away by laying it down.
    """
    (end, page), (other_end, other_page) = outlet.tapped(here, piece), outlet.tapped(there, other)
    same = end != other_end or page == other_page
    return same and outlet.checked(here, piece) == outlet.checked(there, other)


def pieces_of(move: Move) -> set[PieceId]:
    if isinstance(move, Back):
        return set()
    return {getattr(move.intent, n) for n, kind in argument_kinds(type(move.intent)) if kind == "piece"}


def in_place(move: Move, there: dict[PieceId, PieceId], audience: SeatId) -> Move:
    """The move with the two pieces swapped; what the audience itself says stays as it was."""
    if isinstance(move, Back) or (audience != PUBLIC and move.intent.actor == audience):
        return move
    intent = move.intent
    pieces = {n: getattr(intent, n) for n, kind in argument_kinds(type(intent)) if kind == "piece"}
    swapped = replace(intent, **{name: there.get(piece, piece) for name, piece in pieces.items()})
    return replace(move, intent=swapped)
