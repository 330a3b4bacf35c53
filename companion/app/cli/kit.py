"""`companion kit`: everything the contract asks, asked of one game."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import click

from .options import CouldNot, game_given

_PACKAGE = "companion.app.kit"


@click.command()
@click.argument("game", metavar="GAME", callback=game_given)
@click.option(
    "--tests",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The game's own tests: second referee, counted trees, rules. By default the folder “tests” here.",
)
@click.option(
    "-k", "only", metavar="WORDS", default="", help="Only ask tests whose name has these words, as in pytest."
)
@click.option("-n", "processes", metavar="N", default="", help="How many at a time; needs pytest-xdist.")
@click.pass_context
def kit(ctx: click.Context, game: str, tests: Path | None, only: str, processes: str) -> None:
    """Ask GAME for everything that the contract promises: legality, secrets, record, texts, and more.

    It plays the game by itself, with controls: builds broken on purpose, which must be noticed. Whatever is missing is
    reported along with what to do. Set REGENERATE_PERFT=1 to count the trees of legal play again.
    """
    if importlib.util.find_spec("pytest") is None:
        raise CouldNot("The kit runs with pytest, which is not installed. To install: pip install pytest")
    if processes and importlib.util.find_spec("xdist") is None:
        raise CouldNot("-n needs pytest-xdist, which is not installed. To install: pip install pytest-xdist")
    folder = _folder()
    wanted = {"KIT_GAMES": game, **({"KIT_TESTS": str(tests.absolute())} if tests is not None else {})}
    words = (*(("-k", only) if only else ()), *(("-n", processes) if processes else ()))
    command = (sys.executable, "-m", "pytest", str(folder), "-c", str(folder / "pytest.ini"), "--quiet", "-rs", *words)
    # The path as it is here, because a game may be in a folder that only this process was told of.
    path = os.pathsep.join(part for part in sys.path if part)
    ctx.exit(subprocess.run(command, env=os.environ | wanted | {"PYTHONPATH": path}, check=False).returncode)


def _folder() -> Path:
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise CouldNot("This companion came without the kit. Reinstall the companion.")
    return Path(spec.origin).parent
