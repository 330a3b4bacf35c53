"""How games are opened: a new one, the next one, or an unfinished one."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

from companion.app.clock import Clock
from companion.core import (
    CompanionError,
    Game,
    GameId,
    Mat,
    OpenGame,
    PlaceId,
    ReaderId,
    Said,
    SeatId,
    Setup,
    SetupError,
    Unplayable,
    find,
    mat,
    say,
)
from companion.journal import Journal, Seated
from companion.library import (
    NUMBERS,
    Lang,
    NumberTag,
    PieceTag,
    PlaceTag,
    SeatTag,
    Settings,
    Speaker,
    Tag,
    Tagbook,
    Texts,
    most_readers,
    shelf,
)
from companion.table import Carried, Chair, Mode, OnShelf, Opens, Playback, Referee, Shelf, Wired

log = logging.getLogger(__name__)

DEFAULT_GAME: Final = "us-patent"

NAMES: Final = ("Ada", "Ben", "Chloé")
"""Who sits there if nobody has said."""

EVENING: Final = 3 * 3600.0
"""For this many seconds after its last entry, the players of a game may still be at the table."""


def resumed(game: str | None, names: tuple[str, ...] | None, journal: Journal, clock: Clock) -> Referee | None:
    """The newest game that is neither finished nor archived; games that this shelf lacks are skipped.

    Except that the newest of all is resumed at its end if that was only just now: its players are still there with
    their phones, and open the next game from there.
    """
    rows = [row for row in reversed(journal.games()) if not row.archived and row.game in shelf.games()]
    for row in rows:
        if game in (None, row.game) and names in (None, row.names):
            try:
                played = shelf.open(row.game)
            except shelf.BrokenGame as error:
                log.warning("game %s is skipped: %s", row.table, error)
                continue
            referee = Referee(played, journal, row.table, clock)
            just_ended = row is rows[0] and clock() - row.last < EVENING
            if referee.at.result is None or just_ended:
                return referee
    return None


def unfinished(game: str, journal: Journal, clock: Clock) -> Referee | None:
    """The newest unfinished game of this kind."""
    found = resumed(game, None, journal, clock)
    return None if found is None or found.at.result is not None else found


def make_setup(
    game: Game[Any, Any], seats: int, options: tuple[tuple[str, str], ...] = (), pack: Any = None
) -> Setup[Any]:
    """A setup, with the shipped pack unless another is given; options not given get their default."""
    low, high = game.seats
    if not low <= seats <= high:
        raise SetupError(f"{game.id} is for {low} to {high} seats, not {seats}; give that many names with --seats")
    given = dict(options)
    for option in game.options:
        if given.get(option.name, option.choices[0]) not in option.choices:
            raise SetupError(
                f"{option.name} of {game.id} is one of {', '.join(option.choices)}, not {given[option.name]}"
            )
    whole = tuple((option.name, given.get(option.name, option.choices[0])) for option in game.options)
    chosen = shelf.pack(game) if pack is None else pack
    if problems := game.unplayable(chosen):
        raise Unplayable(*problems)
    return Setup(game.id, game.version, seats, whole, chosen)


def texts_folders(game: Game[Any, Any]) -> tuple[Path, ...]:
    root = Path(__file__).parents[2]
    return (*shelf.texts_folders(game.id), root / "hw" / "texts", root / "web" / "texts")


@cache
def load_texts(game: Game[Any, Any]) -> Texts:
    """The texts of a game and of everything around it; read once."""
    return Texts.load(*texts_folders(game))


def all_tags(game: Game[Any, Any], setup: Setup[Any]) -> list[Tag]:
    """The tags of everything that can be tapped on a pretend table."""
    pieces = [PieceTag(game.id, piece) for piece in game.pieces(setup.pack)]
    places = [PlaceTag(game.id, place) for place in game.places(setup.pack)]
    return [*pieces, *places, *(SeatTag(SeatId(s)) for s in range(setup.seats)), *(NumberTag(n) for n in NUMBERS)]


def get_tags(tagbook: Tagbook, game: Game[Any, Any], setup: Setup[Any]) -> None:
    """From now on everything in this game has a tag, as on a pretend table."""
    tagbook.pretend(all_tags(game, setup))


def give_to_bots(referee: Referee, names: tuple[str, ...]) -> None:
    """From now on a bot plays for the seats with these names; SetupError if there is no such name."""
    chairs = referee.at.chairs
    seated = {chair.name.casefold(): SeatId(seat) for seat, chair in enumerate(chairs)}
    for name in names:
        if name.casefold() not in seated:
            there = ", ".join(chair.name for chair in chairs)
            raise SetupError(f"nobody called {name!r} sits here, so no bot can play for them; there are {there}")
    for name in names:
        seat = seated[name.casefold()]
        if not chairs[seat].bot:
            referee.seat(seat, Chair(chairs[seat].name, chairs[seat].key, bot=True), None)


def wired(chosen: Settings) -> Wired:
    """Which reader stands for which place, whatever is played: as the mat and the settings say.

    A game without such a mat is played with the same readers, as wands.
    """

    def antennas(game: Game[Any, Any], seats: int) -> dict[ReaderId, PlaceId | None]:
        return chosen.antennas(find(chosen.mat, game.mats(seats)) or all_wands(chosen))

    return antennas


def all_wands(chosen: Settings) -> Mat | None:
    """As many wands as the largest mat of the chosen name has readers, in any game."""
    return None if chosen.mat is None else mat(chosen.mat, *(None,) * (most_readers(chosen.mat) - 1))


def lacks_mat(chosen: Settings, game: Game[Any, Any]) -> str:
    """What to say if the game has no mat of the chosen name; "" if it has, or none was chosen."""
    there = [each.name for each in game.mats(game.seats[0])]
    return "" if chosen.mat in (None, *there) else f"{game.id} has no mat {chosen.mat!r}; it has {', '.join(there)}"


def opens_next(journal: Journal, tagbook: Tagbook, data: Path, is_pretend: bool, clock: Clock) -> Opens:
    """How a phone's wish opens the next game."""

    def open_game(wish: OpenGame, carried: Carried) -> Referee:
        game = shelf.open(wish.game)
        setup = make_setup(game, len(wish.names), wish.options, shelf.pack(game, wish.pack, data))
        if is_pretend:
            get_tags(tagbook, game, setup)
        return Referee.begin(game, setup, wish.names, wish.mode, journal, clock, carried)

    return open_game


@cache
def _short_title(game: Game[Any, Any], lang: Lang) -> str:
    """All that is cached of the texts of a game that nobody is playing."""
    return Speaker(Texts.load(*texts_folders(game)), lang).key("game.short")


def games_on_shelf(lang: Lang) -> Shelf:
    """The games for a number of people, the one just played first; a broken one does not hide the others."""

    def games(played: GameId, seats: int) -> tuple[OnShelf, ...]:
        found = []
        for game_id in sorted(shelf.games(), key=lambda game_id: game_id != played):
            try:
                game = shelf.open(game_id)
                title = _short_title(game, lang)
            except CompanionError as error:
                log.warning("%s is not on the shelf: %s", game_id, error)
                continue
            if game.seats[0] <= seats <= game.seats[1]:
                found.append(OnShelf(game_id, title))
        return tuple(found)

    return games


def banner_for(playback: Playback | None) -> Said | None:
    """What a demo says throughout."""
    return None if playback is None else say("demo.banner")


def instead_of(table: str, opens: Opens, journal: Journal) -> Opens:
    """Opens a game in place of one in which nobody has done anything, which is then forgotten."""

    def open_game(wish: OpenGame, carried: Carried) -> Referee:
        fresh = opens(wish, carried)
        if any(row.table == table for row in journal.games()) and is_untouched(journal, table):
            journal.forget(table)
        return fresh

    return open_game


def is_untouched(journal: Journal, table: str) -> bool:
    """Whether nobody played: a virtual deck deals before anybody is there, and merely sitting down is not playing."""
    return all(entry.cause is None or isinstance(entry.body, Seated) for entry in journal.entries(table))


def referee_for(
    game_id: str | None,
    names: tuple[str, ...] | None,
    mode: Mode,
    journal: Journal,
    tell: Callable[[str], None],
    clock: Clock,
    *,
    new: bool = False,
) -> Referee:
    """The newest unfinished game of the kind asked for, the one that has just ended, or a new one."""
    found = None if new else resumed(game_id, names, journal, clock)
    if found is not None:
        tell(_going_on(found))
        return found
    names = names or NAMES
    game = shelf.open(game_id) if game_id else fitting(len(names))
    referee = Referee.begin(game, make_setup(game, len(names)), names, mode, journal, clock)
    tell(f"A new game of {game.id}, {referee.table}, for {', '.join(names)}.")
    return referee


def clock_after(journal: Journal, wall: Callable[[], float]) -> Clock:
    """A clock that never goes back behind what was recorded; `wall` is the machine's own."""
    return Clock(max((row.last for row in journal.games()), default=0.0), wall)


def fitting(players: int) -> Game[Any, Any]:
    """The game if none was named: the one that newcomers meet, or else one for this many players."""
    first = shelf.open(DEFAULT_GAME)
    if players >= first.seats[0]:
        return first
    others = (shelf.open(game_id) for game_id in shelf.games() if game_id != DEFAULT_GAME)
    return next((game for game in others if game.seats[0] <= players <= game.seats[1]), first)


def _going_on(found: Referee) -> str:
    if found.at.result is not None:
        return f"The game of {found.game.id}, {found.table}, is over; everybody is still seated for the next one."
    return f"Going on with {found.game.id}, game {found.table}, at #{found.at.seq}."
