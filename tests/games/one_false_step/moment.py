"""One moment in which all numbers differ, and what an event changes in it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import fields, replace

from companion.core import Event, PieceId
from companion.games.one_false_step import GAME
from companion.games.one_false_step.state import State, Step, Tuesday
from tests.games.one_false_step.play import ADA, BEN, CLEO, NOBODY, city, laid, own

ALBA, BRIO, CIMA, DORA, ENNO, FANO = (city(name) for name in ("alba", "brio", "cima", "dora", "enno", "fano"))
A, B, C = (
    own("alba", counters=2, middle=3, train=4),
    own("brio", BEN, counters=5, middle=2, train=1),
    own("cima", CLEO, chips=3),
)
FUEL_2, GUIDANCE_2, BUTTON = PieceId("fuel-2"), PieceId("guidance-2"), PieceId("")
KNOW_LIFE, KNOW_GUIDANCE = PieceId("know-life"), PieceId("know-guidance")
LEVELS = ((1, 2, 3), (4, 5, 6), (7, 8, 9))
CLAIMS = (ADA, BEN, *(NOBODY,) * 6)
"""Farm 1a is Ada's, mine 1b Ben's."""


def moment(*steps: Step, **changes: Any) -> State:
    state = laid(
        A, B, C, claims={"farm 1a": ADA, "mine 1b": BEN}, steps=steps or (Tuesday(),), button=BEN,
        red=(10, 20, 30), food=(5, 6, 7), gold=(8, 9, 4), levels=LEVELS, crew=(2, 3, 4), deck="dora enno",
    ).now  # fmt: skip
    return replace(state, bank=(1, 2, 3), **changes)


def changed(state: State, *events: Event) -> dict[str, Any]:
    after = state
    for event in events:
        after = GAME.apply(after, event)
    names = [field.name for field in fields(State)]
    return {name: getattr(after, name) for name in names if getattr(after, name) != getattr(state, name)}
