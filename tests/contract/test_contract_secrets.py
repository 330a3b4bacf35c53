"""Whatever the game: a secret reaches exactly those who may know it.

Non-interference. Play an evening. Take two pieces that Ada never told apart, and play the same evening with the two in
each other's place. Every byte that Ada was sent must be the same: views, pictures, lists, refusals (also to wishes that
she only tries out), history, take-back lists, and the box, which all can see.
"""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any, NamedTuple, get_args

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace

from companion.core.ids import PUBLIC, PieceId, SeatId
from companion.core.rules import argument_kinds
from companion.core.secrets import classify
from companion.core.telling import known_pieces
from companion.snapshot import Snapshot
from tests.contract.evening import Back, Move, evening, replayed
from tests.contract.kit import Kit, pick
from tests.contract.sent import LEAKS, OpenDeck, Outlet, audiences, sent, superstitious

STEPS = 70
WHOLE_EVERY = 15
WORD = re.compile(rb"[A-Za-z0-9_/-]+")


def test_every_field_of_states_and_events_says_who_may_see_it(kit: Kit) -> None:
    events = get_args(kit.game.event) or (kit.game.event,)
    for cls in (kit.game.state, *events):
        classify(cls)
        for inner in structs_within(cls):
            classify(inner)


def structs_within(cls: type) -> set[type]:
    """The structs of the same game that a class holds, at any depth: steps, effects, zones."""
    found: set[type] = set()
    todo = [cls]
    while todo:
        holder = todo.pop()
        static = {name for name, mark in classify(holder).items() if mark == "static"}
        for field in msgspec.structs.fields(holder):
            for inner in () if field.name in static else _structs(field.type):
                if inner not in found and inner.__module__.startswith("companion.games"):
                    found.add(inner)
                    todo.append(inner)
    return found


def _structs(hint: Any) -> list[type]:
    if isinstance(hint, type) and issubclass(hint, Struct):
        return [hint]
    return [found for inner in get_args(hint) for found in _structs(inner)]


def keeps_secrets(kit: Kit) -> bool:
    """Whether some may know what others may not: else all lies open but what lies face down for everyone."""
    events = get_args(kit.game.event) or (kit.game.event,)
    every = {inner for cls in (kit.game.state, *events) for inner in (cls, *structs_within(cls))}
    return any(mark == "guarded" for cls in every for mark in classify(cls).values())


class Pair(NamedTuple):
    """Two pieces that an audience did not tell apart before step `until`."""

    one: PieceId
    other: PieceId
    until: int

    def __str__(self) -> str:
        return f"{self.one} and {self.other}, in {self.until} steps"


class Evening:
    """What was done, and what each audience was sent about it by a sound build."""

    def __init__(self, kit: Kit, seats: int, seed: int, folder: Path) -> None:
        self.kit, self.seed, self.folder = kit, seed, folder
        self.moves, self.shown = evening(kit, seats, seed, STEPS, folder)
        self.setup = self.shown[0].state.setup
        self.audiences = audiences(seats, seed)
        self._sound: dict[SeatId, list[bytes]] = {}
        # Where nobody keeps a secret, a piece is seen by all as it is turned up: there the two worlds part, and all
        # that can be asked of that step is that both go on.
        self.parting = int(not keeps_secrets(kit))

    def sound(self, audience: SeatId) -> list[bytes]:
        """What a sound build tells this audience, moment by moment."""
        if audience not in self._sound:
            outlet = Outlet(self.kit)
            self._sound[audience] = [told(outlet, at, audience, number) for number, at in enumerate(self.shown)]
        return self._sound[audience]

    def first_seen(self, audience: SeatId) -> dict[PieceId, int]:
        """When each piece was first named to the audience; those never named are left out."""
        seen = dict[PieceId, int]()
        pieces = {piece.encode(): piece for piece in self.kit.game.pieces(self.kit.pack)}
        for number, heard in enumerate(self.sound(audience)):
            for word in set(WORD.findall(heard)) & pieces.keys():
                seen.setdefault(pieces[word], number)
        return seen

    def pair(self, audience: SeatId) -> Pair | None:
        """Two pieces worth swapping: one of them was handled while both were unknown to the audience."""
        seen, chance, end = self.first_seen(audience), random.Random(self.seed), len(self.moves)
        pieces = self.kit.game.pieces(self.kit.pack)
        handled = {p: number for number in reversed(range(end)) for p in pieces_of(self.moves[number])}
        touched = [p for p in pieces if p in handled and handled[p] < seen.get(p, end) + self.parting]
        longest = sorted(touched, key=lambda p: handled[p] - seen.get(p, end))[:5]
        for one in sorted(longest, key=lambda _: chance.random()):
            late = [p for p in pieces if p != one and seen.get(p, end) > handled[one] + 1 - self.parting]
            alike = [p for p in late if self.kit.alike(p, one, self.setup)]
            if alike:
                other = pick(chance, alike)
                return Pair(one, other, min(seen.get(one, end), seen.get(other, end)))
        return None

    def leak(self, outlet: Outlet, audience: SeatId) -> str:
        """How the audience could tell two worlds apart; "" if it could not."""
        pair = self.pair(audience)
        if pair is None:
            return ""
        there = {pair.one: pair.other, pair.other: pair.one}
        moves = [in_place(move, there, audience) for move in self.moves[: pair.until + self.parting]]
        elsewhere = iter(range(pair.until + self.parting))
        found: list[str] = []

        def compare(other: Snapshot) -> bool:
            number = next(elsewhere)
            if number == pair.until:
                return True
            here = self.shown[number]
            sound = type(outlet) is Outlet
            mine = self.sound(audience)[number] if sound else told(outlet, here, audience, number)
            if mine != told(outlet, other, audience, number):
                found.append(f"audience {audience} was sent something else at step {number} ({pair})")
            elif not same_tap(outlet, here, pair.one, other, pair.other):
                found.append(f"the box showed something else at step {number} when it was tapped ({pair})")
            return not found

        if not replayed(outlet.game, self.setup, moves, self.folder, compare) and not found:
            found.append(f"audience {audience}: the game went another way ({pair})")
        return "".join(found)


def told(outlet: Outlet, at: Snapshot, audience: SeatId, number: int) -> bytes:
    return sent(outlet, at, audience, number, whole=number % WHOLE_EVERY == WHOLE_EVERY - 1)


def same_tap(outlet: Outlet, here: Snapshot, piece: PieceId, there: Snapshot, other: PieceId) -> bool:
    """Whether the box shows the same when either piece is laid down by someone who has it.

    Where the rules treat the two differently, their owner gives that away by laying it down.
    """
    (end, page), (other_end, other_page) = outlet.tapped(here, piece), outlet.tapped(there, other)
    same = end != other_end or page == other_page
    return same and outlet.checked(here, piece) == outlet.checked(there, other)


def pieces_of(move: Move) -> set[PieceId]:
    if isinstance(move, Back):
        return set()
    return {getattr(move.intent, n) for n, kind in argument_kinds(type(move.intent)) if kind == "piece"}


def in_place(move: Move, there: dict[PieceId, PieceId], audience: SeatId) -> Move:
    """The move with the two pieces in each other's place; what the audience itself says stays as it said it."""
    if isinstance(move, Back) or (audience != PUBLIC and move.intent.actor == audience):
        return move
    intent = move.intent
    pieces = {n: getattr(intent, n) for n, kind in argument_kinds(type(intent)) if kind == "piece"}
    swapped = replace(intent, **{name: there.get(piece, piece) for name, piece in pieces.items()})
    return replace(move, intent=swapped)


@pytest.mark.parametrize("seed", range(4))
def test_nobody_can_tell_apart_what_they_were_never_shown(kit: Kit, seed: int, tmp_path: Path) -> None:
    tried = 0
    for seats in kit.seats():
        played = Evening(kit, seats, seed, tmp_path)
        tried += sum(played.pair(audience) is not None for audience in played.audiences)
        assert [leak for audience in played.audiences if (leak := played.leak(Outlet(kit), audience))] == []
    assert tried > len(kit.seats()), "there was hardly anything to tell apart"


@pytest.mark.parametrize("broken", LEAKS)
def test_a_build_that_tells_too_much_is_caught(kit: Kit, broken: type[Outlet], tmp_path: Path) -> None:
    """The controls: six builds, each of which leaks in one way."""
    if not keeps_secrets(kit):
        pytest.skip("nobody knows more than others here; see what lies face down, below")
    evenings = (Evening(kit, seats, seed, tmp_path) for seed in range(8) for seats in kit.seats()[:2])
    assert any(played.leak(broken(kit), audience) for played in evenings for audience in played.audiences)


def test_a_build_that_acts_on_a_secret_is_caught(kit: Kit, tmp_path: Path) -> None:
    """One more control: a game in which chance avoids some pieces, so that what nobody saw can be guessed."""
    broken = superstitious(kit)
    evenings = (Evening(broken, kit.seats()[0], seed, tmp_path) for seed in range(8))
    assert any(played.leak(Outlet(broken), audience) for played in evenings for audience in played.audiences)


def told_of_the_unseen(kit: Kit, outlet: Outlet, folder: Path) -> set[bytes]:
    """The pieces that were named to somebody who did not see them, in some evenings."""
    found = set[bytes]()
    for seats in kit.seats()[:2]:
        for at in evening(kit, seats, seats, STEPS, folder)[1][::3]:
            for audience in audiences(seats, 0):
                parts = [outlet.view, outlet.picture, outlet.words, outlet.choices]
                said = [part(at, audience) for part in parts]
                words = set(WORD.findall(msgspec.json.encode([*said, outlet.box(at) if audience == PUBLIC else ()])))
                unseen = {lies.piece for lies in kit.game.layout(at.state)} - known_pieces(kit.game, at.view(audience))
                found |= words & {piece.encode() for piece in unseen}
    return found


def test_what_lies_face_down_is_named_to_nobody(kit: Kit, tmp_path: Path) -> None:
    assert told_of_the_unseen(kit, Outlet(kit), tmp_path) == set()


def test_a_build_that_names_the_deck_is_caught(kit: Kit, tmp_path: Path) -> None:
    """The control: a view that was not masked."""
    assert told_of_the_unseen(kit, OpenDeck(kit), tmp_path)
