"""More → Print: people at the table get sheets of any pack, on their paper, in their language, one order at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from companion.app.opening import load_texts
from companion.core import Game, GameId
from companion.library import OwnPacks, Texts
from companion.table import Printer, Table, printed_by_itself
from companion.table.printer import NotPrinted, SheetsAsked
from tests.patience import PATIENCE
from tests.pick import GAME
from tests.web.conftest import Box, Phone
from web import create_app

HOST = "box.test"
PDF = b"%PDF-1.3 sheets"


class Press:
    """Makes the same sheets whatever is ordered, or fails when told to."""

    def __init__(self) -> None:
        self.orders: list[SheetsAsked] = []
        self.is_broken = False

    def __call__(self, wanted: SheetsAsked) -> bytes:
        self.orders.append(wanted)
        if self.is_broken:
            raise NotPrinted("the sheets of pick were not made: no letters; try again")
        return PDF


@pytest.fixture
def press() -> Press:
    return Press()


@pytest.fixture
def app(table: Table, texts: Texts, box: Box, press: Press, tmp_path: Path) -> Flask:
    def texts_of(game: Game[Any, Any]) -> Texts:
        return texts if game.id == GAME.id else load_texts(game)

    names = (HOST, "localhost", "127.0.0.1")
    return create_app(table, texts_of, box, names, packs=OwnPacks(tmp_path), printer=Printer(press))


def test_the_page_leads_to_every_paper_and_to_the_codes_alone(ada: Phone) -> None:
    assert "/print" in ada.html("/more")
    html = ada.html("/print?game=actionworks")
    for words in ("Everything", "Codes only", "A4", "US Letter", "paper=letter&amp;labels=1"):
        assert words in html


def test_sheets_are_a_file_of_that_pack_on_that_paper_in_that_language(ada: Phone, press: Press) -> None:
    ada.post("/settings", lang="fr", theme="auto")
    answer = ada.get("/sheets.pdf?game=actionworks&pack=&paper=letter&labels=1")
    assert (answer.status_code, answer.mimetype, answer.data) == (200, "application/pdf", PDF)
    assert answer.headers["Content-Disposition"] == 'attachment; filename="actionworks-letter.pdf"'
    assert press.orders == [SheetsAsked(GameId("actionworks"), "", "fr", "letter", labels=True)]


def test_only_those_at_the_table_print(ada: Phone, phone: Callable[[], Phone], press: Press) -> None:
    stranger = phone()
    assert stranger.get("/sheets.pdf?game=actionworks").status_code == 403
    assert "Take a seat first" in stranger.html("/print?game=actionworks")
    assert "/print" not in stranger.html("/more")
    assert press.orders == []


@pytest.mark.parametrize("asked", ["game=chess", "game=actionworks&pack=no-such", "game=actionworks&pack=../x"])
def test_what_is_not_there_is_not_printed(ada: Phone, press: Press, asked: str) -> None:
    assert ada.get(f"/sheets.pdf?{asked}").status_code == 404
    assert press.orders == []


def test_what_goes_wrong_is_told_on_the_page(ada: Phone, press: Press) -> None:
    press.is_broken = True
    answer = ada.get("/sheets.pdf?game=actionworks")
    assert answer.status_code == 503
    assert "Couldn’t make the sheets" in answer.get_data(as_text=True)
    assert "no letters" not in answer.get_data(as_text=True)


def test_one_order_at_a_time_and_nobody_waits_for_anothers() -> None:
    begun, may_end = threading.Event(), threading.Event()

    def slow(_wanted: SheetsAsked) -> bytes:
        begun.set()
        assert may_end.wait(PATIENCE)
        return PDF

    printer, wanted = Printer(slow), SheetsAsked(GameId("actionworks"), "", "en", "a4")
    made: list[bytes | None] = []
    first = threading.Thread(target=lambda: made.append(printer.sheets(wanted)))
    first.start()
    assert begun.wait(PATIENCE)
    assert printer.sheets(wanted) is None
    may_end.set()
    first.join(PATIENCE)
    assert made == [PDF]
    assert printer.sheets(wanted) == PDF


@pytest.mark.slow
def test_sheets_are_made_in_a_process_of_their_own(tmp_path: Path) -> None:
    printed = printed_by_itself(tmp_path, SheetsAsked(GameId("actionworks"), "", "fr", "a4", labels=True))
    assert printed.startswith(b"%PDF")
    with pytest.raises(NotPrinted, match="no pack 'mine' for actionworks"):
        printed_by_itself(tmp_path, SheetsAsked(GameId("actionworks"), "mine", "fr", "a4"))
