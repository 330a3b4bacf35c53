"""A whole evening of any game by hands alone: what people would tap and press on the box, one input at a time."""

from __future__ import annotations

import itertools
import queue
import random
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

import pytest

from companion.app import bots
from companion.app.opening import all_tags, load_texts, make_setup
from companion.box import Box, hands
from companion.core import TABLE, Game, Input, Intent, Pressed, ReaderId, Said, Tapped, Turned, legal
from companion.journal import Journal
from companion.library import Lang, Speaker, Tagbook, pretend_uid, shelf
from companion.table import Desk, Referee, Snapshot, Table, publishing
from tests.patience import PATIENCE

READER = ReaderId("left")
NAMES = ("Ada", "Ben", "Chloé", "Dov", "Eva", "Finn")


class NoWay(AssertionError):
    """An intent that hands can't do on the box."""


class Evening:
    """One table with real dice and cards: everything is tapped and pressed. A context manager.

    `gives` brings an input to the table; without it, inputs go straight into the inbox. `chance` is a seed: the
    same seed gives the same evening.
    """

    patience = PATIENCE

    def __init__(self, game_id: str, chance: int = 1, seats: int | None = None, lang: Lang = "en") -> None:
        self.game: Game[Any, Any] = shelf.open(game_id)
        self._seats = seats or max(self.game.seats[0], min(self.game.seats[1], 3))
        self._dice = random.Random(chance)
        self._lang: Lang = lang
        self._stack = ExitStack()
        self._shown: queue.SimpleQueue[Snapshot] = queue.SimpleQueue()
        self.texts = load_texts(self.game)
        self.inputs = 0
        self._troubles: tuple[Said, ...] = ()
        self.gives: Callable[[Input], None] | None = None

    def __enter__(self) -> Self:
        stack, setup = self._stack, make_setup(self.game, self._seats)
        # Devices don't wait until phones have heard: they follow as much as they can.
        stack.enter_context(pytest.MonkeyPatch.context()).setattr(publishing, "AFTER", 0.0)
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="evening-"))
        journal = stack.enter_context(Journal.open(Path(folder) / "games.journal"))
        clock = itertools.count(0.0).__next__
        self.referee = Referee.begin(self.game, setup, NAMES[: self._seats], "strict", journal, clock)
        tagbook = Tagbook()
        tagbook.pretend(all_tags(self.game, setup))
        self.table = Table(Desk(self.referee, tagbook, Box()))
        self.table.subscribe(self._heard)
        self.table.start()
        stack.callback(self.table.stop)
        self.now = self._next()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def speaker(self) -> Speaker:
        return Speaker(self.texts, self._lang, self.now.names())

    def play(self, acts: int = 100_000) -> Iterator[tuple[Input, Snapshot]]:
        """Play until somebody has won, or this many acts: each input and what the table showed then."""
        for _ in range(acts):
            if self.now.result is not None:
                return
            intent = self._choose()
            moves = hands.moves_for(self.now, intent)
            if moves is None:
                raise NoWay(f"{self.game.id}: hands cannot do {intent!r}")
            seq = self.now.seq
            for move in hands.spread(moves):
                given = as_input(self.game, move)
                self.do(given)
                yield given, self.now
            assert self.now.seq > seq, f"{moves!r} did not do {intent!r}"

    def do(self, given: Input) -> None:
        """One input, and its result."""
        self.inputs += 1
        (self.gives or self.table.put)(given)
        self.now = self._next()

    def _choose(self) -> Intent:
        """Chance by weight; else what the bot of an awaited seat would do."""
        now = self.now
        if now.awaited == (TABLE,):
            outcomes = legal(self.game, now.state, TABLE)
            weights = [self.game.weight(now.state, intent) for intent in outcomes]
            return self._dice.choices(outcomes, weights)[0]
        for seat in now.awaited:
            number = self._dice.getrandbits(20)
            intent = bots.chosen(self.game, bots.bot_of(self.game), now.view(seat), seat, number)
            if intent is not None:
                return intent
        raise AssertionError(f"nobody can do anything: {now.decisions[-1]!r}")

    def _heard(self, told: Snapshot) -> None:
        """A trouble reported by a device isn't the answer to an input."""
        is_answer = told.troubles == self._troubles
        self._troubles = told.troubles
        if is_answer:
            self._shown.put(told)

    def _next(self) -> Snapshot:
        return self._shown.get(timeout=self.patience)


def as_input(game: Game[Any, Any], move: hands.Move) -> Tapped | Pressed | Turned:
    return Tapped(pretend_uid(hands.tag_of(game.id, move.token)), READER) if isinstance(move, hands.Tap) else move
