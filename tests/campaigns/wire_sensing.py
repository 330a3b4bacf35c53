"""Cards that lie still are never gone, and those that go are missed soon: the firmware itself, in simulated time.

    python tests/campaigns/wire_sensing.py [--hours H] [--chip-minutes M] [--short] [--seed N]

Twelve readers; one poll in five is garbled and one in twenty silent, on empty antennas, too. First the firmware's
antennas and station before answers thrown by dice, for ten simulated hours; then the same with its driver and every
register of twelve pretend MFRC522, where single answers are garbled and silent so often that polls are, too.
A firmware that believes one silent poll is the control.
"""

from __future__ import annotations

import argparse
import importlib
import random
import sys
import time
from typing import Any, cast

from firmware_bridge.firmware import CHIPS, HERE, PICO

READERS = tuple(f"r{n}" for n in range(12))
GARBLED, SILENT = 0.20, 0.05
ONE_GARBLED, ONE_SILENT = 90, 25
"""In 1000 answers of a tag; a poll consists of several, and one of those is enough."""
POLL_TAKES = 5000
"""Microseconds of simulated time for one poll with dice; the chips report their own."""

sys.path[:0] = [str(CHIPS), str(PICO), str(HERE)]
sys.dont_write_bytecode = True
NAMES = ("antenna", "clock", "station", "mfrc522", "air", "mfrc522_chip")
antenna_file, clock, station_file, mfrc522, air, chip_file = [
    cast(Any, importlib.import_module(name)) for name in NAMES
]


class Answers:
    """Stands in for a driver and its chip: one tag at most, and dice."""

    restarts = crowds = 0

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.uid = b""

    def begin(self) -> None: ...

    def lay(self, uid: bytes) -> None:
        self.uid = uid

    def lift(self, _uid: bytes) -> None:
        self.uid = b""

    def poll(self, _known: list[bytes]) -> tuple[list[bytes], bool]:
        clock.spend(POLL_TAKES)
        dice = self.rng.random()
        if dice < GARBLED:
            return [], True
        return ([self.uid] if self.uid and dice >= GARBLED + SILENT else []), False


class Wires:
    """The SPI bus of one pretend chip."""

    def __init__(self, chip: Any) -> None:
        self._chip = chip

    def write(self, out: bytes) -> None:
        self._chip.transfer(bytes(out))

    def write_readinto(self, out: bytes, into: bytearray) -> None:
        into[:] = self._chip.transfer(bytes(out))


class Chips:
    """The real driver in front of a pretend chip."""

    def __init__(self, seed: int) -> None:
        self.air = air.Air(seed)
        self.air.garble, self.air.silence = ONE_GARBLED, ONE_SILENT
        self.driver = mfrc522.MFRC522(Wires(chip_file.Chip(self.air, clock.spend)), lambda _level: None)

    def lay(self, uid: bytes) -> None:
        self.air.lay(air.Tag(uid))

    def lift(self, uid: bytes) -> None:
        self.air.lift(uid)


class Evening:
    """Hands that now and then lay and lift one card on each reader, and what the station reports."""

    def __init__(self, seed: int, places: list[Any], drivers: list[Any]) -> None:
        self.rng = random.Random(seed)
        self.places = places
        antennas = [antenna_file.Antenna(name, driver) for name, driver in zip(READERS, drivers, strict=True)]
        self.antennas = antennas
        self.station = station_file.Station("BENCH", "0001", antennas)
        self.station._sender.tell = self.told
        self.lying: dict[str, bytes] = {}
        self.changed_at: dict[str, int] = {}
        self.due = {name: clock.now() + 3000 + n * 97 for n, name in enumerate(READERS)}
        self.arrivals: list[int] = []
        self.removals: list[int] = []
        self.false: list[str] = []

    def told(self, kind: str, *words: str) -> None:
        reader = words[-1]
        is_true = (kind == "ARRIVE") == (reader in self.lying) and reader in self.changed_at
        if not is_true:
            self.false.append(f"{clock.now()} {kind} {' '.join(words)}")
            return
        took = clock.now() - self.changed_at.pop(reader)
        (self.arrivals if kind == "ARRIVE" else self.removals).append(took)
        self.due[reader] = clock.now() + self.rng.randrange(500, 20_000)

    def move(self, reader: str) -> None:
        place = self.places[READERS.index(reader)]
        if reader in self.lying:
            place.lift(self.lying.pop(reader))
        else:
            self.lying[reader] = uid = self.rng.randbytes(self.rng.choice((4, 7, 7, 7, 10)))
            place.lay(uid)
        self.changed_at[reader] = clock.now()
        del self.due[reader]

    def garbled(self) -> float:
        """As a share of all polls."""
        garbled, polls = (sum(getattr(each, name) for each in self.antennas) for name in ("garbled", "polls"))
        return float(garbled / polls)

    def run(self, minutes: float) -> None:
        end = clock.now() + int(minutes * 60_000)
        look_at = 0
        while (now := clock.now()) < end:
            if now >= look_at:
                look_at = now + 10
                for reader in [name for name, at in self.due.items() if now >= at]:
                    self.move(reader)
            if not self.station.poll(now):
                clock.spend(500)


def p99(times: list[int]) -> int:
    return sorted(times)[len(times) * 99 // 100] if times else 0


def with_dice(seed: int) -> Evening:
    rng = random.Random(seed)
    places = [Answers(rng) for _ in READERS]
    return Evening(seed, places, places)


def with_chips(seed: int) -> Evening:
    places = [Chips(seed + n) for n in range(len(READERS))]
    return Evening(seed, places, [place.driver for place in places])


def report(name: str, evening: Evening, minutes: float, took: float) -> bool:
    arrival, removal = p99(evening.arrivals), p99(evening.removals)
    aims = f"p99 arrival {arrival} ms (aim 250), removal {removal} ms (aim 1200)"
    print(
        f"{name}: {minutes / 60:g} simulated hours, {len(evening.arrivals)} arrivals and {len(evening.removals)} "
        f"removals, {evening.garbled():.0%} of polls garbled: {len(evening.false)} false; {aims}; {took:.0f} s"
    )
    for line in evening.false[:5]:
        print("FALSE", line)
    return not evening.false and arrival <= 250 and removal <= 1200 and len(evening.removals) > 0


def is_caught(seed: int) -> bool:
    """The control: a single silent poll is believed."""
    kept = antenna_file.SILENT_POLLS, antenna_file.SILENT_MS
    antenna_file.SILENT_POLLS, antenna_file.SILENT_MS = 1, 0
    evening = with_dice(seed)
    evening.run(1)
    antenna_file.SILENT_POLLS, antenna_file.SILENT_MS = kept
    return bool(evening.false)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=10)
    parser.add_argument("--chip-minutes", type=float, default=60)
    parser.add_argument("--short", action="store_true", help="20 minutes with dice, 1 with chips")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    good = True
    runs = (
        ("dice", with_dice, 20 if options.short else options.hours * 60),
        ("chips", with_chips, 1 if options.short else options.chip_minutes),
    )
    for name, make, minutes in runs:
        evening, begun = make(options.seed), time.perf_counter()
        evening.run(minutes)
        good = report(name, evening, minutes, time.perf_counter() - begun) and good
    caught = is_caught(options.seed)
    print(f"Control that believes one silent poll: {'caught' if caught else 'NOT CAUGHT'}.")
    return 0 if good and caught else 1


if __name__ == "__main__":
    sys.exit(main())
