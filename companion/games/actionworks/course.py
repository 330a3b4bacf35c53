"""How the game goes on at each of its steps: what it waits for, and what follows by itself."""

from __future__ import annotations

from typing import Final

from companion.core import Course

from .decide import ASKS
from .rules.forced import FORCES
from .state import State

COURSE: Final = Course[State](ASKS, FORCES)
