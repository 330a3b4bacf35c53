"""Inside the box that is put to the proof: the whole program, and hands that do what they are told."""

from __future__ import annotations

import socket
import time
from contextlib import closing
from typing import Any, Final, assert_never

import msgspec
from msgspec.structs import replace

from companion.app.main import Options, Running, companion
from companion.app.pretending import PretendTable
from companion.box.hands import tag_of
from companion.core import UNKNOWN, CompanionError, Game, PlaceId, ReaderId, Token, Uid
from companion.library import pretend_uid
from companion.table import intent_from, state_hash

from .orders import (
    Act,
    Drop,
    Falls,
    Jam,
    Jump,
    Lay,
    Lift,
    Line,
    Look,
    Lose,
    Now,
    Order,
    Plant,
    Press,
    Store,
    Suffer,
    Tidy,
    Turn,
    Zone,
)
from .world import World

SHOWN: Final = 60.0
"""Seconds in which what is recorded is shown, however busy the machine is."""


def suffer(options: Options, orders: socket.socket, plant: Plant, world: World) -> None:
    """Be a box, and do as told, until there is nobody to tell. The first word is where phones find it."""
    heard = orders.makefile("rb")
    trial = replace(options.trial, pick=world.pick, connect=world.connect, wall=world.wall)
    read = msgspec.json.Decoder(Order).decode
    try:
        with plant(), companion(replace(options, trial=trial), tell=lambda _said: None) as running:
            inside = Inside(running, world)
            orders.sendall(_line(inside.now()))
            for line in heard:
                orders.sendall(_line(inside.do(read(line))))
    except (CompanionError, OSError) as error:
        orders.sendall(_line(Now(error=f"{type(error).__name__}: {error}")))


def _line(now: Now) -> bytes:
    return msgspec.json.encode(now) + b"\n"


class Inside:
    def __init__(self, running: Running, world: World) -> None:
        assert isinstance(running.pretend, PretendTable), "a box that is put to the proof is a pretend one"
        self._running, self._world, self._pretend = running, world, running.pretend
        self._taken_from: dict[Uid, ReaderId | None] = {}
        self._readers = tuple(reader.id for reader in self._pretend.pico.readers())

    def now(self, *, is_done: bool = True) -> Now:
        at = self._running.table.snapshot
        troubles = tuple(said.key for said in at.troubles)
        return Now(self._running.port, at.table, at.seq, state_hash(at.state), troubles, self._readers, is_done)

    def do(self, order: Order) -> Now:
        match order:
            case Look():
                return self.now()
            case Act(intent=raw, seen=seen):
                intent = intent_from(self._running.table.snapshot.game, raw)
                return self.now(is_done=self._shows(seen) and self._pretend.act(intent))
            case Drop():
                return self.now(is_done=self._drop(order))
            case Tidy():
                self._tidy()
            case Store() | Jump() | Zone() | Falls():
                self._world.be(order)
            case Press() | Jam() | Turn() | Lay() | Lift():
                self._touch(order)
            case Suffer() | Lose() | Line():
                self._spoil(order)
            case _:
                assert_never(order)
        return self.now()

    def _drop(self, order: Drop) -> bool:
        piece = Token("piece", order.piece)
        uid = pretend_uid(tag_of(self._running.table.snapshot.game.id, piece))
        if order.back:
            self._put_back(uid)
            return True
        self._take(uid)
        return self._pretend.drop(piece, Token("place", order.place))

    def _take(self, uid: Uid) -> None:
        """Note where it lies, as whoever takes it does."""
        lay = next((each.id for each in self._pretend.pico.readers() if uid in each.lying), None)
        self._taken_from.setdefault(uid, lay)

    def _put_back(self, uid: Uid) -> None:
        """To where it was taken from: a card that is missing there would hold up the bots."""
        reader = self._taken_from.pop(uid, None)
        if reader is None:
            self._pretend.lift(uid)
        else:
            self._pretend.lay(uid, reader)

    def _tidy(self) -> None:
        """Off with what lies wrong first: it makes room."""
        now, pretend = self._running.table.snapshot, self._pretend
        belongs = self._belongs(now.game, now.state)
        for reader in pretend.readers():
            for uid in reader.lying if reader.place is not None else ():
                if belongs.get(uid) != reader.place:
                    pretend.lift(uid)
                    self._taken_from.pop(uid, None)
        lying = {uid for reader in pretend.readers() for uid in reader.lying if reader.place is not None}
        for uid, place in belongs.items():
            free = next((each.id for each in pretend.readers() if each.place == place and not each.lying), None)
            if uid not in lying and free is not None:
                pretend.lay(uid, free)

    def _belongs(self, game: Game[Any, Any], state: Any) -> dict[Uid, PlaceId]:
        """Where each piece lies for the record, but for what stands beside readers."""
        beside = game.beside(state.setup.pack)
        lies = (each for each in game.layout(state) if each.piece != UNKNOWN and each.piece not in beside)
        return {pretend_uid(tag_of(game.id, Token("piece", each.piece))): each.place for each in lies}

    def _shows(self, seq: int) -> bool:
        """Wait until this entry is told: it is in the record a moment before, and hands go by what they see."""
        with closing(self._running.table.latest()) as latest:
            late = time.monotonic() + SHOWN
            while self._running.table.snapshot.seq < seq and time.monotonic() < late:
                latest.wait(SHOWN)
        return self._running.table.snapshot.seq >= seq

    def _touch(self, order: Press | Jam | Turn | Lay | Lift) -> None:
        pretend = self._pretend
        match order:
            case Press(button=button, held=held, bounces=bounces):
                pretend.press(button, held, bounces)
            case Jam(button=button, down=down):
                pretend.jam(button, down)
            case Turn(steps=steps):
                pretend.turn(steps)
            case Lay(uid=uid, reader=reader):
                self._take(Uid(uid))
                pretend.lay(Uid(uid), reader)
            case Lift(uid=uid):
                self._put_back(Uid(uid))
            case _:
                assert_never(order)

    def _spoil(self, order: Suffer | Lose | Line) -> None:
        match order:
            case Suffer(fault=fault, on=on):
                self._pretend.set_fault(fault, on)
            case Lose(reader=reader, on=on):
                self._pretend.pico.reader_lost(reader, on)
            case Line(how=how, seed=seed):
                _spoil(self._pretend.pico.cables, how, seed)
            case _:
                assert_never(order)


def _spoil(cables: tuple[Any, ...], how: str, seed: int) -> None:
    from firmware_bridge.cable import BadLine

    for cable in cables:
        cable.is_stalled = how == "stalled"
        cable.bad_out = BadLine(seed) if how == "bad" else None
        cable.bad_in = BadLine(seed + 1) if how == "bad" else None
        if how == "torn":
            cable.tear_after(seed)
