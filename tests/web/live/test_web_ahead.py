"""While the disk syncs, phones' pages are already drawn, and no phone gets one before its entry is on the disk."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from flask import Flask

from companion.core import Act, Asked, Intent, legal
from companion.journal import store
from companion.table import Answer, Table
from tests.patience import PATIENCE
from tests.web.live.test_web_stream import never, scope_of
from web import dashboard_of
from web.live import ahead
from web.live.stream import Streams
from web.screen import rendering


class Disk:
    """Takes an entry only when allowed to, and then perhaps fails."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.turns, self.fails, self._insert = threading.Semaphore(0), False, store.insert
        monkeypatch.setattr(store, "insert", self.insert)

    def insert(self, *args: Any) -> None:
        assert self.turns.acquire(timeout=PATIENCE)
        if self.fails:
            raise sqlite3.OperationalError("disk I/O error")
        self._insert(*args)


class Evening:
    """One page that somebody looks at: what was drawn for it, and what was sent."""

    def __init__(self, app: Flask, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        self.disk, self.table = Disk(monkeypatch), table
        self.drawn = self.sent = 0
        self.ids: list[str] = []
        self.changed = asyncio.Condition()
        self.streams = Streams(dashboard_of(app))
        monkeypatch.setattr("web.live.stream.render_fragments", self._render)
        monkeypatch.setattr(ahead, "QUICK", 0.0)  # this disk is slow, whatever it did last

    def _render(self, *args: Any) -> str:
        self.drawn += 1
        asyncio.get_running_loop().create_task(self._change())
        return rendering.render_fragments(*args)

    async def _change(self) -> None:
        async with self.changed:
            self.changed.notify_all()

    async def send(self, message: Any) -> None:
        body = message.get("body", b"").decode()
        if "event: fragment" in body:
            self.sent += 1
            self.ids.append(body.split("id: ")[1].split(".")[0])
            await self._change()

    async def until(self, is_so: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE), self.changed:
            await self.changed.wait_for(is_so)

    def act(self, which: int = 0) -> asyncio.Task[Answer]:
        now = self.table.snapshot
        seat = now.awaited[0]
        intent: Intent = legal(now.game, now.state, seat)[which]
        act = Act(msgspec.Raw(msgspec.json.encode(intent)))
        asked = Asked(f"act-{which}", seat, now.asked[seat], act)
        return asyncio.create_task(asyncio.to_thread(self.table.ask, asked, PATIENCE))

    async def look(self, then: Callable[[], Any]) -> None:
        self.streams.open()
        looking = asyncio.create_task(self.streams(scope_of("watch"), never, self.send))
        await self.until(lambda: self.sent == 1)
        try:
            await then()
        finally:
            self.disk.turns.release(9)
            self.streams.close()
            await looking


def drawn_while_it_syncs(app: Flask, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    evening = Evening(app, table, monkeypatch)

    async def then() -> None:
        seq = table.snapshot.seq
        acting = evening.act()
        await evening.until(lambda: evening.drawn == 2)
        assert table.snapshot.seq == seq
        assert evening.ids == [str(seq)], "nothing is shown before its entry is synced"
        evening.disk.turns.release()
        await acting
        await evening.until(lambda: evening.sent == 2)
        assert evening.ids == [str(seq), str(seq + 1)]
        assert evening.drawn == 2, "what was drawn ahead is what was sent"

    asyncio.run(evening.look(then))


def test_a_page_is_drawn_while_the_disk_syncs_and_sent_once_it_did(
    app: Flask, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn_while_it_syncs(app, table, monkeypatch)


def test_a_build_that_shows_what_it_foresees_is_caught(
    app: Flask, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Streams, "_draw_ahead", lambda self, made: self._news(made()))
    with pytest.raises(AssertionError, match="before its entry is synced"):
        drawn_while_it_syncs(app, table, monkeypatch)


def test_a_build_that_draws_twice_is_caught(app: Flask, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "_is_it", lambda *_: False)
    with pytest.raises(AssertionError, match="drawn ahead"):
        drawn_while_it_syncs(app, table, monkeypatch)


def test_what_was_drawn_is_dropped_when_the_disk_fails(
    app: Flask, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another act may then get the same number."""
    evening = Evening(app, table, monkeypatch)

    async def then() -> None:
        seq = table.snapshot.seq
        evening.disk.fails = True
        acting = evening.act()
        await evening.until(lambda: evening.drawn == 2)
        evening.disk.turns.release()
        await acting
        await evening.until(lambda: evening.sent == 2)
        assert evening.ids == [str(seq)] * 2, "only that the disk fails"
        evening.disk.fails = False
        before, acting = evening.drawn, evening.act(1)
        await evening.until(lambda: evening.drawn == before + 1)
        evening.disk.turns.release()
        await acting
        await evening.until(lambda: evening.sent == 3)
        assert evening.ids[-1] == str(seq + 1)
        assert evening.drawn == before + 2, "the trouble is over: foreseen was a page that still names it"

    asyncio.run(evening.look(then))


@pytest.mark.parametrize(("quick", "expected"), [(0.0, True), (float("inf"), False)], ids=["slow", "quick"])
def test_nothing_is_drawn_ahead_while_the_disk_is_quick(
    quick: float, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ahead, "QUICK", quick)
    drawing = ahead.Ahead()
    assert drawing.is_worth_it(), "nothing is known of the disk yet"
    drawing.synced()
    assert drawing.is_worth_it() == expected
    drawing.synced()
    drawing.synced()  # news without a sync say nothing about the disk
    assert drawing.is_worth_it() == expected


def test_who_hands_over_goes_straight_on_and_nothing_is_lost() -> None:
    """Also while the loop is busy, and after it has ended."""
    loop, called = asyncio.new_event_loop(), list[int]()
    relay = ahead.Relay(loop)
    for n in range(3):
        relay.call(called.append, n)
    relay.call(loop.stop)
    assert called == [], "nothing runs where it is handed over"
    loop.run_forever()
    assert called == [0, 1, 2]
    loop.close()
    relay.call(called.append, 3)
    relay.close()
    assert called == [0, 1, 2]
