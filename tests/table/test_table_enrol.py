"""Tags are given at a running table: with the buttons alone, with phones, and with both."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.core import (
    ChoosePage,
    Enrol,
    EnrolPage,
    Piece,
    PieceId,
    ReaderId,
    Said,
    SeatId,
    Signal,
    Tapped,
    TroublePage,
    TurnPage,
    Uid,
    say,
)
from companion.library import NumberTag, PieceTag, SeatTag, Tagbook
from companion.table import Desk, No, Snapshot
from companion.table import table as table_file
from companion.table.wishes import Done
from tests.patience import PATIENCE
from tests.pick import GAME

from .conftest import Evening, Open

LEFT, RIGHT = ReaderId("left"), ReaderId("right")
FRESH = Uid("04000001")


def lay(evening: Evening, uid: str, reader: ReaderId = LEFT) -> Snapshot:
    return evening.put(Tapped(Uid(uid), reader))


def enrol_page(now: Snapshot) -> EnrolPage:
    assert isinstance(now.page, EnrolPage), now.page
    return now.page


def signal_of(evening: Evening) -> Signal:
    return evening.now.signal


@pytest.fixture
def book() -> Tagbook:
    return Tagbook()


@pytest.fixture
def bare(open_evening: Open, book: Tagbook, monkeypatch: pytest.MonkeyPatch) -> Evening:
    """A table on which nothing has a tag yet."""
    made = Desk.__init__

    def with_book(self: Desk, referee: object, _book: object, box: object, chance: object = None, **about: Any) -> None:
        made(self, referee, book, box, chance, None, (LEFT, RIGHT), **about)  # type: ignore[arg-type]

    monkeypatch.setattr(Desk, "__init__", with_book)
    return open_evening()


def test_a_whole_deck_with_the_buttons_alone(bare: Evening, book: Tagbook) -> None:
    page = bare.press("back", held=True).page
    assert isinstance(page, ChoosePage)
    assert page.items[page.at] == say("tags.deck")
    page = enrol_page(bare.press("ok"))
    pieces = GAME.pieces(bare.now.state.setup.pack)
    assert (page.said, page.at, page.of) == (say("choice", item=Piece(pieces[0])), 1, len(pieces))
    assert enrol_page(lay(bare, FRESH)).note == say("enrol.given", item=Piece(pieces[0]))
    assert signal_of(bare) == "accepted"
    assert enrol_page(lay(bare, FRESH)).used, "the same tag again"
    assert signal_of(bare) == "refused"
    assert enrol_page(bare.press("next")).note == say("enrol.skipped", item=Piece(pieces[1]))
    assert enrol_page(bare.press("back")).at == 2
    assert enrol_page(bare.press("back")).at == 1
    assert book.all() == ()
    for n, _ in enumerate(pieces):
        lay(bare, f"0400001{n}")
    assert enrol_page(bare.now).said == say("enrol.finished", n=len(pieces), of=len(pieces))
    assert isinstance(bare.press("ok").page, TurnPage)
    assert [tag for _, tag in book.all()] == [PieceTag(GAME.id, piece) for piece in sorted(pieces)]
    assert bare.now.seq == 1, "nothing was played"


def test_seats_numbers_and_readers_with_the_buttons_alone(bare: Evening, book: Tagbook) -> None:
    for row, uids in (("seats", ("04000020", "04000021")), ("numbers", ("04000030",)), ("readers", ("04000040",) * 2)):
        page = bare.press("back", held=True).page
        assert isinstance(page, ChoosePage)
        for _ in range([item.key for item in page.items].index(f"tags.{row}")):
            bare.press("next")
        bare.press("ok")
        readers = (RIGHT, RIGHT) if row == "readers" else (LEFT, LEFT)
        for uid, reader in zip(uids, readers, strict=False):
            lay(bare, uid, book.reader(reader) if row != "readers" else reader)
        bare.press("back", held=True)
        assert isinstance(bare.now.page, TurnPage)
    assert book.find(Uid("04000021")) == SeatTag(SeatId(1))
    assert book.find(Uid("04000030")) == NumberTag(1)
    assert (book.reader(LEFT), book.reader(RIGHT)) == (RIGHT, LEFT)


def test_a_dead_tag_is_replaced_in_mid_game(evening: Evening) -> None:
    """Lay the card with the new, unknown tag, and choose its piece from the list."""
    seq = evening.now.seq
    shown = lay(evening, FRESH).flash
    assert shown == TroublePage(say("tap.unknown-tag", uid=shown.said.facts[0][1]))  # type: ignore[union-attr]
    page = evening.press("back", held=True).page
    assert isinstance(page, ChoosePage)
    assert page.items[page.at] == say("tags.piece"), "that is what one wants now"
    page = evening.press("ok").page
    assert isinstance(page, ChoosePage)
    assert page.title.key == "tags.whose"
    evening.press("next")
    evening.press("next", held=True)
    assert isinstance(evening.now.page, ChoosePage)
    chosen = page.items[evening.now.page.at].facts[0][1]
    page_after = enrol_page(evening.press("ok"))
    assert page_after.note == say("enrol.given", item=chosen)
    evening.press("ok")
    assert isinstance(evening.now.page, TurnPage)
    assert isinstance(chosen, Piece)
    assert evening.table._desk.tagbook.find(FRESH) == PieceTag(GAME.id, chosen.id)
    assert evening.now.seq == seq


def test_back_leads_out_of_the_lists(evening: Evening) -> None:
    evening.press("back", held=True)
    for _ in range(2):
        evening.press("next")
    evening.press("check")
    evening.press("check")
    assert isinstance(evening.now.page, TurnPage)
    lay(evening, FRESH)
    evening.press("back", held=True)
    evening.press("ok")
    evening.press("back")
    assert isinstance(evening.now.page, ChoosePage)
    evening.press("back")
    assert isinstance(evening.now.page, TurnPage)


def test_phones_and_box_drive_the_same_row(bare: Evening, book: Tagbook) -> None:
    assert isinstance(bare.ask(0, Enrol("begin", "seats")), Done)
    assert enrol_page(bare.now).of == 2
    lay(bare, FRESH)
    bare.ask(1, Enrol("undo"), command="once")
    bare.ask(1, Enrol("undo"), command="once")
    assert bare.now.enrolling is not None
    assert bare.now.enrolling.note.key == "enrol.undone", "a repeated command is not done again"
    assert book.all() == ()
    bare.press("next")
    assert bare.ask(0, Enrol("end")) == Done(bare.now.seq)
    bare.ask(0, Enrol("undo"))
    assert isinstance(bare.now.page, TurnPage), "there is no row to take anything back in"


def test_a_phone_says_whose_the_strange_tag_is(evening: Evening) -> None:
    lay(evening, FRESH)
    assert evening.now.stranger == FRESH
    assert isinstance(evening.ask(0, Enrol("begin", "piece", PieceId("c"), Uid("04000009"))), No), "another tag"
    evening.ask(0, Enrol("begin", "piece", PieceId("c"), FRESH))
    assert evening.table._desk.tagbook.find(FRESH) == PieceTag(GAME.id, PieceId("c"))
    assert evening.now.stranger is None


def test_a_strange_tag_is_forgotten_when_another_is_laid(evening: Evening) -> None:
    lay(evening, FRESH)
    evening.tap("a")
    assert evening.now.stranger is None
    evening.ask(0, Enrol("begin", "piece", PieceId("c")))
    assert evening.now.enrolling is not None
    assert not evening.now.enrolling.is_done, "the tag of c is still awaited"


def test_a_dead_tag_is_named_after_a_silence(bare: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_file, "QUIET", 0.01)
    bare.ask(0, Enrol("begin", "seats"))
    while enrol_page(bare.now).note != say("enrol.dead"):
        bare.now = bare._shown.get(timeout=PATIENCE)
    assert bare._shown.empty(), "and only once"


def test_a_book_that_cannot_be_saved_says_so_and_waits(bare: Evening, book: Tagbook, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    book._path = tmp_path / "file" / "tags.toml"
    bare.ask(0, Enrol("begin", "seats"))
    assert enrol_page(lay(bare, FRESH)).note == say("enrol.not-saved")
    assert (enrol_page(bare.now).at, bare.now.signal) == (1, "trouble")
    book._path = None
    assert enrol_page(lay(bare, FRESH)).at == 2


def test_check_looks_without_giving(bare: Evening, book: Tagbook) -> None:
    bare.ask(0, Enrol("begin", "seats"))
    assert enrol_page(bare.press("check")).asks == say("enrol.tell")
    assert enrol_page(lay(bare, FRESH)).said == say("enrol.unknown")
    assert enrol_page(bare.press("check")).note == Said("")
    assert book.all() == ()
