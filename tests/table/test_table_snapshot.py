"""A snapshot stays what it was while the game goes on, whoever reads it and in whatever thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core import PUBLIC, SeatId, Seq, mask
from companion.table import Snapshot
from companion.table import snapshot as snapshots
from companion.table.record import BLOCK, ByEntry, Tape
from tests.patience import PATIENCE
from tests.pick import Pass
from tests.table.conftest import Evening


def test_who_reads_slowly_reads_the_game_as_it_was(evening: Evening) -> None:
    evening.phone(Pass(SeatId(0)))
    then = evening.now
    reading = [iter(part) for part in (then.history, then.states.items(), then.deeds.values())]
    first = [next(part) for part in reading]
    for _ in range(3):
        evening.phone(Pass(evening.now.awaited[0]))
    rest = [list(part) for part in reading]
    assert first[0] == then.history[0]
    assert [len(part) for part in rest] == [1, 1, 0]
    assert (len(then.history), then.history[-1].seq, list(then.deeds)) == (2, then.seq, [2])
    assert evening.now.seq == 5


def test_two_threads_that_ask_at_once_go_on_with_one_and_the_same_view(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    together = threading.Barrier(2, timeout=PATIENCE)

    def both_make_it(state: Any, audience: SeatId) -> Any:
        together.wait()
        return mask(state, audience)

    monkeypatch.setattr(snapshots, "mask", both_make_it)
    here: Snapshot = evening.now
    assert _at_once(lambda: here.view(SeatId(0))) == 1
    assert _at_once(lambda: here.view(SeatId(1))) == 1


def _at_once(ask: Callable[[], Any]) -> int:
    """How many different answers two threads get."""
    answers: list[Any] = []
    threads = [threading.Thread(target=lambda: answers.append(ask())) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert len(answers) == 2
    return len({id(answer) for answer in answers})


@given(st.integers(0, 3 * BLOCK), st.integers(-4 * BLOCK, 4 * BLOCK), st.integers(-4 * BLOCK, 4 * BLOCK))
def test_a_tape_reads_as_the_tuple_of_its_items(length: int, start: int, stop: int) -> None:
    items = tuple(range(length))
    tape: Tape[int] = Tape()
    for item in items:
        tape = tape.and_then(item)
    for made in (tape, Tape(items)):
        assert (tuple(made), len(made), tuple(reversed(made))) == (items, length, items[::-1])
        assert made[start:stop] == items[start:stop]
        assert [made[at] for at in range(-length, length)] == [*items, *items]


def test_a_tape_says_which_item_it_does_not_have() -> None:
    with pytest.raises(IndexError, match="no item 2 among 2"):
        Tape(("a", "b"))[2]
    with pytest.raises(IndexError, match="no item -3 among 2"):
        Tape(("a", "b"))[-3]


def test_a_longer_tape_copies_no_more_than_one_block() -> None:
    """However long the game: what is full is shared, not copied."""
    tape = Tape(tuple(range(100 * BLOCK + 5)))
    longer = tape.and_then(0)
    assert all(ours is theirs for ours, theirs in zip(tape._full, longer._full, strict=True))
    assert len(longer._last) <= BLOCK


@given(st.lists(st.integers(1, 5), max_size=2 * BLOCK))
def test_what_belongs_to_entries_reads_as_a_dict(gaps: list[int]) -> None:
    expected: dict[int, str] = {}
    made: ByEntry[str] = ByEntry()
    seq = 0
    for gap in gaps:
        seq += gap
        expected[seq] = f"of {seq}"
        made = made.and_then(Seq(seq), f"of {seq}")
    assert (dict(made), len(made)) == (expected, len(expected))
    assert [made.get(Seq(n)) for n in range(-1, seq + 2)] == [expected.get(n) for n in range(-1, seq + 2)]


def test_what_belongs_to_an_entry_is_added_in_order() -> None:
    two = ByEntry[str]().and_then(Seq(2), "two")
    with pytest.raises(ValueError, match="entry 2 is not later than entry 2"):
        two.and_then(Seq(2), "again")


def test_a_view_is_made_once_for_each_state(evening: Evening) -> None:
    before = evening.now.view(PUBLIC)
    evening.press("next")
    assert evening.now.view(PUBLIC) is before
    evening.phone(Pass(SeatId(0)))
    assert evening.now.view(PUBLIC) is not before
    assert evening.now.view(PUBLIC) == mask(evening.now.state, PUBLIC)
