"""Tags are given to pieces, one by one or as a deck; through a real link to a pretend Pico, and without any."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from companion import shelf
from companion.cli import enrol as enrol_file
from companion.cli.enrolling import Enrolling, Happening, Noticed, Typed
from companion.core.ids import GameId, PieceId, ReaderId, SeatId, Uid
from companion.core.inputs import Tapped
from companion.journal import Journal
from companion.main import JOURNAL, TAGS
from companion.tagbook import PieceTag, SeatTag, Tag, Tagbook
from firmware_bridge import link
from firmware_bridge.pretend import PretendPico

from .conftest import Companion

LEFT = ReaderId("left")
DECK: tuple[Tag, ...] = tuple(PieceTag(GameId("pick"), PieceId(name)) for name in ("coil", "plant", "gear"))
ACTIONWORKS = shelf.open("actionworks")
PIECES = ACTIONWORKS.pieces(shelf.pack(ACTIONWORKS))
ONE, TWO, THREE = Uid("04000001"), Uid("04000002"), Uid("04000003")


def called(tag: Tag) -> str:
    return tag.piece if isinstance(tag, PieceTag) else str(tag)


def sit(book: Tagbook, *happenings: Happening) -> tuple[list[str], Enrolling]:
    said: list[str] = []
    sitting = Enrolling(book, DECK, called, said.append)
    sitting.follow(iter(happenings))
    return said, sitting


def tap(uid: Uid) -> Tapped:
    return Tapped(uid, LEFT)


def test_a_deck_is_given_in_order() -> None:
    book = Tagbook()
    said, sitting = sit(book, tap(ONE), tap(TWO), tap(THREE), tap(Uid("04FFFFFF")))
    assert said == [
        "1 of 3: lay coil on a reader.",
        "Tag 04000001 is now coil.",
        "2 of 3: lay plant on a reader.",
        "Tag 04000002 is now plant.",
        "3 of 3: lay gear on a reader.",
        "Tag 04000003 is now gear.",
    ]
    assert sitting.given == 3
    assert book.all() == tuple(sorted(zip((ONE, TWO, THREE), DECK, strict=True), key=lambda pair: pair[1]))


def test_a_tag_that_is_used_already_is_named_at_once_and_nothing_is_given() -> None:
    book = Tagbook()
    book.enrol(TWO, SeatTag(SeatId(0)))
    said, sitting = sit(book, tap(ONE), tap(ONE), tap(TWO))
    assert said[-2].startswith("Tag 04000001 is already coil; nothing was changed.")
    assert said[-1].startswith("Tag 04000002 is already")
    assert "companion enrol --forget 04000002" in said[-1]
    assert sitting.given == 1


def test_the_last_step_can_be_taken_back_a_given_tag_and_a_skipped_one() -> None:
    book = Tagbook()
    said, sitting = sit(book, tap(ONE), Typed("s\n"), Typed("u\n"), Typed("U\n"), Typed("u\n"), tap(TWO))
    assert said == [
        "1 of 3: lay coil on a reader.",
        "Tag 04000001 is now coil.",
        "2 of 3: lay plant on a reader.",
        "3 of 3: lay gear on a reader.",
        "2 of 3: lay plant on a reader.",
        "Tag 04000001 is free again.",
        "1 of 3: lay coil on a reader.",
        "There is nothing to take back yet.",
        "Tag 04000002 is now coil.",
        "2 of 3: lay plant on a reader.",
    ]
    assert sitting.given == 1
    assert book.find(ONE) is None


def test_other_keys_are_explained_and_q_ends() -> None:
    said, sitting = sit(Tagbook(), Typed("x"), Noticed("The reader box is gone."), Typed("q"), tap(ONE))
    assert said[1].startswith("'x' is no key here")
    assert said[2] == "The reader box is gone."
    assert sitting.given == 0


# The command


def test_on_the_pretend_table_nothing_needs_enrolling(companion: Companion, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "find_pico", lambda: None)
    told = companion("enrol")
    assert told.exit_code == 0
    assert "nothing needs enrolling" in told.stdout


def test_one_tag_by_its_number(companion: Companion, data: Path) -> None:
    assert "is now seat 1." in companion("enrol", "--uid", "04:a1:b2:c3", "--seat", 1).stdout
    assert "is now number 7." in companion("enrol", "--uid", "04a1b2c4", "--number", 7).stdout
    assert f"({PIECES[0]})." in companion("enrol", "--uid", "04a1b2c5", "--piece", PIECES[0]).stdout
    assert len(Tagbook.load(data / TAGS).all()) == 3
    listed = companion("enrol", "--list").stdout
    assert "04A1B2C3              seat 1" in listed
    assert f"3 tags in the tagbook; pieces of actionworks without a tag: {len(PIECES) - 1}." in listed


def test_a_tag_is_not_given_away_by_mistake_but_can_be_forgotten(companion: Companion) -> None:
    companion("enrol", "--uid", "04A1B2C3", "--seat", 1)
    refused = companion("enrol", "--uid", "04A1B2C3", "--seat", 2)
    assert refused.exit_code == 1
    assert "Tag 04A1B2C3 is already seat 1; nothing was changed." in refused.stderr
    assert companion("enrol", "--uid", "04A1B2C3", "--seat", 1).exit_code == 0, "the same again is no harm"
    assert "it was seat 1" in companion("enrol", "--forget", "04A1B2C3").stdout
    assert companion("enrol", "--forget", "04A1B2C3").exit_code == 1
    assert companion("enrol", "--uid", "04A1B2C3", "--seat", 2).exit_code == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--uid", "04A1B2C3"), "Give one of --piece, --seat and --number"),
        (("--seat", "1", "--number", "2"), "Give one of"),
        (("--uid", "coil", "--seat", "1"), "'coil' is no tag number"),
        (("--uid", "04A1B2C3", "--piece", PIECES[0] + "x"), f"Did you mean {PIECES[0]!r}?"),
        (("--list", "--seat", "1"), "go alone"),
    ],
)
def test_what_cannot_be_meant_is_refused(companion: Companion, words: tuple[str, ...], says: str) -> None:
    told = companion("enrol", *words)
    assert told.exit_code == 2
    assert says in told.stderr


@pytest.fixture
def pico(monkeypatch: pytest.MonkeyPatch) -> Iterator[PretendPico]:
    """A pretend Pico where a real one would be found."""
    pico = PretendPico()
    pico.start()
    monkeypatch.setattr(link, "find_pico", lambda: pico.port)
    yield pico
    pico.close()


class Hands:
    """Someone at the keyboard who reads what is asked, lays tags on the reader, and types."""

    def __init__(self, pico: PretendPico, tags: list[Uid], then: str) -> None:
        self._pico, self._tags, self._then = pico, tags, then
        self.told: list[str] = []
        self._may_type = threading.Event()

    def hear(self, line: str) -> None:
        self.told.append(line)
        is_ready = "reader box is there" in line or "is now" in line
        if is_ready and self._tags:
            assert self._pico.wait_heard(), "what lay there before is no tap"
            self._pico.lay(self._tags.pop(0), LEFT)
        elif is_ready:
            self._may_type.set()

    def __iter__(self) -> Iterator[str]:
        self._may_type.wait(20)
        return iter([self._then])


def test_a_deck_is_enrolled_through_a_real_link(
    companion: Companion, pico: PretendPico, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = Hands(pico, [ONE, TWO], "q\n")
    monkeypatch.setattr(click, "echo", hands.hear)
    monkeypatch.setattr(enrol_file, "_typed_lines", lambda: hands)
    told = companion("enrol")
    assert told.exit_code == 0
    assert hands.told[-1] == f"Tags given: 2 of {len(PIECES)}."
    assert [uid for uid, _ in Tagbook.load(data / TAGS).all()] == [ONE, TWO]


def test_one_piece_is_enrolled_through_a_real_link(
    companion: Companion, pico: PretendPico, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = Hands(pico, [ONE], "")
    monkeypatch.setattr(click, "echo", hands.hear)
    monkeypatch.setattr(enrol_file, "_typed_lines", lambda: hands)
    assert companion("enrol", "--seat", 2).exit_code == 0
    assert Tagbook.load(data / TAGS).find(ONE) == SeatTag(SeatId(2))


def test_the_readers_of_a_table_that_is_playing_are_left_to_it(
    companion: Companion, pico: PretendPico, data: Path
) -> None:
    with Journal.open(data / JOURNAL):
        told = companion("enrol")
    assert told.exit_code == 1
    assert "another program has this journal open" in told.stderr


def test_the_end_of_the_keyboard_ends_the_sitting(companion: Companion, pico: PretendPico) -> None:
    told = companion("enrol", keys="s\ns\n")
    assert f"3 of {len(PIECES)}" in told.stdout
    assert told.stdout.endswith(f"Tags given: 0 of {len(PIECES)}.\n")
