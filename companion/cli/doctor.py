"""`companion doctor`: what is wrong, and its cure."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import click
from msgspec import Struct

from .options import CouldNot, with_data


class Line(Struct, frozen=True):
    """One thing looked at. `stops` when nobody can play until it is cured."""

    state: Literal["ok", "wrong", "not here"]
    what: str
    cure: str = ""
    stops: bool = False


def fine(what: str) -> Line:
    return Line("ok", what)


def wrong(what: str, cure: str) -> Line:
    """It stops playing."""
    return Line("wrong", what, cure, stops=True)


def ailing(what: str, cure: str) -> Line:
    """It is wrong, but people can play without it."""
    return Line("wrong", what, cure)


def absent(what: str, cure: str = "") -> Line:
    """It is not here and need not be."""
    return Line("not here", what, cure)


@click.command()
@with_data
@click.option(
    "--bundle",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also write what a helper needs to know into this zip file: no names, no tags, no addresses, no game.",
)
@click.pass_context
def doctor(ctx: click.Context, data: Path, bundle: Path | None) -> None:
    """Look at everything that a table needs, and say what is wrong and what cures it.

    It repairs nothing by itself. The exit code is 1 when something is wrong that stops playing. Hardware that is
    missing on a machine that is no Raspberry Pi is not wrong: there the table is pretend. The result is also shown
    on the display, where there is one and nobody plays.
    """
    from .device_checks import devices, show
    from .program_checks import program

    lines = (*program(data), *devices(data))
    can_play = report(lines)
    show(lines, data)
    if bundle is not None:
        _write(bundle, lines, data)
    if not can_play:
        ctx.exit(1)


def _write(path: Path, lines: tuple[Line, ...], data: Path) -> None:
    from . import bundle

    try:
        bundle.write(path, lines, data)
    except OSError as error:
        raise CouldNot(f"{path} cannot be written ({error.strerror}). Choose another place.") from error
    click.echo(f"Wrote {path}. Look into it before you give it away.")


def report(lines: Iterable[Line]) -> bool:
    """Tell every line, cures below; whether people can play."""
    stopped = 0
    for line in lines:
        stopped += line.stops
        click.echo(f"{line.state:<8}  {_indented(line.what)}")
        if line.cure:
            click.echo(f"          → {_indented(line.cure)}")
    if stopped:
        click.echo(f"{stopped} of these must be cured before you can play.")
    else:
        click.echo("You can play.")
    return not stopped


def _indented(text: str) -> str:
    return text.replace("\n", "\n            ")
