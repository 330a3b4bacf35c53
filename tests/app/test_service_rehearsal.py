"""A version tries itself on a copy: every unfinished game is replayed, and the whole program plays."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.app import backup, updating
from companion.app.cli import main
from companion.app.opening import make_setup
from companion.core import Said
from companion.journal import JOURNAL, Journal
from companion.library import shelf
from companion.table import Progress, Referee, Updates


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A backup with an unfinished game."""
    data = tmp_path / "data"
    data.mkdir()
    game = shelf.open("actionworks")
    with Journal.open(data / JOURNAL) as journal:
        Referee.begin(game, make_setup(game, 3), ("Ada", "Ben", "Chloé"), "strict", journal, time.time)
    backup.make(data, tmp_path / "copy.backup", time.time())
    return tmp_path / "copy.backup"


def rehearsed(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["rehearse", *words])
    return done.exit_code, done.output


def test_what_was_played_can_go_on(copy: Path) -> None:
    before = copy.read_bytes()
    code, told = rehearsed(str(copy))
    assert code == 0, told
    assert "1 unfinished games" in told
    assert copy.read_bytes() == before


def test_a_box_that_has_never_played_rehearses_too() -> None:
    assert rehearsed()[0] == 0


def test_a_game_that_this_version_does_not_have_is_not_passed_over(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(game: str) -> None:
        raise shelf.UnknownGame(game)

    monkeypatch.setattr(shelf, "open", missing)
    code, told = rehearsed(str(copy))
    assert (code, "actionworks" in told) == (3, True)


def test_a_copy_that_cannot_be_read_is_told_by_its_own_code(copy: Path) -> None:
    copy.write_bytes(b"no copy")
    assert rehearsed(str(copy))[0] == 3


def test_a_part_that_gets_nowhere_fails_it(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.app.service.page_is_served", lambda _port: False)
    code, told = rehearsed(str(copy))
    assert (code, "web" in told) == (1, True)


def test_the_display_follows_what_the_machine_says(tmp_path: Path) -> None:
    said, alarms = tmp_path / "said", list[Said | None]()
    updates = Updates(lambda _: None, lambda *_: False)
    following = updating.Following(updates, alarms.append, said)
    following.look()
    assert alarms == [], "nothing was said"
    for step, why in (("trying", ""), ("failed", "hung")):
        said.write_text(json.dumps({"step": step, "version": "", "why": why}))
        following.look()
        following.look()
    assert [None if alarm is None else alarm.key for alarm in alarms] == [None, "trouble.update"]
    said.write_text("{")
    following.look()
    assert (updates.now, alarms[-1]) == (Progress(), None)


def test_what_was_said_long_ago_is_over(tmp_path: Path) -> None:
    said = tmp_path / "said"
    said.write_text(json.dumps({"step": "failed", "version": "", "why": "hung"}))
    now = time.time()
    assert updating.read(said, now).step == "failed"
    assert updating.read(said, now + updating.TOLD_FOR + 60) == Progress()
