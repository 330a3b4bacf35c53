"""The firmware is copied to a Pico, and every step is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.cli import flash as flash_file
from companion.app.cli.options import AskedWrongly, CouldNot
from firmware_bridge import link
from firmware_bridge.firmware import FirmwarePico

from .conftest import Companion


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """What mpremote would be told; the Pico already has a config.py."""
    told: list[tuple[str, ...]] = []

    def run(port: str, *words: str) -> str:
        told.append((port, *words))
        return "ls :\n 120 config.py\n 900 main.py\n" if words == ("fs", "ls") else ""

    monkeypatch.setattr(flash_file, "_mpremote", run)
    monkeypatch.setattr(flash_file, "stop", lambda _port: True)
    monkeypatch.setattr(link, "find_picos", lambda: {"E66": "/dev/ttyACM3"})
    return told


def test_every_file_is_copied_and_the_list_of_readers_stays(companion: Companion, asked: list[tuple[str, ...]]) -> None:
    told = companion("flash")
    assert told.exit_code == 0, told.output
    copied = [words[4] for words in asked if words[1:3] == ("fs", "cp")]
    assert copied[0] == ":wire.py"
    assert {":main.py", ":station.py", ":antenna.py", ":mfrc522.py", ":pn532.py", ":iso14443a.py"} <= set(copied)
    assert ":config.py" not in copied
    assert "Its config.py stays as it is." in told.stdout
    assert asked[-1] == ("/dev/ttyACM3", "reset")


def test_a_list_of_ones_own_is_copied_under_its_right_name(
    companion: Companion, asked: list[tuple[str, ...]], tmp_path: Path
) -> None:
    own = tmp_path / "my-table.py"
    own.write_text("READERS = []\n", encoding="utf-8")
    assert companion("flash", "--config", own).exit_code == 0
    assert ("/dev/ttyACM3", "fs", "cp", str(own), ":config.py") in asked


def test_a_dry_run_touches_nothing(companion: Companion, asked: list[tuple[str, ...]]) -> None:
    told = companion("flash", "--dry-run")
    assert "Would copy wire.py" in told.stdout
    assert asked == []


def test_no_pico_and_several_are_said(companion: Companion, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "find_picos", dict)
    assert "There is no Pico on USB." in companion("flash").stderr
    with pytest.raises(AskedWrongly, match="Name one with --port"):
        flash_file.choose({"a": "/dev/ttyACM0", "b": "/dev/ttyACM1"}, None)
    assert flash_file.choose({}, "/dev/ttyACM9") == "/dev/ttyACM9"


def test_a_running_firmware_stops_and_the_next_start_waits_for_files() -> None:
    with FirmwarePico() as pico:
        port = pico.port
        assert port is not None
        assert flash_file.stop(port)
        assert pico.is_staying


def test_a_pico_that_does_not_come_back_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flash_file, "PATIENCE", 0.2)
    assert flash_file.wait_for_port(lambda: {"E66": "/dev/ttyACM1"}, "/dev/ttyACM0") == "/dev/ttyACM1"
    with pytest.raises(CouldNot, match="Unplug it"):
        flash_file.wait_for_port(dict, "/dev/ttyACM0")
    with pytest.raises(CouldNot, match="Is a game running"):
        flash_file.stop("/dev/no-such-port")


def test_what_mpremote_says_is_handed_on() -> None:
    with pytest.raises(CouldNot, match="mpremote could not reset"):
        flash_file._mpremote("/dev/no-such-port", "reset")
