"""`companion demo`: an evening that plays itself, to be watched on the pretend table."""

from __future__ import annotations

import signal
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from companion.core import SetupError

from . import logs
from .options import AskedWrongly, game_given, with_verbose
from .seats import names_given


@click.command()
@click.argument("game", metavar="[GAME]", required=False, callback=game_given)
@click.option(
    "--pace",
    metavar="SECONDS",
    type=click.FloatRange(0.0),
    default=1.5,
    help="The pause before each act; else 1.5.",
)
@click.option(
    "--seats", "names", metavar="A,B,C", callback=names_given, help="The names of the players; three without it."
)
@click.option(
    "--port", metavar="N", type=click.IntRange(0, 65535), default=8080, help="The port of the page; 0 takes any."
)
@with_verbose
def demo(game: str | None, pace: float, names: tuple[str, ...] | None, port: int, verbose: int) -> None:
    """Play an evening of GAME by itself, to watch; without it, of the first on the shelf.

    Bots choose what is done; pretend hands tap cards, press buttons and use phones for it. Everything behind them is
    the real program. Nothing of it is kept; Ctrl-C ends it.
    """
    logs.to_stderr(verbose)
    from companion.app.demo import Demo
    from companion.app.main import Options, companion
    from companion.app.opening import load_texts
    from companion.library import Speaker

    with tempfile.TemporaryDirectory(prefix="table-demo-") as folder, stop_asked() as stop:
        options = Options(Path(folder), game, names, port, pretend=True, new=True)
        try:
            with companion(options) as running:
                assert running.pretend is not None
                click.echo(f"Open http://127.0.0.1:{running.port}/pretend to watch. Ctrl-C ends it.")
                last = Demo(running, running.pretend, pace, stop).play()
        except SetupError as error:
            raise AskedWrongly(f"It cannot begin: {error}.") from error
    if last.result is None:
        click.echo(f"It ended at #{last.seq}.")
    else:
        click.echo(Speaker(load_texts(last.game), "en", last.names()).say(last.result.said))


@contextmanager
def stop_asked() -> Iterator[threading.Event]:
    """An event that Ctrl-C, or whoever looks after services, sets."""
    stop = threading.Event()
    numbers = (signal.SIGINT, signal.SIGTERM)
    usual = {number: signal.signal(number, lambda *_: stop.set()) for number in numbers}
    try:
        yield stop
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)
