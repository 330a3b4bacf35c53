"""`companion sim`: many games played by bots, and a table of how they went."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from companion.core import SetupError

from .options import AskedWrongly, game_given

if TYPE_CHECKING:
    from companion.app.bots import Kind
    from companion.app.sim import Order, Played


@click.command()
@click.argument("game", metavar="GAME", callback=game_given)
@click.option("--games", metavar="N", type=click.IntRange(1), default=100, help="How many games; 100 by default.")
@click.option("--seats", metavar="K", type=click.IntRange(1), default=3, help="How many seats; 3 by default.")
@click.option(
    "--bot",
    metavar="random|sensible",
    type=click.Choice(["random", "sensible"]),
    default="sensible",
    help="Who plays; by default the sensible bots.",
)
@click.option("--seed", metavar="S", type=int, default=1, help="The random seed: the same seed gives the same games.")
@click.option("--processes", metavar="P", type=click.IntRange(1), default=2, help="How many games at a time.")
def sim(game: str, games: int, seats: int, bot: Kind, seed: int, processes: int) -> None:
    """Let bots play GAME many times and print how it went.

    Only the rules are played: nobody taps, nothing is drawn on a screen. Each bot knows only what its seat may know.
    """
    from companion.app.opening import make_setup
    from companion.app.sim import Order, summary
    from companion.library import shelf

    order = Order(game, seats, bot, seed)
    try:
        make_setup(shelf.open(game), seats)
    except SetupError as error:
        raise AskedWrongly(f"The games cannot start: {error}.") from error
    with _playing(order, games, processes) as results:
        played = _with_bar(results, games)
    for line in summary(order, played):
        click.echo(line)


@contextmanager
def _playing(order: Order, games: int, processes: int) -> Iterator[Iterator[Played]]:
    from companion.app.sim import play

    orders = [replace(order, seed=order.seed + n) for n in range(games)]
    if processes == 1:
        yield map(play, orders)
        return
    with ProcessPoolExecutor(processes) as pool:
        yield pool.map(play, orders, chunksize=max(1, min(16, games // (4 * processes))))


def _with_bar(results: Iterator[Played], games: int) -> list[Played]:
    with click.progressbar(results, length=games, label="playing", file=sys.stderr) as bar:
        return list(bar)
