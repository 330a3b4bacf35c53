"""The codes on a picture. Runs in a separate process (see `darkroom`): the pictures come from software we do not know.

Pictures are JPEG, PNG or WebP; nothing else is even looked at. The size is read before any pixel, and too large a
picture is refused, so none can turn out larger than it says.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from PIL import Image, ImageOps

from companion.library import Digits, is_code

FORMATS: Final = ("JPEG", "PNG", "WEBP")
LARGEST: Final = 1600
"""Pixels of the longer side that are looked at; pages send nothing larger."""
MOST_PIXELS: Final = 4_200_000
"""For a picture that must be unpacked at full size. A JPEG can be scaled down while it is unpacked."""
MOST_JPEG_PIXELS: Final = 64_000_000
MOST_CODES: Final = 200
KEPT: Final = (280, 392)
"""Pixels of a card's photo as it is kept: the width of a card on a phone."""
KEPT_FINE: Final = 60
_AGAIN: Final = 0.75
"""Codes too sharp for the pixel grid are found in a smaller picture, and vice versa."""

Point: TypeAlias = tuple[int, int]
Corners: TypeAlias = tuple[Point, Point, Point, Point]
Unfit: TypeAlias = Literal["rubbish", "large", "busy", "slow", "absent"]
"""Why nothing was looked for: not a picture; too large; others are waiting; it took too long; nothing here can read
codes."""


class Spotted(Struct, frozen=True):
    """One code, and where its corners are on the picture."""

    digits: Digits
    corners: Corners

    @property
    def middle(self) -> tuple[float, float]:
        return sum(x for x, _ in self.corners) / 4, sum(y for _, y in self.corners) / 4


class Sighted(Struct, frozen=True):
    """What is on a picture of this size."""

    width: int
    height: int
    codes: tuple[Spotted, ...]


def spotted(data: bytes) -> Sighted | Unfit:
    """Every code on a picture."""
    grey = unpacked(data)
    if isinstance(grey, str):
        return grey
    found: dict[Digits, Spotted] = {}
    for each in (*_read(grey, 1.0), *_read(_smaller(grey), _AGAIN)):
        found.setdefault(each.digits, each)
    return Sighted(grey.width, grey.height, tuple(found.values())[:MOST_CODES])


def shrunk(data: bytes) -> bytes | Unfit:
    """The picture of one card as it is kept: small, upright, and stripped of everything else in its file."""
    picture = unpacked(data, "RGB")
    if isinstance(picture, str):
        return picture
    small = ImageOps.exif_transpose(picture)
    small.thumbnail(KEPT, Image.Resampling.LANCZOS)
    whole = io.BytesIO()
    Image.frombytes(small.mode, small.size, small.tobytes()).save(whole, "JPEG", quality=KEPT_FINE, optimize=True)
    return whole.getvalue()


def unpacked(data: bytes, mode: Literal["L", "RGB"] = "L") -> Image.Image | Unfit:
    """The picture, no larger than useful, or why not. A file that upsets the decoder in whatever way is rubbish."""
    try:
        with Image.open(io.BytesIO(data), formats=FORMATS) as picture:
            most = MOST_JPEG_PIXELS if picture.format == "JPEG" else MOST_PIXELS
            if picture.width * picture.height > most:
                return "large"
            picture.draft(mode, (LARGEST, LARGEST))
            if picture.width * picture.height > MOST_PIXELS * 4:
                return "large"
            plain = picture.convert(mode)
            plain.thumbnail((LARGEST, LARGEST), Image.Resampling.BOX)
            return plain
    except Image.DecompressionBombError:
        return "large"
    except Exception:  # noqa: BLE001 - decoders raise whatever they like
        return "rubbish"


def _smaller(grey: Image.Image) -> Image.Image:
    size = max(round(grey.width * _AGAIN), 1), max(round(grey.height * _AGAIN), 1)
    return grey.resize(size, Image.Resampling.BOX)


def _read(grey: Image.Image, scale: float) -> Iterator[Spotted]:
    import zxingcpp

    matrix = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.DataMatrix)
    for each in zxingcpp.read_barcodes(grey, formats=matrix, try_invert=False):
        if is_code(each.text):
            at = each.position
            corners = (at.top_left, at.top_right, at.bottom_right, at.bottom_left)
            a, b, c, d = ((round(point.x / scale), round(point.y / scale)) for point in corners)
            yield Spotted(Digits(each.text), (a, b, c, d))
