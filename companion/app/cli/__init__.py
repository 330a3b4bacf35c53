"""The command line, for the people who look after a table."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final, Self

import click

from companion import __version__
from companion.core import CompanionError

from .options import CouldNot

FOUND_IN: Final = {
    "run": "run",
    "hub": "hub",
    "demo": "demo",
    "games": "games",
    "plays": "plays",
    "enrol": "enrol",
    "flash": "flash",
    "mat": "mat",
    "print": "prints",
    "tags": "tags",
    "replay": "replay",
    "journal": "journal",
    "backup": "backup",
    "restore": "backup",
    "rehearse": "rehearse",
    "update": "update",
    "wifi": "wifi",
    "stick": "stick",
    "export": "transfer",
    "import": "transfer",
    "script": "script",
    "sim": "sim",
    "prove": "prove",
    "kit": "kit",
    "doctor": "doctor",
}
"""Which file here has which command, in the order of the manual."""


class Commands(click.Group):
    """Loads a command only when it is called, so that starting a table does not wait for all the others.

    Our own errors end a command with their text and exit code 1; tracebacks are for the unexpected.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(FOUND_IN)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return self._loaded(cmd_name) if cmd_name in FOUND_IN else None

    def load_all(self) -> Self:
        for name in FOUND_IN:
            self._loaded(name)
        return self

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except CompanionError as error:
            raise CouldNot.because(error) from error

    def _loaded(self, name: str) -> click.Command:
        if name not in self.commands:
            module = import_module(f".{FOUND_IN[name]}", __name__)
            self.add_command(getattr(module, f"{name}_" if name in ("import", "print") else name))
        return self.commands[name]


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(__version__, "--version", prog_name="companion", help="Show the version and end.")
def main() -> None:
    """A referee in a box for the game table: it follows real cards, refuses what the rules forbid and says why.

    Start with "companion run". Each command has its own --help.
    """
