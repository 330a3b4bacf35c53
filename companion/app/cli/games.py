"""`companion games`: the games in the journal, and those on the shelf."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from companion.core import CompanionError

from .options import CouldNot, with_data

if TYPE_CHECKING:
    from companion.journal import GameRow, Journal

_HEAD: Final = ("id", "game", "seats", "last played", "entries", "how it stands")


@click.group(invoke_without_command=True)
@with_data
@click.option("--archived", is_flag=True, help="Also list archived games.")
@click.pass_context
def games(ctx: click.Context, data: Path, archived: bool) -> None:
    """List the games in the journal and those on the shelf.

    Works while a game is being played. Archived games keep all their entries.
    """
    if ctx.invoked_subcommand is None:
        for line in _list(data, archived):
            click.echo(line)


@games.command()
@click.argument("table", metavar="ID")
@with_data
def archive(table: str, data: Path) -> None:
    """Archive the game ID: it is no longer listed, and “companion run” does not resume it."""
    _shelve(data, table, archived=True)
    click.echo(f"Game {table} is archived. To bring it back: companion games unarchive {table}")


@games.command()
@click.argument("table", metavar="ID")
@with_data
def unarchive(table: str, data: Path) -> None:
    """Bring the game ID back from the archive."""
    _shelve(data, table, archived=False)
    click.echo(f"Game {table} is back in the list.")


@games.command()
@click.argument("table", metavar="ID")
@with_data
@click.option("--yes", is_flag=True, help="Do not ask.")
def forget(table: str, data: Path, yes: bool) -> None:
    """Delete the game ID for good: no byte of it stays in the journal.

    Earlier exports and backups still have it. Stop the companion first.
    """
    from companion.journal import Journal

    with Journal.open(journal_in(data)) as journal:
        if not yes:
            click.confirm(f"Game {table} cannot be brought back. Delete it?", abort=True)
        journal.forget(table)
    click.echo(f"Game {table} is gone for good.")


@games.command("save-script")
@click.argument("table", metavar="ID")
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@with_data
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
def save_script(table: str, file: Path, data: Path, force: bool) -> None:
    """Write the game ID to FILE as a table script, which “companion script” can replay.

    It contains every draw and therefore every hand: while the game is unfinished, do not show it to its players.
    """
    from companion.app.script import write

    if file.exists() and not force:
        raise CouldNot(f"{file} already exists and was left as it is. Choose another name, or add --force.")
    with look(data) as journal:
        row = next((row for row in journal.games() if row.table == table), None)
        if row is None:
            raise CouldNot(f"There is no game {table!r} in {journal.path}. To list them: companion games --archived")
        text = write(journal, table)
        unfinished = standing(journal, row) == "unfinished"
    file.write_text(text, encoding="utf-8")
    click.echo(f"Wrote game {table} to {file}. To replay it: companion script {file}")
    if unfinished:
        click.echo("It is unfinished, and its secrets are in the file: keep it from the players.")


def look(data: Path) -> Journal:
    """The journal of a data folder, read-only; works while a game is being played."""
    from companion.journal import Journal

    return Journal.look(journal_in(data))


def standing(journal: Journal, row: GameRow) -> str:
    """How a game stands, in a word; that takes reading it from its first entry."""
    import msgspec

    from companion.library import shelf
    from companion.table import Referee

    if row.archived:
        return "archived"
    if not row.game:
        return "unreadable"
    try:
        over = Referee(shelf.open(row.game), journal, row.table, time.time).at.result
    except shelf.UnknownGame:
        return "not on this shelf"
    except (CompanionError, msgspec.MsgspecError):
        return f"damaged; see: companion replay {row.table}"
    return "unfinished" if over is None else "over"


def day(at: float) -> str:
    """A time, on this machine's clock."""
    return datetime.fromtimestamp(at).astimezone().strftime("%Y-%m-%d %H:%M")


def journal_in(data: Path) -> Path:
    from companion.journal import JOURNAL, is_there

    path = data / JOURNAL
    if not is_there(path):
        raise CouldNot(
            f"There are no games in {data} yet. Begin one with: companion run. Or look in another folder with --data."
        )
    return path


def _shelve(data: Path, table: str, *, archived: bool) -> None:
    from companion.journal import Journal

    with Journal.open(journal_in(data)) as journal:
        journal.archive(table, archived)


def _list(data: Path, archived: bool) -> Iterator[str]:
    from companion.journal import JOURNAL, is_there
    from companion.library import shelf

    if is_there(data / JOURNAL):
        with look(data) as journal:
            yield from _table(journal, archived)
    else:
        yield f"There are no games in {data} yet. Begin one with: companion run"
    yield f"On the shelf: {', '.join(shelf.games()) or 'nothing'}."
    for each in shelf.left_out():
        yield f"Left out: {each.game} of {each.package}. {each.why}"


def _table(journal: Journal, archived: bool) -> Iterator[str]:
    rows = journal.games()
    shown = [row for row in rows if archived or not row.archived]
    cells = [_HEAD, *(_cells(journal, row) for row in shown)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for line in cells if shown else ():
        yield "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
    if not shown:
        yield "There are no games to list. Begin one with: companion run"
    if hidden := len(rows) - len(shown):
        yield f"Archived: {hidden}. To list them, too: companion games --archived"


def _cells(journal: Journal, row: GameRow) -> tuple[str, ...]:
    names = ", ".join(row.names) or "?"
    return row.table, row.game or "?", names, day(row.last), str(row.seq), standing(journal, row)
