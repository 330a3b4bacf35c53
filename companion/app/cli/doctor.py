"""`companion doctor`: what is wrong, and how to cure it."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Final

import click
import msgspec

import companion
from companion.core import CompanionError
from companion.library import LANGS, Lang, Settings, Speaker, Texts, load_settings
from companion.table import Checkup, Found

from .options import CouldNot, with_data

LOCALE: Final = Path(companion.__file__).parent / "locale"
POLITELY: Final = 10


@click.command()
@with_data
@click.option(
    "--bundle",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also write what a helper needs to know into this zip file: no names, no tags, no addresses, no game.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs: keys and facts instead of words.")
@click.pass_context
def doctor(ctx: click.Context, data: Path, bundle: Path | None, as_json: bool) -> None:
    """Check everything a table needs, and say what is wrong and how to cure it.

    It repairs nothing itself. The exit code is 1 if something is wrong that stops people playing. Missing hardware is
    not wrong on a machine that is not a Raspberry Pi: there the table is pretend. The result is also shown on the
    display, if there is one and nobody is playing; phones show it under More.
    """
    from .club_checks import club
    from .device_checks import devices, show
    from .program_checks import program

    if as_json:
        with contextlib.suppress(OSError):  # a service may not
            os.nice(POLITELY)  # somebody is playing, and their taps come first
    found = (*program(data), *devices(data), *club(data))
    if as_json:
        click.echo(msgspec.json.encode(found))
    else:
        click.echo("\n".join(report(found, speaker(data))))
        show(found, data)
    if bundle is not None:
        _write(bundle, found, data)
    if any(each.stops for each in found):
        ctx.exit(1)


def _write(path: Path, found: Checkup, data: Path) -> None:
    from . import bundle

    try:
        bundle.write(path, report(found, speaker(data, "en")), data)
    except OSError as error:
        raise CouldNot(f"{path} cannot be written ({error.strerror}). Choose another place.") from error
    click.echo(f"Wrote {path}. Check its contents before you pass it on.")


def chosen_in(data: Path) -> Settings:
    """The settings of a folder; the defaults if they cannot be read, which is reported elsewhere."""
    try:
        return load_settings(data)
    except CompanionError:
        return Settings()


def speaker(data: Path, lang: Lang | None = None) -> Speaker:
    """Speaks the language of the settings; only says keys if the texts themselves are missing."""
    try:
        texts = Texts.load(LOCALE)
    except CompanionError:
        texts = Texts(dict.fromkeys(LANGS, ()))
    return Speaker(texts, lang or chosen_in(data).language)


def report(found: Checkup, speaks: Speaker) -> list[str]:
    """Every finding with its cure below, and at the end whether people can play."""
    lines = [line for each in found for line in _told(each, speaks)]
    stops = sum(each.stops for each in found)
    return [*lines, speaks.key("doctor.cannot-play", n=stops) if stops else speaks.key("doctor.can-play")]


def _told(found: Found, speaks: Speaker) -> list[str]:
    state, what = speaks.key(f"doctor.state.{found.state}"), speaks.say(found.said)
    lines = [f"{state:<8}  {_indented(what)}"]
    if (cure := speaks.say(found.said, "hands")) != what:
        lines.append(f"          → {_indented(cure)}")
    return lines


def _indented(text: str) -> str:
    return text.replace("\n", "\n            ")
