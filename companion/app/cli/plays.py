"""`companion plays`: games that were finished here, for the programs in which people log their plays."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .games import day, journal_in
from .options import CouldNot, with_data

if TYPE_CHECKING:
    from companion.library import Play


@click.group(invoke_without_command=True)
@with_data
@click.pass_context
def plays(ctx: click.Context, data: Path) -> None:
    """List the finished games, newest first.

    Works while a game is being played.
    """
    if ctx.invoked_subcommand is None:
        for play in _played(data, ""):
            players = ", ".join(
                f"{player.place or '–'} {play.called(seat)}" for seat, player in enumerate(play.players)
            )
            click.echo(f"{day(play.began)}  {play.title}  {play.minutes} min  {players}")


@plays.command()
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@with_data
@click.option("--table", metavar="NAME", help="The name of the table there; by default this machine's.")
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
def save(file: Path, data: Path, table: str | None, force: bool) -> None:
    """Write all of them to FILE, whole or not at all.

    Its ending says what for: .bgsplay for Board Game Stats, which recognises plays it already has; .csv for a
    spreadsheet, with a line per player.
    """
    from companion.library import as_bgstats, as_csv, write_whole

    if file.suffix not in (".bgsplay", ".csv"):
        raise CouldNot(
            f"{file} ends in neither .bgsplay nor .csv. Choose the ending for the program that is to read it."
        )
    if file.exists() and not force:
        raise CouldNot(f"{file} already exists and was left as it is. Choose another name, or add --force.")
    found = _played(data, table or socket.gethostname())
    write_whole(file, as_csv(found).encode() if file.suffix == ".csv" else as_bgstats(found))
    click.echo(f"Wrote {len(found)} {'play' if len(found) == 1 else 'plays'} to {file}.")


def _played(data: Path, table: str) -> tuple[Play, ...]:
    from companion.app.plays import Plays

    journal_in(data)
    found = Plays(data, table)()
    if not found:
        raise CouldNot(f"No game in {data} has been played to its end yet. To list all games: companion games")
    return found
