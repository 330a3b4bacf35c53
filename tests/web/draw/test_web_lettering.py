"""Text that fits: measured, wrapped, cut, and held within its space in every font."""

from __future__ import annotations

import pytest

from web.draw import width_of
from web.draw.lettering import LARGEST, SMALLEST, cut, in_the_middle, line, size_of, wrap


def test_a_wide_letter_is_wide_and_an_accent_costs_nothing() -> None:
    assert width_of("MWM", 10) > 2 * width_of("ill", 10)
    assert width_of("côté", 10) == width_of("cote", 10) == width_of("co\u0302te\u0301", 10)
    assert width_of("Ada", 10, "bold") > width_of("Ada", 10)


def test_every_letter_of_a_typewriter_is_as_wide_as_any_other() -> None:
    assert width_of("il", 10, "typewriter") == width_of("MW", 10, "typewriter") == 12
    assert width_of("é", 10, "typewriter") == 6


def test_a_letter_that_nobody_measured_has_room() -> None:
    assert width_of("Ж", 10) > width_of("o", 10)
    assert width_of("愛", 10) == width_of("愛", 10, "typewriter") == 10


def test_words_are_broken_at_their_room() -> None:
    assert wrap("one two three", 10, width_of("one two", 10)) == ["one two", "three"]
    assert wrap("one two three", 10, width_of("one two", 10) - 1) == ["one", "two", "three"]


def test_a_french_sign_stays_with_its_word() -> None:
    assert wrap("main\u00a0: 2", 10, 25) == ["main\u00a0:", "2"]


def test_a_long_name_is_cut_and_says_so() -> None:
    lines = wrap("The Extraordinarily Long Name of a Card", 10, 70)
    assert lines[:2] == ["The", "Extraordinarily"]
    assert cut(lines, 2, 10, 80) == ["The", "Extraordinarily…"]
    assert cut(lines, 2, 10, 60) == ["The", "Extraordina…"]
    assert cut(["short"], 2, 10, 70) == ["short"]


def test_the_largest_letters_that_fit() -> None:
    assert size_of("Ada", 100, 100) == LARGEST
    assert size_of("Ada", width_of("Ada", 11), 100) == 11
    assert size_of("x" * 500, 10, 10) == SMALLEST


@pytest.mark.parametrize(("room", "length"), [(20, 20), (35, 30.6), (45, 0)])
def test_a_line_that_a_wide_face_would_carry_out_is_held(room: float, length: float) -> None:
    """Too narrow even as measured; too narrow for a wide font; wide enough for all."""
    assert line(0, 0, 10, "Gold 5", room).length == length
    assert [words.length for words in in_the_middle(["Gold 5"], 0, 0, 10, room)] == [length]
