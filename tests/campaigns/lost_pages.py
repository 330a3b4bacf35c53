"""Lose every page of a journal of 5,000 entries in turn: it is noticed at start, and salvage says what was kept.

    python tests/campaigns/lost_pages.py [--entries N] [--short]

A page that became zeros is noticed when the journal is opened and its game read, or nothing that is read has changed
(a free page, the kept state). Then salvage writes a new journal: it must be the unbroken beginning of the true record,
and its report must account for every entry up to the last that was found. The control reads the same files with SQLite
alone, without our checks: it must take at least one of them for sound though its entries changed.
"""

from __future__ import annotations

import argparse
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from msgspec import Raw

from companion.core import GameId
from companion.journal import JournalError, Opened, salvage
from tests.campaigns.power_cuts import in_memory
from tests.journal.test_journal_salvage import assert_sound, losses, read, record

OPENED = Opened(GameId("g"), 1, Raw(b'{"pack":"' + b"card " * 4000 + b'"}'), ("Ada", "Ben"), "strict")
Rows = list[tuple[bytes, ...]]


def plain(path: Path) -> Rows | None:
    """The entries as SQLite gives them; None if even SQLite says no."""
    try:
        with closing(sqlite3.connect(path)) as db:
            columns = "CAST(body AS BLOB), CAST(cause AS BLOB), CAST(state AS BLOB), CAST(chain AS BLOB)"
            return db.execute(f"SELECT {columns} FROM entries ORDER BY id").fetchall()
    except sqlite3.Error:
        return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=5000)
    parser.add_argument("--short", action="store_true", help="every 19th page")
    options = parser.parse_args()
    noticed = harmless = silent = taken_for_sound = 0
    kept: list[int] = []
    with tempfile.TemporaryDirectory(dir=in_memory()) as base, tempfile.TemporaryDirectory(dir=in_memory()) as room:
        whole = Path(base) / "games.journal"
        record(whole, OPENED, options.entries)
        truth, plainly = read(whole), plain(whole)
        for path in losses(whole, Path(room), 19 if options.short else 1):
            simple = plain(path)
            taken_for_sound += simple is not None and simple != plainly
            saved = salvage(path, path.with_name("new"))
            assert_sound(path.with_name("new"), truth, saved)
            kept.append(sum(game.kept for game in saved))
            try:
                same = read(path) == truth
                harmless, silent = harmless + same, silent + (not same)
            except JournalError:
                noticed += 1
    kept.sort()
    print(
        f"{options.entries} entries, {len(kept)} pages lost one at a time: {noticed} noticed at start, {harmless} "
        f"changed nothing that is read, {silent} silently wrong. Salvage kept {kept[0]} to {kept[-1]} entries, median "
        f"{kept[len(kept) // 2]}, all of them true."
    )
    print(f"Control, SQLite alone: {f'{taken_for_sound} taken for sound' if taken_for_sound else 'NOT CAUGHT'}.")
    return 1 if silent or not noticed or not taken_for_sound else 0


if __name__ == "__main__":
    sys.exit(main())
