"""`companion mat`: where readers lie under the table, as a sheet to print."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .options import AskedWrongly, CouldNot, game_given

if TYPE_CHECKING:
    from companion.app.sheet import Paper
    from companion.core import Game, Mat
    from companion.library import Lang
    from firmware_bridge.plan import Chip

_USUAL = 4


@click.command()
@click.argument("game", metavar="[GAME]", required=False, callback=game_given)
@click.argument("name", metavar="[NAME]", required=False)
@click.option(
    "--seats", metavar="N", type=int, help="The number of players; by default four, or as near as the game allows."
)
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The PDF to write; by default GAME-NAME.pdf here.",
)
@click.option(
    "--configs",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Also write each Pico's config.py here, for “companion flash --config”.",
)
@click.option(
    "--chip", type=click.Choice(["mfrc522", "pn532"]), default="mfrc522", show_default=True, help="The kind of reader."
)
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="The paper.")
@click.option(
    "--language", type=click.Choice(["en", "fr"]), default="en", show_default=True, help="The language of the sheet."
)
@click.option("--force", is_flag=True, help="Overwrite existing files.")
def mat(
    *,
    game: str | None,
    name: str | None,
    seats: int | None,
    out: Path | None,
    configs: Path | None,
    chip: Chip,
    paper: Paper,
    language: Lang,
    force: bool,
) -> None:
    """Write a mat to print at true size: where each antenna lies, its number, its Pico and its wires.

    Without NAME, list the mats of GAME; without GAME, those of all games. Put the name in the settings, as in mat =
    "slots", or try it on a pretend table: companion run --mat slots.
    """
    from companion.library import shelf

    if game is None or name is None:
        for game_id in shelf.games() if game is None else (game,):
            _list(shelf.open(game_id), seats)
        return
    played = shelf.open(game)
    number = seats_for(played, seats)
    laid = _named(played, name, number)
    pdf = _drawn(played, laid, number, chip, paper, language)
    keep(out or Path(f"{game}-{name}.pdf"), pdf, force, "Print it at 100 % and measure its ruler.")
    if configs is not None:
        _write_configs(laid, chip, configs, force)


def _list(game: Game[Any, Any], seats: int | None) -> None:
    from companion.app.opening import load_texts
    from companion.library import Speaker

    number, speaker = seats_for(game, seats), Speaker(load_texts(game), "en")
    click.echo(f"{game.id}, for {number} seats:")
    for each in game.mats(number):
        width, height = each.size()
        readers = f"{len(each.spots)} reader{'' if len(each.spots) == 1 else 's'}"
        click.echo(f"  {each.name:<8} {readers:<11} {width} × {height} mm   {speaker.key(f'mat.{each.name}')}")


def seats_for(game: Game[Any, Any], given: int | None) -> int:
    """The number of seats, if the game is for that many; by default four, or as near as it allows."""
    low, high = game.seats
    if given is None:
        return max(low, min(_USUAL, high))
    if not low <= given <= high:
        raise AskedWrongly(f"{game.id} is for {low} to {high} seats, not {given}.")
    return given


def _named(game: Game[Any, Any], name: str, seats: int) -> Mat:
    from companion.core import find

    there = game.mats(seats)
    found = find(name, there)
    if found is None:
        raise AskedWrongly(f"{game.id} has no mat {name!r}. It has: {', '.join(each.name for each in there)}.")
    return found


def _drawn(game: Game[Any, Any], laid: Mat, seats: int, chip: Chip, paper: Paper, language: Lang) -> bytes:
    from companion.app.opening import load_texts
    from companion.app.sheet import Order, sheet
    from companion.library import Names, Speaker, shelf
    from firmware_bridge.plan import wired

    pack = shelf.pack(game)
    names = Names((), lambda piece: game.describe(pack, piece), game.place)
    wires = wired(tuple(reader for reader, _ in laid.readers()), chip)
    return sheet(Order(laid, seats, wires, Speaker(load_texts(game), language, names)), paper)


def _write_configs(laid: Mat, chip: Chip, folder: Path, force: bool) -> None:
    from firmware_bridge.plan import configs

    for number, text in enumerate(configs(tuple(reader for reader, _ in laid.readers()), chip), 1):
        file = folder / f"pico-{number}.py"
        keep(file, text.encode(), force, f"With Pico {number} alone on USB: companion flash --config {file}")


def keep(file: Path, content: bytes, force: bool, then: str) -> None:
    """Write a file, but never overwrite one unasked."""
    if file.exists() and not force:
        raise CouldNot(f"{file} already exists and was left as it is. Choose another name, or add --force.")
    try:
        file.write_bytes(content)
    except OSError as error:
        raise CouldNot(f"{file} cannot be written ({error.strerror}). Choose another place.") from error
    click.echo(f"Wrote {file}. {then}")
