"""Eight phones play while strangers send halves, take nothing, say nothing, and open streams by the thousand.

    python tests/campaigns/phones_slow.py [--opens N] [--slices N] [--short]

A real `companion run` with eight seats, each with a phone that listens, turns pages and acts. Beside them come 300
half-sent bodies, 300 slow readers of a big answer and 300 silent connections, from a hundred addresses each, and again
whenever they are ended; then all of these together with streams that are opened and closed, each with words in its
address and cookies that nobody knows. A seated phone's page and act take at most 1.5 times as long as without
strangers, measured in turns; every phone has been told everything; the watchdog is fed throughout; the memory of the
box grows by at most 10 MB. The controls: a build that takes a thread before the body is there must keep a seat waiting
and its watchdog hungry, one that keeps every drawing must grow.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import random
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from typing import Final, Self

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.phones import Phone, Server, Stream
from tests.bench.quiet import held_up
from tests.campaigns._strangers import Crowd, Kind
from tests.patience import PATIENCE

SEATS: Final = ("Ada", "Ben", "Chloé", "Dan", "Eve", "Flo", "Gil", "Hal")
BIG: Final = "/table"
SLOW: Final[dict[Kind, int]] = {"half": 300, "reader": 300, "silent": 300}
OPENERS: Final = 8
LIMIT, GROWTH = 1.5, 10 * 1024
WATCHED: Final = 4
"""Seconds after which systemd would restart a box that doesn't feed its watchdog."""

TAKES_A_THREAD_AT_ONCE: Final = """
from web.door.asgi import bodies
from web.live import server
async def page(self, scope, receive, send):
    async with self._seated._free:
        body = await bodies._gathered(receive, 10**6)
    if isinstance(body, bytes):
        await self._seated(scope, body, receive, send)
server.Asgi._page = page
server.ALIVE = ""
"""
KEEPS_EVERY_DRAWING: Final = """
from web.door import limits
from web.live import drawn
from web.screen import Page
drawn.MOST = 10**12
Page.known = lambda self, query: query
limits.PACES.update({kind: limits.Pace(10**9, 1) for kind in limits.PACES})
"""


class Systemd:
    """Listens as systemd does, and notes when it was told that all is well."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))
        self._fed: list[float] = []
        self._ends = False
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        while not self._ends:
            if self._socket.recv(4096) == b"WATCHDOG=1":
                self._fed.append(time.monotonic())

    def longest(self, since: float) -> float:
        """The longest time without a watchdog message since then."""
        times = [since, *(at for at in self._fed if at >= since), time.monotonic()]
        return max(b - a for a, b in itertools.pairwise(times))

    def close(self) -> None:
        self._ends = True
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as last:
            last.sendto(b"", self._socket.getsockname())
        self._thread.join()
        self._socket.close()


class Box:
    """A `companion run`, as it is or broken by a few lines, and its systemd."""

    def __init__(self, stack: ExitStack, broken: str = "") -> None:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        self.systemd = Systemd(folder / "notify")
        stack.callback(self.systemd.close)
        program = f"{broken}\nfrom companion.app.cli import main\nmain(prog_name='companion')"
        more = ("--pretend", "--pico", "quick", "--port", "0", "--game", "us-patent", "--seats", ",".join(SEATS))
        notify = {"NOTIFY_SOCKET": str(folder / "notify"), "WATCHDOG_USEC": str(WATCHED * 10**6)}
        self.server = Server("-c", program, "run", *more, "--data", str(folder), **notify)
        stack.callback(self.server.close)
        self.port, self.folder = self.server.port, folder


class Round:
    """Eight phones at one box: they listen, change pages and act, and the times are noted."""

    def __init__(self, box: Box, seed: int) -> None:
        self._box, self._dice = box, random.Random(seed)
        self.phones = [Phone(box.port, seat) for seat in range(len(SEATS))]
        self.streams: list[Stream] = []
        self.newest = 0
        self.problems: list[str] = []

    async def __aenter__(self) -> Self:
        for seat, phone in enumerate(self.phones):
            await phone.join(seat)
            stream = Stream(self._box.port, seat, "/stream?screen=seat", f"companion-seat={phone.cookie}")
            await stream.open()
            self.streams.append(stream)
        return self

    async def __aexit__(self, *_error: object) -> None:
        for stream in self.streams:
            await stream.close()
        for phone in self.phones:
            await phone.close()

    async def turn(self) -> tuple[float, float]:
        """An awaited player looks at their page and acts; returns how long each of the two took."""
        view = await self.phones[0].view()
        asked = [row["seat"] for row in view["seats"] if row["awaited"]]
        phone = self.phones[self._dice.choice(asked)]
        begun = time.perf_counter()
        status, _, _ = await phone.request("GET", "/seat")
        page = time.perf_counter() - begun
        own = await phone.view()
        wish = {"type": "act", "intent": self._dice.choice(own["may"])["intent"]}
        begun = time.perf_counter()
        answer, _, _ = await phone.request("POST", "/api/v1/commands", {"asked": own["asked"], "wish": wish})
        act = time.perf_counter() - begun
        if (status, answer) != (200, 200):
            self.problems.append(f"a seat was answered {status} and {answer}")
        self.newest = own["seq"] + 1
        return page, act

    async def everybody_knows(self) -> None:
        for stream, name in zip(self.streams, SEATS, strict=True):
            try:
                await stream.heard(self.newest)
            except TimeoutError:
                self.problems.append(f"{name} was told #{stream.newest} and not #{self.newest}")


async def played(table: Round, turns: int) -> list[tuple[float, float]]:
    return [await table.turn() for _ in range(turns)]


@contextlib.asynccontextmanager
async def crowded(crowd: Crowd, told: Counter[str]) -> AsyncIterator[Crowd]:
    await asyncio.to_thread(crowd.start)
    try:
        yield crowd
    finally:
        told.update(await asyncio.to_thread(crowd.stop))


class Times:
    """What pages and acts take, alone and among strangers, alternately, since the machine has other work."""

    def __init__(self) -> None:
        self.alone: list[tuple[float, float]] = []
        self.among: list[tuple[float, float]] = []

    def ratios(self) -> tuple[float, float]:
        """For a page and an act: the median among strangers divided by that alone."""
        (page, act), (usual_page, usual_act) = _middles(self.among), _middles(self.alone)
        return page / usual_page, act / usual_act

    def told(self) -> str:
        rows = zip(("page", "act"), _middles(self.alone), _middles(self.among), self.ratios(), strict=True)
        return ", ".join(f"{name} {a * 1000:.1f} → {b * 1000:.1f} ms (×{r:.2f})" for name, a, b, r in rows)


def _middles(turns: list[tuple[float, float]]) -> tuple[float, float]:
    return statistics.median(page for page, _ in turns), statistics.median(act for _, act in turns)


async def slow(box: Box, table: Round, slices: int, turns: int) -> tuple[Times, Counter[str], float]:
    """Half-sent bodies, slow readers and silent connections, with nobody in between."""
    times, told, since = Times(), Counter[str](), time.monotonic()
    for _ in range(slices):
        times.alone += await played(table, turns)
        async with crowded(Crowd(box.port, BIG, SLOW), told):
            times.among += await played(table, turns)
            await table.everybody_knows()
    return times, told, box.systemd.longest(since)


async def all_at_once(box: Box, table: Round, opens: int, turns: int) -> tuple[int, Counter[str], float, int]:
    """All of these and streams; how much the box grew, the longest time without a watchdog message, and the turns
    meanwhile.
    """
    told, since, done = Counter[str](), time.monotonic(), 0
    async with crowded(Crowd(box.port, BIG, SLOW), told):
        await played(table, turns)
        before = box.server.rss()
        async with crowded(Crowd(box.port, BIG, {"stream": OPENERS}, opens), told) as openers:
            while not openers.has_opened_all:
                done += len(await played(table, 1))
            await table.everybody_knows()
            grown = box.server.rss() - before
    return grown, told, box.systemd.longest(since), done


async def thread_control() -> bool:
    """Whether a build that takes a thread at once is noticed: a seat waits, and the watchdog isn't fed."""
    with ExitStack() as stack:
        box = Box(stack, TAKES_A_THREAD_AT_ONCE)
        async with Round(box, 1) as table, crowded(Crowd(box.port, BIG, {"half": 20}), Counter()):
            since = time.monotonic()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(WATCHED + 2):
                    await played(table, 1000)
            return box.systemd.longest(since) > WATCHED


async def memory_control() -> bool:
    """Whether a build that keeps every drawing is noticed."""
    with ExitStack() as stack:
        box = Box(stack, KEEPS_EVERY_DRAWING)
        async with Round(box, 1) as table:
            await played(table, 1)
            before, until = box.server.rss(), time.monotonic() + PATIENCE
            async with crowded(Crowd(box.port, BIG, {"stream": OPENERS}, 10**6), Counter()):
                while time.monotonic() < until:
                    if box.server.rss() - before > GROWTH:
                        return True
                    await asyncio.sleep(0.1)
    return False


async def campaign(options: argparse.Namespace) -> Iterator[str]:
    """What is wrong; what was measured is printed."""
    noise = 2.0 if options.short else 1.0  # beside other campaigns, on as many cores
    busy = max(held_up(), 1.0)
    async with AsyncExitStack() as stack:
        box = Box(stack.enter_context(ExitStack()))
        table = await stack.enter_async_context(Round(box, options.seed))
        await played(table, 10)
        times, told, hungry = await slow(box, table, options.slices, options.turns)
        print(f"{told_of(told)}: {times.told()}; watchdog fed every {hungry:.1f} s at least", flush=True)
        grown, told, starved, done = await all_at_once(box, table, options.opens, options.turns)
        print(f"{told_of(told)}, {done} turns: {grown / 1024:+.1f} MB; watchdog fed every {starved:.1f} s at least")
        problems, busy = list(table.problems), max(held_up(), busy)
    problems += [f"{ratio:.2f} times as long" for ratio in times.ratios() if ratio > LIMIT * noise * busy]
    problems += [f"the watchdog was not fed for {gap:.1f} s" for gap in (hungry, starved) if gap > WATCHED * busy]
    if grown > GROWTH:
        problems.append(f"{grown / 1024:.1f} MB more than before")
    return iter(problems)


def told_of(told: Counter[str]) -> str:
    return ", ".join(f"{n} {kind}" for kind, n in sorted(told.items()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--opens", type=int, default=50_000, help="streams that are opened and closed")
    parser.add_argument("--slices", type=int, default=8, help="with and without strangers, in turns")
    parser.add_argument("--turns", type=int, default=60, help="pages and acts in each of them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--short", action="store_true", help="two slices and 600 streams")
    options = parser.parse_args()
    if options.short:
        options.opens, options.slices, options.turns = 600, 2, 15
    problems = list(asyncio.run(campaign(options)))
    waits, grows = asyncio.run(thread_control()), asyncio.run(memory_control())
    print(f"Controls: a thread at once {_caught(waits)}, every drawing kept {_caught(grows)}.")
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems or not (waits and grows) else 0


def _caught(is_caught: bool) -> str:
    return "caught" if is_caught else "NOT CAUGHT"


if __name__ == "__main__":
    sys.exit(main())
