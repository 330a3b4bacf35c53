"""Once a game is over, nothing speaks of the future: no alarm, no open condition, no stage of a turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from msgspec.structs import replace

from companion.app.kit.kit import Kit, kit_of
from companion.core import PUBLIC, Check, Checks, Duel, RuleId, SeatId, Shown, Standing, Status, mask, say

SEEDS = (4, 9)


@cache
def ends(game_id: str, seats: int) -> tuple[Any, ...]:
    """The last states of games between sensible players."""
    kit = kit_of(game_id)
    return tuple([step.verdict.after for step in kit.sensible(seats, seed)][-1] for seed in SEEDS)


def stale(kit: Kit, seats: int, status: Callable[[Any], Status]) -> Iterator[str]:
    """Whatever speaks of a future that does not exist."""
    game = kit.game
    for state in ends(game.id, seats):
        view = mask(state, PUBLIC)
        if game.stages(view) is not None:
            yield "a stage of the turn"
        yield from _promises(status(view).facts)
        for seat in range(seats):
            yield from _promises(game.own(mask(state, SeatId(seat)), SeatId(seat)))


def _promises(shown: tuple[Shown, ...]) -> Iterator[str]:
    for each in shown:
        match each:
            case Duel():
                yield "a duel"
            case Checks(said=said):
                yield f"conditions: {said.key}"
            case Standing(alarm=alarm, checks=checks):
                yield from (f"an alarm: {said.key}" for said in (alarm,) if said is not None)
                yield from (f"a condition: {check.said.key}" for check in checks)


def test_the_end_promises_nothing(kit: Kit, sizes: tuple[int, ...]) -> None:
    assert [*stale(kit, sizes[0], kit.game.status)] == []


def test_an_alarm_that_outlives_the_game_is_found(kit: Kit, sizes: tuple[int, ...]) -> None:
    """The control: a build that keeps warning, and one that keeps counting conditions."""
    open_ = (Check(say("status.over"), False, RuleId("X1")),)

    def warns(view: Any) -> Status:
        facts = kit.game.status(view).facts
        return Status(tuple(replace(f, alarm=f.said, checks=open_) if isinstance(f, Standing) else f for f in facts))

    found = [*stale(kit, sizes[0], warns)]
    assert len(found) == 2 * len(SEEDS) * sizes[0]
    assert {each.split(":")[0] for each in found} == {"an alarm", "a condition"}
