"""The players' names as given on the command line."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

import click

from .options import AskedWrongly


def names_given(_ctx: click.Context, _param: click.Parameter, given: str | None) -> tuple[str, ...] | None:
    """The names of an option, cleaned up like those that phones give."""
    return None if given is None else names_in(given)


def names_in(given: str) -> tuple[str, ...]:
    """The names in “Ada,Ben,Chloé”; AskedWrongly if one is empty, too long or repeated."""
    names = tuple(_named(given))
    for at, name in enumerate(names):
        if name.casefold() in (other.casefold() for other in names[:at]):
            raise AskedWrongly(f"The name {name!r} is used twice. Give every seat its own name with --seats.")
    return names


def _named(given: str) -> Iterator[str]:
    from web.door import LONGEST_NAME, clean_name

    for number, part in enumerate(given.split(","), start=1):
        name = clean_name(part)
        if not name:
            raise AskedWrongly(f"Seat {number} of {given!r} has no name. Give one to each, as in --seats Ada,Ben.")
        if len(unicodedata.normalize("NFKC", part).strip()) > LONGEST_NAME and len(name) >= LONGEST_NAME - 1:
            raise AskedWrongly(
                f"The name {name!r}… is longer than {LONGEST_NAME} characters, which no display can show. Shorten it."
            )
        yield name
