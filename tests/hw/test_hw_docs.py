"""What the documentation says about buttons and pins is what the code does."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from companion.library import Settings, settings

DOCS = Path(__file__).parent.parent.parent / "docs"


@pytest.fixture(scope="module")
def made() -> Iterator[dict[str, Any]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(DOCS))
        yield runpy.run_path(str(DOCS / "wiring.py"))


def test_the_files_are_as_the_code_makes_them(made: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    for path, text in made["made"]().items():
        assert path.read_text() == text, f"{path.name} is out of date: python docs/wiring.py"
    monkeypatch.syspath_prepend(str(DOCS))
    pressed = runpy.run_path(str(DOCS / "box.py"))["buttons_md"]()
    assert (DOCS / "buttons.md").read_text() == pressed, "buttons.md is out of date: python docs/box.py"


def test_a_moved_pin_would_be_noticed(made: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    moved = Settings(buttons=settings.ButtonPins(check=26))
    monkeypatch.setitem(made["wires"].__globals__, "Settings", lambda: moved)
    assert made["wiring_md"]() != (DOCS / "wiring.md").read_text()


def test_no_two_wires_meet_and_every_pin_is_on_the_header(made: dict[str, Any]) -> None:
    gpios = [gpio for _, _, gpio in made["wires"]() if gpio not in ("GND", "3V3")]
    assert len(set(gpios)) == len(gpios)
    assert all(gpio in made["HEADER"] for gpio in gpios)
    assert len(made["HEADER"]) == 40
    assert sorted(int(word) for word in made["HEADER"] if word.isdigit()) == list(range(28))


def test_the_drawing_is_well_formed_and_says_every_wire(made: dict[str, Any]) -> None:
    drawn = ET.fromstring(made["wiring_svg"]())
    words = {text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")}
    assert {"CHECK", "OK", "BACK", "NEXT", "SDA", "SCL", "red", "green", "blue", "PUSH", "display", "buzzer"} <= words
