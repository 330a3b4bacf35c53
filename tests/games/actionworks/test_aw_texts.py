"""The short texts are short, and zero never uses the singular; the contract kit checks everything else."""

from __future__ import annotations

import pytest

from companion.app.kit.kit import kit_of
from companion.app.kit.words import too_long
from companion.core import Fact, Name, Piece, Place, PlaceId, Seat, SeatId, Word
from companion.games.actionworks import GAME
from companion.library import LANGS, Lang

KIT = kit_of(GAME.id)


def _longest(name: str, key: str) -> Fact:
    match name:
        case "card" | "like":
            return Piece(GAME.pieces(KIT.pack)[1])
        case "seat" | "of" | "by" | "lender" | "first" | "actor":
            return Seat(SeatId(2))
        case "place":
            return Place(PlaceId("hand/2"))
        case "types" | "what":
            return Word("types.6")
        case "mark":
            return Name("a")
        case _:
            return 28


@pytest.mark.parametrize("lang", LANGS)
def test_short_forms_fit_the_display(lang: Lang) -> None:
    assert too_long(KIT, lang, _longest) == []


@pytest.mark.parametrize(
    "key", ["own.pile", "status.deck", "status.bench", "picture.deck", "picture.bench", "picture.hand"]
)
def test_none_is_never_said_as_one(key: str) -> None:
    """French uses the same form for zero and one."""
    assert all("0" in KIT.speaker(lang).key(key, n=0) for lang in LANGS)
