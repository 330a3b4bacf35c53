"""A camera reads the join page: zbar, which shares no code with what drew it, decodes the rendered picture."""

from __future__ import annotations

from typing import Any

import pytest
from PIL import Image, ImageFilter

from companion.core import JoinPage
from companion.library import Speaker
from hw.display.draw import Around, draw
from hw.display.sheet import HEIGHT, WIDTH

try:
    from pyzbar import pyzbar
except ImportError:
    pyzbar = None  # type: ignore[assignment]

pytestmark = pytest.mark.skipif(pyzbar is None, reason="zbar is not here: apt-get install libzbar0")

LONGEST_HERE = "http://255.255.255.255:65535"
"""The longest address that the box can give itself."""
ADDRESSES = (
    "http://10.42.0.1",
    "http://10.42.0.1:8080",
    "http://192.168.100.200:8080",
    LONGEST_HERE,
    "http://table.local:8080",
    "http://table-companion.local:8080/join",
    "http://the-table-in-the-living-room-of-the-third-floor.local:65535",
)


def seen(image: Image.Image, dot: int = 6, blur: float = 1.5) -> list[str]:
    """What a decoder finds in a slightly blurred photograph of the display with its dark edge."""
    wide, high = WIDTH * dot, HEIGHT * dot
    photo = Image.new("L", (wide + 20 * dot, high + 20 * dot), 20)
    photo.paste(image.convert("L").resize((wide, high), Image.Resampling.NEAREST), (10 * dot, 10 * dot))
    found: Any = pyzbar.decode(photo.filter(ImageFilter.GaussianBlur(blur)), symbols=[pyzbar.ZBarSymbol.QRCODE])
    return [code.data.decode() for code in found]


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_camera_reads_the_address(english: Speaker, address: str) -> None:
    found = seen(draw(JoinPage(), english, Around(address)))
    assert [words.lower() for words in found] == [address]


def test_the_longest_address_is_read_from_half_a_metre_too(english: Speaker) -> None:
    """Two camera pixels for each of the display's, out of focus."""
    found = seen(draw(JoinPage(), english, Around(LONGEST_HERE)), dot=2, blur=0.8)
    assert [words.lower() for words in found] == [LONGEST_HERE]


def test_a_damaged_code_is_not_read(english: Speaker) -> None:
    image = draw(JoinPage(), english, Around(LONGEST_HERE)).copy()
    for x in range(40):
        for y in range(20, 44):
            image.putpixel((x, y), 1)
    assert seen(image) == []
