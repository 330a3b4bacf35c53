"""Evenings shown at a club: what was published is checked against the record, and errors are caught."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from companion.app.hub.broker import NoBroker, found
from companion.app.prove import Outcome, Plan, Plant, added_up, as_page, as_text, load, prove
from companion.app.prove.checks import Played, opened
from companion.app.prove.club_told import published
from companion.app.prove.evening import Evening, room
from companion.app.prove.proving import failing, faults_of, held
from tests.campaigns._broken import IN_CLUB
from web.club import View, can_join, decode, encode

SHORT = Plan(2, "actionworks", ("Ada", "Ben"), acts=500, faults=0, club=True)
"""A game of two, to its end."""


def _is_there() -> bool:
    """Asked while tests are looked for: it starts nothing."""
    with suppress(NoBroker):
        return can_join() and bool(found("mosquitto"))
    return False


needs_broker = pytest.mark.skipif(not _is_there(), reason="Mosquitto is not installed")


def test_a_club_has_faults_of_its_own() -> None:
    with_club, without = (faults_of(replace(SHORT, club=club), Random(1)) for club in (True, False))
    assert {*with_club} - {*without} == {"broker-goes", "broker-hangs", "started-while-broker-hangs", "hub-goes"}


@needs_broker
@pytest.mark.slow
def test_what_a_club_was_told_is_held_against_the_record() -> None:
    """One whole evening; then each thing that could be wrong with what was published is made wrong."""
    load()
    with room() as folder:
        evening = Evening(SHORT, Path(folder), nullcontext)
        assert not [*failing(evening, lambda: _to_its_end(evening))]
        assert held(evening) == []
        hub, played = evening.hub, opened(evening.kit, evening.data, [])
        assert hub is not None
        assert played is not None
        assert (evening.was_over, len(hub.results)) == (True, 1)
        _tampered(played, hub.got, hub.view, hub.results)


EVENINGS = 8
"""Within this many evenings a broken table must be caught."""


def _to_its_end(evening: Evening) -> None:
    evening.begin()
    while evening.act():
        pass
    assert evening.hub is not None
    evening.hub.end()
    evening.was_over = evening.is_over


def _tampered(played: Played, got: list, last: bytes, results: list) -> None:  # type: ignore[type-arg]
    def found(*given: object) -> set[str]:
        return {failure.kind for failure in published(played, *given)}  # type: ignore[arg-type]

    old = next(data for part, each in got if part == "view" if (data := each.data))
    hidden = next(name for name in played.kit.game.pieces(played.kit.pack) if name.encode() not in old)
    named = replace(
        got[-1][1], seq=1, data=old.replace(b'"mode":"', b'"mode":"", "x":"%b", "mode":"' % hidden.encode())
    )
    view = decode(View, last)
    assert found(got, old, results) == {"wrong"}, "an old view in the end"
    assert found(got, last, []) == {"lost"}, "a result that was not kept"
    assert found(got, last, results * 2) == {"doubled"}, "a result that was kept twice"
    assert "leaked" in found([*got, ("view", named)], last, results), "a card that nobody had seen"
    elsewhere = replace(got[-1][1], data=encode(replace(view, record="zzzz")))
    assert "lost" in found([*got, ("view", elsewhere)], last, results), "a view of another game"


@needs_broker
@pytest.mark.slow
@pytest.mark.parametrize("kind", IN_CLUB)
def test_a_table_that_tells_its_club_something_else_is_caught(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load()
    monkeypatch.setattr("companion.app.prove.hub.SOON", 3.0)
    monkeypatch.setattr("companion.app.prove.evening.PATIENCE", 20.0)
    plant: Plant = IN_CLUB[kind]
    for n in range(EVENINGS):  # a result is missed only if a game was finished in time
        outcome = prove(replace(SHORT, seed=SHORT.seed + n), plant, tmp_path / str(n))
        assert all("club" in failure.what for failure in outcome.failures)
        if kind in {failure.kind for failure in outcome.failures}:
            return
    pytest.fail(f"not caught in {EVENINGS} evenings")


def test_without_a_broker_an_evening_is_played_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    load()
    monkeypatch.setattr("companion.app.prove.evening.prepared", lambda: None)
    outcome = prove(replace(SHORT, acts=6))
    assert (outcome.failures, outcome.published) == ((), 0)
    total = added_up([outcome])
    assert "No evening was shown at a club" in as_text(total)
    assert "No evening was shown at a club" in as_page(total)


def test_the_report_says_what_was_published() -> None:
    total = added_up([Outcome(1, "timeline", published=5, photos=3, offered=2), Outcome(2, "timeline")])
    assert "1 evenings were shown at a club, which was sent 5 messages" in as_text(total)
    assert "3 were read, 2 led straight to the act" in as_text(total)
