"""`companion wifi`: the box's own Wi-Fi, for tables without one, and a card to print."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .options import AskedWrongly, CouldNot, made, with_data

if TYPE_CHECKING:
    from companion.app.hotspot import Hotspot


@click.group()
def wifi() -> None:
    """Give the box a Wi-Fi of its own, for places without one."""


@wifi.command()
@click.argument("name", metavar="NAME")
@with_data
def make(name: str, data: Path) -> None:
    """Choose NAME and a random password for the box's own Wi-Fi. An existing one with this name stays."""
    import msgspec

    from companion.app import hotspot

    there = hotspot.load(made(data))
    if there is not None and there.name == name:
        click.echo(f"The Wi-Fi {name} already exists and keeps its password.")
        return
    try:
        new = msgspec.convert(msgspec.to_builtins(hotspot.fresh(name)), hotspot.Hotspot)
    except msgspec.ValidationError as error:
        raise AskedWrongly(f"{name!r} is not a name for a Wi-Fi: use 1 to 32 plain letters.") from error
    hotspot.save(data, new)
    click.echo(f"The Wi-Fi {name} has the password {new.password}. The display shows it: hold NEXT, then NEXT.")


@wifi.command()
@with_data
def profile(data: Path) -> None:
    """Print the Wi-Fi as NetworkManager stores it; the installer puts it in place."""
    click.echo(_made(data).profile(), nl=False)


@wifi.command()
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@with_data
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
def card(file: Path, data: Path, force: bool) -> None:
    """Write a card to print and put on the table, with both QR codes: first the Wi-Fi, then the companion."""
    from companion.app import hotspot
    from companion.library import load_settings, write_whole
    from web.card import card_page

    if file.exists() and not force:
        raise CouldNot(f"{file} already exists and was left as it is. Choose another name, or add --force.")
    found, chosen = _made(data), load_settings(data)
    port = "" if chosen.port == 80 else f":{chosen.port}"
    write_whole(file, card_page(found.name, found.password, found.code, f"http://{hotspot.ADDRESS}{port}"))
    click.echo(f"Wrote {file}. Open it in a browser and print it.")


@wifi.command(hidden=True)
@click.argument("folder", metavar="FOLDER", type=click.Path(exists=True, file_okay=False, path_type=Path))
@with_data
def answer(folder: Path, data: Path) -> None:
    """Do what the companion asks for in FOLDER: open its own Wi-Fi, join one, or leave. Used by the systemd unit."""
    from companion.app import hotspot
    from companion.app.network import Doing

    try:
        own = hotspot.load(data)
    except hotspot.HotspotError:
        own = None  # the companion reports that itself, and NetworkManager may still have the previous one
    if why := Doing(folder, own=own).answer():
        ours = "The Wi-Fi could not be changed. Phones find the box in its own, if it has one."
        raise CouldNot(f"{ours} What went wrong: {why}")


def _made(data: Path) -> Hotspot:
    from companion.app import hotspot

    found = hotspot.load(data)
    if found is None:
        raise CouldNot("This box has no Wi-Fi of its own yet. To create one: companion wifi make NAME")
    return found
