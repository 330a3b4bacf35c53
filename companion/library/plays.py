"""A finished game as people log it and as other programs read it: BG Stats (`.bgsplay`) and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID, uuid5

import msgspec
from msgspec import Struct

from companion.core import GameId, SeatId

_OURS: Final = UUID("5d0c6f0e-6c5f-5f5c-9e8e-7b1d8a2f4c31")
"""The namespace of the ids we make, so that the same play, player or game always gets the same id."""
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet would take for a formula and run."""
COLUMNS: Final = ("play", "date", "minutes", "game", "bgg", "table", "place", "player", "score", "won", "bot")


class Player(Struct, frozen=True):
    """The player of one seat, in the order of the seats. `name` is "" if they asked to be left out."""

    name: str
    place: int
    """1 for a winner; 0 if nobody won. Ties share a place, and the next one is skipped."""
    score: int | None = None
    bot: bool = False

    @property
    def won(self) -> bool:
        return self.place == 1


class Play(Struct, frozen=True):
    """One finished game: what, where, when, who, and how they did. The same game always has the same `id`."""

    id: str
    game: GameId
    title: str
    table: str
    """Where it was played, by the name the table gives itself."""
    began: float
    ended: float
    minutes: int
    """How long people played, without long breaks."""
    players: tuple[Player, ...]
    bgg: int = 0

    def called(self, seat: int) -> str:
        """The name of a player; those left out are called by the number of their seat."""
        return self.players[seat].name or f"#{seat + 1}"


def play_id(table: str, opened: float) -> str:
    """The id of a play, from its game in the journal and the moment that was opened."""
    return str(uuid5(_OURS, f"play {table} {opened!r}"))


def places(winners: Sequence[SeatId], scores: Sequence[int | None]) -> tuple[int, ...]:
    """The place of each seat: winners are first; the others follow by score or, without one, share the next place."""
    if not winners:
        return (0,) * len(scores)
    has = [(seat in winners, 0 if seat in winners else score or 0) for seat, score in enumerate(scores)]
    return tuple(1 + sum(other > own for other in has) for own in has)


def as_csv(plays: Iterable[Play]) -> str:
    """One line per player of each play, with a header; times are this machine's."""
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\r\n")
    lines.writerow(COLUMNS)
    for play in plays:
        for seat, player in enumerate(play.players):
            what = (play.id, _day(play.began), play.minutes, _safe(play.title), play.bgg or "", _safe(play.table))
            score = "" if player.score is None else player.score
            lines.writerow(
                (*what, player.place or "", _safe(play.called(seat)), score, int(player.won), int(player.bot))
            )
    return out.getvalue()


def _safe(text: str) -> str:
    """The name as it is, unless it starts like a formula: people choose their own names."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def _day(at: float) -> str:
    return datetime.fromtimestamp(at).astimezone().strftime("%Y-%m-%d %H:%M:%S")


class _Named(Struct, frozen=True, rename="camel"):
    """A player or a place, in the words of BG Stats."""

    id: int
    uuid: str
    name: str
    is_anonymous: bool = False


class _Game(Struct, frozen=True, rename="camel"):
    id: int
    uuid: str
    name: str
    bgg_id: int
    bgg_name: str
    no_points: bool
    highest_wins: bool = True
    cooperative: bool = False
    uses_teams: bool = False
    is_base_game: bool = True


class _Score(Struct, frozen=True, rename="camel"):
    player_ref_id: int
    score: str
    winner: bool
    rank: int
    seat_order: int
    start_player: bool = False
    new_player: bool = False


class _Played(Struct, frozen=True, rename="camel"):
    uuid: str
    play_date: str
    entry_date: str
    modification_date: str
    duration_min: int
    game_ref_id: int
    location_ref_id: int
    player_scores: tuple[_Score, ...]
    manual_winner: bool
    ignored: bool = False
    uses_teams: bool = False
    rounds: int = 0
    scoring_setting: int = 0


class _File(Struct, frozen=True, rename="camel"):
    players: tuple[_Named, ...]
    locations: tuple[_Named, ...]
    games: tuple[_Game, ...]
    plays: tuple[_Played, ...]
    user_info: dict[str, int]
    about: str = "table companion"


def as_bgstats(plays: Iterable[Play]) -> bytes:
    """The plays as BG Stats imports them. It recognises a play that is imported again by its `uuid`."""
    made = tuple(plays)
    names = _numbered(play.called(seat) for play in made for seat in range(len(play.players)))
    where = _numbered(play.table for play in made)
    games = _numbered(play.game for play in made)
    titled = {play.game: play for play in made}
    file = _File(
        players=tuple(_Named(n, _named("player", name), name, name.startswith("#")) for name, n in names.items()),
        locations=tuple(_Named(n, _named("location", name), name) for name, n in where.items()),
        games=tuple(_game(n, titled[GameId(game)]) for game, n in games.items()),
        plays=tuple(_played(play, games[play.game], where[play.table], names) for play in made),
        user_info={"meRefId": 0},
    )
    return msgspec.json.format(msgspec.json.encode(file), indent=1)


def _numbered(names: Iterable[str]) -> dict[str, int]:
    return {name: n for n, name in enumerate(dict.fromkeys(names), 1)}


def _named(kind: str, name: str) -> str:
    return str(uuid5(_OURS, f"{kind} {name}"))


def _game(number: int, play: Play) -> _Game:
    no_points = all(player.score is None for player in play.players)
    known_as = play.title if play.bgg else ""
    return _Game(number, _named("game", play.game), play.title, play.bgg, known_as, no_points)


def _played(play: Play, game: int, where: int, names: dict[str, int]) -> _Played:
    scores = tuple(
        _Score(
            names[play.called(seat)],
            "" if who.score is None else str(who.score),
            who.won,
            who.place,
            seat + 1,
            seat == 0,
        )
        for seat, who in enumerate(play.players)
    )
    began, ended = _day(play.began), _day(play.ended)
    return _Played(play.id, began, ended, ended, play.minutes, game, where, scores, manual_winner=True)
