"""Writes `docs/commands.md` from the help of the commands: python -m companion.app.cli.manual > docs/commands.md"""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import click


def manual(root: click.Group) -> str:
    """Every command with its help and its options, as Markdown."""
    return "\n".join(_command(root, "companion", 1)) + "\n"


def _command(command: click.Command, called: str, depth: int) -> Iterator[str]:
    arguments = "".join(f" {p.metavar or p.name}" for p in command.params if isinstance(p, click.Argument))
    options = [p for p in command.params if isinstance(p, click.Option)]
    below = ""
    if isinstance(command, click.Group):
        below = " [COMMAND]" if command.invoke_without_command else " COMMAND"
    more = f"{' [OPTIONS]' if options else ''}{arguments}{below}"
    yield f"{'#' * min(depth, 3)} {called}"
    yield ""
    if depth == 1:
        yield "*Made from the commands' own help; `companion COMMAND --help` shows the same.*"
        yield ""
    yield f"    {called}{more}"
    yield ""
    yield inspect.cleandoc(command.help or "")
    yield ""
    if options:
        yield from ("| option | |", "|---|---|", *map(_option, options), "")
    if isinstance(command, click.Group):
        for name, inner in command.commands.items():
            yield from _command(inner, f"{called} {name}", depth + 1)


def _option(option: click.Option) -> str:
    names = [*option.opts]
    value = "" if option.is_flag or option.count else f" {option.metavar or option.name}"
    shown = ", ".join(f"`{name}{value}`" for name in names)
    other = "".join(f" / `{name}`" for name in option.secondary_opts)
    text = (option.help or "").replace("|", "\\|")
    return f"| {shown}{other} | {text} |".replace("en|fr`", "en\\|fr`")


if __name__ == "__main__":
    from companion.app.cli import main

    click.echo(manual(main.load_all()), nl=False)
