"""The referee check by photo: what lies differently from the record is named, as far as the viewer may know it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.app.bots import chosen, random_bot
from companion.app.opening import make_setup
from companion.core import TABLE, Accepted, PieceId, PlaceId, SeatId, judge, legal
from companion.games.us_patent.state import SLOTS
from companion.library import PieceTag, PlaceTag, Things, codes_of, shelf
from companion.phones.photo.placing import slots
from companion.phones.photo.spotting import Sighted, spotted
from companion.phones.showing import laying
from companion.table import Chair, Snapshot
from companion.table.record import Position, settled
from tests.printed import Card, Eye, photograph

GAME = shelf.open("us-patent")
PACK = shelf.pack(GAME)
CODES = codes_of(Things(GAME.id, GAME.pieces(PACK), 4, places=GAME.places(PACK)))
SPREAD = GAME.spreads(4)[0]
MACHINE = PieceId(PACK.inventors[0].id)
SEEDS = [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 6))]
CARDS = tuple(PieceId(card.id) for card in PACK.upgrades[:8])


def sheet(lying: dict[str, PieceId | None], rng: Random, machine: PieceId = MACHINE) -> list[Card]:
    """The first seat's sheet: a card, nothing (""), or a card face down (None) in each slot, laid by hand."""
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


@pytest.mark.parametrize("seed", SEEDS)
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


@pytest.mark.parametrize("seed", SEEDS)
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


def moment(seats: int = 3) -> Snapshot:
    """A game of U.S. Patent in which somebody has installed cards, one of them out of order."""
    bot, dice = random_bot(GAME), Random(5)
    state = GAME.start(make_setup(GAME, seats))
    while not any(sum(map(bool, machine.cards)) >= 3 and not all(machine.works) for machine in state.machines):
        seat = dice.choice(GAME.decisions(state)[-1].seats)
        every = legal(GAME, state, seat)
        intent = dice.choice(every) if seat == TABLE else chosen(GAME, bot, state, seat, dice.randrange(1 << 20))
        assert every
        assert intent is not None
        verdict = judge(GAME, state, intent)
        assert isinstance(verdict, Accepted)
        state = verdict.after
    at = settled(GAME, Position(1, state, (1,), (1,) * seats, ()))  # type: ignore[arg-type]
    chairs = tuple(Chair(name) for name in ("Ada", "Ben", "Chloé")[:seats])
    return Snapshot(game=GAME, table="t", beat=0, at=replace(at, chairs=chairs), mode="strict")


@pytest.fixture(scope="module")
def scene() -> Snapshot:
    return moment()


def owner(scene: Snapshot) -> int:
    machines = scene.state.machines
    return next(n for n, each in enumerate(machines) if sum(map(bool, each.cards)) >= 3 and not all(each.works))


def table_of(scene: Snapshot, seat: int, **moved: str) -> list[Card]:
    """A seat's sheet as the record has it, except the slots in which something else was `moved`."""
    machine, cards = scene.state.machines[seat], []
    slots_of: dict[str, Any] = {
        slot: (card, works) for slot, card, works in zip(SLOTS, machine.cards, machine.works, strict=True)
    }
    for cell in GAME.spreads(3)[seat].cells:
        slot = cell.place.split("/")[-1]
        card, works = (machine.card, True) if cell.place.startswith("machine") else slots_of[slot]
        card, works = (moved[slot], True) if slot in moved else (card, works)
        code = CODES.number(PieceTag(GAME.id, PieceId(card)) if card else PlaceTag(GAME.id, cell.place))
        if works or not card:
            cards.append(Card(code, 63.0 * (cell.column - 1), 88.0 * (cell.row - 0.5)))
    return cards


def wrong(scene: Snapshot, seat: int, cards: list[Card]) -> list[str]:
    found = spotted(photograph(cards, Eye(px=55, tilt=10, blur=0.4)).jpeg)
    assert isinstance(found, Sighted)
    laid = laying(scene.seen_by(SeatId(seat)), found, CODES)
    return [said.key for said in laid.wrong]


def test_a_machine_that_lies_as_it_should_is_right(scene: Snapshot) -> None:
    assert wrong(scene, owner(scene), table_of(scene, owner(scene))) == []


def test_an_empty_slot_that_should_hold_a_card_is_named(scene: Snapshot) -> None:
    seat = owner(scene)
    machine = scene.state.machines[seat]
    works = next(slot for slot, card, ok in zip(SLOTS, machine.cards, machine.works, strict=True) if card and ok)
    assert wrong(scene, seat, table_of(scene, seat, **{works: ""})) == ["check.not-there"]


def test_two_cards_in_each_others_slots_are_both_named(scene: Snapshot) -> None:
    seat = owner(scene)
    machine = scene.state.machines[seat]
    up = [(s, c) for s, c, ok in zip(SLOTS, machine.cards, machine.works, strict=True) if c and ok]
    (one, a), (other, b) = up[:2]
    assert wrong(scene, seat, table_of(scene, seat, **{one: b, other: a})) == ["check.lies-elsewhere"] * 2


def test_a_card_that_should_lie_face_down_is_named(scene: Snapshot) -> None:
    seat = owner(scene)
    machine = scene.state.machines[seat]
    down, card = next((s, c) for s, c, ok in zip(SLOTS, machine.cards, machine.works, strict=True) if c and not ok)
    assert wrong(scene, seat, table_of(scene, seat, **{down: card})) == ["check.face-up"]


def test_a_card_that_nobody_has_turned_up_is_named(scene: Snapshot) -> None:
    seat = owner(scene)
    hidden = next(piece for piece in GAME.pieces(PACK) if piece not in scene.seen_by(SeatId(seat)).known)
    lies = Card(CODES.number(PieceTag(GAME.id, hidden)), 0, 75)
    assert wrong(scene, seat, [*table_of(scene, seat), lies]) == ["check.not-open"]


def test_a_sheet_that_is_not_on_the_photo_says_nothing() -> None:
    assert read([Card(CODES.number(PieceTag(GAME.id, CARDS[0])), 0, 0)], Eye(px=80)) is None
