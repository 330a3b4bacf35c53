"""`companion rehearse`: whether this version could take over what another one has played."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from .options import CouldNot

UNREAD: Final = 3


class UnreadGame(CouldNot):
    """A recorded game cannot be resumed."""

    exit_code = UNREAD


@click.command()
@click.argument("file", metavar="[FILE]", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
def rehearse(file: Path | None) -> None:
    """Try everything on a copy: replay every unfinished game of FILE, a backup, and serve the dashboard.

    Nothing of the owner's is touched. Ends with code 3 if a game cannot be resumed, and with code 1 if anything else
    fails. Updates ask this of the new version before it takes over.
    """
    from companion.app import rehearsal

    try:
        done = rehearsal.rehearse(file)
    except rehearsal.Unread as error:
        raise UnreadGame.because(error) from error
    click.echo(f"{done.games} unfinished games with {done.entries} entries can go on, and the dashboard answers.")
