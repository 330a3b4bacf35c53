"""Evenings and seasons: when a result counts. An evening goes on after midnight; a season begins when its club says."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final

from msgspec import Struct

from companion.core import CompanionError

TURNS: Final = timedelta(hours=6)
"""What ends before six in the morning belongs to the evening before."""


class NoSeason(CompanionError, ValueError):
    """A season that nobody can read."""


class Season(Struct, frozen=True, order=True):
    """From its first day on, until the next one begins; `name` is what the club calls it."""

    begins: date
    name: str


ALWAYS: Final = Season(date.min, "")
"""The one before any that a club has named."""


def evening_of(at: float) -> date:
    """The evening to which a moment belongs, by this machine's clock on the wall."""
    return (datetime.fromtimestamp(at).astimezone() - TURNS).date()


def seasons_of(lines: tuple[str, ...]) -> tuple[Season, ...]:
    """Seasons as people write them, `2026-03-01 Spring`, in their order; before the first is one without a name."""
    return tuple(sorted((ALWAYS, *map(_season, lines))))


def _season(line: str) -> Season:
    day, _, name = line.strip().partition(" ")
    try:
        return Season(date.fromisoformat(day), name.strip() or day)
    except ValueError:
        raise NoSeason(f"{line!r} is no season; write first day and name: 2026-03-01 Spring") from None


def season_at(seasons: tuple[Season, ...], evening: date) -> Season:
    """The one to which an evening belongs."""
    return max(season for season in seasons if season.begins <= evening)
