"""The display's first words, before there is a table to speak of."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.first_light import is_pretend, light_up, now
from companion.core import JoinPage, StartingPage
from companion.library import OledPins, Settings, Speaker
from companion.table import Latest
from hw.display.draw import draw
from hw.display.oled import Oled
from hw.display.panel import Display
from hw.starting import FirstLight, first_light, show_once
from tests.hw.room import Eye, Log, moment, turn_of

ADA = turn_of("Ada")


def test_the_starting_page_is_there_and_the_same_display_goes_on_with_the_game(english: Speaker) -> None:
    light = first_light(OledPins(), pretend=True)
    assert light.panel is not None
    light.show("en")
    assert light.panel.image().tobytes() == draw(StartingPage(), english).tobytes()
    before = light.panel.chip.taken
    eye, panel = Eye(light.panel.watchers.add), light.panel
    with Oled(light.open, Latest(moment(ADA)), lambda _: english):
        assert eye.sees(lambda: panel.image().tobytes() == draw(ADA, english).tobytes())
    assert before < panel.chip.taken < before + 4000
    assert panel.frames >= 2


def test_each_step_is_said_while_the_display_is_still_ours(english: Speaker) -> None:
    light = first_light(OledPins(), pretend=True)
    assert light.panel is not None
    chosen, shown = Settings(), set[bytes]()
    light.show("en")
    for step in ("record", "devices"):
        now(light, chosen, step)
        assert light.panel.image().tobytes() == draw(StartingPage(step), english).tobytes()
        shown.add(light.panel.image().tobytes())
    assert len(shown | {draw(StartingPage(), english).tobytes()}) == 3
    light.open()
    now(light, chosen, "record")
    assert light.panel.image().tobytes() == draw(StartingPage("devices"), english).tobytes(), "handed on"
    now(None, chosen, "record")


def test_a_display_that_fails_at_a_step_is_named_later(english: Speaker, heard: Log) -> None:
    light = first_light(OledPins(), pretend=True)
    assert light.panel is not None
    light.show("en")
    light.panel.set_fault(True)
    now(light, Settings(), "record")
    assert heard.lines == []


def test_a_display_that_fails_at_the_start_is_named_later_and_once(english: Speaker, heard: Log) -> None:
    def missing() -> Display:
        raise OSError("nothing there")

    light = FirstLight(missing)
    light.show("fr")
    assert heard.lines == []
    with Oled(light.open, Latest(moment(ADA)), lambda _: english):
        assert heard.line("does not answer")


def test_the_language_is_the_boxs(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('language = "fr"\n')
    light = light_up(tmp_path, True)
    assert light is not None
    assert light.panel is not None
    english = first_light(OledPins(), pretend=True)
    english.show("en")
    assert english.panel is not None
    assert light.panel.image().tobytes() != english.panel.image().tobytes()


def test_settings_that_cannot_be_read_are_told_by_those_who_read_them_next(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("language = 7\n")
    assert light_up(tmp_path, True) is None


def test_a_page_can_be_left_behind(english: Speaker, monkeypatch: pytest.MonkeyPatch) -> None:
    light = first_light(OledPins(), pretend=True)
    assert light.panel is not None
    monkeypatch.setattr("hw.starting.first_light", lambda _oled: light)
    show_once(OledPins(), JoinPage(), "en")
    assert light.panel.image().tobytes() == draw(JoinPage(), english).tobytes()


@pytest.mark.parametrize(
    ("asked", "hardware", "pretend"),
    [(True, "real", True), (False, "pretend", False), (None, "pretend", True), (None, "real", False)],
)
def test_who_asks_decides_then_the_settings(asked: bool | None, hardware: str, pretend: bool) -> None:
    chosen = Settings(hardware="real" if hardware == "real" else "pretend")
    assert is_pretend(asked, chosen) is pretend
