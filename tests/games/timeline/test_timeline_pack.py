"""The 46 Path cards, and cards typed in by people with cards of their own."""

from __future__ import annotations

from itertools import permutations

import msgspec
import pytest

from companion import packs
from companion.core.errors import CompanionError
from companion.core.ids import PieceId, PlaceId
from companion.games.timeline.cards import (
    BadFace,
    Face,
    Pack,
    Words,
    colours,
    describe,
    entries,
    exits,
    face_from_entry,
    lines_of,
    pack_from_entries,
    pieces,
    place,
)
from tests.games.timeline.board import PACK


@pytest.mark.rule("T25")
def test_the_pack_has_every_permutation_but_the_straight_one_twice() -> None:
    expected = {"".join(p) for p in permutations("1234")} - {"1234"}
    assert {face.exits for face in PACK.faces} == expected
    assert len(PACK.faces) == 23
    assert len(pieces(PACK)) == 46
    assert {face.count for face in PACK.faces} == {2}


@pytest.mark.rule("T3")
def test_each_card_has_a_waypoint_of_each_colour() -> None:
    for lines in lines_of(PACK, False).values():
        assert sorted(colours(lines)) == [0, 1, 2, 3]
        assert [entries(lines)[out] for out in exits(lines)] == [0, 1, 2, 3]


def test_faces_are_those_of_the_table_of_facts() -> None:
    for number, lines in {1: "1243RBYG", 9: "4123BGYR", 13: "2413GBYR", 18: "2341GBYR", 23: "4321BYRG"}.items():
        assert PACK.faces[number - 1].lines == lines


@pytest.mark.parametrize("entry", ["2413GBYR", "2413 gbyr", " 2 4 1 3 / g b y r ", "2413-GBYR"])
def test_a_card_is_typed_as_four_digits_and_four_letters(entry: str) -> None:
    assert face_from_entry(entry) == Face("2413", "GBYR", 2)


@pytest.mark.parametrize("entry", ["", "2413", "2413GBY", "24133GBYR", "2513GBYR", "2413GBYY", "GBYR2413", "1123BYRG"])
def test_what_is_no_card_is_refused_with_what_to_do(entry: str) -> None:
    with pytest.raises(BadFace, match=r"type four digits|give each of") as caught:
        face_from_entry(entry)
    assert isinstance(caught.value, CompanionError)
    assert isinstance(caught.value, ValueError)


def test_a_pack_of_hand_made_cards() -> None:
    words = Words("Mine", "Les miennes")
    mine = pack_from_entries("mine", words, words, ["2134 BRYG", "4321 BYRG"], count=3)
    assert pieces(mine) == tuple(PieceId(f"face-{n}{mark}") for n in (1, 2) for mark in "abc")


def test_a_broken_face_in_a_file_is_told() -> None:
    with pytest.raises(msgspec.ValidationError, match="give each of 1, 2, 3, 4 once"):
        msgspec.convert({"exits": "1123", "colours": "BYRG"}, Face)
    with pytest.raises(BadFace, match="start"):
        Pack("x", Words("", ""), Words("", ""), (), "BBRG")


def test_the_pack_says_that_it_is_ours() -> None:
    assert "ours" in PACK.note.en
    assert "nôtre" in PACK.note.fr
    assert packs.Head.__name__


def test_pieces_and_places_have_names() -> None:
    assert describe(PACK, PieceId("face-9b")).key == "piece.face"
    assert describe(PACK, PieceId("face-99")).key == "piece.unknown"
    assert describe(PACK, PieceId("pawn-1")).key == "piece.pawn"
    assert place(PlaceId("column/3")).key == "place.column"
    assert place(PlaceId("card/3/-2")).key == "place.card"
    assert place(PlaceId("oil")).key == "good.oil"
    assert place(PlaceId("deck")).key == "place.deck"
