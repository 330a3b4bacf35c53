"""`companion update`: a newer version for a box, from a file."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Final

import click

from .options import CouldNot

PROGRAM: Final = Path("/usr/lib/table-companion/update")


@click.command()
@click.argument("file", metavar="FILE.deb", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--in-mid-game", is_flag=True, help="Update even while a game is being played; it goes on afterwards.")
def update(file: Path, in_mid_game: bool) -> None:
    """Install the newer version in FILE.deb on this box, if it is signed by the makers of the one that is running.

    It is first tried on a copy of everything that was played. If it cannot resume that, does not answer or hangs, the
    present version stays.
    """
    if not PROGRAM.exists():
        raise CouldNot(
            "This companion was not installed as a package, so it cannot update itself. See docs/updates.md."
        )
    if os.geteuid() != 0:
        raise CouldNot(f"This needs root: sudo companion update {file}")
    env = {**os.environ, **({"TABLE_COMPANION_IN_MID_GAME": "1"} if in_mid_game else {})}
    if subprocess.run([PROGRAM, file.absolute()], check=False, env=env).returncode:
        raise CouldNot("The update was not installed; the lines above say why.")
    click.echo("Done. The new version is running.")
