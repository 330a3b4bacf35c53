"""The command line, for the people who look after a table."""

from __future__ import annotations

from typing import Any

import click

from companion import __version__
from companion.core.errors import CompanionError

from . import (
    backup,
    demo,
    doctor,
    enrol,
    flash,
    games,
    journal,
    kit,
    mat,
    prints,
    replay,
    run,
    script,
    sim,
    tags,
    transfer,
    wifi,
)
from .options import CouldNot


class Commands(click.Group):
    """Our own errors end a command with their text and exit code 1; a traceback is for what nobody foresaw."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except CompanionError as error:
            raise CouldNot.because(error) from error


@click.group(
    cls=Commands,
    commands=[
        run.run,
        demo.demo,
        games.games,
        enrol.enrol,
        flash.flash,
        mat.mat,
        prints.print_,
        tags.tags,
        replay.replay,
        journal.journal,
        backup.backup,
        backup.restore,
        wifi.wifi,
        transfer.export,
        transfer.import_,
        script.script,
        sim.sim,
        kit.kit,
        doctor.doctor,
    ],
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(__version__, "--version", prog_name="companion", help="Show the version and end.")
def main() -> None:
    """A referee in a box for the game table: it follows real cards, refuses what the rules forbid and says why.

    Start with "companion run". Each command explains itself with --help.
    """
