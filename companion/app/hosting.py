"""The host of the pretend table: chooses the game and the language, lets bots play, ends the practice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from companion.core import Game, GameId, OpenGame, SeatId, Seq, Setup
from companion.journal import JOURNAL, Journal
from companion.library import Lang, shelf
from companion.table import Chair, Change, GiveSeats, Mode, Referee, Speak, Table, carried

from .clock import Clock
from .opening import DEFAULT_GAME, NAMES, make_setup, unfinished

CALLED: Final = (*NAMES, "Dan", "Eve", "Finn", "Gil", "Hana")
"""Names for the seats that a game needs beyond those who are there."""


class Practice(Struct, frozen=True):
    """A game in which somebody learns; `since` is the entry that led to the practice position."""

    referee: Referee
    since: Seq


def practise(stack: ExitStack, clock: Clock, tell: Callable[[str], None]) -> Practice | None:
    """The practice of the game that newcomers meet, if it has one; forgotten when `stack` ends."""
    game = shelf.open(DEFAULT_GAME)
    if game.practice is None:
        return None
    tell(f"A first minute of {game.id} for practice, which is not kept; then a new game begins.")
    folder = stack.enter_context(TemporaryDirectory(prefix="companion-practice-", ignore_cleanup_errors=True))
    journal = stack.enter_context(Journal.open(Path(folder) / JOURNAL))
    seats = game.practice.seats
    referee = Referee.begin(game, make_setup(game, seats), CALLED[:seats], "strict", journal, clock)
    for intent in game.practice.acts:
        referee.act(intent, None, on_box=True)
    return Practice(referee, referee.at.seq)


class Opener(Struct, frozen=True):
    """What a host needs to open games: where they are kept, how they are refereed, and what readies their tags."""

    journal: Journal
    clock: Clock
    mode: Mode
    readies: Callable[[Game[Any, Any], Setup[Any]], None]

    def open(self, game_id: GameId, before: Referee) -> Referee:
        """The unfinished game of this kind, or a new one, with the people who sat at the game `before`."""
        found, at = unfinished(game_id, self.journal, self.clock), before.at
        if found is not None:
            self.readies(found.game, found.setup)
            _sit_down(found, at.chairs)
            return found
        game = shelf.open(game_id)
        names = called(game, tuple(chair.name for chair in at.chairs))
        setup = make_setup(game, len(names))
        self.readies(game, setup)
        sit = carried(at, OpenGame(game_id, names, (), self.mode), None)
        return Referee.begin(game, setup, names, self.mode, self.journal, self.clock, sit)


class PretendHost:
    """The host of one pretend table; see `companion.table.ports.Host`."""

    def __init__(self, table: Table, opener: Opener, practice: Practice | None, *, is_new: bool) -> None:
        self._table, self._opener, self._practice, self.is_new = table, opener, practice, is_new

    @property
    def practises_since(self) -> Seq | None:
        practice = self._practice
        if practice is None or self._table.snapshot.history[0] is not practice.referee.history[0]:
            return None
        return practice.since

    def end_practice(self) -> None:
        practice = self._practice
        if practice is not None:
            self._change(lambda now: self._opener.open(now.game.id, now) if now is practice.referee else now)

    def play(self, game: GameId) -> None:
        practice = self._practice

        def opens(now: Referee) -> Referee:
            is_played = now.game.id == game and now.at.result is None
            practises = practice is not None and now is practice.referee
            return now if is_played and not practises else self._opener.open(game, now)

        self._change(opens)

    def _change(self, opens: Callable[[Referee], Referee]) -> None:
        self._table.wish(Change(opens))

    def let_bots(self, on: bool, hands: SeatId | None = None) -> None:
        chairs = self._table.snapshot.chairs
        self._table.wish(GiveSeats(tuple(seat for seat, chair in seats_of(chairs) if _is_bots(chair, on, seat, hands))))

    def speak(self, lang: Lang) -> None:
        self._table.wish(Speak(lang))


def _is_bots(chair: Chair, on: bool, seat: SeatId, hands: SeatId | None) -> bool:
    """People with a phone have decided there who plays for them."""
    return chair.bot if chair.key else on and seat != hands


def seats_of(chairs: tuple[Chair, ...]) -> Iterator[tuple[SeatId, Chair]]:
    return ((SeatId(n), chair) for n, chair in enumerate(chairs))


def called(game: Game[Any, Any], names: tuple[str, ...]) -> tuple[str, ...]:
    """The people who sit there, with as many others as the game needs, or without those it has no seat for."""
    fewest, most = game.seats
    others = (name for name in CALLED if name not in names)
    return (*names, *islice(others, max(0, fewest - len(names))))[:most]


def _sit_down(referee: Referee, chairs: tuple[Chair, ...]) -> None:
    """Phones keep their seats in a resumed game, too."""
    for seat, chair in seats_of(chairs[: len(referee.at.chairs)]):
        now = referee.at.chairs[seat]
        if chair.key and now.key != chair.key:
            referee.seat(seat, replace(now, name=chair.name, key=chair.key, bot=chair.bot), None)
