"""The finished games of a journal, as people log them, and a table's games for its club."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from companion.core import PUBLIC, CompanionError, Seq
from companion.journal import JOURNAL, GameRow, Journal, is_there
from companion.library import Play, Speaker, shelf
from companion.table import Referee, Seen, play_of

from .opening import load_texts

log = logging.getLogger(__name__)


class Plays:
    """The finished games of one table, newest first. Each game is read once, as long as nothing is added to it.

    A game that cannot be read is left out, as `companion games` reports. Any thread may ask.
    """

    def __init__(self, data: Path, table: str) -> None:
        self._path, self._table = data / JOURNAL, table
        self._read: dict[tuple[str, int], Play | None] = {}

    def __call__(self) -> tuple[Play, ...]:
        if not is_there(self._path):
            return ()
        with Journal.look(self._path) as journal:
            found = tuple(self._found(journal))
        return tuple(sorted(found, key=lambda play: play.ended, reverse=True))

    def _found(self, journal: Journal) -> Iterator[Play]:
        for row in journal.games():
            key = row.table, int(row.seq)
            if key not in self._read:
                self._read[key] = self._play(journal, row)
            play = self._read[key]
            if play is not None:
                yield play

    def _play(self, journal: Journal, row: GameRow) -> Play | None:
        try:
            seen = _seen(journal, row)
            return play_of(seen, Speaker(load_texts(seen.game), "en").key("game.title"), self._table)
        except (CompanionError, msgspec.MsgspecError):
            return None


class Records:
    """The games of a journal as everybody sees them now, for a club. Any thread may ask."""

    def __init__(self, data: Path) -> None:
        self._path = data / JOURNAL

    def since(self, record: str) -> tuple[tuple[str, Seq], ...]:
        """The games from this one on, with the number of their last entry; none if the journal does not have it."""
        found = [(row.table, row.seq) for row in self._rows()]
        names = [name for name, _ in found]
        return tuple(found[names.index(record) :]) if record in names else ()

    def seen(self, record: str) -> Seen | None:
        try:
            row = next(row for row in self._rows() if row.table == record)
            with Journal.look(self._path) as journal:
                return _seen(journal, row)
        except (CompanionError, msgspec.MsgspecError, StopIteration) as error:
            log.warning("the club is not told how game %s ended: %s", record, error)
            return None

    def _rows(self) -> tuple[GameRow, ...]:
        if not is_there(self._path):
            return ()
        with Journal.look(self._path) as journal:
            return journal.games()


def _seen(journal: Journal, row: GameRow) -> Seen:
    return Referee(shelf.open(row.game), journal, row.table, time.time).snapshot().seen_by(PUBLIC)
