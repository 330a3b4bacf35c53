"""Cut the power at every call that a journal makes to the disk: what was shown is there, and the file opens.

    python tests/campaigns/power_cuts.py [--short] [--seed N]

An evening is recorded on a disk that notes every write, sync, rename and removal (`tests/journal/disk.c`). After each
of these calls the power is cut, in several ways: whatever was not synced is dropped, torn, or there out of order. Each
distinct outcome is opened with the product's own code; none of them is damage, so none may be taken for it. A second
evening has syncs that fail. The control is the same evening with `synchronous=NORMAL`, which must lose entries.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from hashlib import blake2b
from itertools import count, islice
from pathlib import Path

from msgspec import Raw, Struct

from companion.core import GameId, ReaderId, SeatId, Seq, Tapped, Uid
from companion.journal import Body, Did, Entry, Journal, JournalError, Opened, Seated, TookBack
from companion.journal.file import Synchronous
from tests.journal.disk import Call, Disk, start_on_disk
from tests.journal.power import Power

NAME = "games.journal"
CAUSE = Tapped(Uid("04a1b2c3"), ReaderId("left"))
OPENED = Opened(GameId("g"), 1, Raw(b'{"pack":"' + b"card " * 6000 + b'"}'), ("Ada", "Ben"), "strict")
KEEP_EVERY = 50
TIDY_EVERY = 7


class Evening(Struct):
    """What was done to the disk, and what was shown: the entries by mark."""

    calls: list[Call]
    shown: dict[int, Entry]
    table: str


class Tally(Struct):
    """How the outcomes of one evening turned out."""

    states: int = 0
    lost: list[str] = []
    unopened: list[str] = []

    @property
    def failures(self) -> int:
        return len(self.lost) + len(self.unopened)


def body(n: int) -> Body:
    if n % 29 == 28:
        return Seated(SeatId(1), f"Ben {n}", "")
    return TookBack(Seq(1), SeatId(0)) if n % 13 == 12 else Did(Raw(b'"' + b"act " * (30 + n * 37 % 700) + b'"'), ())


def record(disk: Disk, sittings: tuple[int, ...], synchronous: Synchronous, bad_syncs: bool = False) -> Evening:
    """Play several sittings of this many entries into one journal; between them the box is switched off."""
    shown: dict[int, Entry] = {}
    table = ""
    number = count()
    with disk.noting() as calls:
        for sitting in sittings:
            with Journal.open(disk.folder / NAME, _synchronous=synchronous) as journal:
                table = table or journal.create(OPENED, 1.0, "s")
                if not shown:
                    shown[1] = next(iter(journal.entries(table)))
                    disk.mark(1)
                for n in range(sitting):
                    append(disk, journal, table, next(number), shown, bad_syncs and n % 9 == 8)
    return Evening(calls, shown, table)


def append(disk: Disk, journal: Journal, table: str, n: int, shown: dict[int, Entry], bad_sync: bool) -> None:
    """One entry, retried until it is recorded, as the table would; only then it is shown."""
    if bad_sync:
        disk.fail("sync", 0, 1 + n % 3)
    for _ in range(5):
        try:
            entry = journal.append(table, body(n), CAUSE, 2.0 + n, "s")
            break
        except JournalError:
            continue
    else:
        raise AssertionError("the disk was healed, and still nothing is recorded")
    disk.heal()
    shown[entry.seq] = entry
    disk.mark(entry.seq)
    if entry.seq % KEEP_EVERY == 0:
        journal.keep(table, entry.seq, b"kept " * 900)
    if entry.seq % TIDY_EVERY == 0:
        journal.tidy()


def states(evening: Evening, folder: Path, seed: int) -> Iterator[tuple[int, int, dict[str, bytes]]]:
    """Every distinct outcome: after which call, the newest entry shown by then, the files."""
    power, newest, seen = Power(folder, seed), 0, set()
    for at, call in enumerate(evening.calls):
        if call.kind == "M":
            newest = call.at
            continue
        power.follow(call)
        for files in power.cuts():
            digest = blake2b(repr(newest).encode(), digest_size=16)
            for name, content in sorted(files.items()):
                if not name.endswith((".lock", "-shm")):
                    digest.update(f"{name} {len(content)} ".encode() + content)
            if digest.digest() not in seen:
                seen.add(digest.digest())
                yield at, newest, files


def check(evening: Evening, newest: int, files: dict[str, bytes], room: Path) -> tuple[str, str]:
    """Open one outcome and play on: what is lost, and why it doesn't open; "" if all is well."""
    for old in room.iterdir():
        old.unlink()
    for name, content in files.items():
        (room / Path(name).name).write_bytes(content)
    try:
        with Journal.open(room / NAME) as journal:
            found = list(journal.entries(evening.table)) if journal.games() else []
            wrong = [entry.seq for entry in found if entry != evening.shown.get(entry.seq, entry)]
            if wrong or not newest <= len(found) <= newest + 1:
                return f"#{newest} was shown, there are {len(found)}, different: {wrong}", ""
            if found and (problems := journal.verify(evening.table)):
                return "", str(problems[0])
            if found:
                journal.append(evening.table, TookBack(Seq(1), SeatId(0)), None, 9.0, "s")
    except JournalError as error:
        return "", str(error)
    return "", ""


def play(evening: Evening, disk: Disk, every: int, seed: int) -> Tally:
    """Check every n-th outcome."""
    tally = Tally(lost=[], unopened=[])
    with tempfile.TemporaryDirectory(dir=disk.folder.parent) as room:
        for at, newest, files in islice(states(evening, disk.folder, seed), 0, None, every):
            lost, unopened = check(evening, newest, files, Path(room))
            tally.states += 1
            tally.lost += [f"after call {at}: {lost}"] if lost else []
            tally.unopened += [f"after call {at}: {unopened}"] if unopened else []
            if tally.states % 500 == 0:
                print(f"{tally.states} states, {tally.failures} bad", file=sys.stderr)
    return tally


def in_memory() -> str | None:
    """Where files are quick to make; what is synced there is noted all the same."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


class Plan(Struct, frozen=True):
    """An evening to record: how many entries in each sitting, and how it is checked."""

    name: str
    sittings: tuple[int, ...]
    every: int
    synchronous: Synchronous = "FULL"
    bad_syncs: bool = False


SHORT = (
    Plan("FULL", (40, 8), 9),
    Plan("FULL, syncs that fail", (20, 5), 12, bad_syncs=True),
    Plan("control: NORMAL", (20,), 9, "NORMAL"),
)
LONG = (
    Plan("FULL", (600, 90, 20), 1),
    Plan("FULL, syncs that fail", (380, 60), 1, bad_syncs=True),
    Plan("control: NORMAL", (40,), 1, "NORMAL"),
)


def run(plan: Plan, seed: int) -> bool:
    """Record, cut, check and tell; whether it came out as it should."""
    with tempfile.TemporaryDirectory(dir=in_memory()) as base:
        folder = Path(base) / "card"
        folder.mkdir()
        disk = Disk(folder)
        evening = record(disk, plan.sittings, plan.synchronous, plan.bad_syncs)
        tally = play(evening, disk, plan.every, seed)
    print(
        f"{plan.name}: {len(evening.calls)} calls, {len(evening.shown)} entries shown, {tally.states} states: "
        f"{len(tally.lost)} lost what was shown, {len(tally.unopened)} do not open.",
        flush=True,
    )
    if plan.synchronous != "FULL":
        print("Caught." if tally.lost else "NOT CAUGHT.")
        return bool(tally.lost)
    for line in tally.lost[:3] + tally.unopened[:3]:
        print("BAD", line)
    return not tally.failures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="a short evening, some of its states")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    outcomes = [run(plan, options.seed) for plan in (SHORT if options.short else LONG)]
    return 0 if all(outcomes) else 1


if __name__ == "__main__":
    start_on_disk()
    sys.exit(main())
