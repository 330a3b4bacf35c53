"""A version of the companion tries itself on a copy of everything that was played before it takes over."""

from __future__ import annotations

import time
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from companion.app import backup
from companion.app.main import Options, companion
from companion.core import CompanionError
from companion.journal import JOURNAL, Journal
from companion.library import shelf
from companion.table import Referee


class Unread(CompanionError, ValueError):
    """An unfinished game cannot be resumed."""


class Hanging(CompanionError, OSError):
    """The program started, but part of it makes no progress."""


class Rehearsed(Struct, frozen=True):
    """What went well: how many games can be resumed, and how many entries they have."""

    games: int
    entries: int


def rehearse(copy: Path | None) -> Rehearsed:
    """Replay every unfinished game of a backup, then run the program with it on a port of its own; Unread or Hanging.

    Without a backup it plays a new game. Everything happens in a folder that is deleted afterwards.
    """
    with TemporaryDirectory(prefix="rehearsal-") as room:
        data = Path(room)
        if copy is not None:
            try:
                backup.restore(copy, data)
            except CompanionError as error:
                raise Unread(str(error)) from error
        done = replayed(data)
        play(data)
    return done


def replayed(data: Path) -> Rehearsed:
    """Replay every game that is neither archived nor over, from first entry to last; each state must be as recorded."""
    games = entries = 0
    with Journal.open(data / JOURNAL) as journal:
        for row in journal.games():
            if row.archived:
                continue
            try:
                referee = Referee(shelf.open(row.game), journal, row.table, time.time)
                referee.replay()
            except CompanionError as error:
                raise Unread(f"game {row.table} ({row.game}): {error}") from error
            if referee.at.result is None:
                games, entries = games + 1, entries + row.seq
    return Rehearsed(games, entries)


def play(data: Path) -> None:
    """Run the whole program with a pretend box; every part must make progress, and the dashboard must answer."""
    options = Options(data, port=0, pretend=True, first_run=True)
    with companion(options, tell=lambda _: None) as running:
        hanging = [name for name, gets_on in running.checks.items() if not gets_on()]
    if hanging:
        raise Hanging(f"these parts make no progress: {', '.join(hanging)}")
