"""A thread that tells the broker what everybody at the table may see.

No tap waits for it: the table leaves its newest moment here, and everything else, including encoding, is done on
this thread or on paho's.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final, Protocol

from companion.table.outside import Moment, Seen

from .broker import Connection, Has, Heard, News, Reached, Unreached
from .membership import Membership, Status, Why
from .outbox import Outbox
from .reading import Unreadable
from .teller import Message, Retained, Teller
from .topics import RESULT

log = logging.getLogger(__name__)

SOONEST, LATEST = 0.5, 30.0
"""Seconds before looking for the broker again; doubled each time."""
AGAIN: Final = 30.0
"""Seconds after which a result that the hub has not kept is sent again."""


class Follows(Protocol):
    def follow(self, fn: Callable[[Moment], None]) -> Callable[[], None]: ...


class Publisher:
    """Publishes what one table shows, from `start` to `close`. Calls `before` on its thread first."""

    def __init__(
        self,
        member: Membership,
        version: str,
        outbox: Outbox,
        more: tuple[Retained, ...] = (),
        before: Callable[[], None] = lambda: None,
    ) -> None:
        self._member, self._before = member, before
        self._teller = Teller(member, version, outbox, more)
        self._changed = threading.Condition()
        self._newest: dict[str, Seen] = {}
        """The newest moment of each game that hasn't been taken yet, so that an end counts even if the next game
        has begun.
        """
        self._news: deque[tuple[Connection | None, News]] = deque()
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="club", daemon=True)
        self._line: Connection | None = None
        self._is_up = False
        self._next_try, self._pause = 0.0, SOONEST
        self._again_at = 0.0
        self._under_way: dict[int, Message] = {}
        self._ends: Callable[[], None] = lambda: None
        self._status: Status = "connecting"

    @property
    def status(self) -> Status:
        """May be asked from any thread."""
        hub = self._teller.hub
        return "no-hub" if self._status == "here" and (hub is None or not hub.here) else self._status

    @property
    def address(self) -> str:
        """Where people open the hub; "" until it has said so."""
        hub = self._teller.hub
        return hub.address if hub is not None and hub.here else ""

    def start(self, table: Follows, now: Seen) -> None:
        self._newest[now.table] = now
        self._ends = table.follow(self.offer)
        self._thread.start()

    def offer(self, moment: Moment) -> None:
        """Called on the table's thread."""
        with self._changed:
            self._newest[moment.public.table] = moment.public
            self._changed.notify_all()

    def close(self, *, leaves: bool = False) -> None:
        """End; a table that leaves its club also removes what is retained about it."""
        ends, self._ends = self._ends, lambda: None
        ends()
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join()
        line, self._line = self._line, None
        if line is not None:
            is_told = leaves and self._is_up
            if is_told:
                line.say_last(self._teller.farewell())
            line.close(says_will=not is_told)  # its will would leave its name behind

    def _run(self) -> None:
        self._before()
        while self._wait():
            self._turn()
        for seen in self._newest.values():  # the end of a game is kept even if the evening ends with it
            self._teller.take(seen)

    def _wait(self) -> bool:
        """Until there is something to do; False once it ends."""
        with self._changed:
            self._changed.wait_for(lambda: self._newest or self._news or self._closing, self._due_in())
            return not self._closing

    def _due_in(self) -> float | None:
        """Seconds until something is due without news."""
        if self._line is None:
            return max(0.0, self._next_try - time.monotonic())
        return max(0.0, self._again_at - time.monotonic()) if self._is_up and self._teller.waits else None

    def _turn(self) -> None:
        with self._changed:
            newest, self._newest = self._newest, {}
            news, self._news = self._news, deque()
        for seen in newest.values():
            self._teller.take(seen)
        for line, each in news:
            if line is self._line:
                self._hear(each)
        if self._line is None and time.monotonic() >= self._next_try:
            self._connect()
        if self._is_up:
            self._say()

    def _connect(self) -> None:
        teller = self._teller
        line: list[Connection] = []

        def tell(news: News) -> None:
            with self._changed:
                self._news.append((line[0], news))
                self._changed.notify_all()

        with self._changed:  # nothing is told before the connection is assigned
            line.append(Connection(self._member.paired, teller.listens_to, teller.will, tell))
        self._line = line[0]

    def _hear(self, news: News) -> None:
        match news:
            case Reached():
                self._is_up, self._pause = True, SOONEST
                self._under_way.clear()
                self._teller.connected()
                self._becomes("here")
            case Unreached(why=why, detail=detail):
                self._lost(why, detail)
            case Has(number=number, refused=refused):
                message = self._under_way.pop(number, None)
                if message is not None:
                    self._teller.acknowledge(message)
                if refused:
                    self._becomes("refused")
            case Heard(topic=topic, payload=payload, retained=retained):
                try:
                    self._teller.hear(topic, payload, retained)
                except Unreadable as error:
                    log.warning("%s: %s", topic, error)

    def _lost(self, why: Why, detail: str) -> None:
        if self._line is not None:
            self._line.close()
        self._line, self._is_up = None, False
        self._next_try = time.monotonic() + self._pause
        self._pause = min(2 * self._pause, LATEST)
        self._becomes(why, detail)

    def _becomes(self, status: Status, detail: str = "") -> None:
        """Logged once when it is lost, and once when it is back."""
        if status != self._status:
            log.info("the club's broker %s: %s %s", self._member.paired.host, status, detail)
        self._status = status

    def _say(self) -> None:
        assert self._line is not None
        now = time.monotonic()
        if self._teller.waits and now >= self._again_at:
            self._teller.ask_again()
        for message in self._teller.due():
            self._under_way[self._line.say(message)] = message
            if message.topic.endswith(RESULT):
                self._again_at = now + AGAIN
