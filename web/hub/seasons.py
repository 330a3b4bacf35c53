"""Evenings and seasons: when a result counts. An evening lasts beyond midnight; the club says when a season begins."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final

from msgspec import Struct

from companion.core import CompanionError

TURNS: Final = timedelta(hours=6)
"""What ends before six in the morning belongs to the evening before."""


class NoSeason(CompanionError, ValueError):
    """A season that can't be read."""


class Season(Struct, frozen=True, order=True):
    """From its first day until the next one begins; `name` is the club's name for it."""

    begins: date
    name: str


ALWAYS: Final = Season(date.min, "")
"""The season before the first one that the club has named."""


def evening_of(at: float) -> date:
    """The evening that contains a moment, by this machine's wall clock."""
    return (datetime.fromtimestamp(at).astimezone() - TURNS).date()


def seasons_of(lines: tuple[str, ...]) -> tuple[Season, ...]:
    """Seasons as people write them, `2026-03-01 Spring`, in order; before the first is one without a name."""
    return tuple(sorted((ALWAYS, *map(_season, lines))))


def _season(line: str) -> Season:
    day, _, name = line.strip().partition(" ")
    try:
        return Season(date.fromisoformat(day), name.strip() or day)
    except ValueError:
        raise NoSeason(f"{line!r} is no season; write first day and name: 2026-03-01 Spring") from None


def season_at(seasons: tuple[Season, ...], evening: date) -> Season:
    """The season that contains an evening."""
    return max(season for season in seasons if season.begins <= evening)
