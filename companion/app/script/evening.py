"""The real table for one script: its own thread, a journal in its own folder, and pretend devices."""

from __future__ import annotations

import itertools
import os
import queue
import tempfile
import threading
from collections import deque
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from companion.app.opening import all_tags, load_texts
from companion.box import Box
from companion.box.hands import Move, Tap, tag_of
from companion.core import (
    Asked,
    BotChose,
    CompanionError,
    Found,
    Intent,
    Lifted,
    PhoneWish,
    PlaceId,
    Pressed,
    ReaderBack,
    ReaderId,
    ReaderLost,
    SeatId,
    Tapped,
    Token,
    Turned,
    mentions,
)
from companion.journal import Journal
from companion.library import Speaker, Tagbook, Texts, pretend_uid
from companion.table import Answer, Desk, Referee, Snapshot, Table

from .lines import Falls, Header, Line, World
from .names import Named

_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - a folder made under it is ours alone
PATIENCE: Final = 10.0
"""Seconds after which a silent table counts as broken."""


class NoAnswer(CompanionError, TimeoutError):
    """The table did not publish the result of an input."""


class Evening:
    """One table, one input at a time; `now` is what everybody was last shown. A context manager."""

    def __init__(self, header: Header, zones: Mapping[ReaderId, PlaceId] | None = None) -> None:
        self.header = header
        self._zones = header.mat.zones() if zones is None and header.mat is not None else zones
        self.named = Named(header.game, header.setup, header.names)
        self.falls: deque[Line] = deque()
        """Lines with the next results of chance, in order, if it is scripted."""
        self._stack = ExitStack()
        self._shown: queue.SimpleQueue[Snapshot] = queue.SimpleQueue()
        self._commands = itertools.count(1)
        self._texts: Texts | None = None

    def __enter__(self) -> Self:
        header, stack = self.header, self._stack
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="table-script-", dir=quick_folder()))
        journal = stack.enter_context(Journal.open(Path(folder) / "games.journal"))
        clock = itertools.count(0.0).__next__
        self.referee = Referee.begin(header.game, header.setup, header.names, header.mode, journal, clock)
        tagbook = Tagbook()
        tagbook.pretend(all_tags(header.game, header.setup))
        chance = self._fall if header.chance == "scripted" else None
        self.table = Table(Desk(self.referee, tagbook, Box(), chance, zones=self._zones, clock=lambda: 0.0))
        self.table.subscribe(self._shown.put)
        self.table.start()
        stack.callback(self.table.stop)
        self.now = self._next()
        self.open_devices(stack)
        for reader in header.mat.zones() if header.mat is not None else ():
            self.give(Found(reader, ()))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def open_devices(self, stack: ExitStack) -> None:
        """Inputs go straight to the inbox: there are no devices."""

    def give(self, given: World | Found) -> None:
        """Let the world do this, and wait for the result."""
        self.table.put(given)
        if not isinstance(given, Lifted) or self.table.is_zone(given.reader):
            self.now = self._next()

    def is_input(self, given: World) -> bool:
        """Whether hands do it only for the companion, rather than for the game anyway, as on the reader of a place."""
        match given:
            case Tapped(reader=reader):
                return not self.table.is_zone(reader)
            case Pressed() | Turned():
                return True
            case _:
                return False

    def rest(self) -> None:
        """Let hands rest for as long as they are given."""
        self.table.rest()
        self.now = self._next()

    def move(self, move: Move) -> None:
        """Have hands do this on the box."""
        match move:
            case Tap(token=token):
                reader = self.header.readers[0]
                self.give(Tapped(pretend_uid(tag_of(self.header.game.id, token)), reader))
            case Pressed() | Turned():
                self.give(move)

    def bot(self, chose: BotChose) -> None:
        self.table.put(chose)
        self.now = self._next()

    def ask(self, seat: SeatId, wish: PhoneWish) -> Answer:
        """A phone's wish, in answer to what its seat is being asked."""
        command = f"script-{next(self._commands)}"
        answer = self.table.ask(Asked(command, seat, self.now.asked[seat], wish), PATIENCE)
        self.now = self._next()
        return answer

    def speaker(self) -> Speaker:
        if self._texts is None:
            self._texts = load_texts(self.header.game)
        return Speaker(self._texts, self.header.lang, self.now.names())

    def _next(self) -> Snapshot:
        try:
            return self._shown.get(timeout=PATIENCE)
        except queue.Empty:
            raise NoAnswer(f"the table said nothing for {PATIENCE:g} s; see the log of this program") from None

    def _fall(self, candidates: tuple[Intent, ...], _weights: tuple[int, ...]) -> Intent | None:
        """On the table thread: what the script has fall next; None leaves the question open."""
        if not self.falls:
            return None
        deed = self.falls[0].deed
        found = matching(candidates, deed.outcome) if isinstance(deed, Falls) else None
        if found is not None:
            self.falls.popleft()
        return found


class WiredEvening(Evening):
    """The same through a pretend Pico on a pty, the link, and pretend pins: everything but the hands is real."""

    def open_devices(self, stack: ExitStack) -> None:
        from firmware_bridge.greeting import LinkState
        from firmware_bridge.link import Link
        from firmware_bridge.pretend import PretendPico
        from hw.box import PretendHardware

        self._hardware: Any = stack.enter_context(PretendHardware(self.table, lambda _snapshot: self.speaker()))
        self._pico: Any = PretendPico()
        self._pico.start()
        stack.callback(self._pico.close)
        up = threading.Event()

        def told(_state: LinkState) -> None:
            up.set()

        link = Link(lambda: self._pico.port, self.table.put, told)
        link.start()
        stack.callback(link.close)
        if not (up.wait(PATIENCE) and self._pico.wait_heard(PATIENCE)):
            raise NoAnswer("the pretend Pico was not heard; see the log of this program")

    def give(self, given: World | Found) -> None:
        match given:
            case Found():
                super().give(given)
            case Tapped(uid=uid, reader=reader):
                self._pico.lay(uid, reader)
                self.now = self._next()
                self._pico.lift(uid)
                self._pico.wait_heard(PATIENCE)
            case Lifted(uid=uid):
                self._pico.lift(uid)
                self._pico.wait_heard(PATIENCE)
            case Pressed(button=button, held=held):
                self._hardware.press(button, held)
                self.now = self._next()
            case Turned(steps=steps):
                self._hardware.turn(steps)
                for _ in range(abs(steps)):
                    self.now = self._next()
            case ReaderLost(reader=reader) | ReaderBack(reader=reader):
                self._pico.reader_lost(reader, isinstance(given, ReaderLost))
                self.now = self._next()


def quick_folder() -> str | None:
    """In memory if possible: nothing of a script is kept, so there is no need to wait for a disk."""
    return str(_MEMORY) if _MEMORY.is_dir() and os.access(_MEMORY, os.W_OK) else None


def matching(candidates: tuple[Intent, ...], outcome: Token | Intent) -> Intent | None:
    """The candidate that a script means."""
    if isinstance(outcome, Token):
        return next((intent for intent in candidates if outcome in mentions(intent)), None)
    return outcome if outcome in candidates else None
