"""Which Pico and which pins: no two readers share a wire, and the config.py that is written is one that works."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from companion.core.mats import MOST
from companion.core.readers import numbered
from firmware_bridge.plan import EACH, MUX_RESET, SELECTS, Chip, configs, wired

ALL = tuple(numbered(n) for n in range(1, MOST + 1))
BUSES = {16, 18, 19, 22, 4, 5, 6, 7, MUX_RESET}


@pytest.mark.parametrize("chip", get_args(Chip))
def test_three_picos_have_eight_readers_each_and_no_two_share_a_wire(chip: Chip) -> None:
    plan = wired(ALL, chip)
    assert [each.pico for each in plan] == [1] * 8 + [2] * 8 + [3] * 8
    assert len({(each.pico, each.wire) for each in plan}) == MOST


def test_select_wires_are_free_pins_of_a_pico() -> None:
    assert len(set(SELECTS)) == EACH
    assert not set(SELECTS) & BUSES
    assert all(0 <= pin <= 22 or 26 <= pin <= 28 for pin in SELECTS)


@pytest.mark.parametrize("chip", get_args(Chip))
def test_each_pico_is_told_its_own_readers(chip: Chip) -> None:
    told: list[str] = []
    for text in configs(ALL[:17], chip):
        config: dict[str, Any] = {}
        exec(text, config)
        told += [name for name, _, _ in config["READERS"]]
        assert {kind for _, kind, _ in config["READERS"]} == {chip}
    assert told == list(ALL[:17])
    assert len(configs(ALL[:17], chip)) == 3
    assert len(configs(ALL[:8], chip)) == 1
