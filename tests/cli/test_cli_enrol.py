"""Tags are given to pieces, one by one or as a deck; through a real link to a pretend Pico, and without any."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from companion.app.cli import enrol as enrol_file
from companion.app.cli.enrolling import KEYS, Happening, Keyboard, Noticed, Typed, Waited
from companion.app.opening import DEFAULT_GAME
from companion.core import GameId, Piece, PieceId, ReaderId, Said, SeatId, Tapped, Uid
from companion.journal import JOURNAL, Journal
from companion.library import TAGS, Enrolling, PieceTag, SeatTag, Tagbook, Things, shelf
from companion.library.enrolment import begin
from firmware_bridge import link
from firmware_bridge.pretend import PretendPico
from tests.patience import PATIENCE

from .conftest import Companion

LEFT = ReaderId("left")
DECK = tuple(PieceTag(GameId("pick"), PieceId(name)) for name in ("coil", "plant", "gear"))
FIRST = shelf.open(DEFAULT_GAME)
PIECES = FIRST.pieces(shelf.pack(FIRST))
ONE, TWO, THREE = Uid("04000001"), Uid("04000002"), Uid("04000003")


THINGS = Things(GameId("pick"), tuple(tag.piece for tag in DECK))


def say(said: Said) -> str:
    """The key and what it is about: other tests check the words."""
    about = [fact.id if isinstance(fact, Piece) else str(fact) for _, fact in said.facts]
    return " ".join([said.key, *about])


def sit(book: Tagbook, *happenings: Happening) -> tuple[list[str], Keyboard]:
    told: list[str] = []
    keyboard = Keyboard(book, THINGS, begin(book, THINGS, "deck"), say, told.append)
    keyboard.follow(iter(happenings))
    return told, keyboard


def tap(uid: Uid) -> Tapped:
    return Tapped(uid, LEFT)


def test_a_deck_is_given_in_order() -> None:
    book = Tagbook()
    told, keyboard = sit(book, tap(ONE), tap(TWO), tap(THREE), tap(Uid("04FFFFFF")))
    assert told == [
        "1 of 3: enrol.lay choice coil",
        "enrol.given coil",
        "2 of 3: enrol.lay choice plant",
        "enrol.given plant",
        "3 of 3: enrol.lay choice gear",
        "enrol.given gear",
    ]
    assert keyboard.given == 3
    assert book.all() == tuple(sorted(zip((ONE, TWO, THREE), DECK, strict=True), key=lambda pair: pair[1]))


def test_a_tag_that_is_used_already_is_named_at_once_and_given_only_when_asked() -> None:
    book = Tagbook(tags={TWO: SeatTag(SeatId(0))})
    told, keyboard = sit(book, tap(ONE), tap(ONE), tap(TWO), Typed("a"))
    assert told[3:] == [
        "enrol.twice coil",
        "enrol.used Name(text='#1')",
        "enrol.given plant",
        "3 of 3: enrol.lay choice gear",
    ]
    assert keyboard.given == 2
    assert book.find(TWO) == DECK[1]


def test_keys_take_back_skip_are_explained_and_end() -> None:
    book = Tagbook()
    told, keyboard = sit(
        book,
        tap(ONE), Typed("s\n"), Typed("u\n"), Typed("U\n"), Typed("u\n"), Waited(), Waited(), Typed("x"),
        Noticed("The reader box is gone."), Typed(""), Typed("q"), tap(TWO),
    )  # fmt: skip
    assert told == [
        "1 of 3: enrol.lay choice coil",
        "enrol.given coil",
        "2 of 3: enrol.lay choice plant",
        "enrol.skipped plant",
        "3 of 3: enrol.lay choice gear",
        "enrol.undone plant",
        "2 of 3: enrol.lay choice plant",
        "enrol.undone coil",
        "1 of 3: enrol.lay choice coil",
        "enrol.nothing",
        "enrol.dead",
        f"'x' means nothing here: {KEYS}",
        "The reader box is gone.",
        "1 of 3: enrol.lay choice coil",
    ]
    assert (keyboard.given, book.all()) == (0, ())


def test_tags_are_told_and_nothing_is_given() -> None:
    book, told = Tagbook(tags={ONE: DECK[0]}), list[str]()
    Keyboard(book, THINGS, Enrolling("tell"), say, told.append).follow([tap(ONE), tap(TWO), Typed("q"), tap(ONE)])
    assert told == ["enrol.tell enrol.look-at", "enrol.is coil", "enrol.unknown"]
    assert book.all() == ((ONE, DECK[0]),)


# The command


def test_on_the_pretend_table_nothing_needs_enrolling(companion: Companion, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "find_pico", lambda: None)
    told = companion("enrol")
    assert told.exit_code == 0
    assert "nothing needs enrolling" in told.stdout


def test_one_tag_by_its_number(companion: Companion, data: Path) -> None:
    assert companion("enrol", "--uid", "04:a1:b2:c3", "--seat", 1).stdout == "Done: #2.\n"
    assert companion("enrol", "--uid", "04a1b2c4", "--number", 7).stdout == "Done: 7.\n"
    assert companion("enrol", "--uid", "04a1b2c5", "--piece", PIECES[0]).stdout.startswith("Done: ")
    assert len(Tagbook.load(data / TAGS).all()) == 3
    listed = companion("enrol", "--list").stdout
    assert "04A1B2C3              seat 1" in listed
    assert f"3 tags in the tagbook; pieces of {DEFAULT_GAME} without a tag: {len(PIECES) - 1}." in listed


def test_a_tag_is_not_given_away_by_mistake_but_can_be_forgotten(companion: Companion) -> None:
    companion("enrol", "--uid", "04A1B2C3", "--seat", 1)
    refused = companion("enrol", "--uid", "04A1B2C3", "--seat", 2)
    assert refused.exit_code == 1
    assert "This tag is already #2. Nothing changed." in refused.stderr
    assert "companion enrol --forget 04A1B2C3" in refused.stderr
    assert companion("enrol", "--uid", "04A1B2C3", "--seat", 1).exit_code == 0, "the same again is no harm"
    assert "it was seat 1" in companion("enrol", "--forget", "04A1B2C3").stdout
    assert companion("enrol", "--forget", "04A1B2C3").exit_code == 1
    assert companion("enrol", "--uid", "04A1B2C3", "--seat", 2).exit_code == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--uid", "04A1B2C3"), "Give one of --piece, --place, --seat, --number"),
        (("--seat", "1", "--number", "2"), "Give one of"),
        (("--uid", "coil", "--seat", "1"), "'coil' is not a tag number"),
        (("--uid", "04A1B2C3", "--piece", PIECES[0] + "x"), f"Did you mean {PIECES[0]!r}?"),
        (("--list", "--seat", "1"), "cannot be combined"),
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
    """Somebody at the keyboard who reads the prompts, lays tags on the reader, and types."""

    def __init__(self, pico: PretendPico, tags: list[Uid], then: str) -> None:
        self._pico, self._tags, self._then = pico, tags, then
        self.told: list[str] = []
        self._may_type = threading.Event()

    def hear(self, line: str) -> None:
        self.told.append(line)
        is_ready = "reader box is there" in line or line.startswith("Done")
        if is_ready and self._tags:
            assert self._pico.wait_heard(), "what lay there before is no tap"
            self._pico.lay(self._tags.pop(0), LEFT)
        elif is_ready:
            self._may_type.set()

    def __iter__(self) -> Iterator[str]:
        self._may_type.wait(PATIENCE)
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
    assert sorted(uid for uid, _ in Tagbook.load(data / TAGS).all()) == [ONE, TWO]


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
