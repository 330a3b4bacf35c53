"""The pretend table is laid out at once: what lies right stays, what lies wrong is lifted, what is missing is laid."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.core import Lies, PieceId, PlaceId, ReaderId, Said, Uid
from companion.library import PieceTag, pretend_uid
from companion.table import PretendReader
from tests.pick import GAME
from tests.web.conftest import Box, Phone
from web.pretend.setting import Moves, moves

BENCH, DECK = PlaceId("bench"), PlaceId("deck")
R1, R2, R3 = ReaderId("r01"), ReaderId("r02"), ReaderId("r03")


def reader(name: ReaderId, place: PlaceId | None, *lying: str) -> PretendReader:
    return PretendReader(name, Said("x"), tuple(map(Uid, lying)), place)


def lies(*pieces: str, place: PlaceId = BENCH) -> tuple[Lies, ...]:
    return tuple(Lies(PieceId(piece), place, "up") for piece in pieces)


def wanted(readers: tuple[PretendReader, ...], lying: tuple[Lies, ...]) -> Moves:
    return moves(readers, lying, lambda piece: Uid(piece.upper()))


def test_what_belongs_there_is_laid_on_free_readers_in_order() -> None:
    empty = (reader(R1, None), reader(R2, BENCH), reader(R3, BENCH))
    assert wanted(empty, lies("a", "b", "c")) == Moves((), ((Uid("A"), R2), (Uid("B"), R3)))


def test_what_lies_right_stays_and_what_does_not_is_lifted() -> None:
    there = (reader(R1, None, "Z"), reader(R2, BENCH, "X"), reader(R3, BENCH, "A"))
    assert wanted(there, (*lies("a", "b"), *lies("x", place=DECK))) == Moves((Uid("X"),), ((Uid("B"), R2),))


def test_a_set_table_needs_no_hand() -> None:
    assert wanted((reader(R2, BENCH, "A"),), lies("a")) == Moves((), ())


@pytest.fixture
def hands(phone: Callable[[], Phone]) -> Phone:
    return phone()


def test_the_page_sets_a_table_that_has_zones_and_only_such_a_one(
    hands: Phone, box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert 'id="set-table"' not in hands.html("/pretend")
    zones = (reader(R1, None), reader(R2, PlaceId("hand-0")))
    monkeypatch.setattr(box, "readers", lambda: zones)
    html = hands.html("/pretend")
    assert 'id="set-table"' in html
    assert html.count("data-reader=") == 2
    assert html.split('id="fold-zones"')[1].count("data-reader=") == 1, "a wand stays in sight"
    assert hands.post("/pretend/set").status_code == 200
    ace = pretend_uid(PieceTag(GAME.id, PieceId("Ace")))
    assert box.done == [("lay", ace, R2)]
    assert hands.post("/pretend/set", reader="r01").status_code == 400
