"""The short texts are short, even with the longest city and claim; the contract kit checks everything else."""

from __future__ import annotations

import pytest

from companion.app.kit.kit import kit_of
from companion.app.kit.words import too_long
from companion.core import Fact, Name, Piece, PieceId, Place, PlaceId, Seat, SeatId, Word
from companion.games.one_false_step import GAME
from companion.library import LANGS, Lang

_LONGEST_NAME = Piece(PieceId("whistlers-gap"))
_SEATS = ("to", "seat", "by", "loser", "winner", "holder", "actor", "defender")
_LONGEST: dict[str, Fact] = {
    **dict.fromkeys(_SEATS, Seat(SeatId(2))),
    "city": _LONGEST_NAME,
    "name": _LONGEST_NAME,
    "board": Piece(PieceId("board-8")),
    "card": Piece(PieceId("know-guidance")),
    "place": Place(PlaceId("food/2")),
    "claim": Place(PlaceId("mine/8-k")),
    "day": Word("day.wednesday"),
    "colour": Word("colour.red"),
    "system": Word("system.fuel"),
    "x": Name("2W"),
    "y": Name("2N"),
}


def _longest(name: str, key: str) -> Fact:
    match name:
        case "to" if "train" in key:
            return _LONGEST_NAME
        case "place" if "board" in key:
            return Place(PlaceId("at/-2/-2"))
        case _:
            return _LONGEST.get(name, 28)


@pytest.mark.parametrize("lang", LANGS)
def test_short_forms_fit_the_display(lang: Lang) -> None:
    assert too_long(kit_of(GAME.id), lang, _longest) == []
