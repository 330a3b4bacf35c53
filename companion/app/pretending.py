"""The pretend table as one thing: what the page that drives it may do."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from companion.box import Box, carrying
from companion.box.hands import Move, Tap, moves_for, tag_of
from companion.core import (
    Button,
    Input,
    Intent,
    Lifted,
    Pressed,
    ReaderId,
    Said,
    Tapped,
    Token,
    Uid,
    said_on_mat,
    wide_picture,
)
from companion.library import pretend_uid
from companion.table import Fault, Held, Lamp, PretendReader, Snapshot, Surface, Table, Wired

HEARD: Final = 2.0
"""Seconds in which a working reader has reported a tag, or its removal."""


class Ear:
    """Stands between the readers and the table, so that a second tag is not tapped until the first was heard."""

    def __init__(self, put: Callable[[Input], None]) -> None:
        self._put = put
        self._told = threading.Condition()
        self._there: set[Uid] = set()

    def put(self, given: Input) -> None:
        self._put(given)
        if isinstance(given, Tapped | Lifted):
            with self._told:
                (self._there.add if isinstance(given, Tapped) else self._there.discard)(given.uid)
                self._told.notify_all()

    def waits(self, uid: Uid, *, there: bool) -> bool:
        """Wait until a tag was reported there, or gone; returns whether it was."""
        with self._told:
            return self._told.wait_for(lambda: (uid in self._there) == there, HEARD)


class PretendTable:
    """The whole pretend table for the page that drives it: readers from the pretend Picos, the rest from the box."""

    def __init__(self, pico: Any, hardware: Any, table: Table, wired: Wired, box: Box, ear: Ear) -> None:
        self.pico, self._box, self._table, self._wired = pico, hardware, table, wired
        self._dialogs, self._ear = box, ear
        self._one_hand = threading.Lock()
        self._known: tuple[Any, carrying.Meanings] = (None, ())

    def readers(self) -> tuple[PretendReader, ...]:
        """The readers that this game uses, by what they stand for, and any other with something on it."""
        now = self._table.snapshot
        antennas = self._wired(now.game, len(now.chairs))
        readers: tuple[PretendReader, ...] = self.pico.readers()
        words = said_on_mat(antennas)
        return tuple(
            replace(each, said=words.get(each.id, each.said), place=antennas.get(each.id))
            for each in readers
            if each.id in antennas or each.lying
        )

    def surface(self) -> Surface:
        now = self._table.snapshot
        game, state = now.game, now.state
        touched = carrying.touched(now, self._meanings(now))
        return Surface(
            game.layout(state), game.pack_now(state), wide_picture(game, state), touched, carrying.rows(now).items
        )

    def _meanings(self, now: Snapshot) -> carrying.Meanings:
        """Everything that may be done; found once per position of the game."""
        at, known = self._known
        if at is not now.at:
            known = carrying.meanings(now)
            self._known = now.at, known
        return known

    # What hands do

    def carry(self, held: Token) -> Held:
        now = self._table.snapshot
        known, why = self._meanings(now), carrying.reasons(now, held)
        lit = carrying.lit(known, held)
        return Held(lit, bool(carrying.about(known, held)), why.on, why.otherwise)

    def drop(self, held: Token | None, on: Token) -> bool:
        with self._one_hand:
            zone = self._free_zone(on)
            if held is not None and held.kind == "piece" and zone is not None:
                self.pico.lay(self._uid(held), zone)
                return True
            now = self._table.snapshot
            moves = carrying.inputs(now, self._dialogs.stack, self._meanings(now), held, on)
            return bool(moves) and all(self._made(move) for move in moves)

    def act(self, intent: Intent) -> bool:
        """Have hands do this with taps and presses; False if they do not know how, or an input was not heard."""
        with self._one_hand:
            moves = moves_for(self._table.snapshot, intent, self._dialogs.stack)
            return moves is not None and all(self._made(move) for move in moves)

    def _free_zone(self, on: Token) -> ReaderId | None:
        """A reader that is bound to this place, preferably an empty one."""
        there = [each for each in self.readers() if on.kind == "place" and each.place == on.value]
        return min(there, key=lambda each: len(each.lying)).id if there else None

    def _made(self, move: Move) -> bool:
        match move:
            case Tap(token=token):
                return self._tap(self._uid(token))
            case Pressed(button=button, held=held):
                self._box.press(button, held)
            case _:
                self._box.turn(move.steps)
        return True

    def _tap(self, uid: Uid) -> bool:
        """Hold a tag to a wand until it is heard, then take it away."""
        wand = next((each.id for each in self.readers() if each.place is None), None)
        if wand is None:
            return False
        self.pico.lift(uid)
        self._ear.waits(uid, there=False)
        self.pico.lay(uid, wand)
        is_heard = self._ear.waits(uid, there=True)
        self.pico.lift(uid)
        return is_heard

    def _uid(self, token: Token) -> Uid:
        return pretend_uid(tag_of(self._table.snapshot.game.id, token))

    def choose(self, rows: tuple[Said, ...], at: int) -> bool:
        with self._one_hand:
            now = carrying.rows(self._table.snapshot)
            if now.items != rows or not 0 <= at < len(rows):
                return False
            if now.steps[at]:
                self._box.turn(now.steps[at])
            self._box.press("ok", False)
            return True

    def lay(self, uid: Uid, reader: ReaderId) -> None:
        self.pico.lay(uid, reader)

    def lift(self, uid: Uid) -> None:
        self.pico.lift(uid)

    def press(self, button: Button, held: bool, bounces: int = 0) -> None:
        self._box.press(button, held, bounces)

    def jam(self, button: Button, down: bool) -> None:
        """Jam a button, or free it."""
        self._box.jam(button, down)

    def turn(self, steps: int) -> None:
        self._box.turn(steps)

    def set_fault(self, fault: Fault, on: bool) -> None:
        (self._box if fault == "display" else self.pico).set_fault(fault, on)

    def faults(self) -> tuple[Fault, ...]:
        return (*self.pico.faults(), *self._box.faults())

    # What it shows

    def screen(self) -> bytes:
        png: bytes = self._box.screen()
        return png

    def lamp(self) -> Lamp:
        lamp: Lamp = self._box.lamp()
        return lamp

    def seat_lamps(self) -> tuple[bool, ...]:
        shine: tuple[bool, ...] = self._box.seat_lamps()
        return shine

    def watch(self, fn: Callable[[], None]) -> Callable[[], None]:
        ends = (self.pico.watch(fn), self._box.watch(fn))

        def end() -> None:
            for stop in ends:
                stop()

        return end
