"""The referee check by photograph: what lies otherwise than the record says is named, as the one who looks knows it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.core.ids import PieceId, PlaceId
from companion.library import shelf
from companion.library.codes import codes_of
from companion.library.enrolment import Things
from companion.library.tagbook import PieceTag, PlaceTag
from companion.phones.photo.placing import slots
from companion.phones.photo.spotting import Sighted, spotted
from tests.printed import Card, Eye, photograph

GAME = shelf.open("us-patent")
PACK = shelf.pack(GAME)
CODES = codes_of(Things(GAME.id, GAME.pieces(PACK), 4, places=GAME.places(PACK)))
SPREAD = GAME.spreads(4)[0]
MACHINE = PieceId(PACK.inventors[0].id)
CARDS = tuple(PieceId(card.id) for card in PACK.upgrades[:8])


def sheet(lying: dict[str, PieceId | None], rng: Random, machine: PieceId = MACHINE) -> list[Card]:
    """The sheet of the first seat: a card, nothing (""), or a card face down (None) in each slot, laid by hand."""
    cards = []
    for cell in SPREAD.cells:
        slot = cell.place.split("/")[-1]
        piece = machine if cell.place == SPREAD.anchor else lying.get(slot, PieceId(""))
        x, y = 63.0 * (cell.column - 1), 88.0 * (cell.row - 0.5)
        if piece is None:
            continue
        if piece:
            off = (rng.uniform(-3, 3), rng.uniform(-3, 3), rng.uniform(-4, 4))
            cards.append(Card(CODES.number(PieceTag(GAME.id, piece)), x + off[0], y + off[1], off[2]))
        else:
            cards.append(Card(CODES.number(PlaceTag(GAME.id, cell.place)), x, y))
    return cards


def read(cards: list[Card], eye: Eye) -> Any:
    found = spotted(photograph(cards, eye).jpeg)
    assert isinstance(found, Sighted)
    tags = {each: CODES.thing(each.digits) for each in found.codes}
    pieces = {tag.piece: each for each, tag in tags.items() if isinstance(tag, PieceTag)}
    places = {tag.place: each for each, tag in tags.items() if isinstance(tag, PlaceTag)}
    return slots(SPREAD, found, places, pieces, MACHINE)


@pytest.mark.parametrize("seed", range(6))
def test_a_sheet_tells_empty_face_up_and_face_down_apart(seed: int) -> None:
    rng = Random(seed)
    eye = Eye(px=55, tilt=rng.uniform(0, 25), side=rng.uniform(0, 360), blur=0.5)
    found = read(sheet({"weapon": CARDS[0], "chassis": None, "plant": CARDS[1]}, rng), eye)
    assert found.lying == {
        SPREAD.anchor: MACHINE,
        PlaceId("slot/0/weapon"): CARDS[0],
        PlaceId("slot/0/plant"): CARDS[1],
    }
    assert found.empty == {PlaceId("slot/0/shield")}
    assert found.neither <= {PlaceId("slot/0/chassis")}


@pytest.mark.parametrize("seed", range(6))
def test_the_machine_alone_anchors_a_sheet_whose_slots_are_all_covered(seed: int) -> None:
    rng = Random(seed)
    eye = Eye(px=60, tilt=rng.uniform(0, 15), side=rng.uniform(0, 360), blur=0.4)
    full = {slot: CARDS[n] for n, slot in enumerate(("weapon", "shield", "chassis", "plant"))}
    found = read(sheet({**full}, rng), eye)
    assert {place.split("/")[-1]: piece for place, piece in found.lying.items()} == {"0": MACHINE, **full}


def test_cards_beside_a_sheet_lie_in_no_slot() -> None:
    found = read([*sheet({}, Random(1)), Card(CODES.number(PieceTag(GAME.id, CARDS[0])), 0, 60)], Eye(px=50))
    assert CARDS[0] not in found.lying.values()
    assert len(found.empty) == 4


def test_a_sheet_that_is_not_on_the_photo_says_nothing() -> None:
    assert read([Card(CODES.number(PieceTag(GAME.id, CARDS[0])), 0, 0)], Eye(px=80)) is None
