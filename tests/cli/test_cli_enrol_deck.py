"""A whole deck is enrolled by its order on the pretend table, with every kind of bad tag planted in it."""

from __future__ import annotations

import queue
import random

from companion import shelf
from companion.cli.enrolling import Enrolling, Happening, Naming, Typed, Waited
from companion.core.ids import GameId, PieceId, ReaderId, SeatId, Uid
from companion.core.inputs import Tapped
from companion.tagbook import PieceTag, SeatTag, Tag, Tagbook
from firmware_bridge.link import Link
from firmware_bridge.pretend import PretendPico

DECK = 56
READERS = (ReaderId("left"), ReaderId("right"))
GAME = shelf.open("actionworks")
WANTED: tuple[Tag, ...] = tuple(PieceTag(GAME.id, piece) for piece in GAME.pieces(shelf.pack(GAME))[:DECK])
OTHER = PieceTag(GameId("another-game"), PieceId("coil-7"))
FOREIGN, SEAT = Uid("04F00001"), Uid("04F00002")


def called(tag: Tag) -> str:
    return f"{tag.piece} of {tag.game}" if isinstance(tag, PieceTag) else f"{tag}"


class Hands:
    """Lay cards one after the other on a pretend Pico; what came of it is put on record."""

    def __init__(self, pico: PretendPico, came: queue.SimpleQueue[Happening]) -> None:
        self.pico = pico
        self.came = came
        self.rng = random.Random(1)

    def lay(self, uid: Uid) -> Happening:
        self.pico.lay(uid, self.rng.choice(READERS))
        happening = self.came.get(timeout=20)
        self.pico.lift(uid)
        return happening


def test_56_cards_by_order_with_every_planted_fault_found_and_named() -> None:
    assert len(WANTED) == DECK
    book, said = Tagbook(), list[str]()
    book.enrol(FOREIGN, OTHER)
    book.enrol(SEAT, SeatTag(SeatId(2)))
    fresh = [Uid(f"04BEEF{n:08X}") for n in range(DECK)]
    came: queue.SimpleQueue[Happening] = queue.SimpleQueue()
    pico = PretendPico()
    pico.start()
    link = Link(lambda: pico.port, lambda given: came.put(given) if isinstance(given, Tapped) else None, lambda _: None)
    link.start()
    assert pico.wait_heard()
    hands = Hands(pico, came)
    planted = {7: FOREIGN, 19: SEAT, 30: fresh[4], 31: fresh[30], 55: fresh[0]}

    def deck():  # type: ignore[no-untyped-def]
        for n, uid in enumerate(fresh):
            if n in planted:
                yield hands.lay(planted[n])
            if n == 40:
                yield Waited(10.0)
                yield Waited(10.0)
            if n == 50:
                yield hands.lay(fresh[55])
                yield Typed("u")
            yield hands.lay(uid)

    sitting = Enrolling(book, WANTED, called, said.append)
    sitting.follow(deck())
    link.close()
    pico.close()
    assert sitting.given == DECK
    assert [book.find(uid) for uid in fresh] == list(WANTED)
    named = [line.split(";")[0] for line in said if "already" in line]
    assert named == [
        f"Tag {FOREIGN} is already coil-7 of another-game",
        f"Tag {SEAT} is already {called(SeatTag(SeatId(2)))}",
        *(f"Tag {uid} is already {called(WANTED[n])}" for n, uid in ((4, fresh[4]), (30, fresh[30]), (0, fresh[0]))),
    ]
    dead = [line for line in said if "its tag is dead" in line]
    assert len(dead) == 1
    assert called(WANTED[40]) in dead[0]
    assert f"Tag {fresh[55]} is free again." in said


def test_tell_me_this_card() -> None:
    book, said = Tagbook(), list[str]()
    book.enrol(FOREIGN, OTHER)
    laid = (
        Tapped(FOREIGN, READERS[0]),
        Tapped(SEAT, READERS[0]),
        Waited(10),
        Typed("q\n"),
        Tapped(FOREIGN, READERS[0]),
    )
    Naming(book, called, said.append).follow(laid)
    assert said[1:] == [
        f"Tag {FOREIGN} is coil-7 of another-game.",
        f"Tag {SEAT} is in no tagbook: it is free, or its card is not enrolled.",
    ]
    assert book.all() == ((FOREIGN, OTHER),)
