"""Links on stickers at a running table: requested once the tagbook is saved, reported when they are there or not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.core import Enrol, EnrolPage, ReaderId, SeatId, Tapped, Uid
from companion.library import Enrolling, SeatTag, Tagbook
from companion.table import Desk, No, Snapshot
from companion.table.ports import Machine
from companion.table.wishes import Done
from tests.patience import PATIENCE

from .conftest import Evening, Open

LEFT = ReaderId("left")
FRESH = Uid("04A2B3C4D5E680")


class Writer:
    """Stands in for what writes links: keeps the requests, and what the tagbook said at that moment."""

    def __init__(self, book: Tagbook) -> None:
        self.book = book
        self.asked: list[tuple[Uid, object]] = []

    def write(self, uid: Uid) -> None:
        self.asked.append((uid, self.book.find(uid)))


@pytest.fixture
def book() -> Tagbook:
    return Tagbook()


@pytest.fixture
def writer(book: Tagbook) -> Writer:
    return Writer(book)


@pytest.fixture
def bare(open_evening: Open, book: Tagbook, writer: Writer, monkeypatch: pytest.MonkeyPatch) -> Evening:
    """A table on which nothing has a tag yet, and that can write links."""
    made = Desk.__init__

    def with_writer(self: Desk, referee: Any, _book: object, box: Any, chance: Any = None, **about: Any) -> None:
        about["machine"] = Machine(link=writer.write)
        made(self, referee, book, box, chance, None, (LEFT,), **about)

    monkeypatch.setattr(Desk, "__init__", with_writer)
    return open_evening()


def note_of(now: Snapshot) -> str:
    assert isinstance(now.page, EnrolPage), now.page
    return now.page.note.key


def told(evening: Evening, *news: Any) -> str:
    """What the display says once the table has heard the outcome of a link."""
    evening.table.linked(*news)
    evening.now = evening._shown.get(timeout=PATIENCE)
    return note_of(evening.now)


def test_with_the_buttons_alone_a_tag_gets_its_link_after_it_is_in_the_book(bare: Evening, writer: Writer) -> None:
    bare.ask(0, Enrol("begin", "seats"))
    assert note_of(bare.press("check", held=True)) == "enrol.links-on"
    bare.put(Tapped(FRESH, LEFT))
    assert writer.asked == [(FRESH, SeatTag(SeatId(0)))]
    assert told(bare, FRESH, "new") == "enrol.link.new"
    assert bare.now.signal == "accepted"


def test_a_tag_taken_away_too_early_stays_in_the_book_and_is_laid_again(
    bare: Evening, book: Tagbook, writer: Writer
) -> None:
    bare.ask(0, Enrol("begin", "seats"))
    bare.ask(1, Enrol("link"))
    bare.put(Tapped(FRESH, LEFT))
    assert told(bare, FRESH, "again") == "enrol.link.again"
    assert (bare.now.signal, book.find(FRESH)) == ("refused", SeatTag(SeatId(0)))
    assert note_of(bare.put(Tapped(FRESH, LEFT))) == "enrol.link-again"
    assert len(writer.asked) == 2
    assert told(bare, FRESH, "new") == "enrol.link.new"
    assert book.all() == ((FRESH, SeatTag(SeatId(0))),), "one tag, one line, however often it was written"


def test_no_link_is_written_for_a_tag_that_could_not_be_saved(
    bare: Evening, book: Tagbook, writer: Writer, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    book._path = tmp_path / "file" / "tags.toml"
    bare.ask(0, Enrol("begin", "seats"))
    bare.ask(0, Enrol("link"))
    assert note_of(bare.put(Tapped(FRESH, LEFT))) == "enrol.not-saved"
    assert writer.asked == []


def test_what_comes_of_a_link_after_the_end_is_nobodys_news(bare: Evening) -> None:
    bare.ask(0, Enrol("begin", "seats"))
    bare.ask(0, Enrol("link"))
    bare.put(Tapped(FRESH, LEFT))
    bare.ask(0, Enrol("end"))
    bare.table.linked(FRESH, "new")
    after = bare._shown.get(timeout=PATIENCE)
    assert after.enrolling is None
    assert isinstance(bare.ask(0, Enrol("begin", "tell")), Done)
    assert bare.now.enrolling == Enrolling("tell"), "and nothing of it is left"


def test_a_table_that_cannot_write_links_says_so(evening: Evening) -> None:
    evening.ask(0, Enrol("begin", "tell"))
    assert isinstance(evening.ask(0, Enrol("link")), No)
