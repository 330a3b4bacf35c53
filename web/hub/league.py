"""The league: ratings over the evenings of a season, from places alone. The same results always make the same table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace
from openskill.models import PlackettLuce

from companion.library import Play, Player

from .seasons import Season, evening_of, season_at

BEGIN: Final = 25.0
"""Everybody's first rating. A rating is what somebody has shown with confidence: it grows with games and with wins."""


class Row(Struct, frozen=True):
    """One player in the league. Equal ratings share a `rank`; `tonight` is the change since the last evening."""

    rank: int
    name: str
    rating: float
    games: int
    wins: int
    evenings: int
    tonight: float | None
    """None for anybody who hasn't played that evening."""


class Rated(Struct, frozen=True):
    """One player's way through a season: the rating after each play."""

    name: str
    ratings: tuple[float, ...]
    plays: tuple[Play, ...]


class League(Struct, frozen=True):
    season: Season
    evenings: tuple[date, ...]
    rows: tuple[Row, ...]
    players: Mapping[str, Rated]
    """By name, as normalised by `key_of`."""


def key_of(name: str) -> str:
    """The same name is the same person, whatever its case."""
    return " ".join(name.split()).casefold()


def people(play: Play, left_out: frozenset[str]) -> tuple[Player, ...]:
    """Who counts in the league: no bots, nobody left out or unnamed, and each name once."""
    named = [p for p in play.players if p.name and not p.bot and key_of(p.name) not in left_out]
    once = Counter(key_of(p.name) for p in named)
    return tuple(p for p in named if once[key_of(p.name)] == 1)


def league(
    plays: Iterable[Play], seasons: tuple[Season, ...], at: date, left_out: frozenset[str] = frozenset()
) -> League:
    """The season that contains the evening `at`. Plays count in the order of their ends, in whatever order they are
    given.
    """
    season = season_at(seasons, at)
    counted = [p for p in _once(plays) if season_at(seasons, evening_of(p.ended)) == season]
    counted = [play for play in counted if _decided(people(play, left_out))]
    evenings = tuple(sorted({evening_of(play.ended) for play in counted}))
    players = _rated(counted, left_out)
    rows = sorted((_row(standing, evenings[-1]) for standing in players.values()), key=lambda r: (-r.rating, r.name))
    return League(season, evenings, tuple(_ranked(rows)), players)


def _once(plays: Iterable[Play]) -> list[Play]:
    """Each play once, ordered by its end; ties are broken the same way every time."""
    return sorted({play.id: play for play in plays}.values(), key=lambda play: (play.ended, play.id))


def _decided(who: tuple[Player, ...]) -> bool:
    """Whether the play says anything: at least two people, and somebody has won."""
    return len(who) > 1 and all(player.place for player in who)


def _rated(plays: Iterable[Play], left_out: frozenset[str]) -> dict[str, Rated]:
    model = PlackettLuce()
    ratings: dict[str, Any] = {}
    found: dict[str, tuple[str, list[float], list[Play]]] = {}
    for play in plays:
        who = people(play, left_out)
        teams = [[ratings.get(key_of(p.name)) or model.rating()] for p in who]
        rated = model.rate(teams, ranks=[float(p.place) for p in who])
        for player, (rating,) in zip(who, rated, strict=True):
            key = key_of(player.name)
            ratings[key] = rating
            _, values, played = found.setdefault(key, (player.name, [], []))
            values.append(rating.ordinal(target=BEGIN))
            played.append(play)
    return {key: Rated(name, tuple(values), tuple(played)) for key, (name, values, played) in found.items()}


def _row(standing: Rated, last: date) -> Row:
    key, plays, values = key_of(standing.name), standing.plays, standing.ratings
    before = [value for play, value in zip(plays, values, strict=True) if evening_of(play.ended) != last]
    is_here = len(before) < len(values)
    return Row(
        rank=0,
        name=standing.name,
        rating=round(values[-1], 1),
        games=len(plays),
        wins=sum(p.won for play in plays for p in play.players if key_of(p.name) == key),
        evenings=len({evening_of(play.ended) for play in plays}),
        tonight=round(values[-1] - (before[-1] if before else BEGIN), 1) if is_here else None,
    )


def _ranked(rows: list[Row]) -> Iterator[Row]:
    for row in rows:
        yield replace(row, rank=1 + sum(other.rating > row.rating for other in rows))
