"""Options of the commands, checked before anything starts."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

if TYPE_CHECKING:
    from companion.library import TurnClock

from companion.core import CompanionError

F = TypeVar("F", bound=Callable[..., Any])

_FOLDERS: Final = ("COMPANION_DATA", "STATE_DIRECTORY")


class CouldNot(click.ClickException):
    """The request was right but could not be carried out: one sentence, exit code 1."""

    exit_code = 1

    @classmethod
    def because(cls, error: CompanionError) -> CouldNot:
        return cls(text_of(error))


class AskedWrongly(click.ClickException):
    """The request makes no sense: one sentence that says what to ask for instead, exit code 2."""

    exit_code = 2


def text_of(error: Exception) -> str:
    """The sentence of an error, without the number that the system puts in front of its own."""
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)


def usual_data() -> Path:
    """Where games, tags and settings are by default: as set in the environment, or in the user's home."""
    for name in _FOLDERS:
        first = os.environ.get(name, "").split(os.pathsep)[0]
        if first:
            return Path(first)
    return Path.home() / ".local" / "share" / "table-companion"


def made(data: Path) -> Path:
    """The data folder, created if it is missing."""
    try:
        data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CouldNot(
            f"The data folder {data} cannot be created ({error.strerror}). Choose another with --data, "
            "or make it writable for this user."
        ) from error
    return data


def _data(ctx: click.Context, _param: click.Parameter, given: Path | None) -> Path:
    """The data folder; an interrupted changeover in it is finished first.

    `run` does that itself, and shows on the display if it cannot.
    """
    data = _meant(ctx, given)
    if ctx.info_name != "run" and (data / ".changeover").is_dir():  # needed only then, so only loaded then
        from companion.app.changeover import finish

        finish(data)
    return data


def _meant(ctx: click.Context, given: Path | None) -> Path:
    if given is not None:
        return given.expanduser()
    while ctx.parent is not None:
        ctx = ctx.parent
        if isinstance(above := ctx.params.get("data"), Path):
            return above
    return usual_data()


def with_data(command: F) -> F:
    """Adds --data; below a command that has it too, it may go in either place."""
    return click.option(
        "--data",
        metavar="DIR",
        type=click.Path(file_okay=False, path_type=Path),
        callback=_data,
        help="The folder with games, tags and settings. By default $COMPANION_DATA, else $STATE_DIRECTORY, "
        "else ~/.local/share/table-companion.",
    )(command)


def game_given(_ctx: click.Context, _param: click.Parameter, given: str | None) -> str | None:
    """The id of a game on the shelf."""
    from companion.library import shelf

    try:
        return None if given is None else shelf.open(given).id
    except shelf.UnknownGame as error:
        raise AskedWrongly(f"There is {error}") from error


def mat_given(_ctx: click.Context, _param: click.Parameter, given: str | None) -> str | None:
    """The name of a mat that some game has."""
    from companion.library import mat_names

    if given is not None and given not in (there := mat_names()):
        raise AskedWrongly(f"No game has a mat {given!r}. There are: {', '.join(there)}.")
    return given


def clock_given(_ctx: click.Context, _param: click.Parameter, given: str | None) -> TurnClock | None:
    """A turn clock, such as strict:60."""
    import msgspec

    from companion.library import TurnClock

    if given is None:
        return None
    kind, _, seconds = given.partition(":")
    wanted: dict[str, str | int] = {"kind": kind}
    if seconds:
        wanted["seconds"] = int(seconds) if seconds.isdecimal() else seconds
    try:
        return msgspec.convert(wanted, TurnClock)
    except msgspec.ValidationError:
        said = "soft, strict or off, and 5 to 3600 seconds, such as strict:60"
        raise AskedWrongly(f"--clock {given!r} is not a turn clock: use {said}.") from None


def with_game(what: str) -> Callable[[F], F]:
    """Adds --game, the id of a game on the shelf."""
    return click.option("--game", metavar="ID", callback=game_given, help=what)


def with_verbose(command: F) -> F:
    return click.option("-v", "--verbose", count=True, help="Log more to standard error; -vv even more.")(command)
