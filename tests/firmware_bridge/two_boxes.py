"""A table with two reader boxes on real ptys: an honest one, and one that says whatever it is told to say."""

from __future__ import annotations

import os
import threading
import tty
from collections.abc import Callable

from companion.core import ReaderId, Tapped, Uid
from firmware_bridge.greeting import LinkState, Up
from firmware_bridge.links import Links
from firmware_bridge.presence import Sensed
from firmware_bridge.pretend import PretendPico
from firmware_bridge.senses import Senses
from tests.patience import PATIENCE

LEFT, RIGHT = ReaderId("left"), ReaderId("right")


class TwoBoxes:
    """A table with an honest box and a liar, and what it hears."""

    def __init__(self) -> None:
        self.honest = PretendPico((LEFT, RIGHT))
        self._master = self._slave = -1
        self.plug()
        self.inputs: list[Sensed] = []
        self.states: list[LinkState] = []
        self.changed = threading.Condition()
        self.senses = Senses(self._sensed)
        self.links = Links(self._ports, self.senses, self._state, wait=lambda e, s: e.wait(s / 50))
        self.laid = 0

    def plug(self) -> None:
        """The liar comes back on another port."""
        old = self._master, self._slave
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        for fd in old:
            if fd >= 0:
                os.close(fd)

    def _ports(self) -> dict[str, str]:
        return {**self.honest.ports(), "liar": os.ttyname(self._slave)}

    def _sensed(self, given: Sensed) -> None:
        with self.changed:
            self.inputs.append(given)
            self.changed.notify_all()

    def _state(self, state: LinkState) -> None:
        with self.changed:
            self.states.append(state)
            self.changed.notify_all()

    def start(self) -> None:
        self.honest.start()
        self.links.start()
        self.wait_for(lambda: self.states[-1:] == [Up("pretend", "pretend", (LEFT, RIGHT))])
        assert self.honest.wait_heard(PATIENCE)

    def wait_for(self, holds: Callable[[], bool]) -> None:
        with self.changed:
            assert self.changed.wait_for(holds, PATIENCE), (self.inputs, self.states)

    def says(self, words: bytes) -> None:
        try:
            os.write(self._master, words)
        except BlockingIOError:
            return

    def insists(self, words: bytes, until: Callable[[], bool]) -> None:
        """Like a device that gets no session: repeats itself."""
        while not until():
            self.says(words)
            with self.changed:
                self.changed.wait(0.02)

    def heard_by_device(self) -> bytes:
        try:
            return os.read(self._master, 4096)
        except BlockingIOError:
            return b""

    def honest_goes_on(self) -> None:
        """A card laid on the honest box is reported once."""
        self.laid += 1
        uid = Uid(f"04ADA0{self.laid:04X}")
        self.honest.lay(uid, RIGHT)
        self.wait_for(lambda: Tapped(uid, RIGHT) in self.inputs)
        assert self.honest.wait_heard(PATIENCE)
        assert self.inputs.count(Tapped(uid, RIGHT)) == 1
        self.honest.lift(uid)

    def close(self) -> None:
        self.links.close()
        self.honest.close()
        os.close(self._master)
        os.close(self._slave)
