"""`companion hub`: one wall for all tables of a club."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from . import logs
from .options import CouldNot, made, with_verbose
from .run import stop_asked

if TYPE_CHECKING:
    from companion.app.hub import RunningHub


def _usual() -> Path:
    from .options import usual_data

    return usual_data() / "hub"


@click.command()
@click.option(
    "--data",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where the hub keeps everything; by default the folder “hub” in the companion's.",
)
@click.option("--port", metavar="N", type=click.IntRange(0, 65535), help="The port of its pages; 0 takes any free one.")
@click.option("--broker-port", metavar="N", type=click.IntRange(0, 65535), help="The port of the broker, likewise.")
@with_verbose
def hub(*, data: Path | None, port: int | None, broker_port: int | None, verbose: int) -> None:
    """Show all tables of a club on one wall, and keep their results and the league.

    It starts its own Mosquitto, prints the code that tables join with, and runs until Ctrl-C. Its name, its seasons and
    its public page are set in hub.toml in its folder; see docs/club.md.
    """
    logs.to_stderr(verbose + 1)
    try:
        from companion.app.avahi import announced
        from companion.app.hub import HubOptions, load_hub_settings, running_hub
        from companion.app.service import rest_the_collector
    except ImportError as error:
        raise CouldNot(f"A hub needs {error.name}. Install it with: pip install 'table-companion[club]'") from error
    folder = made(data or _usual())
    options = HubOptions(folder, load_hub_settings(folder), port, broker_port)
    with stop_asked() as wait, running_hub(options) as running, announced(options.settings.name, running.port):
        for line in _where(running):
            click.echo(line)
        _draw_code(f"{running.address}/host/{running.keeper.key}")
        rest_the_collector()
        wait()


def _where(running: RunningHub) -> Iterator[str]:
    code, left = running.keeper.code()
    yield f"The wall is at {running.address}"
    yield f"A table joins with the code {code[:4]}-{code[4:]}, good for {left // 60} minutes and one table."
    yield f"You look after it at {running.address}/host/{running.keeper.key}"
    if running.public_port is not None:
        yield f"The public page waits for your proxy at http://127.0.0.1:{running.public_port}"


def _draw_code(address: str) -> None:
    """Print the host's link as a QR code, if somebody is looking at a terminal."""
    if sys.stdout.isatty():
        import segno

        segno.make(address, error="l").terminal(compact=True)
