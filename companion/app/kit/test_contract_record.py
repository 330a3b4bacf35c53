"""Whatever the game: its record alone leads to where it stands, and what was taken back can be done again."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw, Struct
from msgspec.structs import replace

from companion.app.kit.evening import moves, play, table
from companion.app.kit.kit import Kit
from companion.box import Box
from companion.core import TABLE, Event, Said, SeatId, fold
from companion.library import Tagbook
from companion.table import Desk, Referee
from companion.table.record import ByEntry, Tape
from companion.table.referee import ReplayDiffers

STEPS = 120


@pytest.mark.parametrize("seed", [1, 2])
def test_the_record_leads_to_where_the_game_stands_at_every_step_and_after_a_restart(
    kit: Kit, sizes: tuple[int, ...], seed: int, tmp_path: Path
) -> None:
    for seats in sizes:
        with table(kit.game, kit.setup(seats, seed), tmp_path) as referee:
            for number, move in enumerate(moves(kit, referee, seed, STEPS)):
                assert play(referee, move), move
                assert referee.replay() == referee.at
                if number % 20 == 19:
                    resumed = Referee(kit.game, referee._journal, referee.table, lambda: 0.0)
                    assert resumed.at == referee.at
                    assert resumed.snapshot().decisions == referee.snapshot().decisions


def test_what_is_taken_back_and_done_again_is_the_same(kit: Kit, sizes: tuple[int, ...], tmp_path: Path) -> None:
    for seats in sizes:
        with table(kit.game, kit.setup(seats, 3), tmp_path) as referee:
            for number, move in enumerate(moves(kit, referee, 3, STEPS)):
                assert play(referee, move), move
                if number % 6 or len(referee.at.line) < 6:
                    continue
                before, to = referee.at, referee.at.line[-5]
                done = [referee.deeds[seq].intent for seq in before.line if seq > to]
                referee.take_back(to, SeatId(0), None)
                assert referee.at.state == referee.states[to]
                assert referee.at.lifted == tuple(intent for intent in done if intent.actor == TABLE)
                for intent in done:
                    referee.act(intent, None, on_box=True)
                assert (referee.at.state, referee.at.decisions) == (before.state, before.decisions)
                assert referee.at.lifted == ()


@pytest.mark.slow
def test_nothing_in_a_snapshot_can_change_while_others_read_it(kit: Kit, tmp_path: Path) -> None:
    with table(kit.game, kit.setup(kit.seats()[0], 1), tmp_path) as referee:
        for number, move in enumerate(moves(kit, referee, 1, STEPS)):
            play(referee, move)
            if number % 30 == 29:
                assert not list(changeable(Desk(referee, Tagbook(), Box()).draw()))
        planted = replace(referee.snapshot(), troubles=(Said("x", (("row", ["a", "list"]),)),))  # type: ignore[arg-type]
        assert list(changeable(planted)) == ["Snapshot.troubles: list"], "the control: a list in a fact"


def changeable(held: Any, path: str = "") -> Iterator[str]:
    """Where something mutable is held, by the names of the fields that lead there."""
    match held:
        case Struct():
            for field in held.__struct_fields__:
                # A game is the same for everybody, and views explain why they are safe.
                if field not in ("game", "views"):
                    yield from changeable(getattr(held, field), path or f"{type(held).__name__}.{field}")
        case tuple() | frozenset() | Tape():
            yield from chain.from_iterable(changeable(item, path) for item in held)
        case ByEntry():
            yield from chain.from_iterable(changeable(item, path) for item in held.values())
        case None | str() | int() | float() | bytes() | Enum() | Raw() | type():
            return
        case _:
            if not callable(held):
                yield f"{path}: {type(held).__name__}"


def test_a_build_that_counts_otherwise_is_noticed(kit: Kit, tmp_path: Path) -> None:
    """The control: a game whose fold forgets a kind of event, whichever, does not resume as if nothing were wrong."""
    with table(kit.game, kit.setup(kit.seats()[0], 1), tmp_path) as referee:
        for move in moves(kit, referee, 1, STEPS // 3):
            play(referee, move)
        kinds = {type(event) for deed in referee.deeds.values() for event in deed.events}
        assert kinds, "nothing became true in a whole evening: an accepted intent must have an event as its outcome"
        told = {kind for kind in kinds if counts_for_something(kit, referee, kind)}
        assert told
        assert {kind.__name__ for kind in told if resumes(kit, referee, kind)} == set()


def counts_for_something(kit: Kit, referee: Referee, kind: type[Event]) -> bool:
    """Whether some act would have led elsewhere without this kind of event; one that only tells may be forgotten."""
    for before, seq in pairwise(referee.at.line):
        events = tuple(event for event in referee.deeds[seq].events if type(event) is not kind)
        try:
            if fold(kit.game, referee.states[before], events) != referee.states[seq]:
                return True
        except (ValueError, LookupError):
            return True
    return False


def resumes(kit: Kit, referee: Referee, kind: type[Event]) -> bool:
    def forgets(state: object, event: object) -> object:
        return state if type(event) is kind else kit.game.apply(state, event)

    try:
        Referee(replace(kit.game, apply=forgets), referee._journal, referee.table, lambda: 0.0)
    except (ReplayDiffers, ValueError, LookupError):
        return False
    return True
