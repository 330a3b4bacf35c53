"""The dialogs that appear by themselves and when each is due, the most urgent last."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from companion.table import Snapshot, waiting

from .appealing import Appealing
from .dialog import Interruption
from .door import Door
from .giving import Giving
from .out_of_step import OutOfStep
from .question import Question
from .stick import StickIn
from .to_do import ToDo

_WHEN: Final[tuple[tuple[type[Interruption], Callable[[Snapshot], bool]], ...]] = (
    (ToDo, lambda scene: bool(scene.to_do) and scene.result is None),
    (OutOfStep, lambda scene: bool(scene.repairs)),
    (StickIn, lambda scene: scene.stick is not None),
    (Appealing, lambda scene: scene.appeal is not None),
    (Giving, lambda scene: scene.enrolling is not None),
    (Question, lambda scene: scene.question is not None),
    (Door, lambda scene: bool(scene.joining) and bool(waiting(scene.joining))),
)


def due(scene: Snapshot) -> tuple[type[Interruption], ...]:
    """The interruptions that belong on the stack now."""
    return tuple(kind for kind, is_due in _WHEN if is_due(scene))
