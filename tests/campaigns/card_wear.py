"""What an evening writes to the card: bytes and syncs of the whole program for each game, and how much of it must be.

    python tests/campaigns/card_wear.py [--games N] [--short]

Every entry is synced before it is shown, so one page of the journal's log is the least that an entry can cost. All
that the program writes into its folder during a game of bots is counted call by call (tests/journal/disk.c): it is at
most MOST times the bytes of that log, and hardly more than one sync for each entry. What it is to the journal as it
lies there at the end, whose pages hold many entries each, is told beside it. The control is a build that also notes
each entry in a file of its own, as an innocent “save the last state” would.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion.app.main import Options, companion
from companion.journal import JOURNAL, Journal
from companion.library import shelf, write_whole
from tests.journal.disk import Call, Disk, start_on_disk
from tests.patience import PATIENCE

MOST = 1.5
MOST_SYNCS = 1.25
SOME = 40
"""Syncs in an evening that aren't caused by an entry: the file is made, its log is opened, it is closed."""
NAMES = ("Ada", "Ben", "Chloé", "Dan")


class Evening(Struct, frozen=True):
    game: str
    entries: int
    log: int
    file: int
    total: int
    syncs: int
    others: int

    @property
    def times(self) -> float:
        return self.total / self.log

    @property
    def is_little(self) -> bool:
        return self.times <= MOST and self.syncs <= MOST_SYNCS * self.entries + SOME


def evening(game: str) -> Evening:
    """One game of bots, from the start of the program to its end."""
    names = NAMES[: max(shelf.open(game).seats[0], 3)]
    with tempfile.TemporaryDirectory() as folder:
        disk = Disk(Path(folder))
        options = Options(Path(folder), game=game, names=names, port=0, pretend=True, bots=names, thinking=0.0)
        with disk.noting() as calls, companion(options, tell=lambda _said: None) as running:
            latest = running.table.latest()
            while running.table.snapshot.result is None:
                if latest.wait(PATIENCE) is None:
                    raise SystemExit(f"{game}: the bots play no more")
            entries = running.table.snapshot.seq
            latest.close()
        return counted(game, entries, calls, (Path(folder) / JOURNAL).stat().st_size)


def counted(game: str, entries: int, calls: list[Call], file: int) -> Evening:
    names, written = dict[int, str](), Counter[str]()
    for call in calls:
        if call.kind in ("O", "C"):
            names[call.fd] = Path(os.fsdecode(call.data)).name
        elif call.kind == "W":
            written[names.get(call.fd, "?")] += len(call.data)
    syncs = sum(call.kind == "S" for call in calls)
    others = sum(not name.startswith(JOURNAL) for name in written)
    return Evening(game, entries, written[f"{JOURNAL}-wal"], file, written.total(), syncs, others)


@contextmanager
def noting_beside() -> Iterator[None]:
    """The control: after each entry it also writes another small file."""
    append = Journal.append

    def and_beside(self: Journal, *words: Any, **more: Any) -> Any:
        answer = append(self, *words, **more)
        write_whole(Path(self.path).parent / "last.json", b"x" * 4096)
        return answer

    Journal.append = and_beside  # type: ignore[method-assign]
    try:
        yield
    finally:
        Journal.append = append  # type: ignore[method-assign]


def told(found: Evening) -> str:
    each = f"{found.total / found.entries / 1024:.1f} KiB and {found.syncs / found.entries:.2f} syncs an entry"
    times = f"{found.times:.2f} times the log, {found.total / found.file:.1f} times the journal at the end"
    sums = f"{found.total / 1e6:5.2f} MB, {times}, {found.syncs:4d} syncs"
    return f"{found.game:15} {found.entries:4d} entries: {sums}; {each}" + (
        f"; {found.others} other files" if found.others else ""
    )


def main() -> int:
    reads = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    reads.add_argument("--games", type=int, default=10, help="of each kind")
    reads.add_argument("--short", action="store_true", help="one of each kind")
    options = reads.parse_args()
    worst = []
    for game in sorted(shelf.games()):
        evenings = [evening(game) for _ in range(1 if options.short else options.games)]
        worst.append(max(evenings, key=lambda found: found.times))
        print(told(worst[-1]), flush=True)
    with noting_beside():
        control = evening("timeline")
    print(f"control: {told(control)}")
    if control.is_little:
        print("FAILED: the control was not noticed")
    failed = [found.game for found in worst if not found.is_little]
    print(f"FAILED: {', '.join(failed)}" if failed else f"All games: at most {MOST} times the bytes of the log.")
    return 1 if failed or control.is_little else 0


if __name__ == "__main__":
    start_on_disk()
    sys.exit(main())
