"""Tags for a whole table: pieces, seats, numbers, readers; every wrong tag is named, and every step can be undone."""

from __future__ import annotations

from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core import (
    UNKNOWN,
    Enrol,
    EnrolRow,
    GameId,
    Name,
    Piece,
    PieceId,
    ReaderId,
    Seat,
    SeatId,
    Uid,
    Word,
    say,
)
from companion.library import Enrolling, NumberTag, PieceTag, SeatTag, Tag, Tagbook, Things, enrolment
from companion.library.enrolment import begin, lay, obey, quiet
from companion.library.tagbook import Swap

LEFT, RIGHT, MID = ReaderId("left"), ReaderId("right"), ReaderId("mid")
COIL, GEAR, LENS = PieceId("coil"), PieceId("gear"), PieceId("lens")
GAME = GameId("pick")
THINGS = Things(GAME, (COIL, GEAR, LENS), seats=2, readers=(LEFT, RIGHT, MID))
ONE, TWO, THREE = Uid("04000001"), Uid("04000002"), Uid("04000003")
PHONE = Uid("08A1B2C3")


def tag(piece: PieceId) -> PieceTag:
    return PieceTag(GAME, piece)


Tags: TypeAlias = dict[Uid, Tag]


class Bench:
    """A tagbook and one row, as a table drives them."""

    def __init__(
        self, row: EnrolRow = "deck", piece: PieceId | None = None, tags: dict[Uid, Tag] | None = None
    ) -> None:
        self.book = Tagbook(tags=tags)
        self.things = THINGS
        self.now: Enrolling | None = begin(self.book, self.things, row, piece)

    def then(self, then: enrolment.Then) -> Enrolling:
        self.now, changes = then
        self.book.change(changes)
        return self.now or enrolment.NOTHING

    def lay(self, uid: str, reader: ReaderId = LEFT) -> Enrolling:
        assert self.now is not None
        return self.then(lay(self.now, self.book, self.things, Uid(uid), reader))

    def do(self, wish: Any) -> Enrolling:
        assert self.now is not None
        return self.then(obey(self.now, self.book, self.things, Enrol(wish)))


def test_a_row_asks_only_for_what_has_no_tag() -> None:
    bench = Bench(tags={ONE: tag(GEAR)})
    assert bench.now is not None
    assert bench.now.wanted == (tag(COIL), tag(LENS))
    assert begin(bench.book, THINGS, "seats").wanted == (SeatTag(SeatId(0)), SeatTag(SeatId(1)))
    assert begin(bench.book, THINGS, "numbers").wanted == tuple(NumberTag(n) for n in range(1, 13))
    assert begin(bench.book, THINGS, "piece", PieceId("spoon")).wanted == ()


@pytest.mark.parametrize(
    ("uid", "note"),
    [
        (ONE, say("enrol.twice", item=Piece(COIL))),
        (TWO, say("enrol.used", item=Seat(SeatId(1)))),
        (THREE, say("enrol.foreign", game=Name("timeline"))),
        (PHONE, say("enrol.passing")),
        ("04000009", say("enrol.used", item=7)),
    ],
)
def test_every_wrong_tag_is_named_and_changes_nothing(uid: str, note: object) -> None:
    bench = Bench(
        tags={
            TWO: SeatTag(SeatId(1)),
            THREE: PieceTag(GameId("timeline"), PieceId("rome")),
            Uid("04000009"): NumberTag(7),
        }
    )
    bench.lay(ONE)
    before = bench.book.all()
    after = bench.lay(uid)
    assert after.note == note
    assert (after.given, bench.book.all()) == (1, before)


def test_a_used_tag_is_given_anyway_when_asked_and_comes_back() -> None:
    bench = Bench(tags={TWO: SeatTag(SeatId(1))})
    assert bench.do("anyway").given == 0, "nothing was refused yet"
    assert bench.lay(TWO).refused == TWO
    assert bench.do("anyway").given == 1
    assert bench.book.find(TWO) == tag(COIL)
    bench.do("undo")
    assert bench.book.find(TWO) == SeatTag(SeatId(1))


def test_one_piece_gets_its_tag_instead_of_the_dead_one() -> None:
    bench = Bench("piece", COIL, tags={ONE: tag(COIL)})
    after = bench.lay(TWO)
    assert (after.note, after.is_done) == (say("enrol.again", item=Piece(COIL)), True)
    assert bench.book.all() == ((TWO, tag(COIL)),)
    bench.do("undo")
    assert bench.book.all() == ((ONE, tag(COIL)),)


def test_its_own_tag_is_no_fault() -> None:
    bench = Bench("piece", COIL, tags={ONE: tag(COIL)})
    assert bench.lay(ONE).note == say("enrol.same", item=Piece(COIL))
    assert bench.do("undo").given == 0
    assert bench.book.find(ONE) == tag(COIL), "what was there before stays"


def test_looking_tells_and_gives_nothing() -> None:
    bench = Bench(tags={ONE: tag(GEAR)})
    bench.do("look")
    assert bench.lay(ONE).note == say("enrol.is", item=Piece(GEAR))
    assert bench.lay(TWO).note == say("enrol.unknown")
    assert bench.do("dead").note == say("enrol.unknown"), "nothing is wanted, so nothing is dead"
    assert bench.do("look").next == tag(COIL)
    assert bench.lay(TWO).given == 1


def test_a_hidden_card_is_just_a_card() -> None:
    bench = Bench(tags={ONE: tag(GEAR), TWO: tag(LENS)})
    bench.things = Things(GAME, THINGS.pieces, 2, (), frozenset([LENS]))
    assert bench.lay(ONE).note == say("enrol.used", item=Piece(UNKNOWN))
    assert bench.lay(TWO).note == say("enrol.used", item=Piece(LENS))
    bench.do("look")
    assert bench.lay(ONE).note == say("enrol.is", item=Piece(UNKNOWN))


def test_readers_get_their_names_by_being_touched() -> None:
    bench = Bench("readers")
    wired = [LEFT, MID, RIGHT]
    bench.lay(ONE, bench.book.reader(RIGHT))
    assert bench.book.reader(RIGHT) == LEFT
    assert bench.lay(ONE, bench.book.reader(RIGHT)).note == say("enrol.twice", item=Word("reader.left"))
    bench.lay(ONE, bench.book.reader(MID))
    bench.lay(ONE, bench.book.reader(LEFT))
    assert [bench.book.reader(each) for each in wired] == [MID, RIGHT, LEFT]
    for _ in wired:
        bench.do("undo")
    assert [bench.book.reader(each) for each in wired] == wired


def test_a_swap_is_undone_by_itself() -> None:
    book = Tagbook()
    book.change([Swap(LEFT, RIGHT), Swap(LEFT, MID)])
    book.change([Swap(LEFT, MID), Swap(LEFT, RIGHT)])
    assert [book.reader(each) for each in (LEFT, RIGHT, MID)] == [LEFT, RIGHT, MID]


UIDS = st.sampled_from([ONE, TWO, THREE, PHONE, Uid("04000004"), Uid("04000005")])
HAPPENINGS = st.lists(st.one_of(UIDS, st.sampled_from(["skip", "undo", "anyway", "look", "dead"])), max_size=25)


@given(HAPPENINGS, st.sampled_from(["deck", "piece", "seats", "readers"]))
def test_whatever_happens_can_be_taken_back_to_the_beginning(happenings: list[str], row: EnrolRow) -> None:
    """And on the way no tag ever means two things, and no wanted thing is silently skipped."""
    bench = Bench(row, COIL, tags={TWO: SeatTag(SeatId(1)), THREE: tag(COIL)})
    first = bench.book.all()
    assert bench.now is not None
    for each in happenings:
        before = bench.now
        after = bench.lay(each) if each in (ONE, TWO, THREE, PHONE, "04000004", "04000005") else bench.do(each)
        assert abs(len(after.steps) - len(before.steps)) <= 1
        assert after.note.key or after == before or each == "look"
        assert after.given == sum(bool(step.uid) for step in after.steps)
    if bench.now.looking:
        bench.do("look")
    while bench.now.steps:
        bench.do("undo")
    assert bench.book.all() == first
    assert [bench.book.reader(each) for each in THINGS.readers] == list(THINGS.readers)


def test_silence_is_named_once_for_each_thing() -> None:
    bench = Bench()
    assert bench.now is not None
    dead = quiet(bench.now)
    assert dead.note == enrolment.DEAD
    assert quiet(dead) == dead
    assert bench.do("end") == enrolment.NOTHING
    assert bench.now is None
