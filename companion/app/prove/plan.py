"""The plan of an evening: who plays what, and with which box."""

from __future__ import annotations

import random
from typing import Final

from msgspec import Struct

from companion.app.readers import Pico
from companion.core import Intent, SeatId
from companion.library import shelf

NAMES: Final = ("Ada", "Ben", "Chloé", "Dan", "Eve", "Flo")
MOST_SEATS: Final = 4
AT_ONCE: Final = 14
"""Faults of an evening."""

IN_CLUB: Final = 0.4
"""Of the evenings: those whose table is shown at a club."""

TO_THE_END: Final = 0.12
"""Of the evenings: those that are played until the game is over, if it ever is; many others end by themselves."""


class Plan(Struct, frozen=True):
    """Who plays what, and with which box."""

    seed: int
    game: str
    names: tuple[str, ...]
    bots: tuple[str, ...] = ()
    mat: str = ""
    pico: Pico = "quick"
    acts: int = 60
    faults: int = 12
    club: bool = False
    """Whether it is shown at a club, where Mosquitto is installed."""

    @property
    def people(self) -> tuple[SeatId, ...]:
        """The seats with a phone."""
        return tuple(SeatId(n) for n, name in enumerate(self.names) if name not in self.bots)


class Sent(Struct):
    """A command of a phone, and what it was answered: the number of its entry, or 0 where it was refused."""

    command: str
    seat: SeatId
    intent: Intent
    seq: int | None = None


def plan_for(seed: int, firmware: bool) -> Plan:
    """The evening of a seed: all games in turn, with as many seats, bots, readers and acts as chance has it."""
    games = shelf.games()
    game, dice = shelf.open(games[seed % len(games)]), random.Random(seed)  # noqa: S311  the same again for a seed
    seats = dice.randint(game.seats[0], min(game.seats[1], MOST_SEATS))
    names = NAMES[:seats]
    bots = tuple(dice.sample(names, dice.randrange(seats)))
    mats = ("", "", *(mat.name for mat in game.mats(seats)))
    picos: tuple[Pico, ...] = ("quick", "quick", "micropython" if firmware else "firmware")
    acts = 500 if dice.random() < TO_THE_END else dice.randint(30, 90)
    club = dice.random() < IN_CLUB
    return Plan(seed, str(game.id), names, bots, dice.choice(mats), dice.choice(picos), acts, AT_ONCE, club)
