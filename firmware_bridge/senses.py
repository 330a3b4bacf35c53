"""What the devices of one table sense together: one presence, reported to one inbox, from several links."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from companion.core import Found, ReaderId, Said, reader_called, say

from .presence import Presence, Report, Sensed, observe

TROUBLE_TWO_READERS: Final = "trouble.two-readers"


def _nobody(_said: Said | None) -> None: ...


def _always(_seconds: float) -> bool:
    return True


def _as_wired(reader: ReaderId) -> ReaderId:
    return reader


class Senses:
    """Thread-safe. `put` gets each input once, `on_question` what people must settle, or None once they have.

    Both are called on the thread of a link and must return at once. `named` gives a reader's name at this table. With
    `tells_levels`, where readers are bound to places, the table is also told everything on a reader that is heard.
    `has_room` waits up to this many seconds until the receiver of the inputs has few left to handle.
    """

    def __init__(
        self,
        put: Callable[[Sensed], None],
        on_question: Callable[[Said | None], None] = _nobody,
        *,
        named: Callable[[ReaderId], ReaderId] = _as_wired,
        tells_levels: bool = False,
        has_room: Callable[[float], bool] = _always,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._put = put
        self._on_question = on_question
        self._named = named
        self._tells_levels = tells_levels
        self.has_room = has_room
        self._clock = clock
        self._lock = threading.Lock()
        self._presence = Presence()
        self._asked: Said | None = None

    @property
    def presence(self) -> Presence:
        """What lies where, as last reported; safe to read from any thread."""
        return self._presence

    def take(self, report: Report) -> None:
        with self._lock:
            self._presence, sensed = observe(self._presence, report, self._clock())
            for each in sensed:
                if self._tells_levels or not isinstance(each, Found):
                    self._put(replace(each, reader=self._named(each.reader)))

    def look(self) -> None:
        """Ask about a tag that two readers have had for too long; call it now and then."""
        if not self._presence.doubts and self._asked is None:
            return
        with self._lock:
            pairs = self._presence.questions(self._clock())
            said = _question(*map(self._named, pairs[0])) if pairs else None
            if said != self._asked:
                self._asked = said
                self._on_question(said)


def _question(one: ReaderId, other: ReaderId) -> Said:
    return say(TROUBLE_TWO_READERS, one=reader_called(one), other=reader_called(other))
