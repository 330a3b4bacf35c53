"""The record of a box, read beside it: what was played is taken from there, never from what the box says."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from companion.core import Game
from companion.journal import JOURNAL, Journal
from companion.table import Referee, Snapshot


class Record:
    """The game that is played now, in a journal that somebody else writes."""

    def __init__(self, data: Path, game: Game[Any, Any]) -> None:
        self._data, self._game = data, game
        self._open()

    def _open(self) -> None:
        self._journal, self._is_open = Journal.look(self._data / JOURNAL), True
        self.referee = self._newest()

    def _newest(self) -> Referee:
        return Referee(self._game, self._journal, self._journal.games()[-1].table, time.time)

    def now(self) -> Snapshot:
        if not self._is_open:
            return self.referee.snapshot()
        if self.referee.table != self._journal.games()[-1].table:
            self.referee = self._newest()
        self.referee.catch_up()
        return self.referee.snapshot()

    def rest(self) -> None:
        """Until it is read afresh, nothing changes: nobody writes to it.

        A box is forked from the process that reads this. SQLite takes an open journal for its own there, and holds no
        lock of its own on the memory that its readers share: one that opened the journal anew cut that short under
        the box, which ended with SIGBUS.
        """
        if self._is_open:
            self.now()
            self.close()

    def afresh(self) -> None:
        """Read all of it again, from a file that may be another one."""
        self.close()
        self._open()

    @property
    def log(self) -> Path:
        """Where the newest entries are on the disk."""
        return self._data / f"{JOURNAL}-wal"

    def close(self) -> None:
        self._is_open = False
        self._journal.close()
