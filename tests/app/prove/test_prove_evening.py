"""`companion prove`: an evening survives whatever happens to it, and boxes broken on purpose are caught."""

from __future__ import annotations

import fcntl
import os
import signal
import struct
from contextlib import nullcontext
from pathlib import Path

import pytest

from companion.app.prove import Outcome, Plan, Results, added_up, as_page, as_text, headline, load, prove
from companion.app.prove.box import BoxGone
from companion.app.prove.checks import Failure
from companion.app.prove.evening import OUT_OF_STEP, Evening
from companion.app.prove.faults import FAULTS, befall
from companion.app.prove.orders import Act, Lay, Now, Order
from companion.app.prove.results import RESULTS, Unreadable
from companion.core import legal
from companion.journal import JOURNAL
from companion.library import PieceTag, pretend_uid
from tests.campaigns._broken import BROKEN

FLOCK = struct.Struct("hhqqi4x")
IN_USE = 128
"""The byte of the shared memory that every process using it has locked, by SQLite's own file format."""
BAD = Outcome(7, "us-patent", 3, failures=(Failure("lost", 2, "a <card> was lost"),), survived={"killed": 2})


def test_there_are_enough_kinds_of_fault() -> None:
    assert len(FAULTS) >= 25


def test_an_evening_survives(tmp_path: Path) -> None:
    """Seven faults in a short evening: each is reported as survived, and nothing is wrong."""
    load()
    outcome = prove(Plan(3, "actionworks", ("Ada", "Ben", "Dan"), ("Ben",), acts=20, faults=7), nullcontext, tmp_path)
    assert outcome.failures == ()
    assert sum(outcome.survived.values()) == 7
    assert not [*tmp_path.iterdir()], "only evenings that failed are kept"


@pytest.mark.parametrize("fault", ["killed", "killed-while-it-starts", "terminated", "settings-damaged", "log-torn"])
def test_a_box_that_starts_again_has_locks_of_its_own(fault: str, tmp_path: Path) -> None:
    """Forked with an open journal, it would have none: its shared memory was truncated underneath it."""
    load()
    evening = Evening(Plan(3, "actionworks", ("Ada", "Ben"), acts=20), tmp_path, nullcontext)
    try:
        evening.begin()
        befall(evening, fault)
        with (evening.data / f"{JOURNAL}-shm").open("rb+") as shared:
            asked = FLOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, IN_USE, 1, 0)
            *_, holder = FLOCK.unpack(fcntl.fcntl(shared, fcntl.F_GETLK, asked))
        assert holder == evening.box.pid
        assert evening.act()
    finally:
        evening.end()


def test_hands_put_right_what_lies_astray_and_the_evening_goes_on(tmp_path: Path) -> None:
    """Nobody may play while it lies there: bots would be waited for in vain, and phones refused all evening."""
    load()
    evening = Evening(Plan(3, "us-patent", ("Ada", "Ben", "Dan"), acts=20, mat="slots"), tmp_path, nullcontext)
    slots = next(mat for mat in evening.kit.game.mats(3) if mat.name == "slots").zones()
    try:
        evening.begin()
        for piece, reader in zip(evening.kit.game.pieces(evening.kit.pack), slots, strict=False):
            evening.box.order(Lay(pretend_uid(PieceTag(evening.kit.game.id, piece)), reader))
        evening.until(lambda: OUT_OF_STEP in evening.box.look().troubles, "the box has seen it")
        before = evening.newest()
        assert evening.act()
        assert OUT_OF_STEP not in evening.box.look().troubles
        assert evening.newest() > before
    finally:
        evening.end()


def test_hands_do_again_what_came_to_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A card that was told late got in between; the report says how often."""
    load()
    monkeypatch.setattr("companion.app.prove.evening.WHILE", 0.2)
    evening = Evening(Plan(3, "one-false-step", ("Ada", "Ben", "Dan")), tmp_path, nullcontext)
    try:
        evening.begin()
        now, seats = evening.awaited()
        intent = legal(evening.kit.game, now.state, seats[0])[0]
        order, drowned = evening.box.order, list[Act]()

        def drowns_the_first(asked: Order) -> Now:
            if isinstance(asked, Act) and not drowned:
                drowned.append(asked)
                return evening.box.look()
            return order(asked)

        monkeypatch.setattr(evening.box, "order", drowns_the_first)
        evening.by_hand(intent, now)
        assert evening.newest() > now.seq
        assert evening.again >= 1
    finally:
        evening.end()


def test_a_box_that_is_held_does_nothing_until_it_goes_on(tmp_path: Path) -> None:
    load()
    evening = Evening(Plan(3, "actionworks", ("Ada", "Ben", "Dan"), ("Ben", "Dan"), acts=20), tmp_path, nullcontext)
    try:
        evening.begin()
        evening.act()
        evening.box.hold()
        assert "State:\tT" in Path(f"/proc/{evening.box.pid}/status").read_text()
        evening.box.go_on()
        assert evening.act()
        os.kill(evening.box.pid, signal.SIGKILL)
        with pytest.raises(BoxGone, match="ended by itself"):
            evening.box.hold()
    finally:
        evening.end()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["doubled", "lost"])
def test_a_broken_box_is_caught(kind: str, tmp_path: Path) -> None:
    """Those that any evening finds; the campaign has all of them."""
    load()
    outcome = prove(Plan(1, "one-false-step", ("Ada", "Ben", "Chloé"), acts=25, faults=2), BROKEN[kind], tmp_path)
    assert kind in {failure.kind for failure in outcome.failures}
    assert (tmp_path / "seed-1" / "data").is_dir()


def test_results_are_added_up_and_gone_on_with(tmp_path: Path) -> None:
    """A second run knows the evenings of the first; one that was cut off while being written is played again."""
    first = Results(tmp_path)
    first.add(Outcome(1, "timeline", 10, True, 5, {"killed": 1}, {"killed": (0.5,)}))
    first.add(BAD)
    with (tmp_path / RESULTS).open("ab") as file:
        file.write(b'{"seed":9,"ga')
    again = Results(tmp_path)
    assert sorted(again.outcomes) == [1, 7]
    total = added_up(again.outcomes.values())
    assert (total.evenings, total.whole, total.faults, total.count("lost")) == (2, 1, {"killed": 3}, 1)
    assert headline(total).startswith("2 evenings, 13 acts, 3 faults of 1 kinds: 0 wrong rulings, 1 lost acts")


def test_a_line_that_nobody_can_read_is_named(tmp_path: Path) -> None:
    (tmp_path / RESULTS).write_text("[]\n")
    with pytest.raises(Unreadable, match="line 1"):
        Results(tmp_path)


def test_the_report_names_every_fault_and_failure() -> None:
    total = added_up([BAD])
    assert all(f"| {name} |" in as_text(total) for name in FAULTS)
    assert "seed 7, entry 2, lost: a <card> was lost" in as_text(total)
    assert "a &lt;card&gt; was lost" in as_page(total)
