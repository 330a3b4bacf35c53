"""An evening that plays itself: bots choose; pretend hands tap, press and use phones so that all can watch."""

from __future__ import annotations

import itertools
import secrets
from typing import Final

import msgspec

from companion.box import hands
from companion.core import Act, Asked, Intent, Pressed, SeatId, Turned, Uid
from companion.library import pretend_uid
from companion.table import PretendBox, Snapshot

from .bots import bot_of, chosen
from .main import Running
from .playback import Playback

PATIENCE: Final = 5.0
"""Seconds to wait for the effect of one input."""
_DIE: Final = 1 << 30


class Demo:
    """Plays at the table of a running companion: the first, third and fifth seat on the box, the others with phones."""

    def __init__(self, running: Running, box: PretendBox, playback: Playback) -> None:
        self._table, self._box, self._playback = running.table, box, playback
        self._reader = box.readers()[0].id
        self._lying: Uid | None = None
        self._commands = itertools.count(1)

    def play(self) -> Snapshot:
        """Play until the game or the playback is over; returns the last snapshot."""
        while self._playback.wait():
            now = self._table.snapshot
            if now.result is not None:
                break
            if now.awaited and now.awaited[0] >= 0:
                self._act(now, now.awaited[0])
        return self._table.snapshot

    def _act(self, now: Snapshot, seat: SeatId) -> None:
        intent = chosen(now.game, bot_of(now.game), now.view(seat), seat, secrets.randbelow(_DIE))
        if intent is None:
            return
        moves = hands.moves_for(now, intent) if seat % 2 == 0 else None
        if moves is None:
            self._phone(now, seat, intent)
        else:
            self._hands(now, hands.spread(moves))

    def _phone(self, now: Snapshot, seat: SeatId, intent: Intent) -> None:
        wish = Act(msgspec.Raw(msgspec.json.encode(intent)))
        command = f"demo-{now.seq}-{next(self._commands)}"
        self._table.ask(Asked(command, seat, now.asked[seat], wish))

    def _hands(self, now: Snapshot, moves: tuple[hands.Move, ...]) -> None:
        """One input after another, each once the previous one has been shown."""
        for at, move in enumerate(moves):
            if at and not self._playback.breathe():
                return
            latest = self._table.latest()
            latest.wait(0)
            self._move(now, move)
            latest.wait(PATIENCE)
            latest.close()

    def _move(self, now: Snapshot, move: hands.Move) -> None:
        """A tapped card stays there until the next move, so that people see it."""
        if self._lying is not None:
            self._box.lift(self._lying)
            self._lying = None
        match move:
            case hands.Tap(token=token):
                self._lying = pretend_uid(hands.tag_of(now.game.id, token))
                self._box.lay(self._lying, self._reader)
            case Pressed(button=button, held=held):
                self._box.press(button, held)
            case Turned(steps=steps):
                self._box.turn(steps)
