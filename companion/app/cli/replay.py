"""`companion replay`: a game read back from its journal, every entry checked."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.core import PUBLIC, TABLE, CompanionError, Seq
from companion.library import LANGS

from .games import day, look
from .options import AskedWrongly, CouldNot, text_of, with_data

if TYPE_CHECKING:
    from companion.journal import Entry, GameRow, Journal
    from companion.library import Lang, Speaker
    from companion.table import Referee, Told


@click.command()
@click.argument("table", metavar="ID")
@with_data
@click.option(
    "--lang",
    metavar="|".join(LANGS),
    type=click.Choice(LANGS),
    help="The language; by default the one in the settings.",
)
@click.option("--to", metavar="SEQ", type=click.IntRange(1), help="Read no further than this entry.")
def replay(table: str, data: Path, lang: Lang | None, to: int | None) -> None:
    """Read the game ID back from its journal, and tell it in sentences.

    Each entry is checked: that nobody changed it, and that it leads to the same state as when it was played. Only what
    everybody at the table may know is told. The exit code is 1 if an entry differs.
    """
    from companion.library import load_settings

    language = lang or load_settings(data).language
    with look(data) as journal:
        row = row_of(journal, table)
        last = row.seq if to is None else Seq(to)
        if last > row.seq:
            raise AskedWrongly(f"Game {table} has {row.seq} entries, not {last}. Give a smaller number with --to.")
        _tell(journal, row, last, language)
    click.echo(f"{last} {'entry' if last == 1 else 'entries'}, state as recorded.")


def row_of(journal: Journal, table: str) -> GameRow:
    """What the list says about one game."""
    for row in journal.games():
        if row.table == table:
            return row
    raise CouldNot(f"There is no game {table!r} in {journal.path}. To list them: companion games --archived")


def _tell(journal: Journal, row: GameRow, last: Seq, lang: Lang) -> None:
    import msgspec

    from companion.library import shelf

    if row.game:
        shelf.open(row.game)  # a game missing from this shelf is not an entry that differs
    try:
        _tell_history(_fold(journal, row, last), lang)
    except (CompanionError, msgspec.MsgspecError) as error:
        sound = _last_sound(journal, row, last)
        if sound:
            _tell_history(_fold(journal, row, Seq(sound)), lang)
        raise CouldNot(f"Entry {sound + 1} of {last} is the first that differs. {text_of(error)}") from error


def _last_sound(journal: Journal, row: GameRow, last: Seq) -> int:
    """The last entry before the first that differs, 0 if there is none; by bisection, since each trial is a replay."""
    import msgspec

    sound, wrong = 0, int(last)
    while wrong - sound > 1:
        trial = (sound + wrong) // 2
        try:
            _fold(journal, row, Seq(trial))
            sound = trial
        except (CompanionError, msgspec.MsgspecError):
            wrong = trial
    return sound


def _fold(journal: Journal, row: GameRow, last: Seq) -> Referee:
    from companion.library import shelf
    from companion.table import Referee

    return Referee(shelf.open(row.game), _UpTo(journal, last), row.table, time.time)  # type: ignore[arg-type]


class _UpTo:
    """A journal that ends early and has no saved states, so that everything is folded from its first entry."""

    def __init__(self, journal: Journal, last: Seq) -> None:
        self._journal, self._last = journal, last

    def entries(self, table: str) -> Iterator[Entry]:
        return itertools.islice(self._journal.entries(table), self._last)

    def kept(self, _table: str) -> None:
        return None


def _tell_history(referee: Referee, lang: Lang) -> None:
    from companion.app.opening import load_texts
    from companion.library import Speaker

    seen = referee.snapshot().seen_by(PUBLIC)
    names = seen.names()
    speaker = Speaker(load_texts(referee.game), lang, names)
    for told in seen.past.told():
        who = speaker.key("seat.table") if told.who == TABLE else names.seats[told.who]
        click.echo(f"#{told.seq:<4} {day(told.at)}  {who} · {_said(told, speaker)}")


def _said(told: Told, speaker: Speaker) -> str:
    kind = (told.kind,) if told.kind in ("correction", "refused") else ()
    labels = [speaker.key(f"web.label.{label}") for label in (*kind, *(("undone",) if told.undone else ()))]
    said = " ".join(map(speaker.say, told.lines))
    return f"{said} [{', '.join([*labels, *told.marks])}]" if labels or told.marks else said
