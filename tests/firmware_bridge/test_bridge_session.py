"""Exactly once, in simulated time: both halves of a session with a bad line between them."""

from __future__ import annotations

import random
from collections import deque

import pytest

from firmware_bridge import wire
from firmware_bridge.cable import Noise

UIDS = tuple(f"04C0FF{n:02X}" for n in range(8))


class Forgetful(wire.Receiver):
    """A broken build: hands on anything with the right nonce, however often."""

    def _take(self, words: list[str]) -> list[list[str]]:
        if words[1] != self._nonce:
            return []
        self._next = max(self._next, wire.number(words[2]) + 1)
        return [[words[0], *words[3:]]]


class Hasty(wire.Receiver):
    """A broken build: gives up on gaps instead of waiting for them."""

    def _take(self, words: list[str]) -> list[list[str]]:
        if words[1] != self._nonce or wire.number(words[2]) < self._next:
            return []
        self._next = wire.number(words[2]) + 1
        return [[words[0], *words[3:]]]


class Line:
    """A device, a bad line and a host; a step is one millisecond, a chunk takes one to three of them each way."""

    def __init__(self, seed: int, receiver: wire.Receiver, rate: float) -> None:
        self.rng = random.Random(seed)
        self.noise = Noise(seed, rate)
        self.receiver = receiver
        self.now = self.boots = 0
        self.truth: list[list[str]] = []
        self.news: list[list[str]] = []
        self.boot()

    def boot(self) -> None:
        """The device restarts; bytes in transit are cut off, perhaps within a frame."""
        self.boots += 1
        self.sender = wire.Sender("f", "bench", f"{self.boots:04X}", ["left"])
        self.ears = wire.Decoder()
        self.down: deque[tuple[int, bytes]] = deque()
        self.up: deque[tuple[int, bytes]] = deque()

    def play(self) -> None:
        words = ["ARRIVE" if self.rng.random() < 0.5 else "LEAVE", self.rng.choice(UIDS), "left"]
        self.sender.tell(*words)
        self.truth.append(words)

    def step(self) -> None:
        self.now += 1
        if self.sender.wants_levels(self.now):
            self.sender.tell_levels(self.now, [("left", [])])
        self._send(self.up, self.sender.due(self.now))
        while self.up and self.up[0][0] <= self.now:
            self.news += self.receiver.feed(self.up.popleft()[1])
            self._send(self.down, self.receiver.answers())
        while self.down and self.down[0][0] <= self.now:
            for words in self.ears.feed(self.down.popleft()[1]):
                self.sender.hear(words)

    def _send(self, way: deque[tuple[int, bytes]], data: bytes) -> None:
        if data:
            way.append((self.now + self.rng.randint(1, 3), self.noise(data)))

    def settle(self) -> None:
        for _ in range(100_000):
            if self.sender.is_heard():
                return
            self.step()
        raise AssertionError("the line never settled")

    def plays(self) -> list[list[str]]:
        return [words for words in self.news if words[0] in ("ARRIVE", "LEAVE")]


def nonces(seed: int) -> wire.Receiver:
    return wire.Receiver(_nonces(seed))


def _nonces(seed: int):  # type: ignore[no-untyped-def]
    rng = random.Random(-seed)
    return lambda: f"{rng.getrandbits(32):08X}"


def played(line: Line, count: int) -> Line:
    line.settle()
    for _ in range(count):
        line.play()
        for _ in range(line.rng.choice((0, 0, 3, 20))):
            line.step()
        if line.rng.random() < 0.05:
            line.settle()
    line.settle()
    return line


@pytest.mark.parametrize(("seed", "rate"), [(1, 0.0005), (2, 0.002), (3, 0.004), (4, 0.004)])
def test_every_message_arrives_once_and_in_order_through_noise(seed: int, rate: float) -> None:
    line = played(Line(seed, nonces(seed), rate), 300)
    assert line.plays() == line.truth
    assert line.receiver.duplicates > 0


@pytest.mark.parametrize("broken", [Forgetful, Hasty])
def test_control_a_build_without_the_filter_or_the_order_is_caught(broken: type[wire.Receiver]) -> None:
    line = played(Line(2, broken(_nonces(2)), 0.002), 300)
    assert line.plays() != line.truth


@pytest.mark.parametrize("seed", range(20))
def test_a_device_that_starts_anew_anywhere_replays_nothing(seed: int) -> None:
    line = Line(seed, nonces(seed), 0.001)
    for _ in range(5):
        line.settle()
        known, before = len(line.plays()), len(line.truth)
        for _ in range(6):
            line.play()
        for _ in range(line.rng.randint(0, 60)):
            line.step()
        line.boot()
        line.settle()
        news, made = line.plays()[known:], line.truth[before:]
        assert news == made[: len(news)]
        assert line.news[-1] == ["LIES", "left", "-"]


def test_a_host_that_starts_anew_gets_a_session_and_no_replay() -> None:
    line = played(Line(5, nonces(5), 0), 10)
    line.play()
    line.receiver = nonces(6)
    line.settle()
    assert line.plays() == line.truth[:-1]
    assert line.news[-2][0] == "HELLO"
    line.play()
    line.settle()
    assert line.plays()[-1] == line.truth[-1]


def test_when_nobody_listens_the_queue_is_bounded_and_levels_tell_afterwards() -> None:
    line = Line(7, nonces(7), 0)
    line.settle()
    for _ in range(wire.MAX_UNHEARD + 50):
        line.play()
    line.settle()
    assert line.plays() == line.truth[: wire.MAX_UNHEARD]
    assert line.news[-1][0] == "LIES"
    line.play()
    line.settle()
    assert line.plays()[-1] == line.truth[-1]


def test_a_start_meant_for_an_earlier_life_of_the_device_is_passed_over() -> None:
    sender = wire.Sender("f", "bench", "0002", ["left"])
    sender.hear(["START", "5EED0001", "0001"])
    assert sender.nonce == ""
    sender.hear(["START", "5EED0001", "0002"])
    assert sender.nonce == "5EED0001"


def test_a_device_of_another_version_gets_no_session() -> None:
    line = Line(8, nonces(8), 0)
    line.sender = wire.Sender("f", "bench", "0001", ["left"], version=2)
    for _ in range(500):
        line.step()
    assert line.sender.nonce == ""
    assert {words[1] for words in line.news} == {"2"}


def test_what_comes_late_or_twice_does_not_end_a_session() -> None:
    sender, receiver = wire.Sender("f", "bench", "0001", ["left"]), nonces(9)
    hello = sender.due(0)
    receiver.feed(hello)
    start = receiver.answers()
    sender.hear(wire.Decoder().feed(start)[0])
    sender.tell_levels(1, [("left", [])])
    receiver.feed(sender.due(1))
    assert receiver.feed(hello) == [], "a late HELLO began a session"
    ours = sender.nonce
    for late in (["AGAIN", "0DD0DD00"], ["AGAIN"], ["START", ours, "0001"]):
        sender.hear(late)
        assert sender.nonce == ours
    sender.hear(["START", "5EED0002", "0001"])
    sender.hear(["START", ours, "0001"])
    assert sender.nonce == "5EED0002"


def test_a_device_that_goes_on_saying_hello_is_believed() -> None:
    receiver = nonces(10)
    hello = wire.encode("HELLO", "1", "f", "bench", "0001", "left")
    receiver.feed(hello)
    first = wire.Decoder().feed(receiver.answers())[0][1]
    receiver.feed(wire.encode("LIES", first, "1", "left", "-"))
    assert [len(receiver.feed(hello)) for _ in range(wire.HELLOS_IN_EARNEST)] == [0, 0, 1]
