"""`companion stick`: what systemd starts while a USB stick is plugged in."""

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
    """Ask on the display what to do with the USB stick mounted at MOUNTED, and do it. Used by the systemd unit.

    The companion listens in FOLDER.
    """
    from companion.app.clock import use_zone
    from companion.app.stick import Attendant
    from companion.core import CompanionError
    from companion.library import load_settings

    with suppress(CompanionError):  # unreadable settings are no reason not to save the rest
        use_zone(load_settings(data).time_zone)
    result = Attendant(folder, mounted, made(data)).attend()
    if result is not None and result.key.endswith(".failed"):
        raise CouldNot(result.what)
    click.echo("There was nothing to do." if result is None else f"{result.key}: {result.what}")
