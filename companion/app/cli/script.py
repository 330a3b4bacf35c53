"""`companion script`: whole evenings as text, played on the real table with pretend devices."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from companion.library import LANGS

from .options import CouldNot

if TYPE_CHECKING:
    from companion.app.script import Line, Report, Script
    from companion.library import Lang
    from companion.table import Snapshot


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--lang",
    metavar="|".join(LANGS),
    type=click.Choice(LANGS),
    help="The display's language; by default the script's.",
)
@click.option("--wire", is_flag=True, help="Tap and press through a pretend Pico, its cable and pretend pins.")
@click.option("--count", is_flag=True, help="Report how many inputs each turn needed.")
@click.option(
    "--save-oled",
    "pictures",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Save a picture of the display after each line here.",
)
def script(files: tuple[Path, ...], lang: Lang | None, wire: bool, count: bool, pictures: Path | None) -> None:
    """Play each FILE, a table script, and print where the play differs from it.

    Table, journal and referee are the real ones, and nothing is kept. docs/table-script.md explains how to write
    scripts. The exit code is 1 if anything differs.
    """
    from companion.app.script import read_file

    scripts = [read_file(path) for path in files]
    reports = [_run(_in(one, lang), wire, pictures) for one in scripts]
    for report in reports:
        for line in _told(report, count):
            click.echo(line)
    if wrong := sum(len(report.differences) for report in reports):
        raise CouldNot(f"{wrong} {'line differs' if wrong == 1 else 'lines differ'}.")


def _in(script: Script, lang: Lang | None) -> Script:
    return script if lang is None else replace(script, header=replace(script.header, lang=lang))


def _run(script: Script, wire: bool, pictures: Path | None) -> Report:
    from companion.app.script import run

    if pictures is None:
        return run(script, wire=wire)
    from companion.app.opening import load_texts
    from companion.library import Speaker
    from hw.display import draw

    texts, lang, stem = load_texts(script.header.game), script.header.lang, Path(script.file).stem
    pictures.mkdir(parents=True, exist_ok=True)

    def save(line: Line, now: Snapshot) -> None:
        page = now.page if now.flash is None else now.flash
        draw(page, Speaker(texts, lang, now.names())).save(pictures / f"{stem}-{line.number:04}.png")

    return run(script, wire=wire, watch=save)


def _told(report: Report, count: bool) -> Iterator[str]:
    for difference in report.differences:
        yield difference.told()
    state = f"{len(report.differences)} differ" if report.differences else "as expected"
    yield f"{report.script.file}: {report.expected} expectations, {state}"
    if count:
        yield f"    {counted(report)}"


def counted(report: Report) -> str:
    """How much hands had to do, in one line."""
    c = report.count
    per = f"{c.per_turn:.1f} for each turn, {c.per_act:.1f} for each act"
    return f"{c.inputs} inputs, {c.chance} of them for chance; {c.acts} acts in {c.turns} turns: {per}"
