"""`companion backup` and `companion restore`: everything the owner has as one file, and back."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .games import day
from .options import CouldNot, made, with_data

if TYPE_CHECKING:
    from companion.journal import GameRow


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@with_data
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
@click.option("--unless-playing", is_flag=True, help="Write nothing and end with code 1 while a game is being played.")
def backup(file: Path, data: Path, force: bool, unless_playing: bool) -> None:
    """Write games, tags, packs and settings to FILE, whole or not at all.

    Works while a game is being played. FILE contains every hand of unfinished games: keep it from the players.
    """
    from companion.app import backup as backups

    if file.exists() and not force:
        raise CouldNot(f"{file} already exists and was left as it is. Choose another name, or add --force.")
    if unless_playing and (row := _being_played(data)) is not None:
        raise CouldNot(
            f"Game {row.table} ({row.game}, {', '.join(row.names)}) is being played; its last entry was on "
            f"{day(row.last)}. Finish it first; three hours after its last entry it no longer counts."
        )
    manifest = backups.make(made(data), file, time.time())
    click.echo(f"Wrote {len(manifest.files)} files to {file}. To restore them: companion restore {file}")


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@with_data
def restore(file: Path, data: Path) -> None:
    """Put games, tags, packs and settings from FILE, a backup, in the place of those that are here.

    FILE is checked first, entry by entry. What was here is kept in a folder of its own. Stop the companion before.
    """
    from companion.app import backup as backups

    manifest, aside = backups.restore(file, made(data))
    click.echo(f"Restored {len(manifest.files)} files, saved on {day(manifest.made)}. What was here is in {aside}.")


def _being_played(data: Path) -> GameRow | None:
    """The newest unfinished game with an entry from this evening."""
    from companion.app.opening import EVENING, is_untouched
    from companion.journal import JOURNAL, Journal, is_there

    from .games import standing

    if not is_there(data / JOURNAL):
        return None
    with Journal.look(data / JOURNAL) as journal:
        for row in reversed(journal.games()):
            recent = abs(time.time() - row.last) < EVENING
            if recent and standing(journal, row) == "unfinished" and not is_untouched(journal, row.table):
                return row
    return None
