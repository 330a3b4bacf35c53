"""`companion tags`: the tagbook as a file, for a backup or another box."""

from __future__ import annotations

from pathlib import Path

import click

from .options import CouldNot, made, with_data


@click.group()
def tags() -> None:
    """Carry the tagbook from box to box: which tag is which piece."""


@tags.command()
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@with_data
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
def export(file: Path, data: Path, force: bool) -> None:
    """Write every tag to FILE, whole or not at all."""
    from companion.library import TAGS, Tagbook

    if file.exists() and not force:
        raise CouldNot(f"{file} already exists and was left as it is. Choose another name, or add --force.")
    book = Tagbook.load(data / TAGS)
    book.save_as(file)
    click.echo(f"Wrote {len(book.all())} tags to {file}.")


@tags.command("import")
@click.argument("file", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@with_data
def import_(file: Path, data: Path) -> None:
    """Add the tags in FILE, an export, to the tagbook.

    A tag that is something else here stays that, and is listed.
    """
    from companion.library import TAGS, Tagbook

    taken = Tagbook.load(made(data) / TAGS).take_in(Tagbook.load(file))
    click.echo(f"Added {taken.added} tags; {taken.same} were here already.")
    if taken.differ:
        listed = ", ".join(taken.differ)
        click.echo(f"Left alone, being something else here: {listed}. To free one first: companion enrol --forget UID")
