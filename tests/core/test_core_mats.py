"""Mats: rows of antennas, as many as readers last."""

from __future__ import annotations

from companion.core import (
    ONE_WAND,
    MatSpot,
    Place,
    PlaceId,
    ReaderId,
    find,
    mat,
    phrase,
    reader_called,
    reader_said,
    say,
)
from companion.core.facts import numbered
from companion.core.mats import MOST

A, B = PlaceId("a"), PlaceId("b")


def test_a_wand_lies_above_rows_of_four() -> None:
    made = mat("slots", *[A] * 4, B)
    assert made.spots[:2] == (MatSpot(None, 50, 60), MatSpot(A, 50, 180))
    assert made.spots[-2:] == (MatSpot(A, 350, 180), MatSpot(B, 50, 300))
    assert made.size() == (400, 360)


def test_a_place_may_have_several_readers_and_a_wand_has_no_place() -> None:
    made = mat("slots", A, A, B, None)
    placed = [(reader, spot.place) for reader, spot in made.readers()]
    assert placed == [("r01", None), ("r02", A), ("r03", A), ("r04", B), ("r05", None)]
    assert [spot.place for spot in ONE_WAND.spots] == [None]


def test_where_readers_do_not_last_whole_rows_are_left_out() -> None:
    places = tuple(PlaceId(f"{seat}/{at}") for seat in range(8) for at in range(4))
    made = mat("seat", *places)
    assert len(made.spots) == 1 + 5 * 4
    assert made.left_out == places[20:]
    assert mat("seat", *places[:23]).left_out == ()
    assert len(mat("seat", *places[:23]).spots) == MOST


def test_a_mat_is_found_by_its_name() -> None:
    made = mat("slots", A)
    assert find("slots", (ONE_WAND, made)) == made
    assert find("seat", (ONE_WAND, made)) is None
    assert find(None, (ONE_WAND, made)) is None


def test_a_reader_of_a_mat_is_called_by_its_number() -> None:
    assert reader_said(numbered(7)) == say("reader.numbered", at=7)
    assert reader_said(ReaderId("left")) == say("reader.left")
    assert reader_called(ReaderId("r7"), A).key == "reader.named"
    assert reader_called(numbered(7), A) == phrase("reader.placed", at=7, place=Place(A))
    assert reader_called(numbered(7)) == phrase("reader.numbered", at=7)
