"""Owners photograph their cards while describing them; phones show the photo on that card, and it goes with the
pack.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from PIL import Image

from companion.app.opening import load_texts, make_setup
from companion.box.stack import Box
from companion.core import Game, SeatId
from companion.journal import Journal
from companion.library import SHIPPED, InBoth, OwnPacks, Tagbook, card_photos, shelf
from companion.phones.photo.darkroom import Darkroom
from companion.table import Chair, Desk, Referee, Table
from tests.patience import PATIENCE
from tests.web.conftest import HOST, Phone
from web import create_app
from web.door import key_of

GAME: Game[Any, Any] = shelf.open("us-patent")
WHERE = "/pack/photo?game=us-patent&pack=ours&kind=upgrade&at=0&"


@pytest.fixture
def own(tmp_path: Path) -> OwnPacks:
    own = OwnPacks(tmp_path)
    own.copy(GAME, SHIPPED, "Ours", "Ada", InBoth("Ours.", "À nous."))
    return own


@pytest.fixture
def table(tmp_path: Path, own: OwnPacks) -> Iterator[Table]:
    """A game of U.S. Patent with an own pack."""
    with Journal.open(tmp_path / "games.journal") as journal:
        setup = make_setup(GAME, 3, pack=own.load(GAME, "ours"))
        referee = Referee.begin(GAME, setup, ("Ada", "Ben", "Chloé"), "strict", journal, lambda: 0.0)
        referee.seat(SeatId(0), Chair("Ada", key_of("phone-0")), None)
        table = Table(Desk(referee, Tagbook(), Box()))
        table.start()
        yield table
        table.stop()


@pytest.fixture
def app(table: Table, own: OwnPacks) -> Iterator[Flask]:
    with closing(Darkroom(longest=PATIENCE)) as photos:
        yield create_app(table, load_texts, None, (HOST,), packs=own, photos=photos)


@pytest.fixture
def ada(app: Flask, table: Table) -> Phone:
    phone = Phone(app, table)
    phone.client.set_cookie("companion-seat", "phone-0", domain=HOST)
    return phone


def photo(width: int = 900, height: int = 1260, turned: bool = False) -> bytes:
    """A photo as phones take them: with place and time in its file."""
    picture, whole = Image.effect_noise((width, height), 60).convert("RGB"), io.BytesIO()
    exif = Image.Exif()
    exif[0x010F] = "Maker of phones"
    exif[0x0112] = 6 if turned else 1
    picture.save(whole, "JPEG", exif=exif)
    return whole.getvalue()


def taken(ada: Phone, data: bytes, path: str = WHERE) -> Any:
    headers = {"X-Companion": "1", "Origin": f"http://{HOST}", "Content-Type": "image/jpeg"}
    return ada.client.post(f"{path}command=12345678", base_url=f"http://{HOST}", data=data, headers=headers)


def kept(own: OwnPacks) -> bytes:
    card = own.load(GAME, "ours").upgrades[0].id
    found = own.photo(GAME.id, "ours", card)
    assert found is not None
    return found


def test_a_photo_is_kept_small_and_with_nothing_but_the_picture(ada: Phone, own: OwnPacks) -> None:
    assert taken(ada, photo()).get_json() == {"go": "/card?game=us-patent&pack=ours&kind=upgrade&at=0"}
    small = Image.open(io.BytesIO(kept(own)))
    assert small.size == (280, 392)
    assert not small.getexif()
    assert b"Maker of phones" not in kept(own)
    assert len(kept(own)) <= card_photos.LARGEST


def test_a_photo_that_lies_on_its_side_is_put_upright(ada: Phone, own: OwnPacks) -> None:
    taken(ada, photo(1260, 900, turned=True))
    width, height = Image.open(io.BytesIO(kept(own))).size
    assert width < height


def test_phones_show_it_on_that_card(ada: Phone, own: OwnPacks) -> None:
    card = own.load(GAME, "ours").upgrades[0].id
    assert "card.jpg" not in ada.html("/card?game=us-patent&pack=ours&kind=upgrade&at=0")
    taken(ada, photo())
    assert f"card={card}" in ada.html("/card?game=us-patent&pack=ours&kind=upgrade&at=0")
    shown = ada.get(f"/card.jpg?game=us-patent&pack=ours&card={card}")
    assert shown.mimetype == "image/jpeg"
    assert shown.data == kept(own)


def test_who_touches_a_card_sees_its_photo(ada: Phone, table: Table, own: OwnPacks) -> None:
    known, other = sorted(table.snapshot.seen_by(SeatId(0)).known)[:2]
    own.keep_photo(GAME, "ours", known, photo())
    assert f"card={known}" in ada.html(f"/thing?kind=piece&id={known}")
    assert "card.jpg" not in ada.html(f"/thing?kind=piece&id={other}")


def test_a_pack_is_given_on_with_its_photos(ada: Phone, own: OwnPacks) -> None:
    taken(ada, photo())
    card = own.load(GAME, "ours").upgrades[0].id
    file = ada.get("/pack.toml?game=us-patent&pack=ours").get_data(as_text=True)
    assert own.take_in(GAME, file) == "ours-2"
    assert own.photo(GAME.id, "ours-2", card) == kept(own)
    own.copy(GAME, "ours", "Third", "Ada", InBoth("Ours.", "À nous."))
    assert own.photo(GAME.id, "third", card) == kept(own)
    own.throw_away(GAME, "ours")
    assert own.photo(GAME.id, "ours", card) is None


def test_the_photos_of_a_strange_file_are_left_out_where_they_are_none(own: OwnPacks) -> None:
    strange = {"../../evil": "/9j/", "moon-sled": "no base64", "fog-bell": "aGVsbG8=", "tide-dynamo": 7}
    assert card_photos.parsed(strange) == {}
    assert card_photos.parsed("nonsense") == {}


@pytest.mark.parametrize("card", ["../pack", "..", "", "A", "moon/sled", "x" * 200, "\0"])
def test_no_strange_name_leads_to_a_file(own: OwnPacks, ada: Phone, card: str) -> None:
    assert own.photo(GAME.id, "ours", card) is None
    assert own.photo(GAME.id, "../..", card) is None
    assert ada.client.get("/card.jpg", query_string={"card": card}, base_url=f"http://{HOST}").status_code == 404


def test_only_one_s_own_pack_and_a_card_of_it_are_photographed(ada: Phone) -> None:
    assert taken(ada, photo(), WHERE.replace("ours", "")).status_code == 403
    assert taken(ada, photo(), WHERE.replace("at=0", "at=999")).status_code == 404
    assert taken(ada, photo(), WHERE.replace("upgrade", "nonsense")).status_code == 404
    assert taken(ada, b"rubbish").status_code == 415
