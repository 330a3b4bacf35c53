"""`companion stick`: what systemd starts while a USB stick is in the box."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import click

from .options import CouldNot, made, with_data


@click.command(hidden=True)
@click.argument("mounted", metavar="MOUNTED", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("folder", metavar="FOLDER", type=click.Path(exists=True, file_okay=False, path_type=Path))
@with_data
def stick(mounted: Path, folder: Path, data: Path) -> None:
    """Ask on the display what to do with the USB stick that is MOUNTED, and do it. For the unit of systemd.

    The companion listens in FOLDER.
    """
    from companion.app.clock import use_zone
    from companion.app.stick import Attendant
    from companion.core import CompanionError
    from companion.library import load_settings

    with suppress(CompanionError):  # settings that cannot be read are no reason not to save the rest
        use_zone(load_settings(data).time_zone)
    result = Attendant(folder, mounted, made(data)).attend()
    if result is not None and result.key.endswith(".failed"):
        raise CouldNot(result.what)
    click.echo("Nothing was to be done." if result is None else f"{result.key}: {result.what}")
