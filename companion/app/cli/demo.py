"""`companion demo`: an evening that plays itself, to watch on the pretend table."""

from __future__ import annotations

import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from companion.core import SetupError

from . import logs
from .options import AskedWrongly, game_given, with_verbose
from .seats import names_given

if TYPE_CHECKING:
    from companion.app.playback import Playback
    from companion.table import PlaybackWish


WISHES: Final[dict[str, PlaybackWish]] = {".": "step", "+": "faster", "-": "slower"}
KEYS: Final = "Space pauses, . steps, + and - change the pace, Ctrl-C ends it."


@click.command()
@click.argument("game", metavar="[GAME]", required=False, callback=game_given)
@click.option(
    "--pace",
    metavar="SECONDS",
    type=click.FloatRange(0.0),
    default=1.5,
    help="The pause before each act; 1.5 by default.",
)
@click.option(
    "--seats", "names", metavar="A,B,C", callback=names_given, help="The names of the players; three by default."
)
@click.option(
    "--port", metavar="N", type=click.IntRange(0, 65535), default=8080, help="The port of the page; 0 picks a free one."
)
@click.option("--paused", is_flag=True, help="Start paused, to go step by step.")
@with_verbose
def demo(game: str | None, pace: float, names: tuple[str, ...] | None, port: int, paused: bool, verbose: int) -> None:
    """Play an evening of GAME by itself, to watch; without GAME, of the first on the shelf.

    Bots decide; pretend hands tap cards, press buttons and use phones for them. Everything behind that is the real
    program. Nothing is kept; Ctrl-C ends it.

    Keys control it, on every page and here: space pauses and resumes, a dot takes one step, + is faster, - is slower.
    """
    logs.to_stderr(verbose)
    from companion.app.demo import Demo
    from companion.app.main import Options, companion
    from companion.app.opening import load_texts
    from companion.app.playback import Playback
    from companion.library import Speaker

    playback = Playback(pace, paused=paused)
    with tempfile.TemporaryDirectory(prefix="table-demo-") as folder, stop_asked(playback):
        options = Options(Path(folder), game, names, port, pretend=True, new=True, playback=playback)
        try:
            with companion(options) as running:
                assert running.pretend is not None
                click.echo(f"Open http://127.0.0.1:{running.port}/pretend to watch. {KEYS}")
                listen(playback)
                last = Demo(running, running.pretend, playback).play()
        except SetupError as error:
            raise AskedWrongly(f"The demo cannot start: {error}.") from error
    if last.result is None:
        click.echo(f"It ended at #{last.seq}.")
    else:
        click.echo(Speaker(load_texts(last.game), "en", last.names()).say(last.result.said))


@contextmanager
def stop_asked(playback: Playback) -> Iterator[None]:
    """Ctrl-C, or the service manager, ends it."""
    numbers = (signal.SIGINT, signal.SIGTERM)
    usual = {number: signal.signal(number, lambda *_: playback.end()) for number in numbers}
    try:
        yield
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)


def listen(playback: Playback) -> None:
    """Let the terminal's keys control it, in a separate thread; without a terminal there is nothing to listen to."""
    if sys.stdin.isatty():
        threading.Thread(target=_keys, args=(playback,), name="keys", daemon=True).start()


def _keys(playback: Playback) -> None:
    while not playback.is_over():
        try:
            pressed(playback, click.getchar())
        except (KeyboardInterrupt, EOFError):
            playback.end()


def pressed(playback: Playback, key: str) -> None:
    """Do what a key means; most mean nothing."""
    if key == " ":
        playback.toggle()
    elif key in WISHES:
        playback.do(WISHES[key])
