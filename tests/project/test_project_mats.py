"""What the documentation says about mats is what the games say."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from companion.core import mat
from companion.library import shelf

DOCS = Path(__file__).parent.parent.parent / "docs"


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    return runpy.run_path(str(DOCS / "mats.py"))


def test_the_page_and_the_drawings_are_as_the_games_make_them(made: dict[str, Any]) -> None:
    for path, text in made["made"]().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is out of date: python docs/mats.py"


def test_no_drawing_is_left_over(made: dict[str, Any]) -> None:
    assert set((DOCS / "pictures").glob("mat-*.svg")) < set(made["made"]())


def test_a_changed_mat_would_be_noticed(made: dict[str, Any]) -> None:
    game = shelf.open("actionworks")
    slots = made["picture"](game, game.mats(4)[1])
    assert made["drawing"](game, mat("slots")) != slots.read_text(encoding="utf-8")


def test_a_drawing_says_every_number_and_place(made: dict[str, Any]) -> None:
    game = shelf.open("us-patent")
    drawn = ET.fromstring(made["drawing"](game, game.mats(4)[1]))
    words = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert [word for word in words if word and word.isdigit()] == [str(n) for n in range(1, 18)]
    assert "Wand" in words
    assert any(word and "Weapon" in word for word in words)
