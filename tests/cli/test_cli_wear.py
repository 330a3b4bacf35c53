"""What the doctor says about the card: bytes and syncs since the start, as the kernel counts them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.app.cli.device_checks import card
from companion.app.cli.doctor import report, speaker
from companion.app.wear import Wear, wear
from companion.journal import JOURNAL

COUNTS = "5 0 80 1 700 0 4000 2 0 3 3 0 0 0 0 41 9\n"


@pytest.fixture
def system(tmp_path: Path) -> Path:
    """A machine whose disk holds `tmp_path`, in a partition of its own."""
    number = tmp_path.stat().st_dev
    part = tmp_path / "sys" / "devices" / "mmcblk0" / "mmcblk0p2"
    part.mkdir(parents=True)
    (part / "partition").write_text("2\n")
    (part / "stat").write_text("0 " * 17)
    (part.parent / "stat").write_text(COUNTS)
    block = tmp_path / "sys" / "dev" / "block"
    block.mkdir(parents=True)
    (block / f"{os.major(number)}:{os.minor(number)}").symlink_to(part)
    return tmp_path / "sys"


def playing(tmp_path: Path, words: str) -> Path:
    (tmp_path / f"{JOURNAL}.lock").write_text("4711\n")
    (tmp_path / "proc" / "4711").mkdir(parents=True)
    (tmp_path / "proc" / "4711" / "io").write_text(words)
    return tmp_path / "proc"


def test_the_whole_disk_is_counted_and_our_own_part(tmp_path: Path, system: Path) -> None:
    processes = playing(tmp_path, "rchar: 3\nwrite_bytes: 1500000\ncancelled_write_bytes: 0\n")
    worn = wear(tmp_path, system, processes)
    assert worn == Wear(4000 * 512, 41, 1_500_000)
    assert report(tuple(card(worn)), speaker(tmp_path, "en"))[0].endswith(
        "Written to the card since the start: 2.0 MB, 41 syncs; by the companion 1.5 MB"
    )


def test_without_a_companion_that_runs_only_the_disk_is_told(tmp_path: Path, system: Path) -> None:
    worn = wear(tmp_path, system, tmp_path / "proc")
    assert worn == Wear(4000 * 512, 41, None)
    assert "2.0 MB, 41 syncs" in report(tuple(card(worn)), speaker(tmp_path, "en"))[0]
    processes = playing(tmp_path, "nothing of use\n")
    assert wear(tmp_path, system, processes) == worn


@pytest.mark.parametrize("counts", ["", "1 2 3", "so many"])
def test_a_disk_that_does_not_count_is_not_spoken_of(tmp_path: Path, system: Path, counts: str) -> None:
    (system / "devices" / "mmcblk0" / "stat").write_text(counts)
    assert wear(tmp_path, system) is None
    assert wear(tmp_path, tmp_path / "elsewhere") is None
    assert list(card(None)) == []
