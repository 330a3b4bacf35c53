"""The dialogs that come by themselves, the most urgent last."""

from __future__ import annotations

from typing import Final

from .appealing import Appealing
from .dialog import Interruption
from .door import Door
from .giving import Giving
from .out_of_step import OutOfStep
from .question import Question
from .to_do import ToDo

INTERRUPTIONS: Final[tuple[type[Interruption], ...]] = (ToDo, OutOfStep, Appealing, Giving, Question, Door)
