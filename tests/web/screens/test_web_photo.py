"""Show a card: what a photo means to the phone that took it, and to nobody else."""

from __future__ import annotations

import http.client
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest
from flask import Flask

from companion.core import PieceId, SeatId
from companion.library import NumberTag, PieceTag, SeatTag, Tag, Things, codes_of, shelf
from companion.table import Table, things_of
from tests.patience import PATIENCE
from tests.pick import GAME
from tests.web.conftest import Phone
from web.live.server import WebServer


@pytest.fixture
def code(table: Table) -> Callable[[Any], str]:
    codes = codes_of(things_of(table.snapshot))

    def of(thing: str | int) -> str:
        tag: Tag = NumberTag(thing) if isinstance(thing, int) else PieceTag(GAME.id, PieceId(thing))
        return codes.number(tag)

    return of


def test_one_card_is_a_tap_by_that_seat(ada: Phone, code: Callable[[Any], str]) -> None:
    sheet = ada.photo(code("Ace"))
    assert sheet.status_code == 200
    html = sheet.get_data(as_text=True)
    assert "Card Ace" in html
    assert "Lay Card Ace" in html, "what she may do with it"


def test_what_may_not_be_done_with_it_is_told_with_the_reason(ben: Phone, code: Callable[[Any], str]) -> None:
    assert "It is the turn of Ada." in ben.photo(code("Bat")).get_data(as_text=True)


def test_where_a_card_of_another_seat_is_stays_a_secret(ada: Phone, code: Any) -> None:
    held = ada.photo(code("Bat")).get_data(as_text=True)
    assert "second seat" not in held
    assert "Nothing to do with it right now." in held, "as of any card that she does not hold"


def test_the_same_photo_of_two_hidden_cards_is_answered_alike(ada: Phone, code: Any) -> None:
    one, other = (ada.photo(code(card)).get_data(as_text=True).replace(card, "X") for card in ("Bat", "Dam"))
    assert one == other


def test_a_seat_card_tells_of_the_seat(ada: Phone, table: Table) -> None:
    seat = codes_of(things_of(table.snapshot)).number(SeatTag(SeatId(1)))
    assert "Ben" in ada.photo(seat).get_data(as_text=True)


def test_no_code_says_what_to_try(ada: Phone) -> None:
    html = ada.photo().get_data(as_text=True)
    assert "No code found" in html
    assert "Go closer" in html
    assert "More light" in html


def test_a_card_of_another_game_is_told_as_such(ada: Phone) -> None:
    game = shelf.open("us-patent")
    piece = game.pieces(shelf.pack(game))[0]
    other = codes_of(Things(game.id, (piece,))).number(PieceTag(game.id, piece))
    html = ada.photo(other).get_data(as_text=True)
    assert "another game" in html


def test_a_code_of_no_card_here_is_named(ada: Phone) -> None:
    stray = codes_of(Things(GAME.id, (PieceId("left-in-the-shop"),)))
    html = ada.photo(stray.number(PieceTag(GAME.id, PieceId("left-in-the-shop")))).get_data(as_text=True)
    assert "pack" in html


def test_several_codes_are_the_table_as_it_lies(ada: Phone, code: Any) -> None:
    assert ada.act({"verb": "lay", "actor": 0, "card": "Ace"}).status_code == 200
    html = ada.photo(code("Ace"), code("Cog")).get_data(as_text=True)
    assert "2 pieces seen" in html
    assert html.count("<polygon") == 2
    wrong = ada.photo(code("Ace"), code("Bat")).get_data(as_text=True)
    assert "Card Bat lies face up, but the game hasn’t revealed it" in wrong
    assert 'class="wrong"' in wrong


@pytest.mark.parametrize(
    ("why", "status"), [("rubbish", 415), ("large", 413), ("busy", 429), ("slow", 503), ("absent", 503)]
)
def test_what_cannot_be_looked_at_is_refused_in_words(ada: Phone, why: str, status: int) -> None:
    refused = ada.photo(why)
    assert refused.status_code == status
    assert "<h1" in refused.get_data(as_text=True)


def test_only_a_phone_with_a_seat_shows_anything(phone: Callable[[], Phone], referee: Phone, code: Any) -> None:
    assert phone().photo(code("Ace")).status_code == 403
    assert referee.photo(code("Ace")).status_code == 200


def test_a_photo_comes_from_our_own_page_and_is_a_picture(ada: Phone, code: Any) -> None:
    assert ada.photo(code("Ace"), kind="application/json").status_code == 415
    assert ada.photo(code("Ace"), kind="text/plain").status_code == 415
    assert ada.photo(code("Ace"), **{"X-Companion": "0"}).status_code == 403
    assert ada.photo(code("Ace"), Origin="http://elsewhere.test").status_code == 403


def test_pictures_are_taken_nowhere_else(ada: Phone) -> None:
    headers = {"X-Companion": "1", "Origin": "http://box.test", "Content-Type": "image/jpeg"}
    assert ada.client.post("/command", base_url="http://box.test", data=b"x", headers=headers).status_code == 415


def test_what_is_too_large_is_not_read(ada: Phone) -> None:
    assert ada.photo("x" * (2 * 1024 * 1024 + 1)).status_code == 413


def test_fifty_photos_at_once_are_refused_at_the_door_but_for_a_few(app: Flask, ada: Phone, code: Any) -> None:
    body = code("Ace").encode()

    def send(port: int, n: int) -> int:
        link = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        origin = f"http://127.0.0.1:{port}"
        headers = {"X-Companion": "1", "Origin": origin, "Content-Type": "image/jpeg"}
        with closing(link):
            link.request(
                "POST", f"/photo?command=at-once-{n}", body, {**headers, "Cookie": f"companion-seat={ada.secret}"}
            )
            return link.getresponse().status

    with WebServer(app, "127.0.0.1") as server, ThreadPoolExecutor(50) as threads:
        answers = Counter(threads.map(lambda n: send(server.port, n), range(50)))
    assert set(answers) == {200, 429}
    assert 1 <= answers[200] <= 12


def test_the_seat_page_offers_it(ada: Phone, phone: Callable[[], Phone]) -> None:
    html = ada.html("/seat")
    assert 'id="show-card"' in html
    assert 'accept="image/*" capture="environment"' in html
    assert 'id="camera"' not in phone().html("/watch")


def test_a_table_is_laid_again_photo_by_photo(ada: Phone, ben: Phone, code: Any) -> None:
    ada.act({"verb": "lay", "actor": 0, "card": "Ace"})
    ada.act({"verb": "lay", "actor": 0, "card": "Cog"})
    assert "2 pieces still to lay" in ada.html("/lay")
    first = ada.photo(code("Ace"), path="/photo?lay=0&").get_json()["go"]
    assert "1 piece still to lay" in ada.html(first)
    laid = first.split("=")[-1]
    second = ada.photo(code("Cog"), code("Bat"), path=f"/photo?lay={laid}&").get_json()["go"]
    html = ada.html(second)
    assert "all there" in html
    assert "Card Bat" not in html, "what belongs into his hand is no business of hers"


@pytest.mark.parametrize("laid", ["x", "-1", "f" * 200, "%00", ""])
def test_a_strange_number_of_laid_pieces_is_none(ada: Phone, laid: str) -> None:
    assert "0 pieces still to lay" in ada.html(f"/lay?laid={laid}")


def test_what_stands_beside_a_code_may_be_typed_instead(ada: Phone, table: Table) -> None:
    short = codes_of(things_of(table.snapshot)).short(PieceTag(GAME.id, PieceId("Ace")))
    assert 'name="code"' in ada.photo().get_data(as_text=True)
    assert "Lay Card Ace" in ada.html(f"/shown?code={short.lower()}")
    assert "pack" in ada.html("/shown?code=nonsense")
