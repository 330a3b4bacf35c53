"""What a screen is, and the page where it is found."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from companion.core import Said

from .visit import Query, Visit

Tab = Literal["seat", "table", "history", "more", ""]
STILL: Final = "still"
"""The stream for static pages: only what surrounds the screen."""
WORDS: Final = re.compile(r".{1,60}")
"""Words to look for."""


class Screen(Struct, frozen=True):
    """One screen: the template part that draws it, its title, its tab, and a value with everything the part may
    show.
    """

    part: str
    title: Said
    tab: Tab
    model: Any
    spoken: Said | None = None


Builder: TypeAlias = Callable[[Visit], Screen | None]
"""Makes a screen for one visit; None if there is nothing to show."""


def _stay(_visit: Visit) -> str:
    return ""


class Page(Struct, frozen=True):
    """A screen and its address. A `live` one follows the game by itself, in a stream that asks for its name."""

    name: str
    build: Builder
    live: bool = False
    over: Literal["never", "may", "always"] = "never"
    """Whether it is a sheet that lies over another page: never, when our script asks for it, or always."""
    reads: Mapping[str, re.Pattern[str]] = {}
    """The parameters that a live screen reads, and their valid values; anything else causes no new drawing."""
    elsewhere: Callable[[Visit], str] = _stay
    """Where this phone belongs instead; "" if it is right here."""
    path: str = ""

    @property
    def address(self) -> str:
        return self.path or f"/{self.name}"

    def known(self, query: Query) -> Query:
        """Keeps only those parameters that this screen reads and knows."""
        return {name: query[name] for name, form in self.reads.items() if form.fullmatch(query.get(name, ""))}
