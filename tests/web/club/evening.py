"""A table for the club's tests: bots play a game from the shelf, and every moment of it can be examined."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from companion.app.bots import bot_of, chosen
from companion.app.opening import load_texts
from companion.core import TABLE, GameId, SeatId, legal, mask
from companion.journal import JOURNAL, Journal
from companion.library import shelf
from companion.table.outside import Moment, Seen
from tests.campaigns.phones_canary import Played, Still
from web import create_app, dashboard_of
from web.screen import Visit
from web.screens.tv import TvScreen, tv_screen

GAMES = ("us-patent", "timeline", "one-false-step", "actionworks")
HOST = "box.test"


@contextmanager
def played(folder: Path, game: str, acts: int, seats: int = 3, seed: int = 7) -> Iterator[Played]:
    """A game after this many acts of bots, or over."""
    folder.mkdir(parents=True, exist_ok=True)
    with closing(Journal.open(folder / JOURNAL)) as journal:
        evening = Played(journal, shelf.open(GameId(game)), seats)
        play(evening, random.Random(seed), acts)
        yield evening


def seen_after(folder: Path, game: str, acts: int, seats: int = 3) -> Seen:
    """What everybody sees of such a game."""
    with played(folder, game, acts, seats) as evening:
        return public(evening)


def play(evening: Played, dice: random.Random, acts: int) -> None:
    """This many acts more, or to the end: these bots want to win."""
    for _ in range(acts):
        at = evening.referee.at
        if at.result is not None:
            return
        seat = dice.choice(at.decisions[-1].seats)
        number = dice.randrange(1 << 30)
        if seat == TABLE:
            outcomes = legal(evening.game, at.state, TABLE)
            assert evening.act(outcomes[number % len(outcomes)])
        else:
            intent = chosen(evening.game, bot_of(evening.game), mask(at.state, seat), seat, number)
            assert intent is not None
            assert evening.act(intent)


def public(evening: Played) -> Seen:
    return evening.snapshot().moment().public


def tv(seen: Seen) -> TvScreen:
    """How the big screen shows it."""
    dash = dashboard_of(create_app(Still(), load_texts, None, (HOST,)))
    phone = dash.phone({}, "", "", seen)
    screen = tv_screen(Visit(dash, phone, Moment(seen, lambda _seat: seen)))
    assert isinstance(screen.model, TvScreen)
    return screen.model


def called(seat: SeatId | int) -> str:
    return f"Seat {seat + 1}"
