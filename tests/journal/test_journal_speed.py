"""An append costs little more than SQLite's own synced insert of the same bytes, measured side by side."""

from __future__ import annotations

import platform
import sqlite3
from contextlib import closing
from pathlib import Path
from statistics import quantiles
from time import perf_counter

import pytest
from msgspec import Raw
from msgspec.json import encode

from companion.core import Act, Asked, SeatId
from companion.journal import Did, Journal, Opened
from tests.bench.quiet import within

TAKE = Raw(b'{"type":"take","actor":0,"card":"coil-7"}')
TOOK = Raw(b'{"type":"took","seat":0,"card":"coil-7","from":"market-3"}')
ROUNDS = 600


def bare(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("CREATE TABLE entries (id INTEGER PRIMARY KEY, row TEXT)")
    return db


@pytest.mark.bench
def test_an_append_against_a_bare_insert(tmp_path_factory: pytest.TempPathFactory, opened: Opened) -> None:
    within(1.5, lambda: measured(tmp_path_factory.mktemp("speed"), opened))


def measured(tmp_path: Path, opened: Opened) -> float:
    body = Did(TAKE, (TOOK,) * 4)
    ours, theirs = [], []
    with Journal.open(tmp_path / "journal.db") as journal, closing(bare(tmp_path / "bare.db")) as db:
        table = journal.create(opened, 0, "s")
        for n in range(ROUNDS):
            cause = Asked(f"{n * 2654435761 % 2**32:08x}", SeatId(0), n, Act(TAKE))
            start = perf_counter()
            entry = journal.append(table, body, cause, n, "a" * 32)
            ours.append(perf_counter() - start)
            text = (encode(body) + encode(cause)).decode() + cause.command + entry.state + entry.chain
            start = perf_counter()
            db.execute("INSERT INTO entries (row) VALUES (?)", (text,))
            theirs.append(perf_counter() - start)
    (low, median, high), (_, bare_median, _) = quantiles(ours), quantiles(theirs)
    print(
        f"\nappend {median * 1e6:.0f} µs (quartiles {low * 1e6:.0f}–{high * 1e6:.0f}), bare insert "
        f"{bare_median * 1e6:.0f} µs, ratio {median / bare_median:.2f}, {platform.machine()}, "
        f"SQLite {sqlite3.sqlite_version}, Python {platform.python_version()}"
    )
    return median / bare_median
