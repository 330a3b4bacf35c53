"""What was played at the club: results as plays, evening by evening, and the league made from them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import cache

from msgspec.structs import replace

from companion.core import GameId
from companion.library import Lang, Play, Player, Speaker, Texts, play_id, shelf

from .league import League, key_of, league
from .seasons import Season, evening_of
from .store import FromTable, Store


class Results:
    """Reads the store once after each change to it. Thread-safe.

    `delay` is how old a result must be to be shown; `clock` gives the time.
    """

    def __init__(
        self,
        store: Store,
        seasons: tuple[Season, ...],
        clock: Callable[[], float],
        delay: float = 0.0,
    ) -> None:
        self.seasons, self._store = seasons, store
        self._clock, self._delay = clock, delay
        self._kept: tuple[int, tuple[Play, ...]] = (-1, ())
        self.left_out: frozenset[str] = frozenset()
        self._league = cache(self._made)

    def plays(self) -> tuple[Play, ...]:
        """Every play that counts, oldest first; anybody left out has no name in it."""
        edition = self._store.edition()
        if self._kept[0] != edition:
            self.left_out = self._store.left_out()
            found = (self._play(result) for result in self._store.results())
            self._kept = edition, tuple(found)
            self._league = cache(self._made)
        latest = self._clock() - self._delay
        plays = self._kept[1]
        return plays if not self._delay else tuple(play for play in plays if play.ended <= latest)

    def evenings(self) -> tuple[date, ...]:
        """The evenings on which a game was finished, newest first."""
        return tuple(sorted({evening_of(play.ended) for play in self.plays()}, reverse=True))

    def evening(self, at: date) -> tuple[Play, ...]:
        """The games finished that evening, newest first."""
        return tuple(play for play in reversed(self.plays()) if evening_of(play.ended) == at)

    def league(self, at: date) -> League:
        """The league of the season to which the evening `at` belongs."""
        return self._league(self.plays(), at)

    def _made(self, plays: tuple[Play, ...], at: date) -> League:
        return league(plays, self.seasons, at)

    def tonight(self) -> date:
        return evening_of(self._clock())

    def _play(self, result: FromTable) -> Play:
        play = play_of(result, title_of(result.finished.game))
        return replace(play, players=tuple(self._named(player) for player in play.players))

    def _named(self, player: Player) -> Player:
        return replace(player, name="") if key_of(player.name) in self.left_out else player


@cache
def title_of(game: GameId, lang: Lang = "en") -> str:
    """A game's title, or its id if it isn't on this shelf."""
    if game not in shelf.games():
        return game
    return Speaker(Texts.load(*shelf.texts_folders(game)), lang).key("game.title")


def play_of(result: FromTable, title: str) -> Play:
    """A result as the play that the table's own box logs, with the same id."""
    told = result.finished
    return Play(
        id=play_id(told.record, told.opened),
        game=told.game,
        title=title,
        table=result.table,
        began=told.opened,
        ended=told.ended,
        minutes=round((told.ended - told.opened) / 60),
        players=tuple(Player(seat.name, seat.place, seat.score, seat.bot) for seat in told.seats),
        bgg=shelf.open(told.game).bgg if told.game in shelf.games() else 0,
    )
