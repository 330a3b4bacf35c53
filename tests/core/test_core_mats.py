"""Mats: rows of antennas, as many as readers last."""

from __future__ import annotations

from companion.core.facts import say
from companion.core.ids import PlaceId, ReaderId
from companion.core.mats import MOST, ONE_WAND, WAND, Spot, find, mat, zones
from companion.core.readers import called, numbered, said_of

A, B = PlaceId("a"), PlaceId("b")


def test_rows_lie_below_each_other() -> None:
    made = mat("slots", WAND, (A, A, B))
    assert made.spots == (Spot(None, 50, 60), Spot(A, 50, 180), Spot(A, 150, 180), Spot(B, 250, 180))
    assert made.size() == (300, 240)


def test_a_place_may_have_several_readers_and_a_wand_has_no_place() -> None:
    made = mat("slots", WAND, (A, A, B))
    assert made.zones() == {ReaderId("r02"): A, ReaderId("r03"): A, ReaderId("r04"): B}
    assert [reader for reader, _ in made.readers()] == ["r01", "r02", "r03", "r04"]
    assert ONE_WAND.zones() == {}


def test_rows_for_which_no_readers_are_left_are_left_out_whole() -> None:
    rows = [tuple(PlaceId(f"{row}/{at}") for at in range(4)) for row in range(8)]
    made = mat("seat", WAND, *rows)
    assert len(made.spots) == 1 + 5 * 4 <= MOST
    assert made.left_out == tuple(place for row in rows[5:] for place in row)


def test_zones_come_in_rows_of_four() -> None:
    assert zones(*"aaaaab") == ((A, A, A, A), (A, B))


def test_a_mat_is_found_by_its_name() -> None:
    made = mat("slots", WAND, (A,))
    assert find("slots", (ONE_WAND, made)) == made
    assert find("seat", (ONE_WAND, made)) is None
    assert find(None, (ONE_WAND, made)) is None


def test_a_reader_of_a_mat_is_called_by_its_number() -> None:
    assert said_of(numbered(7)) == say("reader.numbered", at=7)
    assert said_of(ReaderId("left")) == say("reader.left")
    assert called(ReaderId("r7")).key == "reader.named"
