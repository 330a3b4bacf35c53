"""The pretend Pico misbehaves on command, and only then."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from companion.core import CompanionError, Lifted, ReaderId, Said, Tapped, Uid
from companion.table import PretendReader
from firmware_bridge import wire
from firmware_bridge.cable import BANNER, BadLine, Noise, Rates
from firmware_bridge.link import Link
from firmware_bridge.presence import Sensed
from firmware_bridge.pretend import NoSuchReader, PretendPico, ReaderFull, UnreadableUid
from tests.patience import PATIENCE

LEFT, RIGHT = ReaderId("left"), ReaderId("right")
COIL, PLANT = Uid("04A2B3C4D5E680"), Uid("04C0FFEE")


@pytest.fixture
def pico() -> Iterator[PretendPico]:
    pico = PretendPico()
    pico.start()
    yield pico
    pico.close()


def test_readers_tell_what_lies_where_in_the_order_it_was_laid(pico: PretendPico) -> None:
    pico.lay(PLANT, LEFT)
    pico.lay(COIL, LEFT)
    pico.lay(PLANT, RIGHT)
    pico.lift(Uid("04FFFFFF"))
    assert pico.readers() == (
        PretendReader(LEFT, Said("reader.left"), (COIL,)),
        PretendReader(RIGHT, Said("reader.right"), (PLANT,)),
    )


def test_a_tag_that_moves_leaves_before_it_arrives(pico: PretendPico) -> None:
    inputs: list[Sensed] = []
    link = Link(lambda: pico.port, inputs.append, lambda _: None)
    link.start()
    assert pico.wait_heard()
    pico.lay(COIL, LEFT)
    pico.lay(COIL, LEFT)
    pico.lay(COIL, RIGHT)
    assert pico.wait_heard()
    link.close()
    assert inputs == [Tapped(COIL, LEFT), Lifted(COIL, LEFT), Tapped(COIL, RIGHT)]


def test_what_cannot_be_laid_is_named(pico: PretendPico) -> None:
    with pytest.raises(NoSuchReader, match="it has left, right"):
        pico.lay(COIL, ReaderId("middle"))
    with pytest.raises(UnreadableUid, match="'coil 7' is not a UID"):
        pico.lay(Uid("coil 7"), LEFT)
    for n in range(wire.MAX_TAGS):
        pico.lay(Uid(f"04C0FF{n:02X}"), LEFT)
    with pytest.raises(ReaderFull, match="lift some") as full:
        pico.lay(COIL, LEFT)
    assert isinstance(full.value, CompanionError)


def test_the_port_goes_with_the_cable_and_one_comes_back(pico: PretendPico) -> None:
    seen = [(pico.port is not None, pico.faults())]
    for on in (True, False):
        pico.set_fault("cable", on)
        seen.append((pico.port is not None, pico.faults()))
    assert seen == [(True, ()), (False, ("cable",)), (True, ())]


def test_faults_are_told_as_they_are_and_the_display_is_not_its_own(pico: PretendPico) -> None:
    for fault in ("noise", "flicker", "display"):
        pico.set_fault(fault, True)
    assert pico.faults() == ("flicker", "noise")


def test_a_watcher_hears_of_every_change_until_it_ends(pico: PretendPico) -> None:
    calls: list[str] = []
    end = pico.watch(lambda: calls.append("changed"))
    pico.lay(COIL, LEFT)
    pico.lift(COIL)
    pico.noise(True)
    end()
    end()
    pico.noise(False)
    assert len(calls) == 3


def test_noise_is_the_same_for_the_same_seed_and_never_silent_for_long() -> None:
    data = bytes(range(256)) * 20
    assert Noise(3)(data) == Noise(3)(data) != Noise(4)(data) != data
    assert Noise(3, rate=0)(data) == data


def test_a_bad_line_does_every_bad_thing_in_the_same_way_for_the_same_seed() -> None:
    chunks = [f"{n:04}".encode() for n in range(2000)]

    def passed(rates: Rates) -> bytes:
        line = BadLine(3, rates)
        return b"".join(map(line, chunks))

    whole, none = b"".join(chunks), Rates(0, 0, 0, 0, 0)
    assert passed(none) == whole
    assert passed(Rates()) == passed(Rates()) != whole
    assert len(passed(Rates(drop=0.1, flip=0, twice=0, swap=0, rubbish=0))) < len(whole)
    assert len(passed(Rates(drop=0, flip=0.1, twice=0, swap=0, rubbish=0))) == len(whole)
    assert len(passed(Rates(drop=0, flip=0, twice=0.1, swap=0, rubbish=0))) > len(whole)
    swapped = passed(Rates(drop=0, flip=0, twice=0, swap=0.1, rubbish=0))
    assert sorted(swapped[n : n + 4] for n in range(0, len(swapped), 4)) == chunks[: len(swapped) // 4]
    assert BANNER in passed(Rates(drop=0, flip=0, twice=0, swap=0, rubbish=0.1))


def flickering(silent_polls: int, patience: float) -> list[Sensed]:
    """What ten flickering tags make the link say until one of them has left, or so many seconds went without."""
    pico = PretendPico(silent_polls=silent_polls)
    pico.start()
    inputs: list[Sensed] = []
    told = threading.Event()

    def put(given: Sensed) -> None:
        inputs.append(given)
        told.set()

    for n in range(10):
        pico.lay(Uid(f"04C0FF{n:02X}"), LEFT)
    link = Link(lambda: pico.port, put, lambda _: None)
    link.start()
    assert pico.wait_heard()
    pico.flicker(True)
    told.wait(patience)
    link.close()
    pico.close()
    return inputs


def test_flickering_tags_are_never_told_as_gone() -> None:
    assert flickering(silent_polls=10, patience=0.5) == []


def test_control_a_firmware_that_believes_one_silent_poll_is_caught() -> None:
    assert flickering(silent_polls=1, patience=PATIENCE) != []
