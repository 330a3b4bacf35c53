"""Exactly once: what hands did is what the inbox gets, through every fault of a line, in simulated time.

    python tests/campaigns/wire_once.py [--frames N] [--bytes N] [--short] [--seed N]

Chunks are dropped, flipped, doubled, reordered and mixed with a Pico's last words; the cable is pulled at random bytes;
device and host start anew. In a session that lives, the inputs equal the truth. Where it breaks, the inputs are a
beginning of the truth, nothing of the rest is ever played, and the next levels tell what lies where.
Controls: a host without the duplicate filter, and a device that sends edges only. Then random and mutated bytes.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable

from companion.core import Lifted, ReaderId, Tapped, Uid
from firmware_bridge import wire
from firmware_bridge.cable import BadLine
from firmware_bridge.link import read_report
from firmware_bridge.presence import Connected, Disconnected, Lying, Presence, Sensed, observe

READERS = ("left", "right", "far")
UIDS = tuple(f"04C0FF{n:02X}" for n in range(12))


class NoFilter(wire.Receiver):
    """A broken build: hands on anything with the right nonce, however often."""

    def _take(self, words: list[str]) -> list[list[str]]:
        if words[1] != self._nonce:
            return []
        self._next = max(self._next, wire.number(words[2]) + 1)
        return [[words[0], *words[3:]]]


class EdgesOnly(wire.Sender):
    """A broken build: never reports levels."""

    def tell_levels(self, now: int, readers: list[tuple[str, list[str] | None]]) -> None:
        super().tell_levels(now, [])


class Wrong(Exception):
    """The inputs are not the truth."""


class Line:
    """Device, bad line and host; hands play on the device's side, the inbox is on the other."""

    def __init__(self, seed: int, sender: type[wire.Sender], receiver: type[wire.Receiver]) -> None:
        self.rng = random.Random(seed)
        self._new_sender, self._new_receiver = sender, receiver
        self.up, self.down = BadLine(seed), BadLine(seed + 1)
        self.now = self.boots = self.frames = self.breaks = 0
        self.greeted_at = -1
        """How many inputs there were when the next session began; -1 before that."""
        self.lying: dict[str, str] = {}
        self.presence = Presence()
        self.inputs: list[Sensed] = []
        self.sender = sender("f", "bench", "0000", list(READERS))
        self.boot()
        self.open()

    def boot(self) -> None:
        """The device restarts."""
        self.frames += self.sender._told
        self.boots += 1
        self.sender = self._new_sender("f", "bench", f"{self.boots:04X}", list(READERS))
        self.ears = wire.Decoder()

    def open(self) -> None:
        """The host reopens the port."""
        self.receiver = self._new_receiver(lambda: f"{self.rng.getrandbits(32):08X}")

    def play(self) -> Sensed:
        """Hands lay or lift one tag; returns what the inbox should get."""
        uid = self.rng.choice(UIDS)
        reader = self.lying.pop(uid, None)
        if reader is not None:
            self.sender.tell("LEAVE", uid, reader)
            return Lifted(Uid(uid), ReaderId(reader))
        reader = self.lying[uid] = self.rng.choice(READERS)
        self.sender.tell("ARRIVE", uid, reader)
        return Tapped(Uid(uid), ReaderId(reader))

    def step(self, cut: Callable[[bytes], bytes] = lambda chunk: chunk) -> None:
        if self.sender.wants_levels(self.now):
            levels = [(name, [uid for uid, on in self.lying.items() if on == name]) for name in READERS]
            self.sender.tell_levels(self.now, list(levels))
        out = self.sender.due(self.now)
        if out:
            for words in self.receiver.feed(cut(self.up(out))):
                self._take(words)
            for words in self.ears.feed(self.down(self.receiver.answers())):
                self.sender.hear(words)
        self.now += max(1, self.sender.pause(self.now))

    def _take(self, words: list[str]) -> None:
        if words[0] == "HELLO":
            self.greeted_at = len(self.inputs) if self.greeted_at < 0 else self.greeted_at
            report = Connected(tuple(map(ReaderId, words[5].split(","))))
        else:
            read = read_report(words)
            if read is None:
                raise Wrong(f"a message nobody sent: {words}")
            self.presence, sensed = observe(self.presence, read, self.now / 1000)
            self.inputs += sensed
            return
        self.presence, sensed = observe(self.presence, report, self.now / 1000)
        self.inputs += sensed

    def settle(self) -> None:
        for _ in range(20_000):
            if self.sender.is_heard() and self.sender.nonce == self.receiver._nonce:
                return
            self.step()
        raise Wrong("the line never settled")

    def break_off(self) -> None:
        """Pull the cable at a random byte, or restart device or host."""
        self.breaks += 1
        self.greeted_at = -1
        how = self.rng.choice(("unplug", "reboot", "restart"))
        if how == "unplug":
            self.step(lambda chunk: chunk[: self.rng.randrange(len(chunk) + 1)])
            self.presence, lost = observe(self.presence, Disconnected())
            self.inputs += lost
        if how != "restart":
            self.boot()
        if how != "reboot":
            self.open()


def plays(inputs: list[Sensed]) -> list[Sensed]:
    return [each for each in inputs if isinstance(each, Tapped | Lifted)]


def check_truth(line: Line, told: list[Sensed], made: list[Sensed], *, is_whole: bool) -> None:
    if told != (made if is_whole else made[: len(told)]):
        raise Wrong(f"made {made}, told {told}")
    if is_whole:
        lies = {Lying(ReaderId(reader), Uid(uid)) for uid, reader in line.lying.items()}
        if set(line.presence.lying) != lies:
            raise Wrong(f"believed {line.presence.lying}, true {lies}")


def run(line: Line, frames: int) -> None:
    line.settle()
    while line.frames + line.sender._told < frames:
        line.inputs.clear()
        made = []
        for _ in range(line.rng.randrange(1, 30)):
            made.append(line.play())
            if line.rng.random() < 0.5:
                line.step()
        if line.rng.random() < 0.7:
            line.settle()
            check_truth(line, plays(line.inputs), made, is_whole=True)
            continue
        line.break_off()
        for _ in range(line.rng.randrange(3)):
            line.play()
        line.settle()
        # A chunk that was overtaken may arrive after the break: it is still the truth, until a new session begins.
        before, after = line.inputs[: line.greeted_at], line.inputs[line.greeted_at :]
        check_truth(line, plays(before), made, is_whole=False)
        if any(isinstance(each, Tapped) for each in after):
            raise Wrong(f"a level was played: {after}")
        check_truth(line, [], [], is_whole=True)


def is_caught(sender: type[wire.Sender], receiver: type[wire.Receiver]) -> bool:
    try:
        run(Line(3, sender, receiver), 20_000)
    except Wrong:
        return True
    return False


def throw_rubbish(seed: int, count: int) -> int:
    """Throw this many random and mutated bytes at a host in mid-session: no exception, no news."""
    rng = random.Random(seed)
    receiver = wire.Receiver(lambda: "5EED0001")
    receiver.feed(wire.encode("HELLO", str(wire.VERSION), "f", "b", "0001", "left"))
    thrown = 0
    while thrown < count:
        frame = wire.encode(rng.choice(wire.NUMBERED), "5EED0001", str(rng.randrange(1, 9)), rng.choice(UIDS), "left")
        bits = rng.sample(range(8 * len(frame)), rng.randrange(1, 4))
        flipped = int.from_bytes(frame, "big")
        for bit in bits:
            flipped ^= 1 << bit
        chunk = flipped.to_bytes(len(frame), "big") + rng.randbytes(rng.randrange(200))
        thrown += len(chunk)
        news = receiver.feed(chunk)
        if news:
            raise Wrong(f"news out of rubbish: {news}")
    return thrown


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=1_000_000)
    parser.add_argument("--bytes", type=int, default=10_000_000)
    parser.add_argument("--short", action="store_true", help="60,000 frames and 1,000,000 bytes")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    begun = time.perf_counter()
    line = Line(options.seed, wire.Sender, wire.Receiver)
    run(line, 60_000 if options.short else options.frames)
    frames = line.frames + line.sender._told
    thrown = throw_rubbish(options.seed, 1_000_000 if options.short else options.bytes)
    no_filter, edges = is_caught(wire.Sender, NoFilter), is_caught(EdgesOnly, wire.Receiver)
    print(
        f"{frames} frames, {line.breaks} breaks, {line.now / 3.6e6:.1f} simulated hours: inputs equal the truth. "
        f"{thrown} bytes of rubbish: no news. {time.perf_counter() - begun:.0f} s. "
        f"Controls: no duplicate filter {'caught' if no_filter else 'NOT CAUGHT'}, "
        f"edges only {'caught' if edges else 'NOT CAUGHT'}."
    )
    return 0 if no_filter and edges else 1


if __name__ == "__main__":
    sys.exit(main())
