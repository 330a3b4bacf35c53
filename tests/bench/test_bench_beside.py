"""What a big screen and the pretend table, open beside eight phones, add to a tap until the last phone has it.

Counted in seconds of the whole process, from the card to the last seat's fragment, in turns and as a ratio: what else
the machine does meanwhile does not count, what any thread of ours draws too early does.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import itertools
import random
import statistics
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.app.main import Options, Running, companion
from companion.app.opening import load_texts
from companion.core import TABLE, Act, Asked, Claim, Join, Pressed, ReaderId, SeatId, Uid, legal
from companion.library import PieceTag, pretend_uid
from tests.bench.quiet import within
from tests.patience import PATIENCE
from web import create_app, dashboard_of
from web.door import key_of
from web.live import stream
from web.live.stream import Streams

NAMES = ("Ada", "Ben", "Chloé", "Dan")
PHONES = 8
BESIDE = ("tv", "pretend")
ACTS, WARM = 40, 12
LIMIT = 1.15
LEFT = ReaderId("left")
BETWEEN = 0.08
"""Seconds of rest before each act: people are slower than this."""


class Listener:
    """Views a screen, without a wire: it notes how much work this process has done when news arrive."""

    def __init__(self, screen: str, cookie: str = "") -> None:
        headers = [(b"host", b"box.test"), (b"cookie", cookie.encode())]
        self.scope: dict[str, Any] = {"type": "http", "method": "GET", "path": "/stream", "headers": headers}
        self.scope["query_string"] = f"screen={screen}".encode()
        self.heard: dict[int, float] = {}
        self._news = asyncio.Event()

    async def send(self, message: Any) -> None:
        for line in message.get("body", b"").splitlines():
            if line.startswith(b"id: "):
                self.heard.setdefault(int(line[4:].split(b".")[0]), time.process_time())
                self._news.set()

    async def has(self, seq: int) -> float:
        """When it had been sent entry `seq` or a later one."""
        async with asyncio.timeout(PATIENCE):
            while max(self.heard, default=0) < seq:
                self._news.clear()
                await self._news.wait()
        return min(at for number, at in self.heard.items() if number >= seq)


async def never() -> Any:
    await asyncio.Event().wait()


@contextlib.asynccontextmanager
async def listening(streams: Streams, listeners: list[Listener], seq: int) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(streams(each.scope, never, each.send)) for each in listeners]
    for each in listeners:
        await each.has(seq)
    yield
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


class Evening:
    """A game in which people choose by phone, and drawn cards are laid on a reader."""

    def __init__(self, running: Running) -> None:
        assert running.pretend is not None
        self.table, self._pretend = running.table, running.pretend
        self._chance, self._numbers = random.Random(11), itertools.count()
        for seat in range(len(NAMES)):
            self._ask(SeatId(seat), Join(SeatId(seat), NAMES[seat], f"KQ{seat}"))
            self.table.put(Pressed("ok", held=True))
            self._ask(SeatId(seat), Claim(f"KQ{seat}", key_of(f"phone-{seat}")))

    def _ask(self, seat: SeatId, wish: Join | Claim | Act) -> None:
        asked = self.table.snapshot.asked[seat] if isinstance(wish, Act) else 0
        self.table.ask(Asked(f"bench-{next(self._numbers)}", seat, asked, wish))

    def card(self) -> Uid:
        """Play on, unmeasured, until the table waits for a card; returns which one is drawn then."""
        while True:
            now = self.table.snapshot
            seat = TABLE if now.decisions[-1].is_chance else now.awaited[0]
            may = legal(now.game, now.view(seat) if seat >= 0 else now.state, seat)
            if seat != TABLE:
                chosen = now.game.bot(now.view(seat), seat, may, self._chance.getrandbits(30))
                self._ask(seat, Act(msgspec.Raw(msgspec.json.encode(chosen))))
            elif piece := getattr(self._chance.choice(may), "card", None):
                return pretend_uid(PieceTag(now.game.id, piece))
            else:
                self._roll(now.seq)

    def _roll(self, seq: int) -> None:
        self.table.put(Pressed("next"))
        self.table.put(Pressed("ok"))
        latest = self.table.latest()
        while (newest := latest.wait(PATIENCE)) and newest.seq == seq:
            pass
        latest.close()

    def rest(self) -> None:
        """As at a table: the last act is shown everywhere before the next one."""
        latest = self.table.latest()
        latest.wait(0)
        latest.wait(BETWEEN)
        latest.close()

    def lay(self, card: Uid) -> None:
        self._pretend.lay(card, LEFT)

    def lift(self, card: Uid) -> None:
        self._pretend.lift(card)


async def measure(streams: Streams, evening: Evening) -> tuple[list[float], list[float]]:
    """The cost of each act with only the eight phones, and with the others beside them; in turns, AB BA."""
    costs: tuple[list[float], list[float]] = [], []
    streams.open()
    seats = [Listener("seat", f"companion-seat=phone-{n % len(NAMES)}") for n in range(PHONES)]
    async with listening(streams, seats, evening.table.snapshot.seq):
        for step in range(ACTS):
            card = await asyncio.to_thread(evening.card)
            is_beside = step % 4 in (1, 2)
            beside = [Listener(screen) for screen in BESIDE if is_beside]
            before = evening.table.snapshot.seq
            async with listening(streams, beside, before):
                await asyncio.to_thread(evening.rest)
                began = time.process_time()
                await asyncio.to_thread(evening.lay, card)
                told = [await each.has(before + 1) for each in seats]
                for each in beside:
                    await each.has(before + 1)
                await asyncio.to_thread(evening.lift, card)
            if step >= WARM:
                costs[is_beside].append(max(told) - began)
    streams.close()
    return costs


def measured(folder: Path) -> float:
    folder.mkdir()
    (folder / "settings.toml").write_text('chance = "typed"\nhardware = "pretend"\n')
    with companion(Options(folder, "actionworks", NAMES, 0), tell=lambda _line: None) as running:
        app = create_app(running.table, load_texts, running.pretend, ("box.test",))
        evening = Evening(running)
        gc.disable()
        alone, beside = asyncio.run(measure(Streams(dashboard_of(app)), evening))
        gc.enable()
    ratio = statistics.median(beside) / statistics.median(alone)
    told = f"{statistics.median(alone) * 1000:.1f} ms alone"
    print(f"a tap until the last of {PHONES} phones has it, with a TV and the pretend table: ×{ratio:.2f} ({told})")
    return ratio


@pytest.fixture
def once(tmp_path: Path) -> Callable[[], float]:
    tries = itertools.count()
    return lambda: measured(tmp_path / str(next(tries)))


def test_nobody_at_the_table_waits_for_the_screens_beside_it(once: Callable[[], float]) -> None:
    within(LIMIT, once)


@pytest.mark.parametrize(
    ("name", "broken"), [("_RANKS", {"tv": 0, "pretend": 1}), ("SOON", 0)], ids=["drawn first", "drawn at once"]
)
def test_screens_that_are_drawn_too_early_are_caught(
    name: str, broken: object, once: Callable[[], float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, name, broken)
    assert once() > LIMIT
