"""`companion prove`: whole evenings while everything goes wrong, and what came of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .options import CouldNot

if TYPE_CHECKING:
    from companion.app.prove import Outcome, Results


@click.command()
@click.option("--games", metavar="N", type=click.IntRange(1), default=20, help="How many evenings; without it, 20.")
@click.option("--seed", metavar="S", type=click.IntRange(0), default=0, help="The first of them; without it, 0.")
@click.option("--minutes", metavar="M", type=click.FloatRange(0.0), help="Begin no more after so long.")
@click.option("--processes", metavar="P", type=click.IntRange(1), help="How many at a time; else two per processor.")
@click.option(
    "--folder",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("proof"),
    help="Where results are added up; without it, the folder proof.",
)
@click.option(
    "--again",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Play one script instead, with the faults that it names.",
)
def prove(
    games: int, seed: int, minutes: float | None, processes: int | None, folder: Path, again: Path | None
) -> None:
    """Play whole evenings while cables are pulled, processes killed and disks full, and hold them against the rules.

    All games on the shelf are played through the whole program: readers, table, journal, display, phones. What was
    played stays in DIR: asked again, only evenings that are missing there are played, so it can be stopped at any
    time. The report is in DIR too, as report.md and report.html. The exit code is 1 if anything was wrong: then DIR
    has a folder for each evening that failed, with a table script that shows it.
    """
    from companion.app.prove import Asked, Results, added_up, as_page, as_text, headline, run

    if again is not None:
        _again(again)
        return
    results = Results(folder)
    seeds = tuple(each for each in range(seed, seed + games) if each not in results.outcomes)
    more = {} if processes is None else {"processes": processes}
    seconds = float("inf") if minutes is None else 60 * minutes
    _played(run(Asked(seeds, folder, seconds=seconds, **more)), results, len(seeds))  # type: ignore[arg-type]
    total = added_up(results.outcomes.values())
    (folder / "report.md").write_text(as_text(total), encoding="utf-8")
    (folder / "report.html").write_text(as_page(total), encoding="utf-8")
    click.echo(headline(total))
    click.echo(f"The report: {folder / 'report.html'}")
    if total.failures:
        raise CouldNot(f"{len(total.failures)} failures; each has a folder in {folder} with a script that shows it.")


def _again(file: Path) -> None:
    from companion.app.prove import again, load

    load()
    failures = again(file.read_text(encoding="utf-8"))
    for failure in failures:
        click.echo(f"entry {failure.seq}, {failure.kind}: {failure.what.strip()}")
    if failures:
        raise CouldNot(f"{file} fails in {len(failures)} ways.")
    click.echo(f"{file} was played again, and nothing was wrong.")


def _played(outcomes: Iterator[Outcome], results: Results, count: int) -> None:
    """Note them as they come; stopped from the keyboard, what was played is kept."""
    survived = 0

    def shown(outcome: Outcome | None) -> str:
        return "" if outcome is None else f"{survived:,} faults survived, {outcome.game}"

    with click.progressbar(outcomes, length=count, label="proving", item_show_func=shown, file=sys.stderr) as bar:
        try:
            for outcome in bar:
                results.add(outcome)
                survived += sum(outcome.survived.values())
        except KeyboardInterrupt:
            click.echo("\nStopped; asked again, it goes on where it was.", err=True)
