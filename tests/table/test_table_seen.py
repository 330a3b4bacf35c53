"""What leaves the table is what somebody may see: it contains no state, and nothing that leads to one."""

from __future__ import annotations

import functools
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.core import PUBLIC, SeatId, Seq, mask
from companion.table import Seen, Snapshot
from companion.table.record import Position
from tests.pick import GAME, Pass
from tests.table.conftest import Evening

ADA, BEN = SeatId(0), SeatId(1)
ROOT = Path(__file__).parents[2]
SECRETS = ("state", "at", "states", "history", "deeds", "views")

PLANTED = """
from companion.table.seen import Moment, Seen
from hw.box import AnyTable as OfTheBox
from web.screen import AnyTable as OfThePhones

def fine(seen: Seen, moment: Moment, phones: OfThePhones) -> object:
    return seen.view, seen.past.told(), moment.public.page, phones.moment.public.chairs

def leaks(seen: Seen, moment: Moment, phones: OfThePhones, box: OfTheBox) -> None:
    seen.state
    seen.states
    seen.history
    seen.deeds
    moment.state
    moment.public.at
    phones.snapshot
    box.snapshot
"""


@pytest.fixture
def now(evening: Evening) -> Snapshot:
    """A moment in a game in which something was done."""
    evening.phone(Pass(ADA))
    now: Snapshot = evening.now
    return now


def within(thing: Any) -> Iterable[Any]:
    """What can be reached from a thing without opening a function."""
    if isinstance(thing, str | bytes | int | float | type | None):
        return ()
    if isinstance(thing, msgspec.Struct):
        return [getattr(thing, name) for name in thing.__struct_fields__]
    if isinstance(thing, Mapping):
        return [*thing.keys(), *thing.values()]
    if isinstance(thing, tuple | list | set | frozenset):
        return thing
    if isinstance(thing, functools.partial):
        return [thing.func, *thing.args, *thing.keywords.values()]
    slots = [name for cls in type(thing).__mro__ for name in getattr(cls, "__slots__", ()) if hasattr(thing, name)]
    return (
        [*vars(thing).values(), getattr(thing, "__self__", None)]
        if hasattr(thing, "__dict__")
        else [getattr(thing, name) for name in slots]
    )


def reachable(start: Any) -> Iterator[Any]:
    """Everything reachable from a thing, each once."""
    met, ahead = {id(start)}, [start]
    while ahead:
        thing = ahead.pop()
        yield thing
        new = [part for part in within(thing) if id(part) not in met]
        met.update(map(id, new))
        ahead += new


def secrets_in(seen: Seen) -> list[str]:
    """What it contains that its audience may not have."""
    kept = (Snapshot, Position, GAME.state)
    return [type(thing).__name__ for thing in reachable(seen) if isinstance(thing, kept) and thing is not seen.view]


@pytest.mark.parametrize("audience", [PUBLIC, ADA, BEN])
def test_what_is_seen_is_the_view_and_what_all_may_know(now: Snapshot, audience: SeatId) -> None:
    seen = now.seen_by(audience)
    assert (seen.audience, seen.view) == (audience, mask(now.state, audience))
    assert (seen.seq, seen.page, seen.chairs, seen.decisions) == (now.seq, now.page, now.chairs, now.decisions)
    assert [told.seq for told in seen.past.told()] == [Seq(1), Seq(2)]
    assert mask(now.state, PUBLIC) != now.state, "there is something to hide"


@pytest.mark.parametrize("name", SECRETS)
def test_who_reads_a_secret_by_mistake_is_stopped(now: Snapshot, name: str) -> None:
    assert hasattr(now, name), "it is there on the table's side"
    for leaves in (now.seen_by(ADA), now.seen_by(PUBLIC), now.moment(), now.moment().public):
        with pytest.raises(AttributeError):
            getattr(leaves, name)


@pytest.mark.parametrize("audience", [PUBLIC, ADA])
def test_nothing_that_leaves_leads_to_the_state(now: Snapshot, audience: SeatId) -> None:
    assert secrets_in(now.seen_by(audience)) == []


def test_a_build_that_leaves_a_way_to_the_state_is_caught(now: Snapshot) -> None:
    seen = now.seen_by(ADA)
    assert secrets_in(replace(seen, view=[seen.view, now.state]))
    assert secrets_in(replace(seen, past=replace(seen.past, series=functools.partial(now.view, ADA))))
    assert secrets_in(replace(seen, past=replace(seen.past, put_back=now.seen_by)))


@pytest.mark.slow
def test_mypy_refuses_what_a_planted_build_would_read(tmp_path: Path) -> None:
    planted = tmp_path / "planted.py"
    planted.write_text(PLANTED)
    command = (sys.executable, "-m", "mypy", str(planted))
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    lines = PLANTED.splitlines()
    first = next(number for number, line in enumerate(lines, 1) if line.startswith("def leaks"))
    errors = [line for line in told.stdout.splitlines() if ": error: " in line]
    refused = {int(line.split(":")[1]) for line in errors}
    assert refused == set(range(first + 1, len(lines) + 1)), told.stdout + told.stderr
