"""`companion run`: the table, until it is asked to stop."""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, Protocol

import click

from companion.core import CompanionError, SetupError

from . import logs
from .options import AskedWrongly, clock_given, made, mat_given, with_data, with_game, with_verbose
from .seats import names_given

if TYPE_CHECKING:
    from companion.app.main import Options, Running
    from companion.library import TurnClock
    from hw.starting import FirstLight

_STOP: Final = (signal.SIGINT, signal.SIGTERM)
_TRY_AGAIN: Final = 5.0


class Wait(Protocol):
    """Waits until the program is asked to stop, but no longer than this many seconds; returns whether it was."""

    def __call__(self, seconds: float | None = None) -> bool: ...


@click.command()
@click.option(
    "--port",
    metavar="N",
    type=click.IntRange(0, 65535),
    help="The port of the dashboard; by default the one in the settings, else 8080; 0 picks a free one.",
)
@with_data
@click.option(
    "--table",
    "called",
    metavar="NAME",
    help="One of several tables on this machine: its games, tags and settings are in tables/NAME of the data folder, "
    "and it keeps a port of its own.",
)
@with_game("The game to play; “companion games” lists the shelf.")
@click.option(
    "--seats",
    "names",
    metavar="A,B,C",
    callback=names_given,
    help="The names of the players in seating order. Resumes their unfinished game, if there is one.",
)
@click.option(
    "--pretend/--real",
    default=None,
    help="Draw readers, buttons, lamp and display on a page, or use those of this Raspberry Pi. By default "
    "the settings decide, else it is real on a Raspberry Pi and pretend elsewhere.",
)
@click.option(
    "--pico",
    type=click.Choice(["firmware", "quick"]),
    default="firmware",
    show_default=True,
    help="On a pretend table: the Pico's own firmware with pretend readers, or a stand-in that reports taps at once.",
)
@click.option(
    "--mat",
    metavar="NAME",
    callback=mat_given,
    help="The mat under the table, such as slots; “companion mat” lists them. By default the one in the settings.",
)
@click.option(
    "--bots",
    metavar="B,C",
    callback=names_given,
    help="The seats that bots play for, by name. Somebody who joins such a seat with a phone takes over.",
)
@click.option(
    "--clock",
    metavar="KIND[:SECONDS]",
    callback=clock_given,
    help="The turn clock: soft says when a turn takes too long, strict skips the seat, off has none; as in strict:60. "
    "By default the one in the settings.",
)
@click.option(
    "--keep-trying",
    is_flag=True,
    help="If it cannot start, say why on the display and on phones and try again, instead of exiting.",
)
@click.option(
    "--first-run", is_flag=True, help="On a box that has never played, ask for language, buttons, seats and game first."
)
@click.option("--new", is_flag=True, help="Begin a new game even if one is unfinished.")
@with_verbose
def run(
    *,
    port: int | None,
    data: Path,
    called: str | None,
    game: str | None,
    names: tuple[str, ...] | None,
    pretend: bool | None,
    pico: Literal["firmware", "quick"],
    mat: str | None,
    bots: tuple[str, ...] | None,
    clock: TurnClock | None,
    keep_trying: bool,
    first_run: bool,
    new: bool,
    verbose: int,
) -> None:
    """Open the table and play.

    The newest unfinished game is resumed; without one, a new game begins. For three hours after a game ends, it stays
    there with everybody seated for the next. Ctrl-C is safe at any time: every entry that was shown has been saved.
    """
    logs.to_stderr(verbose + 1)
    data, port = (data, port) if called is None else _of_its_own(data, called, port)
    from companion.app.first_light import light_up

    light = light_up(made(data), pretend)
    from companion.app.main import Options

    options = Options(data, game, names, port, pretend, new, first_run, bots or (), pico=pico, mat=mat, clock=clock)
    try:
        with stop_asked() as wait:
            seq = _play_in_the_end(options, wait, light) if keep_trying else _play(options, wait, light)
    except SetupError as error:
        raise AskedWrongly(f"The table cannot start: {error}.") from error
    if seq is not None:
        click.echo(f"The game is saved at #{seq}.")


def _of_its_own(data: Path, called: str, port: int | None) -> tuple[Path, int]:
    from . import tables

    folder = tables.folder_of(data, called)
    kept = tables.port_of(folder, port)
    click.echo(f"Table {called} has port {kept} and its data in {folder}.")
    return folder, kept


def _play_in_the_end(options: Options, wait: Wait, light: FirstLight | None) -> int | None:
    """Play as soon as the table can start; None if it was asked to stop before that."""
    from companion.app.rescue import explained
    from companion.app.service import notify

    while True:
        try:
            return _play(options, wait, light)
        except SetupError:
            raise
        except CompanionError as error:
            with explained(error, options.data, options.port, light):
                notify("READY=1", "WATCHDOG=1", "STATUS=cannot start yet")
                if wait(_TRY_AGAIN):
                    return None


def _play(options: Options, wait: Wait, light: FirstLight | None) -> int | None:
    """The last entry of the game; None if somebody only practised."""
    from companion.app.main import companion
    from companion.app.service import Watchdog

    with companion(options, light=light) as running, Watchdog(running.checks):
        table = running.table
        for line in _where(running):
            click.echo(line)
        wait()
        is_practice = running.host is not None and running.host.practises_since is not None
    return None if is_practice else table.snapshot.seq


def _where(running: Running) -> tuple[str, ...]:
    phones = f"Phones on this network open {running.address}"
    if running.pretend is None:
        return (phones,)
    return (f"Open http://127.0.0.1:{running.port}/pretend to lay cards and press buttons.", phones)


@contextmanager
def stop_asked() -> Iterator[Wait]:
    """Within this context, Ctrl-C or a stop of the service does not end the program; the given function waits for it.

    Given a number of seconds it waits no longer, and returns whether one came, even before the call. Signals write into
    a pipe, because waiting for a lock could miss one that comes just before the wait. Asking a second time ends the
    program at once.
    """
    read, write = os.pipe()
    os.set_blocking(write, False)
    before = signal.set_wakeup_fd(write)
    usual = {number: signal.signal(number, lambda *_: None) for number in _STOP}

    def wait(seconds: float | None = None) -> bool:
        if not select.select([read], [], [], seconds)[0]:
            return False
        for number in _STOP:
            signal.signal(number, signal.SIG_DFL)
        return True

    try:
        yield wait
    finally:
        signal.set_wakeup_fd(before)
        for number, handler in usual.items():
            signal.signal(number, handler)
        os.close(read)
        os.close(write)
