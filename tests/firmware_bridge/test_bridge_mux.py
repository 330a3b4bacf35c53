"""Readers behind a multiplexer, in simulated time: a failure there loses its own readers and no others."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from firmware_bridge.firmware import PICO, Body, bodies

from .test_bridge_conformance import news, said, trace

MUX = Path(__file__).parent / "conformance" / "mux"
Told = dict[str, list[tuple[int, str]]]


def traced(body: Body, pico: Path = PICO) -> str:
    return trace(body, pico, config=MUX, scripts=MUX / "scripts.txt")


@pytest.fixture(scope="module")
def told() -> Told:
    return news(traced("cpython"))


def changes(told: Told, script: str) -> list[str]:
    """What was said, without the LOST that each level report repeats."""
    heard = dict.fromkeys(said(told, script))
    return list(heard)


def test_both_bodies_say_the_same_bytes_at_the_same_times() -> None:
    if "micropython" not in bodies():
        pytest.skip("MicroPython's unix port is not installed here; the CPython body alone runs the firmware")
    assert traced("micropython") == traced("cpython")


def test_eight_chips_of_one_address_are_eight_readers(told: Told) -> None:
    assert said(told, "each-channel-has-its-own-tags") == [
        "ARRIVE 04A2B3C4D5E680 r02",
        "ARRIVE 04BEEF01 r04",
        "ARRIVE 04C0FFEE wand",
        "LEAVE 04A2B3C4D5E680 r02",
    ]
    assert said(told, "a-tag-moves-from-channel-to-channel") == [
        "ARRIVE 04A2B3C4D5E680 r01",
        "ARRIVE 04A2B3C4D5E680 r02",
        "LEAVE 04A2B3C4D5E680 r01",
    ]


def test_a_dead_channel_loses_one_reader_and_it_comes_back(told: Told) -> None:
    assert changes(told, "a-dead-channel") == ["LOST r02", "ARRIVE 04C0FFEE r03", "BACK r02"]


def test_a_chip_that_holds_the_wires_down_holds_up_nobody_else(told: Told) -> None:
    assert changes(told, "a-channel-that-holds-the-wires-down") == [
        "LOST r02",
        "ARRIVE 04C0FFEE r04",
        "LEAVE 04A2B3C4 r01",
        "BACK r02",
    ]


def test_a_multiplexer_that_does_not_answer_loses_its_readers_alone_and_no_tag(told: Told) -> None:
    heard = changes(told, "a-multiplexer-that-does-not-answer")
    behind = ["r01", "r02", "r03", "r04"]
    assert sorted(heard[:4]) == [f"LOST {reader}" for reader in behind]
    assert heard[4:6] == ["ARRIVE 04C0FFEE wand", "ARRIVE 04C0FFEF left"]
    assert sorted(heard[6:]) == [f"BACK {reader}" for reader in behind]
    assert said(told, "a-multiplexer-whose-supply-dips") == ["ARRIVE 04C0FFEE r02"]


def test_lost_chunks_are_sent_again(told: Told) -> None:
    assert said(told, "every-third-chunk-is-lost") == ["ARRIVE 04BEEF01 r02", "LEAVE 04A2B3C4 r01"]


@pytest.mark.parametrize(
    ("good", "broken", "script"),
    [
        ("        self._reset(0)\n", "", "a-channel-that-holds-the-wires-down"),
        ("        self._mux.join(self._number)\n", "", "each-channel-has-its-own-tags"),
        ("bytes([1 << channel])", "bytes([255])", "each-channel-has-its-own-tags"),
    ],
)
def test_control_a_multiplexer_driven_wrongly_is_caught(
    good: str, broken: str, script: str, tmp_path: Path, told: Told
) -> None:
    pico = tmp_path / "pico"
    shutil.copytree(PICO, pico)
    text = (pico / "tca9548a.py").read_text(encoding="utf-8")
    assert good in text
    (pico / "tca9548a.py").write_text(text.replace(good, broken), encoding="utf-8")
    assert changes(news(traced("cpython", pico)), script) != changes(told, script)
