"""Let every open, write and sync of an evening fail in turn: the table pauses with a reason, and no entry is wrong.

    python tests/campaigns/disk_faults.py [--short]

A real table with a real journal plays on a disk (`tests/journal/disk.c`) whose nth call of a kind fails, once or until
somebody mends it. Each act is answered, or refused with C2 and a trouble that names the disk; then it is asked again.
At the end the journal, opened anew, holds exactly the acts that were answered, each once. The control is a build that
answers although the journal failed: it must be caught.
"""

from __future__ import annotations

import argparse
import errno
import itertools
import logging
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from companion.box import Box
from companion.core import TABLE, Act, Asked, SeatId, legal
from companion.journal import Entry, Journal, JournalError
from companion.library import Tagbook
from companion.table import Desk, Referee, Table
from companion.table.referee import ReplayDiffers
from companion.table.wishes import Done
from tests.campaigns.power_cuts import in_memory
from tests.journal.disk import FOREVER, Disk, Kind, start_on_disk
from tests.pick import GAME, setup_for

NAME = "games.journal"
ACTS = 9
TRIES = 4
CODES: dict[Kind, tuple[int, ...]] = {
    "open": (errno.EIO, errno.EMFILE, errno.EACCES, errno.EROFS),
    "write": (errno.EIO, errno.ENOSPC, errno.EROFS),
    "sync": (errno.EIO, errno.ENOSPC),
}


class Case(Struct, frozen=True):
    """Calls of one kind fail with `code`, from number `begin` up to `end`."""

    kind: Kind
    begin: int
    end: int
    code: int

    def __str__(self) -> str:
        for_good = "from then on" if self.end == FOREVER else "once"
        return f"{self.kind} {self.begin} fails with {errno.errorcode[self.code]}, {for_good}"


class Outcome(Struct):
    """The result: whether there was such a call, the reasons that the table gave, and what must not happen."""

    reached: bool
    reasons: list[str]
    wrong: list[str]


def opened(disk: Disk, outcome: Outcome) -> Journal:
    """The journal, retried after the disk was repaired; failures on the way must be named."""
    try:
        return Journal.open(disk.folder / NAME)
    except JournalError as error:
        outcome.reasons.append(error.said.key)
        outcome.reached |= disk.heal() > 0
        return Journal.open(disk.folder / NAME)


def begun(disk: Disk, journal: Journal, outcome: Outcome) -> Referee:
    clock = itertools.count(1000.0).__next__
    try:
        return Referee.begin(GAME, setup_for(2), ("Ada", "Ben"), "strict", journal, clock)
    except JournalError as error:
        outcome.reasons.append(error.said.key)
        outcome.reached |= disk.heal() > 0
        return Referee.begin(GAME, setup_for(2), ("Ada", "Ben"), "strict", journal, clock)


def ask(disk: Disk, table: Table, n: int, outcome: Outcome) -> str | None:
    """One act of the seat on turn, retried while the table is paused; returns its command if it was answered."""
    scene = table.snapshot
    seat = scene.at.decisions[-1].seats[0]
    intents = [intent for intent in legal(GAME, scene.state, SeatId(seat)) if intent.actor != TABLE]
    if not intents:
        return None
    raw = msgspec.Raw(msgspec.json.encode(intents[n % len(intents)]))
    asked = Asked(f"c{n}", SeatId(seat), scene.asked[seat], Act(raw))
    for attempt in range(TRIES):
        answer = table.ask(asked)
        if isinstance(answer, Done):
            return asked.command
        reasons = [said.key for said in table.snapshot.troubles]
        if answer.refusal.rule != "C2" or not any(key.startswith("trouble.journal-") for key in reasons):
            outcome.wrong.append(f"act {n}: {answer} with {reasons}")
            return None
        outcome.reasons += reasons
        if attempt == 1:  # the second time in the same trouble, somebody repairs the disk
            outcome.reached |= disk.heal() > 0
    outcome.wrong.append(f"act {n} is still refused after the disk was mended")
    return None


def evening(disk: Disk, case: Case) -> Outcome:
    outcome = Outcome(False, [], [])
    for old in disk.folder.iterdir():
        old.unlink()
    disk.fail(case.kind, case.begin, case.end, case.code)
    journal = opened(disk, outcome)
    referee = begun(disk, journal, outcome)
    table = Table(Desk(referee, Tagbook(), Box(), lambda candidates, _weights: candidates[0]))
    table.start()
    answered = [command for n in range(ACTS) if (command := ask(disk, table, n, outcome)) is not None]
    state = table.snapshot.state
    table.stop()
    journal.close()
    outcome.reached |= disk.heal() > case.begin
    outcome.wrong += compare(disk.folder / NAME, referee.table, answered, state)
    return outcome


def compare(path: Path, table: str, answered: list[str], state: Any) -> Iterator[str]:
    """What the journal says when reopened, against what was answered and shown."""
    with Journal.open(path) as journal:
        found = [e.cause.command for e in journal.entries(table) if isinstance(e.cause, Asked)]
        if found != answered:
            yield f"answered {answered}, recorded {found}"
        yield from map(str, journal.verify(table))
        try:
            if Referee(GAME, journal, table, float).at.state != state:
                yield "the state that was shown is not the state that is recorded"
        except ReplayDiffers as error:
            yield str(error)


def cases(every: int) -> Iterator[tuple[Case, ...]]:
    """The cases of one call number, for each kind, until told that there is no such call."""
    for n in itertools.count(step=every):
        yield tuple(
            Case(kind, n, end, code) for kind, codes in CODES.items() for code in codes for end in (n + 1, FOREVER)
        )


def run(disk: Disk, every: int) -> tuple[int, dict[str, int], list[str]]:
    """All cases; returns how many, how often each reason was given, and everything that was wrong."""
    done, reasons, wrong = 0, dict[str, int](), list[str]()
    exhausted: set[Kind] = set()
    for batch in cases(every):
        for case in batch:
            if case.kind in exhausted:
                continue
            outcome = evening(disk, case)
            if not outcome.reached:
                exhausted.add(case.kind)
                continue
            done += 1
            wrong += [f"{case}: {each}" for each in outcome.wrong]
            for reason in set(outcome.reasons):
                reasons[reason] = reasons.get(reason, 0) + 1
        if len(exhausted) == len(CODES):
            return done, reasons, wrong
    raise AssertionError("there is always a last call")


def answers_anyway(journal: Journal, table: str, body: Any, cause: Any, at: float, state: str, *_: Any) -> Entry:
    """The control: a journal that doesn't say when it failed."""
    try:
        return _append(journal, table, body, cause, at, state)
    except JournalError:
        last = max(entry.seq for entry in journal.entries(table))
        return Entry(last + 1, at, body, cause, state, "")  # type: ignore[arg-type]


_append = Journal.append


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="every 12th call")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    with tempfile.TemporaryDirectory(dir=in_memory()) as folder:
        disk = Disk(Path(folder))
        done, reasons, wrong = run(disk, 12 if options.short else 1)
        Journal.append = answers_anyway  # type: ignore[method-assign,assignment]
        _, _, caught = run(disk, 12)
    told = ", ".join(f"{key} {count}" for key, count in sorted(reasons.items()))
    print(f"{done} faults: {len(wrong)} wrong. Reasons given: {told}.")
    print(f"Control that answers anyway: {f'caught {len(caught)} times' if caught else 'NOT CAUGHT'}.")
    for line in wrong[:10]:
        print("WRONG", line)
    return 1 if wrong or not caught else 0


if __name__ == "__main__":
    start_on_disk()
    sys.exit(main())
