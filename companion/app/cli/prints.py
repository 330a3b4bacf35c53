"""`companion print`: a game as sheets to print and cut out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .mat import keep, seats_for
from .options import AskedWrongly, game_given, with_data

if TYPE_CHECKING:
    from companion.app.printing.first_page import Backs
    from companion.app.sheet import Paper
    from companion.library import Lang


@click.command("print")
@click.argument("game", metavar="GAME", callback=game_given)
@click.option(
    "--pack", metavar="NAME", default="", help="A pack of your own; by default the one that comes with the game."
)
@click.option("--seats", metavar="N", type=int, help="The number of players; by default as many as can play.")
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="The paper.")
@click.option(
    "--language", type=click.Choice(["en", "fr"]), default="en", show_default=True, help="The language of the sheets."
)
@click.option(
    "--backs",
    type=click.Choice(["once", "each", "none"]),
    default="once",
    show_default=True,
    help="One sheet of backs per deck, to print on all its cards; one after each sheet, for printers that "
    "print on both sides; or none, for sleeves that nobody looks through.",
)
@click.option("--labels", is_flag=True, help="Only the codes: for the sleeves of a game that you own.")
@click.option("--blank", is_flag=True, help="Only the cards that nobody has described yet, with room to write.")
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The PDF to write; by default GAME.pdf here.",
)
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@with_data
def print_(
    *,
    game: str,
    pack: str,
    seats: int | None,
    paper: Paper,
    language: Lang,
    backs: Backs,
    labels: bool,
    blank: bool,
    out: Path | None,
    force: bool,
    data: Path,
) -> None:
    """Write everything GAME needs as one PDF to print and cut out: cards, boards, docks, counters, and instructions.

    Every card has a code that a phone can read, so a table needs nothing else besides the companion.
    """
    from companion.app.printing.sheets import make, order_of, prints_of
    from companion.library import shelf

    if labels and blank:
        raise AskedWrongly("--labels and --blank cannot be combined. Choose one.")
    played = shelf.open(game)
    number = played.seats[1] if seats is None else seats_for(played, seats)
    order = order_of(
        played,
        shelf.pack(played, pack, data),
        number,
        language,
        paper,
        "labels" if labels else "blank" if blank else "all",
        backs,
    )
    if blank and all(front.is_described for front in prints_of(played, order.setup).fronts):
        raise AskedWrongly("Every card of this pack is described, so there are no blank ones. Leave out --blank.")
    made = make(order)
    for text in made.cut:
        click.echo(f"Too long for its card, and cut: {text}", err=True)
    keep(
        out or Path(f"{game}.pdf"), made.pdf, force, f"{made.sheets} sheets: print them at 100 % and measure the ruler."
    )
