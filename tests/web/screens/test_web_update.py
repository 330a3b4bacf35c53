"""Updating from the phone: who may ask, its progress, its result, in both languages."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from companion.app.updating import GIVEN, Incoming
from companion.library import LANGS, Lang, Speaker, Texts
from companion.table import Progress, Updates
from companion.table.updates import ASKER_ALONE, REASONS, UNDER_WAY
from systemd import update
from tests.web.conftest import HOST, LOCALE, Phone


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


def sent(phone: Phone, part: bytes, at: int | str, of: int | str) -> int:
    headers = {"X-Companion": "1", "Origin": f"http://{HOST}"}
    path, kind = f"/update/file?at={at}&of={of}", "application/octet-stream"
    return phone.client.post(path, base_url=f"http://{HOST}", data=part, headers=headers, content_type=kind).status_code


def test_the_referee_sends_the_file_from_the_phone(referee: Phone, tmp_path: Path) -> None:
    assert "Update from this phone" in referee.html("/update")
    assert sent(referee, b"first", 0, 11) == 200
    assert not (tmp_path / "update").exists(), "it is not whole yet"
    assert sent(referee, b"first", 0, 11) == 200, "an answer got lost: sent again"
    assert sent(referee, b"second", 5, 11) == 200
    assert (tmp_path / GIVEN).read_bytes() == b"firstsecond"
    assert not update.insists(tmp_path / "update")
    referee.post("/update", in_mid_game=True)
    assert (tmp_path / GIVEN).exists(), "insisted on is what was refused"
    referee.post("/update")
    assert not (tmp_path / GIVEN).exists(), "now the stick is meant"


@pytest.mark.parametrize(
    ("at", "of"), [("6", "11"), ("0", "4"), ("0", "0"), ("-1", "4"), ("", ""), ("9" * 30, "9" * 30)]
)
def test_a_part_that_fits_nowhere_is_refused(referee: Phone, tmp_path: Path, at: str, of: str) -> None:
    assert sent(referee, b"first", at, of) == 400
    assert not (tmp_path / "update").exists()


def test_only_the_referee_sends_one_and_only_as_a_file(referee: Phone, ada: Phone, tmp_path: Path) -> None:
    assert sent(ada, b"x", 0, 1) == 403
    assert referee.post("/update/file?at=0&of=1").status_code == 415
    assert not (tmp_path / GIVEN).exists()


def test_a_file_for_which_there_is_no_room_leaves_nothing(
    referee: Phone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> bool:
        (tmp_path / f".{GIVEN}").touch()
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(Incoming, "_kept", full)
    assert sent(referee, b"x", 0, 1) == 413
    assert not list(tmp_path.glob(f"*{GIVEN}"))


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


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("why", sorted({*REASONS} - {*ASKER_ALONE}))
def test_the_display_says_why(why: str, lang: Lang) -> None:
    """Each in words of its own that fit; the long ones are for phones."""
    speaker, alarm = Speaker(Texts.load(LOCALE), lang), Progress("failed", why=why).alarm
    assert alarm is not None
    said, general = speaker.say(alarm, "oled"), speaker.key(f"update.why.{why}")
    assert general not in said
    assert 0 < len(said.partition(":")[2].strip()) <= 34, said


def test_a_reason_of_a_later_version_is_told_too(referee: Phone, updates: Updates) -> None:
    updates.now = Progress("failed", why="moonlight")
    assert "is no version for this box" in referee.html("/update")


def test_it_is_told_in_french(referee: Phone, updates: Updates) -> None:
    updates.now = Progress("failed", why="hung")
    referee.post("/settings", lang="fr", theme="auto")
    assert "La nouvelle version s’est figée." in referee.html("/update")
