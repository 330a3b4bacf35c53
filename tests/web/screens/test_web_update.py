"""Updating from the phone: who may ask, its progress, its result, in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.table import Progress, Updates
from companion.table.updates import ASKER_ALONE, REASONS, UNDER_WAY
from systemd import update
from tests.web.conftest import Phone


def test_the_referee_asks_the_machine(referee: Phone, updates: Updates, tmp_path: Path) -> None:
    assert "/update" in referee.html("/more")
    assert "Update from a USB stick" in referee.html("/update")
    assert referee.post("/update").get_json() == {"go": "/update"}
    assert (tmp_path / "update").exists()


def test_nobody_else_does(ada: Phone, tmp_path: Path) -> None:
    assert "/update" not in ada.html("/more")
    assert "Only the referee can update the box" in ada.html("/update")
    assert ada.post("/update").status_code == 403
    assert not (tmp_path / "update").exists()


def test_in_mid_game_the_referee_may_insist(referee: Phone, updates: Updates, tmp_path: Path) -> None:
    """From the phone: whoever could put the game away with a command isn't at the table."""
    assert "update-anyway" not in referee.html("/update"), "nothing was refused yet"
    updates.now = Progress("failed", why="playing")
    assert "Update all the same" in referee.html("/update")
    referee.post("/update")
    assert not update.insists(tmp_path / "update")
    referee.post("/update", in_mid_game=True)
    assert update.insists(tmp_path / "update")


def test_only_a_game_can_be_insisted_on(referee: Phone, updates: Updates) -> None:
    updates.now = Progress("failed", why="unsigned")
    assert "update-anyway" not in referee.html("/update")


@pytest.mark.parametrize("step", UNDER_WAY)
def test_while_one_is_under_way_no_other_begins(referee: Phone, updates: Updates, tmp_path: Path, step: str) -> None:
    updates.now = Progress(step)  # type: ignore[arg-type]
    assert "Update from a USB stick" not in referee.html("/update")
    assert referee.post("/update").status_code == 200
    assert not (tmp_path / "update").exists()


@pytest.mark.parametrize("why", REASONS)
def test_every_reason_has_words(referee: Phone, updates: Updates, why: str) -> None:
    updates.now = Progress("failed", why=why)
    html = referee.html("/update")
    assert "everything is as it was." in html
    assert "update.why" not in html
    assert "Update from a USB stick" in html, "it may be tried again"
    assert (updates.now.alarm is None) == (why in ASKER_ALONE)


def test_a_reason_of_a_later_version_is_told_too(referee: Phone, updates: Updates) -> None:
    updates.now = Progress("failed", why="moonlight")
    assert "is no version for this box" in referee.html("/update")


def test_it_is_told_in_french(referee: Phone, updates: Updates) -> None:
    updates.now = Progress("failed", why="hung")
    referee.post("/settings", lang="fr", theme="auto")
    assert "La nouvelle version s’est figée." in referee.html("/update")
