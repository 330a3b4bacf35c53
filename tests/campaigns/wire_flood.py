"""A reader box gone mad tells a hundred thousand arrivals a second: nobody at the table notices more than a sentence.

    python tests/campaigns/wire_flood.py [--slices N] [--turns N] [--short] [--seed N]

A real `companion run` with eight phones and two reader boxes on ptys of their own: an honest one, and one that offers
10^5 lines a second, sound arrivals, repeated ones and rubbish. Meanwhile the phones turn pages and act, a card is laid
on the honest box, and a seat is given to another phone by holding OK. A phone's page and act take at most 1.5 times as
long as without the flood, measured in turns; few letters lie before the table at any time; the memory of the box grows
by at most 16 MB; people are told of the mad one. Afterwards every act is in the journal once, every card laid on the
honest box was told once, and what was taken from the mad one was told once and in order, at least as far as it was
acknowledged.
Controls: a build that takes whatever comes, caught by what lies before its table and, where the machine is quiet, by
the clock; and one that does not know what it has heard already.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import statistics
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from msgspec import Struct

sys.path.insert(0, str(Path(__file__).parents[2]))

from companion.core import Act, Asked
from companion.journal import JOURNAL, Did, Journal
from companion.table.table import ROOM
from tests.bench.phones import Phone
from tests.bench.quiet import QUIET, held_up
from tests.campaigns._flooder import READER, Flooder, Told, uid_of
from tests.campaigns.phones_slow import LIMIT, SEATS, Box, Round, Times, played
from tests.patience import PATIENCE

GROWTH: Final = 16 * 1024
"""kB; the history of hundreds of acts is half of it."""
CROWDED: Final = 4 * ROOM
"""Letters waiting for the table: as many as links may leave there, and whatever phones, hands and devices send
meanwhile.
"""
BESIDE: Final = """
from companion.table.table import Table
from firmware_bridge.pretend import PretendPico
ports, put, heard = PretendPico.ports, Table.put, open({log!r}, "w", buffering=1)
PretendPico.ports = lambda self: {{**ports(self), "flooder": {port!r}}}
def noted(self, given):
    put(self, given)
    if type(given).__name__ == "Tapped":
        heard.write(f"{{given.reader}} {{given.uid}} {{self._inbox.qsize()}}\\n")
Table.put = noted
"""
TAKES_ALL: Final = """
from firmware_bridge.link import Link
from firmware_bridge.flood import Measure
Measure.took = lambda self, chunk: None
Link._wait_for_room = lambda self, measure: None
"""
FORGETS: Final = """
from firmware_bridge import wire
wire.Receiver._is_duplicate = lambda self, count: False
def as_they_come(self):
    news = [self._early.pop(count) for count in sorted(self._early)]
    self._next += len(news)
    return news
wire.Receiver._in_order = as_they_come
"""


class Tally(Struct):
    """What was measured, and what is wrong."""

    times: Times
    flooded: Told
    grown: int = 0
    named: int = 0
    told: int = 0
    """The mad box's taps that reached the table."""
    waiting: int = 0
    """The most letters that waited for the table."""
    problems: list[str] = []


class Evening:
    """Eight phones, an honest box and a mad one; `broken` are lines of a build broken on purpose."""

    def __init__(self, stack: ExitStack, seed: int, broken: str = "") -> None:
        self.flooder = Flooder(seed)
        stack.callback(self.flooder.close)
        self._heard = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "taps"
        self.box = Box(stack, BESIDE.format(log=str(self._heard), port=self.flooder.port) + broken)
        self.table = Round(self.box, seed)
        self.laid: list[str] = []
        self.acts = 0

    async def turns(self, count: int) -> list[tuple[float, float]]:
        self.acts += count
        return await played(self.table, count)

    async def hands(self) -> None:
        """An unknown card is laid on the honest box; Hal's seat goes to another phone, by holding OK."""
        uid = f"04ADA0{len(self.laid):08X}"
        self.laid.append(uid)
        phone = self.table.phones[0]
        for path, body in (("/pretend/lay", {"uid": uid, "reader": "left"}), ("/pretend/lift", {"uid": uid})):
            status, _, _ = await phone.request("POST", path, body)
            if status != 200:
                self.table.problems.append(f"{path} was answered {status}")
        fresh = Phone(self.box.port, 100 + len(self.laid))
        await fresh.join(len(SEATS) - 1)
        old, self.table.phones[-1] = self.table.phones[-1], fresh
        await old.close()

    async def is_named(self) -> bool:
        """Whether people are told about the mad box."""
        view = await self.table.phones[0].view()
        return any(said["key"] == "trouble.flood" for said in view["troubles"])

    def heard(self, reader: str) -> list[str]:
        return [uid for on, uid, _ in self._taps() if on == reader]

    def most_waiting(self) -> int:
        """The most letters that waited for the table at once: this counts when the wall clock says nothing."""
        return max((int(waiting) for _, _, waiting in self._taps()), default=0)

    def _taps(self) -> list[list[str]]:
        """Reader, tag and letters waiting for the table, for each tap that it heard of."""
        lines = self._heard.read_text().splitlines(keepends=True)
        return [line.split() for line in lines if line.endswith("\n")]


async def flooded(evening: Evening, slices: int, turns: int, until_calm: bool) -> Tally:
    """With and without the flood, alternately."""
    tally, table = Tally(Times(), Told(), problems=[]), evening.table
    async with table:
        await evening.turns(10)
        tally.times.alone += await evening.turns(turns)
        before = evening.box.server.rss()
        evening.flooder.start()
        try:
            for _ in range(slices):
                evening.flooder.go_on()
                tally.times.among += await evening.turns(turns)
                await evening.hands()
                tally.named += await evening.is_named()
                tally.grown = evening.box.server.rss() - before
                evening.flooder.rest()
                tally.times.alone += await evening.turns(turns)
            if until_calm:
                await calmed(evening)
            await table.everybody_knows()
        except (KeyError, AssertionError, ValueError, OSError) as error:
            table.problems.append(f"a phone got no answer that makes sense ({type(error).__name__}: {error})")
        tally.flooded = await asyncio.to_thread(evening.flooder.stop)
    tally.problems += table.problems
    return tally


async def calmed(evening: Evening) -> None:
    """The mad box has come to its senses: nobody complains any more, and what is laid there counts again."""
    before = len(evening.heard(READER))
    async with asyncio.timeout(PATIENCE):
        while await evening.is_named() or len(evening.heard(READER)) == before:
            await evening.turns(1)


def wrong(evening: Evening, told: Told) -> list[str]:
    """What isn't in the journal, or didn't reach the table, as often as it was done."""
    with Journal.look(evening.box.folder / JOURNAL) as journal:
        entries = list(journal.entries(journal.games()[0].table))
    commands = Counter(
        entry.cause.command
        for entry in entries
        if isinstance(entry.cause, Asked) and isinstance(entry.cause.wish, Act) and isinstance(entry.body, Did)
    )
    problems = [f"command {command} is there {n} times" for command, n in commands.items() if n != 1]
    if len(commands) != evening.acts:
        problems.append(f"{evening.acts} acts were answered, {len(commands)} are in the journal")
    if evening.heard("left") != evening.laid:
        problems.append(f"laid on the honest box {evening.laid}, told {evening.heard('left')}")
    flood = evening.heard(READER)
    if any(a >= b for a, b in itertools.pairwise(flood)):
        problems.append("of the mad box something was told twice, or out of order")
    if told.heard and uid_of(told.heard) > max(flood, default=""):
        problems.append(f"the mad box was told that {uid_of(told.heard)} was handed on; it was not")
    return problems


async def campaign(slices: int, turns: int, seed: int, *, broken: str = "", until_calm: bool = False) -> Tally:
    """A whole evening; anything that is wrong regardless of the clock is among the problems."""
    with ExitStack() as stack:
        evening = Evening(stack, seed, broken)
        tally = await flooded(evening, slices, turns, until_calm)
        evening.box.server.close()
        tally.problems += wrong(evening, tally.flooded)
        tally.told, tally.waiting = len(evening.heard(READER)), evening.most_waiting()
    if tally.waiting > CROWDED:
        tally.problems.append(f"{tally.waiting} letters lay before the table at once")
    if not tally.named:
        tally.problems.append("nobody was told that a box floods")
    if tally.grown > GROWTH:
        tally.problems.append(f"{tally.grown / 1024:.1f} MB more than before")
    return tally


async def takes_all(seed: int, limit: float, *, by_clock: bool) -> tuple[bool, bool]:
    """Whether a build that accepts everything is noticed.

    Its inbox grows beyond all bounds, by count, until a phone waits for long, by the clock. The first happens
    however busy the machine is; the second is waited for on request.
    """
    with ExitStack() as stack:
        evening = Evening(stack, seed, TAKES_ALL)
        async with evening.table:
            usual = statistics.median(act for _, act in await evening.turns(8))
            evening.flooder.start()
            until, is_slow = time.monotonic() + PATIENCE, False
            while evening.most_waiting() <= CROWDED and time.monotonic() < until:
                await evening.is_named()
            while by_clock and not is_slow and time.monotonic() < until:
                is_slow = any(act > limit * usual for _, act in await evening.turns(1))
            await asyncio.to_thread(evening.flooder.stop)
        return evening.most_waiting() > CROWDED, is_slow


def too_slow(tally: Tally, noise: float) -> list[str]:
    return [f"{ratio:.2f} times as long" for ratio in tally.times.ratios() if ratio > LIMIT * noise]


def told_of(tally: Tally) -> str:
    flood = tally.flooded
    return (
        f"{flood.offered / flood.seconds:.0f} lines/s offered for {flood.seconds:.1f} s, {flood.taken} taken in "
        f"{flood.sessions} sessions, {tally.told} taps told: {tally.times.told()}, "
        f"{tally.waiting} letters before the table at most, {tally.grown / 1024:+.1f} MB"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slices", type=int, default=8, help="with and without the flood, in turns")
    parser.add_argument("--turns", type=int, default=30, help="pages and acts in each of them")
    parser.add_argument("--short", action="store_true", help="two slices of 20 turns")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.short:
        options.slices, options.turns = 2, 20
    noise = 2.0 if options.short else 1.0  # beside other campaigns, on as many cores
    busy = max(held_up(), 1.0)
    tally = asyncio.run(campaign(options.slices, options.turns, options.seed, until_calm=not options.short))
    problems = tally.problems + too_slow(tally, noise * max(held_up(), busy))
    print(told_of(tally), flush=True)
    is_quiet = max(held_up(), busy) <= QUIET  # if everything is slow, no clock can tell what the flood adds
    is_crowded, is_slow = asyncio.run(takes_all(options.seed, LIMIT * noise * busy, by_clock=is_quiet))
    is_told = is_slow or max(held_up(), busy) > QUIET
    forgets = asyncio.run(campaign(1, 2, options.seed, broken=FORGETS))
    is_doubled = any("twice" in problem for problem in forgets.problems)
    by_clock = f", by the clock {_caught(is_slow)}" if is_quiet else ""
    print(f"Controls: takes whatever comes {_caught(is_crowded)}{by_clock}; forgets it {_caught(is_doubled)}.")
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems or not (is_crowded and is_told and is_doubled) else 0


def _caught(is_caught: bool) -> str:
    return "caught" if is_caught else "NOT CAUGHT"


if __name__ == "__main__":
    sys.exit(main())
