"""Whatever the game: a secret reaches exactly those who may know it.

Non-interference. Play an evening. Take two pieces that Ada never told apart, and play the same evening with the two
swapped. Every byte that Ada was sent must be the same: views, pictures, lists, refusals (including to wishes that she
only tries out), history, take back lists, and the box, which all can see.
"""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest
from msgspec import Struct

from companion.app.kit.by_itself import helpful, moments, swayed
from companion.app.kit.kit import Kit
from companion.app.kit.sent import LEAKS, OpenDeck, Outlet, superstitious
from companion.app.kit.worlds import WORD, Evening, evenings
from companion.core import PUBLIC
from companion.core.secrets import classify

OPEN = "everything lies open in this game"
SHARED = "nobody knows more than others here; see what lies face down, below"


def test_every_field_of_states_and_events_says_who_may_see_it(kit: Kit) -> None:
    events = get_args(kit.game.event) or (kit.game.event,)
    for cls in (kit.game.state, *events):
        classify(cls)
        for inner in structs_within(cls, kit.module):
            classify(inner)


def structs_within(cls: type, package: str) -> set[type]:
    """The structs of the same game inside a class, at any depth: steps, effects, zones."""
    found: set[type] = set()
    todo = [cls]
    while todo:
        holder = todo.pop()
        static = {name for name, mark in classify(holder).items() if mark == "static"}
        for field in msgspec.structs.fields(holder):
            for inner in () if field.name in static else _structs(field.type):
                if inner not in found and inner.__module__.startswith(package):
                    found.add(inner)
                    todo.append(inner)
    return found


def _structs(hint: Any) -> list[type]:
    if isinstance(hint, type) and issubclass(hint, Struct):
        return [hint]
    return [found for inner in get_args(hint) for found in _structs(inner)]


def tell_apart(kit: Kit, seeds: range, sizes: tuple[int, ...]) -> None:
    tried = 0
    for played in evenings(kit, seeds, sizes):
        tried += sum(played.world(audience) is not None for audience in played.audiences)
        assert [leak for audience in played.audiences if (leak := played.leak(Outlet(kit), audience))] == []
    assert tried > len(sizes), "there was hardly anything to tell apart"


@pytest.mark.slow
def test_nobody_can_tell_apart_what_they_were_never_shown(kit: Kit) -> None:
    if not kit.hides_anything:
        pytest.skip(OPEN)
    tell_apart(kit, range(1), kit.seats()[:1])


@pytest.mark.slow
def test_nor_can_anybody_at_the_largest_table(kit: Kit) -> None:
    if not kit.hides_anything:
        pytest.skip(OPEN)
    tell_apart(kit, range(1, 2), kit.seats()[-1:])


@pytest.mark.slow
@pytest.mark.parametrize("broken", LEAKS)
def test_a_build_that_tells_too_much_is_caught(kit: Kit, broken: type[Outlet]) -> None:
    """The controls: seven builds, each leaking in one way."""
    if not kit.keeps_secrets:
        pytest.skip(SHARED)
    played = evenings(kit, range(8), kit.seats()[:2])
    assert any(each.leak(broken(kit), audience) for each in played for audience in each.audiences)


@pytest.mark.slow
def test_what_happens_by_itself_follows_from_what_everybody_sees(kit: Kit) -> None:
    """At the largest table, where most is hidden from most people."""
    assert list(swayed(kit, kit.game, moments(kit, kit.seats()[-1:]))) == []


@pytest.mark.slow
def test_so_it_does_at_tables_of_all_sizes(kit: Kit) -> None:
    assert list(swayed(kit, kit.game, moments(kit, kit.seats()))) == []


def test_a_build_that_decides_by_a_secret_is_caught(kit: Kit) -> None:
    """The control: a choice made for a seat, based on what only that seat knows."""
    if not kit.keeps_secrets:
        pytest.skip(SHARED)
    assert any(swayed(kit, helpful(kit), moments(kit, kit.seats()[-1:])))


@pytest.mark.slow
def test_a_build_that_acts_on_a_secret_is_caught(kit: Kit) -> None:
    """Another control: a game in which chance avoids some pieces, so that people can guess what nobody has seen."""
    if not kit.hides_anything:
        pytest.skip(OPEN)
    broken = superstitious(kit)
    played = (Evening(broken, kit.seats()[0], seed) for seed in range(8))
    assert any(each.leak(Outlet(broken), audience) for each in played for audience in each.audiences)


def told_of_the_unseen(kit: Kit, outlet: Outlet) -> set[bytes]:
    """The pieces that were named to somebody who had not seen them, in some evenings."""
    found = set[bytes]()
    for played in evenings(kit, range(1), kit.seats()[:2]):
        for at in played.shown[::3]:
            for audience in played.audiences:
                parts = [outlet.view, outlet.picture, outlet.words, outlet.choices]
                said = [part(at, audience) for part in parts]
                words = set(WORD.findall(msgspec.json.encode([*said, outlet.box(at) if audience == PUBLIC else ()])))
                unseen = {lies.piece for lies in kit.game.layout(at.state)} - at.known(audience)
                found |= words & {piece.encode() for piece in unseen - played.known_before(audience)}
    return found


@pytest.mark.slow
def test_what_lies_face_down_is_named_to_nobody(kit: Kit) -> None:
    assert told_of_the_unseen(kit, Outlet(kit)) == set()


@pytest.mark.slow
def test_a_build_that_names_the_deck_is_caught(kit: Kit) -> None:
    """The control: a view that was not masked."""
    if not kit.hides_anything:
        pytest.skip(OPEN)
    played = next(evenings(kit, range(1), kit.seats()))
    if played.known_before(PUBLIC) >= set(kit.game.pieces(kit.pack)):
        pytest.skip("everything lay open before some of it was turned face down: a name gives nothing away")
    assert told_of_the_unseen(kit, OpenDeck(kit))
