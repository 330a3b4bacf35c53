"""A sticker gets its link on the box, and a phone that touches it opens that card."""

from __future__ import annotations

from collections.abc import Callable

from companion.app.serving import sticker_text
from companion.core import PUBLIC, ChoosePage, Page, PieceId
from companion.library import PieceTag, Settings, pretend_uid
from tests.journeys.conftest import LEFT, Room

HOSTS = 'hosts = ["games.example"]\n'


def _is_marked(page: Page, key: str) -> bool:
    return isinstance(page, ChoosePage) and page.items[page.at].key == key


def test_ada_has_a_link_written_with_buttons_and_cards_alone(open_room: Callable[..., Room]) -> None:
    room = open_room(settings=HOSTS)
    piece = next(lies.piece for lies in room.now.game.layout(room.now.state) if lies.piece in room.now.known(PUBLIC))
    uid = pretend_uid(PieceTag(room.now.game.id, PieceId(piece)))
    room.press("back", held=True)
    while not _is_marked(room.now.page, "tags.tell"):
        room.press("next")
    room.press("ok")
    room.press("check", held=True)
    assert room.now.enrolling is not None
    assert room.now.enrolling.note.key == "enrol.links-on"
    room.box.lay(uid, LEFT)
    after = room.until(lambda now: now.enrolling is not None and now.enrolling.note.key.startswith("enrol.link."))
    assert after.enrolling is not None
    assert after.enrolling.note.key == "enrol.link.new"
    room.press("back", held=True)
    room.seat_phone(0)
    status, page = room.get(f"/phone/0/t/{uid}", 0)
    assert status == 302
    assert f"/phone/0/thing?kind=piece&amp;id={piece}" in page


def test_a_sticker_says_the_first_name_of_the_box() -> None:
    named, nameless = Settings(hosts=("games.example", "other.example")), Settings(hosts=())
    assert sticker_text(named, "192.0.2.7", 8080) == "games.example:8080/t/"
    assert sticker_text(named, "192.0.2.7", 80) == "games.example/t/"
    assert sticker_text(nameless, "192.0.2.7", 80) == "192.0.2.7/t/"
