"""A script played again through the whole program, with the faults that it names."""

from __future__ import annotations

import contextlib
from pathlib import Path

from companion.app.script import ScriptError, read

from .checks import Failure
from .evening import Evening, room
from .faults import FAULTS, befall
from .orders import Falls, Plant
from .proving import failing, held
from .scripts import Step, plan_of, raw, shrunk, steps


def again(text: str, plant: Plant = contextlib.nullcontext, seed: int = 0) -> list[Failure]:
    """What fails when a script is played: its acts by phones, its faults where they stand, its chance as it says."""
    script = read(text)
    first, then = steps(script, text)
    with room() as folder:
        evening = Evening(plan_of(script, seed), Path(folder), plant, falls=tuple(map(raw, first)))
        failures = [*failing(evening, lambda: _play(evening, then))]
        return failures + held(evening)


def _play(evening: Evening, then: list[Step]) -> None:
    evening.begin()
    for at, step in enumerate(then):
        if isinstance(step, str):
            if step in FAULTS:
                befall(evening, step)
        elif step.actor >= 0:
            evening.box.order(Falls(tuple(map(raw, _following(then[at + 1 :])))))
            if evening.record.now().result is None and step.actor in evening.phones:
                evening.send(evening.command(evening.record.now(), step.actor, step))
    evening.box.look()


def _following(then: list[Step]) -> list[Step]:
    """What chance brings before anybody acts again."""
    acts = (at for at, step in enumerate(then) if not isinstance(step, str) and step.actor >= 0)
    return [step for step in then[: next(acts, len(then))] if not isinstance(step, str)]


def smallest(text: str, kind: str, plant: Plant = contextlib.nullcontext) -> str:
    """The script made as small as it can be and still fail in the same way; as it is, where it does not fail again."""

    def still_fails(fewer: str) -> bool:
        try:
            return any(failure.kind == kind for failure in again(fewer, plant))
        except ScriptError:
            return False

    return shrunk(text, still_fails) if still_fails(text) else text
