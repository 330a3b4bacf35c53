"""One press is one press, whatever the contacts do."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from hw.keys.filter import HOLD, SETTLE, STUCK, Filter, Told

Edge = tuple[bool, float]

BOUNCE = 0.005


@st.composite
def bounces(draw: st.DrawFn, down: bool, at: float) -> list[Edge]:
    """Up to 20 edges within 5 ms, the last one at the new level."""
    times = sorted(draw(st.lists(st.floats(0, BOUNCE), min_size=1, max_size=20)))
    flips = [(down if (len(times) - n) % 2 == 1 else not down, at + time) for n, time in enumerate(times)]
    assert flips[-1][0] is down
    return flips


@st.composite
def presses(draw: st.DrawFn, shortest: float, longest: float) -> list[Edge]:
    lasts = draw(st.floats(shortest, longest))
    return draw(bounces(True, 1.0)) + draw(bounces(False, 1.0 + BOUNCE + lasts))


def replay(edges: list[Edge], ticks: Sequence[float] = (), made: type[Filter] = Filter) -> list[Told]:
    """What is reported when edges and ticks come in order, and long after the last one."""
    heard = made()
    told: list[Told] = []
    moments: list[tuple[float, bool | None]] = [(at, down) for down, at in edges] + [(at, None) for at in ticks]
    for at, down in sorted(moments, key=lambda moment: moment[0]):
        told += heard.tick(at) if down is None else heard.edge(down, at)
    return told + list(heard.tick(edges[-1][1] + 5.0))


@given(presses(SETTLE, HOLD - 2 * BOUNCE - 0.001), st.lists(st.floats(0, 3)))
def test_a_short_press_is_told_once_however_it_bounces(edges: list[Edge], ticks: list[float]) -> None:
    assert replay(edges, ticks) == ["pressed"]


@given(presses(HOLD + BOUNCE, STUCK - 2 * BOUNCE - 0.001), st.lists(st.floats(0, 15)))
def test_a_hold_is_told_once_and_its_release_is_no_press(edges: list[Edge], ticks: list[float]) -> None:
    assert replay(edges, ticks) == ["held"]


@given(st.lists(presses(SETTLE, 0.3), min_size=1, max_size=6))
def test_many_presses_are_as_many(trains: list[list[Edge]]) -> None:
    edges = [(down, at + 2.0 * n) for n, train in enumerate(trains) for down, at in train]
    assert replay(edges) == ["pressed"] * len(trains)


@given(st.lists(st.floats(0.0001, SETTLE * 0.9), min_size=1, max_size=200))
def test_a_contact_that_never_settles_tells_nothing(gaps: list[float]) -> None:
    heard, at = Filter(), 0.0
    for n, gap in enumerate(gaps):
        at += gap
        assert heard.edge(n % 2 == 0, at) == ()


def test_the_hold_is_told_while_the_button_is_still_down() -> None:
    heard = Filter()
    heard.edge(True, 1.0)
    assert heard.tick(1.0 + HOLD - 0.001) == ()
    assert heard.due() == 1.0 + HOLD
    assert heard.tick(1.0 + HOLD) == ("held",)
    assert heard.tick(1.0 + HOLD + 1) == ()
    heard.edge(False, 3.0)
    assert heard.tick(4.0) == ()
    assert heard.due() is None


def test_a_release_just_before_the_hold_is_a_press_even_if_heard_late() -> None:
    heard = Filter()
    heard.edge(True, 0.0)
    heard.edge(False, HOLD - 0.005)
    assert heard.tick(HOLD + 0.001) == ()
    assert heard.tick(HOLD - 0.005 + SETTLE) == ("pressed",)


def test_a_stuck_button_is_named_once_and_ignored_until_let_go() -> None:
    heard = Filter()
    heard.edge(True, 0.0)
    assert heard.tick(HOLD) == ("held",)
    assert heard.due() == STUCK
    assert heard.tick(STUCK) == ("stuck",)
    assert heard.tick(60.0) == ()
    assert heard.due() is None
    heard.edge(False, 70.0)
    assert heard.tick(71.0) == ("freed",)
    heard.edge(True, 72.0)
    heard.edge(False, 72.1)
    assert heard.tick(73.0) == ("pressed",)


def test_a_button_that_is_down_from_the_beginning_is_not_pressed() -> None:
    heard = Filter(down=True, at=0.0)
    assert heard.tick(HOLD) == ()
    assert heard.tick(STUCK) == ("stuck",)
    heard.edge(False, 20.0)
    assert heard.tick(21.0) == ("freed",)


class Hasty(Filter):
    """Broken on purpose: believes every edge at once."""

    def edge(self, down: bool, at: float) -> tuple[Told, ...]:
        return (*super().edge(down, at), *super().tick(at + SETTLE))


def test_a_filter_that_believes_every_edge_is_caught() -> None:
    edges = [(True, 1.0), (False, 1.001), (True, 1.002), (False, 1.3)]
    assert replay(edges) == ["pressed"]
    assert replay(edges, made=Hasty) != ["pressed"]
