"""The mats of a game: what can be built, can be said, and tells nothing that lies hidden."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice
from typing import Any

import pytest

from companion.app.kit.kit import Kit
from companion.core import ANTENNA, PUBLIC, Mat, PlaceId, Token, known_pieces, mask, mentions_it, verb_of
from companion.core.mats import MOST
from companion.library import LANGS, Lang

APART = 20
"""Millimetres between two antennas; any closer and they disturb each other."""
STEPS = 150


def mats(kit: Kit) -> Iterator[tuple[int, Mat]]:
    low, high = kit.game.seats
    return ((seats, mat) for seats in range(low, high + 1) for mat in kit.game.mats(seats))


def test_the_first_mat_is_one_wand_and_every_name_is_there_once(kit: Kit) -> None:
    low, high = kit.game.seats
    for seats in range(low, high + 1):
        first, *others = kit.game.mats(seats)
        assert (first.name, [spot.place for spot in first.spots]) == ("wand", [None])
        names = [first.name, *(mat.name for mat in others)]
        assert len(set(names)) == len(names)
        assert names == [mat.name for mat in kit.game.mats(low)], "a mat is there for every number of seats"


def test_every_mat_has_a_wand_and_no_more_readers_than_can_be_wired(kit: Kit) -> None:
    for _, mat in mats(kit):
        assert 1 <= len(mat.spots) <= MOST
        assert None in [spot.place for spot in mat.spots], f"{mat.name}: what has no reader is laid on a wand"
        assert not {spot.place for spot in mat.spots} & set(mat.left_out)


def test_no_two_antennas_are_too_close(kit: Kit) -> None:
    for _, mat in mats(kit):
        width, height = mat.size()
        for spot in mat.spots:
            assert ANTENNA[0] / 2 <= spot.x <= width - ANTENNA[0] / 2
            assert ANTENNA[1] / 2 <= spot.y <= height - ANTENNA[1] / 2
        for one, other in combinations(mat.spots, 2):
            across, along = abs(one.x - other.x) - ANTENNA[0], abs(one.y - other.y) - ANTENNA[1]
            assert max(across, along) >= APART, f"{mat.name}: {one} and {other}"


@pytest.mark.parametrize("lang", LANGS)
def test_every_mat_and_every_place_on_it_has_words(kit: Kit, lang: Lang) -> None:
    speaker = kit.speaker(lang)
    for _, mat in mats(kit):
        assert speaker.key(f"mat.{mat.name}") != f"mat.{mat.name}"
        for place in (*(spot.place for spot in mat.spots), *mat.left_out):
            said = None if place is None else kit.game.place(place)
            assert said is None or (speaker.say(said) != said.key and "{" not in speaker.say(said))


def zones(kit: Kit, seats: int) -> set[PlaceId]:
    """The places that readers watch, not counting trays, where things only pass by."""
    places = {spot.place for mat in kit.game.mats(seats) for spot in mat.spots if spot.place is not None}
    return places - kit.game.trays(kit.pack)


def hidden(kit: Kit, state: Any, places: set[PlaceId]) -> list[str]:
    """What lies at these places and is not known to everybody."""
    known = known_pieces(kit.game, mask(state, PUBLIC))
    return [lies.piece for lies in kit.game.layout(state) if lies.place in places and lies.piece not in known]


def test_no_reader_lies_where_it_would_tell_a_secret_and_each_is_used(kit: Kit) -> None:
    for seats in kit.seats():
        used, bound = set[PlaceId](), zones(kit, seats)
        for step in islice(kit.sensible(seats, 0), STEPS):
            state = step.verdict.after
            assert hidden(kit, state, bound) == []
            used |= bound & {lies.place for lies in kit.game.layout(state)}
        assert bool(used) == bool(bound), "a zone where nothing ever lies is no place of this game"


@pytest.mark.slow
def test_every_tray_means_something(kit: Kit) -> None:
    """Passing by a tray says what is done; a tray that stands for nothing is found."""
    for seats in kit.seats():
        laid = {place for mat in kit.game.mats(seats) for place in mat.zones().values()} & kit.game.trays(kit.pack)
        missed = {*laid, PlaceId("nowhere")}
        for step in kit.playout(seats, 3, 20 * STEPS):
            verb, tokens = verb_of(kit.game, step.intent), [Token("place", place) for place in missed]
            met = [t for t in tokens if mentions_it(step.intent, t) or verb.stands_for(step.before, step.intent, t)]
            missed -= {PlaceId(str(token.value)) for token in met}
        assert missed == {"nowhere"}


def test_a_reader_under_a_pile_would_be_noticed(kit: Kit) -> None:
    """The control: among all places, those that hide something are found."""
    if not kit.hides_anything:
        pytest.skip(f"nothing lies face down in {kit.game.id}")
    found = False
    for step in islice(kit.sensible(kit.seats()[0], 0), STEPS):
        places = {lies.place for lies in kit.game.layout(step.verdict.after)}
        found = found or hidden(kit, step.verdict.after, places) != []
    assert found
