"""Codes are found in photos as people take them, and no file content does any harm."""

from __future__ import annotations

import io
import zlib
from random import Random

import pytest
from PIL import Image

from companion.core import GameId, PieceId
from companion.library import Digits, PieceTag, Things, codes_of
from companion.phones.photo.spotting import LARGEST, Sighted, spotted, unpacked
from tests.printed import Card, Eye, grid, photograph

GAME = GameId("us-patent")
DECK = tuple(PieceId(f"card-{number}") for number in range(24))
CODES = codes_of(Things(GAME, DECK))
DIGITS = tuple(CODES.number(PieceTag(GAME, piece)) for piece in DECK)


def seen(data: bytes) -> set[Digits]:
    found = spotted(data)
    assert isinstance(found, Sighted), found
    return {each.digits for each in found.codes}


def saved(picture: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    whole = io.BytesIO()
    picture.save(whole, kind, **options)
    return whole.getvalue()


def test_one_card_held_before_the_camera_is_read() -> None:
    photo = photograph([Card(DIGITS[0], 0, 0, turn=12)], Eye(px=120, tilt=15))
    assert seen(photo.jpeg) == {DIGITS[0]}


def test_a_table_of_cards_is_read_but_for_what_lies_face_down() -> None:
    down = {3, 9, 17}
    laid = ["" if n in down else each for n, each in enumerate(DIGITS)]
    photo = photograph(grid(laid, Random(4)), Eye(px=60, tilt=20, side=30, shade=0.3))
    assert len(photo.codes) > 10
    assert {*photo.codes} <= seen(photo.jpeg) <= {*laid}


def test_a_code_is_told_with_its_corners() -> None:
    found = spotted(photograph([Card(DIGITS[0], 0, 0)], Eye(px=100, noise=0)).jpeg)
    assert isinstance(found, Sighted)
    assert (found.width, found.height) == (1600, 1200)
    x, y = found.codes[0].middle
    assert abs(x - 800) < 10
    assert abs(y - 600) < 10


def test_a_code_that_is_none_of_ours_is_not_read() -> None:
    wrong = f"{int(DIGITS[0]) + 1:06}"
    assert seen(photograph([Card(wrong, 0, 0)], Eye(px=120)).jpeg) == set()


def test_a_large_photograph_is_looked_at_in_a_size_that_is_enough() -> None:
    photo = photograph([Card(DIGITS[0], 0, 0)], Eye(px=400), size=(4000, 3000))
    grey = unpacked(photo.jpeg)
    assert not isinstance(grey, str)
    assert max(grey.size) == LARGEST
    assert seen(photo.jpeg) == {DIGITS[0]}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["PNG", "WEBP", "JPEG"])
def test_phones_may_send_what_they_like(kind: str) -> None:
    photo = Image.open(io.BytesIO(photograph([Card(DIGITS[0], 0, 0)], Eye(px=120)).jpeg))
    assert seen(saved(photo.convert("RGB"), kind)) == {DIGITS[0]}


@pytest.mark.parametrize("kind", ["GIF", "BMP", "TIFF", "ICO", "PPM"])
def test_what_no_camera_makes_is_not_even_looked_at(kind: str) -> None:
    assert spotted(saved(Image.new("L", (64, 64)), kind)) == "rubbish"


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xd8\xff", b"<svg/>", b"\x89PNG\r\n\x1a\n", b"RIFF\0\0\0\0WEBP", b"\0" * 9000]
)
def test_rubbish_is_called_so(data: bytes) -> None:
    assert spotted(data) == "rubbish"


def test_a_picture_that_unpacks_to_gigabytes_is_refused_unopened() -> None:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return len(body).to_bytes(4) + kind + body + zlib.crc32(kind + body).to_bytes(4)

    size = (60_000).to_bytes(4) * 2
    bomb = (
        chunk(b"IHDR", size + b"\x08\x00\x00\x00\x00")
        + chunk(b"IDAT", zlib.compress(bytes(10**6)))
        + chunk(b"IEND", b"")
    )
    assert spotted(b"\x89PNG\r\n\x1a\n" + bomb) == "large"


def test_an_empty_table_is_no_error() -> None:
    assert seen(photograph([], Eye()).jpeg) == set()
    assert seen(saved(Image.new("L", (1, 1)))) == set()
