"""Text on paper fits its space or is reported; a code is drawn module by module."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from zxingcpp import BarcodeFormat, BarcodeFormats, read_barcodes

from companion.app.printing.faces import FONTS, Faces
from companion.app.printing.matrix import SIDE, runs
from companion.app.printing.paper import new_pdf
from companion.library import Digits

ROOM = 40.0


@pytest.fixture(params=["embedded", "everywhere"])
def faces(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Faces]:
    pdf = new_pdf("a4")
    pdf.add_page()
    yield Faces(pdf, FONTS if request.param == "embedded" else tmp_path)
    pdf.output()  # which closes its fonts


def test_a_text_is_as_large_as_its_room_allows(faces: Faces) -> None:
    short = faces.fit(("Two words",), "plain", (ROOM, 10), 4, 2)
    long = faces.fit(("Many more words that have to share the same room, and do",), "plain", (ROOM, 10), 4, 2)
    assert (short.size, short.lines) == (4, ("Two words",))
    assert 2 <= long.size < 4
    assert long.height <= 10
    assert all(faces.width(line, "plain", long.size) <= ROOM for line in long.lines)
    assert faces.cut == []


def test_what_does_not_fit_ends_in_an_ellipsis_and_is_told(faces: Faces) -> None:
    words = "a room that is far too small for all of this"
    cut = faces.fit((words,), "plain", (12, 3), 4, 2)
    assert cut.lines[-1].endswith("…")
    assert cut.height <= 3
    assert faces.cut == [words]


def test_a_word_that_is_wider_than_its_room_is_shortened(faces: Faces) -> None:
    cut = faces.one_line("Donaudampfschifffahrtsgesellschaft", "bold", 10, 3, 2)
    assert cut.first.endswith("…")
    assert faces.width(cut.first, "bold", cut.size) <= 10


def test_a_minus_is_never_lost_and_a_sign_that_no_face_has_is_told(faces: Faces) -> None:
    assert faces.shown("every other one −1", "plain") in ("every other one −1", "every other one –1")
    assert faces.missing == set()
    assert faces.shown("卡", "plain") == "?"
    assert faces.missing == {"卡"}


@pytest.mark.parametrize("digits", ["000098", "760079", "999901"])
def test_a_code_is_read_as_it_was_drawn(digits: str) -> None:
    assert _read(runs(Digits(digits))) == [digits]


def test_a_code_with_a_hole_in_it_would_be_noticed() -> None:
    """The control: without its left edge nobody finds it."""
    assert _read(tuple(run for run in runs(Digits("760079")) if run[0] > 0)) == []


def _read(dark: tuple[tuple[int, int, int, int], ...]) -> list[str]:
    """The content of a code whose modules are eight pixels wide."""
    image = Image.new("L", (8 * (SIDE + 4), 8 * (SIDE + 4)), 255)
    for x, y, w, h in dark:
        image.paste(0, (8 * (x + 2), 8 * (y + 2), 8 * (x + 2 + w), 8 * (y + 2 + h)))
    return [found.text for found in read_barcodes(image, formats=BarcodeFormats(BarcodeFormat.DataMatrix))]
