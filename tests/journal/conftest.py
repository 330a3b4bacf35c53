"""An evening to record: Ada and Ben play a little, on the box and on phones."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec import Raw

import companion
from companion.core import Act, Asked, GameId, Input, Pressed, ReaderId, Refusal, RuleId, SeatId, Seq, Tapped, Uid, say
from companion.journal import Body, Did, Entry, Journal, Opened, Seated, TookBack, WasRefused
from tests.patience import PATIENCE

ADA, BEN = SeatId(0), SeatId(1)


@pytest.fixture(scope="session")
def opened() -> Opened:
    pack = b'{"cards":["coil-7","\xc3\xa9toile-2"],"words":"' + b"pack " * 40 + b'"}'
    return Opened(GameId("actionworks"), 1, Raw(b'{"seats":2,"pack":' + pack + b"}"), ("Ada", "Ben"), "strict")


@pytest.fixture(scope="session")
def moves() -> tuple[tuple[Body, Input | None], ...]:
    """One entry of every kind, from every kind of source."""
    take = Raw(b'{"type":"take","actor":0,"card":"coil-7"}')
    took = Raw(b'{"type":"took","seat":0,"card":"coil-7"}')
    refusal = Refusal(RuleId("R4"), "not-your-turn", say("x", who=2).facts)
    return (
        (Did(take, (took,)), Tapped(Uid("04a1b2c3"), ReaderId("left"))),
        (Did(take, (took, took), ("R4",)), Asked("phone-1", ADA, 3, Act(take))),
        (WasRefused(BEN, refusal, False), Asked("phone-2", BEN, 3, Act(take))),
        (TookBack(Seq(2), ADA), Pressed("back", True)),
        (Seated(BEN, "Zoë", "5f5f"), None),
        (Did(take, (), (), True), Pressed("ok")),
    )


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "journal.db") as journal:
        yield journal


Play = Callable[[Journal], tuple[str, tuple[Entry, ...]]]


@pytest.fixture(scope="session")
def play(opened: Opened, moves: tuple[tuple[Body, Input | None], ...]) -> Play:
    """Record the evening; returns the table and the entries that `append` returned, without the opening."""

    def play(journal: Journal) -> tuple[str, tuple[Entry, ...]]:
        table = journal.create(opened, 1000.25, "state 1")
        told = [journal.append(table, body, why, 1001 + n, f"state {n}") for n, (body, why) in enumerate(moves)]
        return table, tuple(told)

    return play


Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def elsewhere() -> Run:
    """Run a small program in another process."""

    def run(script: str, *args: str | Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", script, *map(str, args)]
        return subprocess.run(command, env=surroundings(), capture_output=True, text=True, timeout=PATIENCE, check=True)

    return run


def surroundings(**more: str) -> dict[str, str]:
    root = Path(companion.__file__).parent.parent
    return {**os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1", **more}


@pytest.fixture(scope="session")
def environment() -> Callable[..., dict[str, str]]:
    return surroundings
