"""The bar at the top of the pretend table asks the host, and nobody else does."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.core import SeatId
from tests.web.conftest import HOST, Box, Host, Phone
from web import create_app


@pytest.fixture
def hands(phone: Callable[[], Phone]) -> Phone:
    return phone()


def test_bots_play_for_all_but_the_first_seat_while_nobody_has_a_phone(hands: Phone, hosting: Host) -> None:
    assert hands.post("/pretend/bots", on=True).status_code == 200
    assert hosting.asked == [("bots", True, SeatId(0))]


def test_whoever_has_a_phone_plays_with_that(hands: Phone, ada: Phone, hosting: Host) -> None:
    hands.post("/pretend/bots", on=True)
    hands.post("/pretend/bots", on=True, hands=1)
    hands.post("/pretend/bots", on=False)
    assert hosting.asked == [("bots", True, None), ("bots", True, SeatId(1)), ("bots", False, None)]
    assert hands.post("/pretend/bots", on=True, hands=9).status_code == 400


def test_a_game_of_the_shelf_is_played_and_no_other(hands: Phone, hosting: Host) -> None:
    assert 'id="game-timeline"' in hands.html("/pretend")
    assert hands.post("/pretend/game", game="timeline").status_code == 200
    assert hands.post("/pretend/game", game="chess").status_code == 400
    assert hosting.asked == [("play", "timeline")]


def test_the_language_is_that_of_the_box_and_of_this_page(hands: Phone, hosting: Host) -> None:
    assert 'id="speak-fr"' in hands.html("/pretend")
    assert hands.post("/pretend/speak", lang="fr").get_json() == {"go": "/pretend"}
    assert hosting.asked == [("speak", "fr")]
    html = hands.html("/pretend")
    assert '<html lang="fr"' in html
    assert 'id="speak-en"' in html
    assert hands.post("/pretend/speak", lang="de").status_code == 400


def test_whoever_hides_the_guide_ends_the_practice(hands: Phone, hosting: Host) -> None:
    hands.post("/pretend/guide", do="close")
    assert hosting.asked == [("end-practice",)]


def test_without_a_host_there_is_nothing_to_choose(table: object, texts: object, box: Box) -> None:
    client = create_app(table, texts, box, (HOST,)).test_client()  # type: ignore[arg-type]
    page = client.get("/pretend", base_url=f"http://{HOST}").text
    assert 'id="bots"' not in page
    assert "game.title" not in page
    posted = client.post("/pretend/bots", base_url=f"http://{HOST}", json={"command": "12345678", "on": True})
    assert posted.status_code in (403, 404)
