"""From a wish of the table to a tag and back: over real links to pretend Picos and to the firmware itself."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from companion.core import LinkOutcome, ReaderId, Uid
from firmware_bridge import wire
from firmware_bridge.firmware import Body, FirmwarePico, bodies
from firmware_bridge.greeting import LinkState, Up, writes_links
from firmware_bridge.linking import ASK_EVERY, PATIENCE, Linking
from firmware_bridge.links import Links
from firmware_bridge.presence import Arrived, Connected, Sensed
from firmware_bridge.pretend import PretendPico
from firmware_bridge.senses import Senses
from tests import patience

LEFT, RIGHT = ReaderId("left"), ReaderId("right")
COIL, GEAR = Uid("04A2B3C4D5E680"), Uid("04A2B3C4D5E681")
TEXT = "table.local/t/"


class Bench:
    """What a table hears from one Pico."""

    def __init__(self, pico: PretendPico | FirmwarePico) -> None:
        self.pico = pico
        self.outcomes: list[tuple[Uid, LinkOutcome]] = []
        self.changed = threading.Condition()
        self.is_up = False
        self.senses = Senses(self._put, tells_levels=True)
        self.links = Links(self._ports, self.senses, self._told, on_link=self._wrote)

    def _ports(self) -> dict[str, str]:
        port = self.pico.port
        return {} if port is None else {"board": port}

    def _put(self, _given: Sensed) -> None:
        with self.changed:
            self.changed.notify_all()

    def _told(self, state: LinkState) -> None:
        with self.changed:
            self.is_up = isinstance(state, Up)
            self.changed.notify_all()

    def _wrote(self, uid: Uid, outcome: LinkOutcome) -> None:
        with self.changed:
            self.outcomes.append((uid, outcome))
            self.changed.notify_all()

    def lay(self, uid: Uid, reader: ReaderId) -> None:
        self.pico.lay(uid, reader)
        with self.changed:
            assert self.changed.wait_for(lambda: uid in self.senses.presence.on(reader), patience.PATIENCE)

    def write(self, uid: Uid) -> LinkOutcome:
        before = len(self.outcomes)
        self.links.write_link(uid, TEXT)
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.outcomes) > before, patience.PATIENCE)
        told, outcome = self.outcomes[-1]
        assert told == uid
        return outcome

    def open(self) -> None:
        self.links.start()
        with self.changed:
            assert self.changed.wait_for(lambda: self.is_up, patience.PATIENCE)


@pytest.fixture
def bench() -> Iterator[Bench]:
    pico = PretendPico((LEFT, RIGHT))
    pico.start()
    bench = Bench(pico)
    bench.open()
    yield bench
    bench.links.close()
    pico.close()


@pytest.mark.parametrize("body", bodies())
@pytest.mark.parametrize("reader", [LEFT, RIGHT])
def test_the_firmware_writes_what_the_table_wishes(body: Body, reader: ReaderId) -> None:
    with FirmwarePico(body=body) as pico:
        bench = Bench(pico)
        bench.open()
        bench.lay(COIL, reader)
        assert [bench.write(COIL), bench.write(COIL)] == ["new", "same"]
        assert bench.write(GEAR) == "gone", "it lies nowhere"
        bench.links.close()


def test_a_pretend_pico_keeps_the_text(bench: Bench) -> None:
    assert isinstance(bench.pico, PretendPico)
    bench.lay(COIL, LEFT)
    bench.lay(GEAR, RIGHT)
    assert [bench.write(COIL), bench.write(GEAR), bench.write(COIL)] == ["new", "new", "same"]
    assert bench.pico.links == {COIL: TEXT, GEAR: TEXT}


def test_over_a_noisy_cable_a_link_is_asked_for_again(bench: Bench) -> None:
    assert isinstance(bench.pico, PretendPico)
    bench.lay(COIL, LEFT)
    bench.pico.noise(True)
    assert {bench.write(COIL) for _ in range(5)} <= {"new", "same", "again"}
    bench.pico.noise(False)
    assert any(bench.write(COIL) in ("new", "same") for _ in range(20))


def test_a_pico_that_was_flashed_before_is_asked_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_bridge.pretend.FIRMWARE", "companion-1")
    pico = PretendPico((LEFT, RIGHT))
    pico.start()
    bench = Bench(pico)
    bench.open()
    bench.lay(COIL, LEFT)
    assert (bench.write(COIL), pico.links) == ("old", {})
    bench.links.close()
    pico.close()


@pytest.mark.parametrize(
    ("firmware", "writes"),
    [("companion-1", False), ("companion-2", True), ("companion-10", True), ("companion-x", False), ("other-2", False)],
)
def test_the_greeting_says_who_can_write(firmware: str, writes: bool) -> None:
    assert writes_links(firmware) is writes


def test_a_pulled_cable_says_write_it_again(bench: Bench) -> None:
    assert isinstance(bench.pico, PretendPico)
    bench.lay(COIL, LEFT)
    bench.pico.pull_cable(True)
    assert bench.write(COIL) in ("again", "gone")


# The asking itself, without a clock of its own


def session() -> wire.Receiver:
    receiver = wire.Receiver(lambda: "5EED0001")
    receiver.feed(wire.encode("HELLO", "1", "companion-2", "bench", "0001", "left"))
    return receiver


def test_a_link_is_asked_for_at_intervals_and_not_for_ever() -> None:
    told: list[tuple[Uid, LinkOutcome]] = []
    linking, receiver = Linking(lambda uid, outcome: told.append((uid, outcome))), session()
    linking.wish(COIL, LEFT, TEXT)
    asked = linking.due(receiver, 10.0)
    assert asked == wire.encode("LINK", "5EED0001", "1", "left", COIL, TEXT)
    assert linking.due(receiver, 10.0 + ASK_EVERY / 2) == b""
    assert linking.due(receiver, 10.0 + ASK_EVERY) == asked
    assert linking.due(receiver, 10.0 + PATIENCE) == b""
    assert told == [(COIL, "again")]
    assert linking.due(receiver, 20.0) == b""


def test_links_are_asked_for_one_after_the_other_and_only_their_own_answer_counts() -> None:
    told: list[tuple[Uid, LinkOutcome]] = []
    linking, receiver = Linking(lambda uid, outcome: told.append((uid, outcome))), session()
    linking.heard(["WROTE", "1", COIL, "left", "new"])
    linking.wish(COIL, LEFT, TEXT)
    linking.wish(GEAR, LEFT, TEXT)
    linking.due(receiver, 0.0)
    for words in (["WROTE", "2", COIL, "left", "new"], ["WROTE", "1", GEAR, "left", "new"], ["WROTE", "1", COIL]):
        linking.heard(words)
    linking.heard(["WROTE", "1", COIL, "left", "wonderful"])
    assert told == []
    linking.heard(["WROTE", "1", COIL, "left", "new"])
    assert linking.due(receiver, 0.0) == wire.encode("LINK", "5EED0001", "2", "left", GEAR, TEXT)
    linking.fail()
    assert told == [(COIL, "new"), (GEAR, "again")]


def test_a_tag_on_a_reader_that_only_reads_is_told_so(bench: Bench) -> None:
    hand = ReaderId("hand")
    bench.senses.take(Connected((hand,)))
    bench.senses.take(Arrived(GEAR, hand))
    assert bench.write(GEAR) == "unable"
