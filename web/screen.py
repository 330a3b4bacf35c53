"""What a screen is: a template part, a title, a tab, and a value that holds everything the part may show."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from companion.core.facts import Said

from .visit import Visit

Tab = Literal["seat", "table", "history", "more", ""]
STILL: Final = "still"
"""What a stream is asked for by a page that stands still: only what surrounds the screen."""


class Screen(Struct, frozen=True):
    """One screen: the template part that draws it, its title, its tab, and what it shows."""

    part: str
    title: Said
    tab: Tab
    model: Any
    spoken: Said | None = None


Builder: TypeAlias = Callable[[Visit], Screen]
"""Makes a screen of one look at the table."""
