"""The doctor on the phone: who may ask, what is shown, and that viewing the page runs no checks."""

from __future__ import annotations

from collections.abc import Callable

from companion.table import Doctor
from tests.web.conftest import Phone


def test_everything_found_is_shown_with_its_cure(ada: Phone) -> None:
    assert "Not run since" in ada.html("/doctor")
    assert ada.post("/doctor").get_json() == {"go": "/doctor"}
    html = ada.html("/doctor")
    for words in ("/dev/ttyACM0 may not be used", "usermod -aG dialout", "lgpio, which", "fonts-spleen", "Clock"):
        assert words in html
    assert "One of these needs fixing before you can play." in html
    assert "Test again" in html


def test_it_is_told_in_french_too(ada: Phone) -> None:
    ada.post("/doctor")
    ada.post("/settings", lang="fr", theme="auto")
    html = ada.html("/doctor")
    assert "puis reconnectez-vous" in html
    assert "Il faut d’abord corriger" in html
    assert "may not be used" not in html


def test_only_those_at_the_table_ask_and_see(ada: Phone, phone: Callable[[], Phone], doctor: Doctor) -> None:
    stranger = phone()
    assert stranger.post("/doctor").status_code == 403
    assert doctor.last is None
    ada.post("/doctor")
    html = stranger.html("/doctor")
    assert "Take a seat first" in html
    assert "ttyACM0" not in html
    assert "/doctor" not in stranger.html("/more")
    assert "/doctor" in ada.html("/more")


def test_reading_the_page_examines_nothing(ada: Phone, doctor: Doctor) -> None:
    ada.html("/doctor")
    ada.html("/more")
    assert doctor.last is None
