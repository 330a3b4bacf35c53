"""A phone touches a card: its link leads to that card, for anybody who may know it and for nobody else."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from companion.core import GameId, PieceId, PlaceId, ReaderId, SeatId, Tapped, Uid
from companion.library import NumberTag, PieceTag, PlaceTag, SeatTag, Tag, Texts
from companion.library.tagbook import Line
from companion.table import Table
from tests.pick import GAME
from tests.web.conftest import HOST, Phone
from web import create_app

ACE, BAT, COG = Uid("04A2B3C4D5E680"), Uid("04A2B3C4D5E681"), Uid("04A2B3C4D5E682")
TAGS: dict[Uid, Tag] = {
    ACE: PieceTag(GAME.id, PieceId("Ace")),
    BAT: PieceTag(GAME.id, PieceId("Bat")),
    COG: PieceTag(GAME.id, PieceId("Cog")),
    Uid("04000001"): SeatTag(SeatId(1)),
    Uid("04000002"): SeatTag(SeatId(3)),
    Uid("04000003"): NumberTag(7),
    Uid("04000004"): PlaceTag(GAME.id, PlaceId("hand-0")),
    Uid("04000005"): PlaceTag(GAME.id, PlaceId("attic")),
    Uid("04000006"): PieceTag(GameId("us-patent"), PieceId("Ace")),
}
STRANGE = (
    "/t/x",
    "/t/04A2B3C4D5E6",
    "/t/04A2B3C4D5E68G",
    "/t/04A2B3C4D5E680/../seat",
    "/t/04A2B3C4D5E680/seat",
    "/t/%00",
    "/t/%F0%9F%83%8F",
    "/t/..%2f..%2fetc%2fpasswd",
    "/t/<script>alert(1)</script>",
    "/t/" + "04" * 5000,
    "/t/https://evil.test/",
    "/t//evil.test",
)


@pytest.fixture(autouse=True)
def tagged(table: Table) -> None:
    table._desk.tagbook.change(Line(uid, tag) for uid, tag in TAGS.items())


def landed(phone: Phone, path: str) -> str:
    """What a phone shows in the end, wherever it is redirected."""
    response = phone.client.get(path, base_url="http://box.test", follow_redirects=True)
    assert response.status_code == 200
    return response.get_data(as_text=True)


def title(html: str) -> str:
    return "".join(re.findall("<h1[^>]*>([^<]*)", html))


def test_ada_touches_her_own_card_and_sees_what_she_may_do_with_it(ada: Phone) -> None:
    html = landed(ada, f"/t/{ACE}")
    assert title(html) == "Card Ace"
    assert "Lay Card Ace" in html


def test_the_number_counts_in_small_letters_and_with_colons_too(ada: Phone) -> None:
    for written in (ACE.lower(), "04:a2:b3:c4:d5:e6:80"):
        assert title(landed(ada, f"/t/{written}")) == "Card Ace"


def test_a_phone_without_a_seat_is_asked_to_join_and_then_lands_on_the_card(phone: Callable[[], Phone]) -> None:
    ada = phone()
    html = landed(ada, f"/t/{ACE}")
    assert 'name="card" value="04A2B3C4D5E680"' in html
    assert "Then you see the card you touched." in html
    assert ada.post("/join", seat=0, name="Ada", card=ACE).status_code == 200
    ada.hold_ok()
    went = ada.post("/claim").get_json()["go"]
    assert went == f"/t/{ACE}"
    assert title(landed(ada, went)) == "Card Ace"


def test_who_only_watches_is_told_what_everybody_may_know(phone: Callable[[], Phone], ada: Phone) -> None:
    watcher = phone()
    assert title(landed(watcher, f"/t/{ACE}?watch=1")) == "You can’t look at this card"
    ada.act({"verb": "lay", "actor": 0, "card": "Ace"})
    assert title(landed(watcher, f"/t/{ACE}?watch=1")) == "Card Ace"


def test_a_card_that_another_holds_is_the_same_page_for_every_card(ben: Phone) -> None:
    """Ace and Cog are Ada's: Ben learns neither which is which, nor even that they are in her hand."""
    ace, cog = ben.get(f"/t/{ACE}"), ben.get(f"/t/{COG}")
    assert ace.status_code == cog.status_code == 200
    assert ace.get_data() == cog.get_data()
    assert "Ace" not in ace.get_data(as_text=True)
    assert title(landed(ben, f"/t/{BAT}")) == "Card Bat", "the control: his own he may see"


@pytest.mark.parametrize("path", STRANGE)
def test_a_strange_address_is_refused_in_words(ada: Phone, path: str) -> None:
    response = ada.client.get(path, base_url="http://box.test", follow_redirects=True)
    assert response.status_code == 404
    assert response.request.host == "box.test", "two slashes become one, and lead nowhere else"
    assert title(response.text) == "This link isn’t on any tag we know"
    assert "alert(1)" not in response.text


@pytest.mark.parametrize(
    ("uid", "says"),
    [
        ("04000001", "Ben"),
        ("04000002", "This tag does nothing right now"),
        ("04000003", "This tag stands for the number 7"),
        ("04000004", "Hand of the first seat"),
        ("04000005", "This tag does nothing right now"),
        ("04000006", "This card is from another game: us-patent"),
    ],
)
def test_every_kind_of_tag_says_what_it_is(ada: Phone, uid: str, says: str) -> None:
    assert title(landed(ada, f"/t/{uid}")) == says


def test_a_tag_that_nobody_knows_is_told_so_with_the_way_to_give_it(ada: Phone) -> None:
    response = ada.get("/t/04FFFFFFFFFFFF")
    assert response.status_code == 404
    assert title(response.get_data(as_text=True)) == "This tag has no card yet"
    assert 'id="enrol"' in response.get_data(as_text=True)


@pytest.mark.parametrize("card", ["x", "04a2b3c4", "/../evil", "04A2B3C4D5E680\n", "0" * 21])
def test_a_join_carries_nothing_along_but_a_tag(phone: Callable[[], Phone], card: str) -> None:
    assert phone().post("/join", seat=0, name="", card=card).status_code == 400
    assert 'name="card"' not in phone().client.get("/", query_string={"card": card}, base_url="http://box.test").text


def test_following_a_link_changes_nothing(ada: Phone, table: Table) -> None:
    before = table.snapshot.seq
    landed(ada, f"/t/{ACE}")
    assert ada.client.post(f"/t/{ACE}", base_url="http://box.test").status_code == 403
    assert table.snapshot.seq == before


def test_phones_offer_links_where_they_can_be_written_and_show_the_last_one_as_a_code(
    table: Table, texts: Texts, ada: Phone
) -> None:
    book = table._desk.tagbook
    app = create_app(table, texts, None, (HOST,), tagbook=book, sticker=lambda: "table.example/t/")
    writes, reads = Phone(app, table).sit(1), ada
    assert ada.post("/command", asked=0, wish={"type": "enrol", "do": "begin", "row": "seats"}).status_code == 200
    for phone, is_offered in ((writes, True), (reads, False)):
        assert ('id="enrol-link"' in phone.html("/enrol")) is is_offered
        assert 'id="fold-link"' not in phone.html("/enrol"), "no tag was given yet"
    table.put(Tapped(Uid("04FFFFFFFFFFFF"), ReaderId("left")))
    assert ada.post("/command", asked=0, wish={"type": "enrol", "do": "look"}).status_code == 200
    assert "http://table.example/t/04FFFFFFFFFFFF" in writes.html("/enrol")
    assert 'id="fold-link"' not in reads.html("/enrol")


def test_without_anybody_to_write_them_links_are_refused(ada: Phone) -> None:
    assert ada.post("/command", asked=0, wish={"type": "enrol", "do": "begin", "row": "tell"}).status_code == 200
    assert ada.post("/command", asked=0, wish={"type": "enrol", "do": "link"}).status_code == 409
