"""What a table hears from readers without a Pico."""

from __future__ import annotations

import threading

from firmware_bridge.presence import Sensed
from firmware_bridge.senses import Senses
from tests.patience import PATIENCE


class Table:
    """What a table hears."""

    def __init__(self) -> None:
        self.inputs: list[Sensed] = []
        self.changed = threading.Condition()
        self.senses = Senses(self._put, tells_levels=True)

    def _put(self, given: Sensed) -> None:
        with self.changed:
            self.inputs.append(given)
            self.changed.notify_all()

    def waits_for(self, *wanted: Sensed) -> None:
        """Until it has heard exactly this since the last time."""
        with self.changed:
            is_there = self.changed.wait_for(lambda: len(self.inputs) >= len(wanted), PATIENCE)
            assert is_there, self.inputs
            told, self.inputs = self.inputs[: len(wanted)], self.inputs[len(wanted) :]
            assert tuple(told) == wanted
