"""A disk that fails in mid-game pauses the table, with a reason; nothing shown is lost, nothing is done twice."""

from __future__ import annotations

import itertools
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import companion.table.table as table_file
from companion.box import Box
from companion.core import PieceId, ReaderId, SeatId, Tapped, TroublePage
from companion.journal import Journal
from companion.library import NumberTag, PieceTag, Tagbook, pretend_uid
from companion.table import Desk, No, Referee, Table
from companion.table.wishes import Done
from tests.patience import PATIENCE
from tests.pick import GAME, Bet, Lay, setup_for

from .conftest import Evening, first

ADA = SeatId(0)


class Card(sqlite3.Connection):
    """A card that can `refuse` to write, or write and then `lie` that it failed, while being `deaf` to questions."""

    fault = ""

    def execute(self, sql: str, *args: object) -> sqlite3.Cursor:
        if (self.fault == "refuse" and sql.startswith("INSERT")) or (self.fault == "lie" and "checkpoint" in sql):
            raise sqlite3.OperationalError("disk I/O error")
        cursor = super().execute(sql, *args)  # type: ignore[arg-type]
        if self.fault == "lie" and sql.startswith("INSERT"):
            raise sqlite3.OperationalError("disk I/O error")
        return cursor


class OnCard:
    """An evening whose journal is on such a card."""

    def __init__(self, path: Path) -> None:
        self.cards: list[Card] = []
        self.journal = Journal.open(path, _connect=self._connect)
        book = Tagbook()
        book.pretend([*(PieceTag(GAME.id, PieceId(c)) for c in "abcdefg"), *(NumberTag(n) for n in range(1, 7))])
        clock = itertools.count(1000.0).__next__
        referee = Referee.begin(GAME, setup_for(2), ("Ada", "Ben"), "strict", self.journal, clock)
        self.table = Table(Desk(referee, book, Box(), first))
        self.evening = Evening(self.table, referee)

    def _connect(self, *args: object, **options: object) -> sqlite3.Connection:
        self.cards.append(sqlite3.connect(*args, factory=Card, **options))  # type: ignore[call-overload]
        return self.cards[-1]

    def fault(self, name: str) -> None:
        self.cards[-1].fault = name

    def close(self) -> None:
        self.fault("")
        self.table.stop()
        self.journal.close()


@pytest.fixture
def on_card(tmp_path: Path) -> Iterator[OnCard]:
    opened = OnCard(tmp_path / "games.journal")
    yield opened
    opened.close()


def test_it_pauses_with_a_reason_and_goes_on(on_card: OnCard) -> None:
    evening = on_card.evening
    on_card.fault("refuse")
    answer = evening.phone(Bet(ADA, 2), command="c")
    assert isinstance(answer, No)
    assert answer.refusal.rule == "C2"
    assert [said.key for said in evening.now.troubles] == ["trouble.journal-failed"]
    assert isinstance(evening.now.flash, TroublePage)
    on_card.fault("")
    assert isinstance(evening.phone(Bet(ADA, 2), command="c"), Done)
    assert evening.now.troubles == ()
    assert evening.now.state.chips[0] == 3


def test_a_tap_repeated_in_a_pause_is_not_done_twice(on_card: OnCard) -> None:
    """The entry reached the card although the card said no: then the next tap shows it instead of betting again."""
    evening = on_card.evening
    on_card.fault("lie")
    evening.tap_number(2)
    evening.press("ok")
    assert [said.key for said in evening.now.troubles] == ["trouble.journal-failed"]
    assert evening.now.state.chips[0] == 5, "not shown before it is certain"
    on_card.fault("")
    evening.press("ok")
    assert (evening.now.state.chips[0], evening.now.seq) == (3, 2)
    assert evening.now.troubles == ()
    evening.press("check")
    assert (evening.now.state.chips[0], evening.now.seq) == (3, 2)


def test_another_wish_after_a_pause_finds_the_table_as_it_is_recorded(on_card: OnCard) -> None:
    evening = on_card.evening
    on_card.fault("lie")
    asked = evening.now.asked[ADA]
    evening.phone(Bet(ADA, 2), command="first")
    on_card.fault("")
    stale = evening.phone(Bet(ADA, 3), command="second", asked=asked)
    assert isinstance(stale, No)
    assert stale.refusal.rule == "C1"
    assert isinstance(evening.phone(Bet(ADA, 2), command="first"), Done)
    assert evening.now.state.chips[0] == 3


def test_a_card_drawn_in_a_pause_is_drawn_after_it(on_card: OnCard) -> None:
    """The disk fails between an act and the card that falls for it: the table doesn't stop half way."""
    evening = on_card.evening
    real, card = on_card.journal.append, Lay(ADA, PieceId("a"))
    left = [1]

    def fails_second(*entry: object) -> object:
        on_card.fault("" if left else "refuse")
        left.clear()
        return real(*entry)  # type: ignore[arg-type]

    on_card.journal.append = fails_second  # type: ignore[method-assign,assignment]
    evening.phone(card, command="lay")
    assert evening.now.troubles
    on_card.journal.append = real  # type: ignore[method-assign]
    on_card.fault("")
    assert isinstance(evening.phone(card, command="lay"), Done)
    assert not evening.now.state.drawing
    evening.put(Tapped(pretend_uid(NumberTag(1)), ReaderId("left")))
    assert evening.now.troubles == ()


def test_in_a_pause_what_was_played_moves_from_the_log_into_the_file(
    on_card: OnCard, monkeypatch: pytest.MonkeyPatch
) -> None:
    tidied, usual = threading.Event(), Journal.tidy

    def tidy(journal: Journal) -> bool:
        done = usual(journal)
        tidied.set()
        return done

    monkeypatch.setattr(Journal, "tidy", tidy)
    monkeypatch.setattr(table_file, "PAUSE", 0.05)
    assert isinstance(on_card.evening.phone(Bet(ADA, 2)), Done)
    assert tidied.wait(PATIENCE)
    alone = on_card.journal.path.with_name("alone.journal")
    alone.write_bytes(on_card.journal.path.read_bytes())
    with Journal.look(alone) as journal:
        assert list(journal.entries(on_card.evening.referee.table)) == on_card.evening.entries
