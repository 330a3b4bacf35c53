"""Which Pico and which pins: no two readers share a wire, and the generated config.py works."""

from __future__ import annotations

import queue
import re
from pathlib import Path
from typing import Any, get_args

import pytest

from companion.core import Found, Tapped, Uid
from companion.core.facts import numbered
from companion.core.mats import MOST
from firmware_bridge.firmware import Body, FirmwarePico, bodies
from firmware_bridge.link import Link
from firmware_bridge.plan import EACH, MUX_RESET, SELECTS, Chip, configs, wired
from firmware_bridge.presence import Sensed
from firmware_bridge.senses import Senses
from tests.patience import PATIENCE

from .test_bridge_conformance import trace

ALL = tuple(numbered(n) for n in range(1, MOST + 1))
BUSES = {16, 18, 19, 22, 4, 5, 6, 7, MUX_RESET}


@pytest.mark.parametrize(("chip", "picos"), [("mfrc522", 2), ("pn532", 3)])
def test_two_or_three_picos_are_enough_and_no_two_readers_share_a_wire(chip: Chip, picos: int) -> None:
    plan = wired(ALL, chip)
    assert {each.pico for each in plan} == set(range(1, picos + 1))
    assert [each.pico for each in plan] == sorted(each.pico for each in plan)
    assert len({(each.pico, each.wire) for each in plan}) == MOST


def test_select_wires_are_free_pins_of_a_pico() -> None:
    assert len(set(SELECTS)) == EACH["mfrc522"]
    assert not set(SELECTS) & BUSES
    assert all(0 <= pin <= 22 or 26 <= pin <= 28 for pin in SELECTS)


@pytest.mark.parametrize("chip", get_args(Chip))
def test_each_pico_is_told_its_own_readers(chip: Chip) -> None:
    told: list[str] = []
    for text in configs(ALL, chip):
        config: dict[str, Any] = {}
        exec(text, config)
        told += [name for name, _, _ in config["READERS"]]
        assert {kind for _, kind, _ in config["READERS"]} == {chip}
        assert all("cs" in how or how["mux"] < len(config["MUXES"]) for _, _, how in config["READERS"])
    assert told == list(ALL)
    assert len(configs(ALL[:8], chip)) == 1


@pytest.mark.parametrize("body", bodies())
@pytest.mark.parametrize("chip", get_args(Chip))
def test_the_firmware_runs_with_what_is_written_and_knows_its_last_reader(chip: Chip, body: Body) -> None:
    readers = ALL[: EACH[chip]]
    (text,) = configs(readers, chip)
    last = Uid("04A2B3C4D5E680")
    with FirmwarePico(tuple((reader, chip) for reader in readers), body=body, config=text) as pico:
        put = queue.SimpleQueue[Sensed]()
        link = Link(lambda: pico.port, put.put, lambda _: None, senses=Senses(put.put, tells_levels=True))
        link.start()
        # Whatever lies there before a reader has reported its level is found, not played; on a busy machine that is
        # late.
        while put.get(timeout=PATIENCE) != Found(readers[-1], ()):
            pass
        pico.lay(last, readers[-1])
        while (sensed := put.get(timeout=PATIENCE)) != Tapped(last, readers[-1]):
            assert isinstance(sensed, Found)
            assert not sensed.uids
        link.close()


@pytest.mark.parametrize("chip", get_args(Chip))
def test_a_full_pico_tells_a_card_within_a_tenth_of_a_second_and_its_lift_after_a_second(
    chip: Chip, tmp_path: Path
) -> None:
    """In simulated time, of which pretend chips spend as much as real ones."""
    readers = ALL[: EACH[chip]]
    (tmp_path / "config.py").write_text(configs(readers, chip)[0], encoding="utf-8")
    laid = {f"04A2B3{at:02X}": (2000 + 107 * at, reader) for at, reader in enumerate(readers)}
    hands = [f"{at} lay {reader} {uid}" for uid, (at, reader) in laid.items()]
    lifted = f"5000 lift {readers[0]} 04A2B300"
    scripts = tmp_path / "scripts.txt"
    scripts.write_text("\n".join(["== full 7000 0", *hands, lifted, ""]), encoding="utf-8")
    told = trace("cpython", config=tmp_path, scripts=scripts)
    arrived = re.findall(r"^ *(\d+) = ARRIVE (\w+)", told, re.MULTILINE)
    assert {uid for _, uid in arrived} == set(laid)
    assert max(int(at) - laid[uid][0] for at, uid in arrived) <= 100
    (left,) = re.findall(r"^ *(\d+) = LEAVE 04A2B300", told, re.MULTILINE)
    assert 500 <= int(left) - 5000 <= 1100
