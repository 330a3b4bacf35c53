"""The 46 Path cards, and cards that owners type in themselves."""

from __future__ import annotations

from itertools import permutations

import msgspec
import pytest

from companion.core import CompanionError, PieceId, PlaceId, Wrong
from companion.games.timeline.state import ENDS, FACES, Pack, colours, describe, entries, exits, lines_of, pieces, place
from companion.games.timeline.state.cards import BadFace, Ends, Face, Words
from companion.library import card_forms, packs
from tests.games.timeline.board import PACK


@pytest.mark.rule("T25")
def test_the_pack_has_every_permutation_but_the_straight_one_twice() -> None:
    expected = {"".join(p) for p in permutations("1234")} - {"1234"}
    assert {face.exits for face in PACK.faces} == expected
    assert len(PACK.faces) == 23
    assert len(pieces(PACK)) == 46 + 5
    assert {face.count for face in PACK.faces} == {2}


@pytest.mark.rule("T3")
def test_each_card_has_a_waypoint_of_each_colour() -> None:
    for lines in lines_of(PACK, False).values():
        assert sorted(colours(lines)) == [0, 1, 2, 3]
        assert [entries(lines)[out] for out in exits(lines)] == [0, 1, 2, 3]


def test_faces_are_those_of_the_table_of_facts() -> None:
    for number, lines in {1: "1243RBYG", 9: "4123BGYR", 13: "2413GBYR", 18: "2341GBYR", 23: "4321BYRG"}.items():
        assert PACK.faces[number - 1].lines == lines


def typed_face(exits: str, colours: str, count: str = "2") -> tuple[Face | None, tuple[Wrong, ...]]:
    return card_forms.read(FACES, {"exits": exits, "colours": colours, "count": count}, None)


@pytest.mark.parametrize("colours", ["GBYR", "gbyr"])
def test_a_card_is_typed_as_four_digits_and_four_letters(colours: str) -> None:
    face, wrongs = typed_face("2413", colours)
    assert wrongs == ()
    assert face is not None
    assert face.lines == "2413GBYR"


@pytest.mark.parametrize(
    ("exits", "colours", "field"),
    [
        ("", "GBYR", "exits"),
        ("241", "GBYR", "exits"),
        ("24133", "GBYR", "exits"),
        ("2513", "GBYR", "exits"),
        ("1123", "GBYR", "exits"),
        ("2413", "", "colours"),
        ("2413", "GBY", "colours"),
        ("2413", "GBYY", "colours"),
        ("2413", "gbyY", "colours"),
        ("2413", "GBYX", "colours"),
    ],
)
def test_what_is_no_card_is_refused_at_its_field(exits: str, colours: str, field: str) -> None:
    face, wrongs = typed_face(exits, colours)
    assert face is None
    assert [wrong.field for wrong in wrongs] == [field]


def test_one_drawing_is_listed_once() -> None:
    assert [wrong.field for wrong in FACES.wrong(PACK, Face("2413", "gbyr"))] == ["exits"]
    assert FACES.wrong(PACK, Face("1234", "BYRG")) == ()


def test_start_and_finish_are_one_form() -> None:
    (ends,) = ENDS.read(PACK)
    assert ends == Ends("BYRG", 1, 2, 3, 4)
    mine = ENDS.write(PACK, (Ends("rgyb", 4, 3, 2, 1),))
    assert (mine.start, mine.finish, mine.faces) == ("RGYB", (4, 3, 2, 1), PACK.faces)


def test_a_pack_of_hand_made_cards() -> None:
    mine = FACES.write(PACK, (Face("2134", "BRYG", 3), Face("4321", "byrg", 1)))
    cards = [PieceId(f"face-1{mark}") for mark in "abc"] + [PieceId("face-2")]
    assert list(lines_of(mine, False)) == cards
    assert lines_of(mine, False)[PieceId("face-2")] == "4321BYRG"


def test_a_broken_face_in_a_file_is_told() -> None:
    with pytest.raises(msgspec.ValidationError, match=r"regex.*exits"):
        msgspec.convert({"exits": "1123", "colours": "BYRG"}, Face)
    with pytest.raises(BadFace, match="give each of 1, 2, 3, 4 once") as caught:
        Face("1123", "BYRG")
    assert isinstance(caught.value, CompanionError)
    assert isinstance(caught.value, ValueError)
    with pytest.raises(BadFace, match="give each of B, Y, R, G once"):
        Face("1243", "BYRR")
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
