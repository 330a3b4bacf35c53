"""A whole evening with the real referee and a real journal: acts, refusals, corrections and take backs as moves."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from msgspec import Struct

from companion.app.kit.kit import PEOPLE, AnyGame, Kit, pick
from companion.core import PUBLIC, Intent, Mode, Refused, SeatId, Seq, Setup, judge, mask
from companion.journal import Journal, WasRefused
from companion.table import Referee, Snapshot


class Act(Struct, frozen=True):
    """Something done, `on_box` by tags and buttons, else by the actor's phone."""

    intent: Intent
    on_box: bool


class Wish(Struct, frozen=True):
    """Something that is refused."""

    intent: Intent
    on_box: bool


class Back(Struct, frozen=True):
    """Everything after entry `to` is taken back, with the referee's permission."""

    to: Seq
    by: SeatId


Move: TypeAlias = Act | Wish | Back


@contextmanager
def table(game: AnyGame, setup: Setup[Any], folder: Path, mode: Mode = "strict") -> Iterator[Referee]:
    """A new game. Nobody cuts the power here, so the journal need not wait for the disk."""
    ticks = count(1000.0)
    with Journal.open(folder / f"{next(_FILES)}.journal", _synchronous="OFF") as journal:
        yield Referee.begin(game, setup, PEOPLE[: setup.seats], mode, journal, lambda: next(ticks))


_FILES = count()


def play(referee: Referee, move: Move) -> bool:
    """Do it; returns whether it ended as intended."""
    match move:
        case Act(intent=intent, on_box=on_box) | Wish(intent=intent, on_box=on_box):
            entry = referee.act(intent, None, on_box=on_box)
            return isinstance(entry.body, WasRefused) == isinstance(move, Wish)
        case Back(to=to, by=by):
            referee.take_back(to, by, None)
            return True


def moves(kit: Kit, referee: Referee, seed: int, steps: int) -> Iterator[Move]:
    """Random moves, each made for the moment it is asked for."""
    chance = random.Random(seed)
    for _ in range(steps):
        state, line = referee.at.state, referee.at.line
        asked = kit.game.decisions(state)
        if not asked:
            return
        dice = chance.random()
        if dice < 0.06 and len(line) > 2:
            yield Back(line[-2 - int(chance.random() * min(4, len(line) - 1))], SeatId(0))
        elif dice < 0.18:
            # Made from what all can see: a wish that names a secret would itself give it away.
            wish = kit.wild(mask(state, PUBLIC), referee.setup.seats, chance)
            if isinstance(judge(kit.game, state, wish), Refused):
                yield Wish(wish, on_box=chance.random() < 0.3)
        elif dice < 0.21 and (correction := kit.correction(state, chance)) is not None:
            yield Act(correction, on_box=True)
        else:
            yield Act(kit.pick(state, pick(chance, asked[-1].seats), chance), on_box=chance.random() < 0.5)


def evening(kit: Kit, seats: int, seed: int, steps: int) -> tuple[list[Move], list[Snapshot]]:
    """The moves of some random play, and the table after each."""
    made, shown = [], []
    with TemporaryDirectory() as folder, table(kit.game, kit.setup(seats, seed), Path(folder)) as referee:
        opening = (Act(intent, on_box=False) for intent in kit.opening(seats, seed))
        for move in chain(opening, moves(kit, referee, seed, steps)):
            assert play(referee, move), move
            made.append(move)
            shown.append(referee.snapshot())
    return made, shown


def replayed(game: AnyGame, setup: Setup[Any], made: list[Move]) -> list[Snapshot]:
    """The table after each of the same moves; ends at the first that turns out differently."""
    shown: list[Snapshot] = []
    with TemporaryDirectory() as folder, table(game, setup, Path(folder)) as referee:
        for move in made:
            if not play(referee, move):
                break
            shown.append(referee.snapshot())
    return shown
