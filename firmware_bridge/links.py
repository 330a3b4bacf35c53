"""Several devices at one table: a link for each board that was ever there, and one state for people."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Final

from companion.core import LinkOutcome, Uid, reader_called, say

from .greeting import Down, LinkState, Up, first_double
from .link import LONGEST_WAIT, SHORTEST_WAIT, TROUBLE_CABLE, TROUBLE_UNREADABLE, Link, Wait
from .linking import OnLink
from .senses import Senses

JOINED: Final = "+"
NOT_OURS: Final = (Down(TROUBLE_CABLE), Down(TROUBLE_UNREADABLE))
"""What a port that never said HELLO may be in without being our problem."""


def _no_put(_given: object) -> None: ...


def _no_link(_uid: Uid, _outcome: LinkOutcome) -> None: ...


class Links:
    """Looks for boards from a thread of its own between `start` and `close`; each board found keeps its link.

    `find_ports` gives the port of each board by its number. `on_state` is called once per change: Up with the readers
    of all, or Down with the first trouble. A port that never said HELLO is not ours, and no trouble.
    """

    def __init__(
        self,
        find_ports: Callable[[], Mapping[str, str]],
        senses: Senses,
        on_state: Callable[[LinkState], None],
        *,
        on_link: OnLink = _no_link,
        wait: Wait = threading.Event.wait,
    ) -> None:
        self._find_ports = find_ports
        self._on_link = on_link
        self._senses = senses
        self._on_state = on_state
        self._wait = wait
        self._lock = threading.Lock()
        self._links: dict[str, Link] = {}
        self._states: dict[str, LinkState] = {}
        self._known: dict[str, Up] = {}
        self._told: LinkState | None = None
        self._turned = time.monotonic()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="links", daemon=True)

    @property
    def state(self) -> LinkState | None:
        return self._told

    def is_alive(self, patience: float) -> bool:
        """Whether the search and every link got somewhere within this many seconds."""
        searches = self._thread.is_alive() and time.monotonic() - self._turned < patience
        return searches and all(link.is_alive(patience) for link in tuple(self._links.values()))

    def write_link(self, uid: Uid, text: str) -> None:
        """Have the device under a tag write a link on it; returns at once, `on_link` reports the result."""
        reader = next((each.reader for each in self._senses.presence.lying if each.uid == uid), None)
        if reader is None:
            self._on_link(uid, "gone")
            return
        link = next((link for link in tuple(self._links.values()) if link.has(reader)), None)
        if link is None:
            self._on_link(uid, "unable")
        else:
            link.write_link(uid, reader, text)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """End all links; returns within a second."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join()
        for link in self._links.values():
            link.close()

    def _run(self) -> None:
        pause = SHORTEST_WAIT
        while not self._closing.is_set():
            self._turned = time.monotonic()
            new = [board for board in self._find_ports() if board not in self._links]
            for board in new:
                self._open(board)
            if not self._links:
                self._tell(Down(TROUBLE_CABLE))
            pause = SHORTEST_WAIT if new else min(2 * pause, LONGEST_WAIT)
            self._wait(self._closing, pause)

    def _open(self, board: str) -> None:
        link = Link(
            lambda: self._find_ports().get(board),
            _no_put,
            lambda state: self._heard(board, state),
            senses=self._senses,
            on_link=self._on_link,
            wait=self._wait,
        )
        self._links[board] = link
        link.start()

    def _heard(self, board: str, state: LinkState) -> None:
        with self._lock:
            self._states[board] = state
            if isinstance(state, Up):
                self._known[board] = state
            if self._known or state not in NOT_OURS or len(self._states) == len(self._links):
                self._tell(self._together())

    def _together(self) -> LinkState:
        ours = [(board, state) for board, state in self._states.items() if self._is_ours(board, state)]
        for _, state in ours:
            if isinstance(state, Down):
                return state
        ups = [state for _, state in ours if isinstance(state, Up)]
        if not ups:
            return next((state for state in self._states.values() if state != NOT_OURS[0]), NOT_OURS[0])
        readers = tuple(reader for up in ups for reader in up.readers)
        twice = first_double(readers)
        if twice is not None:
            return Down(say("trouble.same-readers", reader=reader_called(twice)))
        return Up(JOINED.join(up.board for up in ups), ups[0].firmware, readers)

    def _is_ours(self, board: str, state: LinkState) -> bool:
        return board in self._known or state not in NOT_OURS

    def _tell(self, state: LinkState) -> None:
        if state != self._told:
            self._told = state
            self._on_state(state)
