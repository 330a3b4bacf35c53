"""`companion export` and `companion import`: one game as one file, for a backup or another box."""

from __future__ import annotations

from pathlib import Path

import click

from .games import look, standing
from .options import CouldNot, made, with_data
from .replay import row_of


@click.command()
@click.argument("table", metavar="ID")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@with_data
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
@click.option("--with-secrets", is_flag=True, help="Write the game even if unfinished; the file reveals every hand.")
def export(table: str, file: Path, data: Path, force: bool, with_secrets: bool) -> None:
    """Write the game ID to FILE, whole or not at all.

    The file has every entry and therefore every hand and sealed pile. An unfinished game is written only with
    --with-secrets; then keep the file from its players.
    """
    with look(data) as journal:
        row = row_of(journal, table)
        if file.is_dir():
            raise CouldNot(f"{file} is a folder. Name the file to write, such as {file / (table + '.jsonl')}")
        if file.exists() and not force:
            raise CouldNot(f"{file} already exists and was left as it is. Choose another name, or add --force.")
        unfinished = standing(journal, row) == "unfinished"
        if unfinished and not with_secrets:
            raise CouldNot(
                f"Game {table} is unfinished: its file would reveal every hand. Finish or archive it first, or add "
                "--with-secrets and keep the file from the players."
            )
        journal.export(table, file)
    click.echo(f"Wrote game {table} ({row.game}, {', '.join(row.names)}) with {row.seq} entries to {file}.")
    if unfinished:
        click.echo("It is unfinished, and its secrets are in the file: keep it from the players.")


@click.command("import")
@click.argument("file", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@with_data
def import_(file: Path, data: Path) -> None:
    """Add the game in FILE, an export, to the journal.

    Every entry is checked; a file that was changed or cut short is refused as a whole. A game that is already here
    stays as it is.
    """
    from companion.journal import JOURNAL, Journal

    with Journal.open(made(data) / JOURNAL) as journal:
        imported = journal.import_(file)
        row = row_of(journal, imported.table)
    if imported.already:
        click.echo(f"The game in {file} is already here, as {imported.table}; nothing was changed.")
        return
    click.echo(
        f"Imported game {imported.table} ({row.game}, {', '.join(row.names)}) with {row.seq} entries. "
        "To resume it: companion run"
    )
