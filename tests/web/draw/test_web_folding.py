"""A drawing is cut only if that makes it larger."""

from __future__ import annotations

import pytest

from web.draw import Drawing, Leaves, leaves_from_afar, leaves_in
from web.draw.drawing import Mark
from web.draw.svg import leaf


@pytest.mark.parametrize(
    ("width", "height", "fold", "expected"),
    [
        (360, 642, 387, ((0, 387), (387, 642))),
        (466, 406, 316, ((0, 406),)),
        (360, 390, 156, ((0, 390),)),
        (360, 624, 156, ((0, 156), (156, 624))),
        (360, 750, 0, ((0, 750),)),
    ],
    ids=["tall", "wide", "square", "six hands", "nowhere to cut"],
)
def test_a_drawing_lies_as_large_as_it_can(width: int, height: int, fold: int, expected: Leaves) -> None:
    assert leaves_in(Drawing(width, height, (), fold=fold), 850, 540) == expected


def test_in_a_narrow_room_nothing_lies_side_by_side() -> None:
    assert leaves_in(Drawing(360, 642, (), fold=387), 390, 800) == ((0, 642),)


@pytest.mark.parametrize(
    ("height", "focus", "expected"),
    [
        (840, (100, 388), ((0, 840), (100, 388))),
        (330, (0, 288), ((0, 330),)),
        (840, (0, 0), ((0, 840),)),
        (840, (20, 820), ((0, 840),)),
    ],
    ids=["late", "early", "nowhere", "everywhere"],
)
def test_from_afar_it_is_seen_where_it_happens(height: int, focus: tuple[int, int], expected: Leaves) -> None:
    assert leaves_from_afar(Drawing(360, height, (), focus=focus), 850, 540) == expected


def test_what_a_cut_goes_through_is_drawn_on_both_sides_of_it() -> None:
    line, card = Mark("stroke", "ink-green", "", points="0,40 99,160"), Mark("card", "up", "Kite", 0, 60, 99, 80)
    above, below = Mark("disc", "", "Oil", 9, 50, 8, 8), Mark("disc", "", "Milk", 9, 150, 8, 8)
    drawing = Drawing(99, 200, (line, card, above, below))
    upper, lower = leaf(drawing, 0, 100), leaf(drawing, 100, 200)
    for part in (upper, lower):
        assert "ink-green" in part
        assert "Kite" in part
    assert "Oil" in upper
    assert "Oil" not in lower
    assert "Milk" in lower
    assert "Milk" not in upper
