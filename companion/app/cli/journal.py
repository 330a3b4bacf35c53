"""`companion journal`: check the record and, if a card damaged it, save whatever is sound."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from companion.core import CompanionError

from .games import journal_in, look
from .options import CouldNot, text_of, with_data

if TYPE_CHECKING:
    from companion.journal import Saved

_SALVAGED: Final = ".salvaged"


@click.group()
def journal() -> None:
    """Look after the file that holds every game."""


@journal.command()
@with_data
def check(data: Path) -> None:
    """Read every entry of every game and report what is not as it was written. The exit code is 1 if anything is."""
    problems = list(_problems(data))
    for line in problems:
        click.echo(line)
    if problems:
        raise CouldNot("The journal is damaged. To save what is sound: companion journal salvage")
    click.echo("Every entry is as it was written.")


def _problems(data: Path) -> Iterator[str]:
    try:
        with look(data) as opened:
            for row in opened.games():
                for each in opened.verify(row.table):
                    yield f"game {row.table}, entry {each.seq}: {each.kind}, {each.found}"
    except CompanionError as error:
        yield text_of(error)


@journal.command()
@with_data
@click.option("--in-place", is_flag=True, help="Replace the damaged journal with the new one; the old one is kept.")
def salvage(data: Path, in_place: bool) -> None:
    """Save what is sound of a damaged journal, row by row, and say what was kept and what is lost.

    Each game is kept up to its first lost entry; an entry is kept only if it is provably unchanged. The damaged file is
    only read. Without --in-place the new journal is written beside it, with .salvaged added to its name.
    """
    from companion.app.changeover import put_aside
    from companion.journal import alone
    from companion.journal import salvage as save

    path = journal_in(data)
    new = path.with_name(path.name + _SALVAGED)
    with alone(path):
        saved = save(path, new)
        for game in saved:
            click.echo(_told(game))
        if not saved:
            click.echo("No entry could be found on any page; the new journal is empty.")
        if in_place:
            click.echo(f"The damaged journal is kept as {put_aside(path, new).name}; the new one is in its place.")
        else:
            click.echo(f"Wrote {new}. To replace the damaged one, remove this file and run again with --in-place.")


def _told(game: Saved) -> str:
    if game.is_whole:
        return f"Game {game.table}: all {game.kept} entries kept."
    parts = [f"entries 1 to {game.kept} kept" if game.kept else "nothing kept"]
    if game.lost:
        parts.append(f"lost: {spans(game.lost)}")
    if game.unusable:
        parts.append(f"found but of no use after the loss: {spans(game.unusable)}")
    return f"Game {game.table}: {'; '.join(parts)}."


def spans(numbers: tuple[int, ...]) -> str:
    """“3, 5–9” for 3, 5, 6, 7, 8, 9."""
    runs = [[n for _, n in run] for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])]
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)
