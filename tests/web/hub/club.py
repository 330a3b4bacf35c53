"""A club for tests: tables of all games as they would report themselves, and a hub that hears them."""

from __future__ import annotations

import itertools
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from flask.testing import FlaskClient
from msgspec.structs import replace

from companion.core import GameId, SeatId, Seq, say
from companion.table.outside import Seen
from tests.web.club.evening import GAMES, seen_after
from web.club import (
    HERE,
    SETUP,
    VIEW,
    GameOver,
    Guests,
    Here,
    NotPaired,
    Pair,
    Paired,
    Placed,
    TableId,
    encode,
    setup_of,
    view_of,
)
from web.hub import Codes, Floor, Hub, Kept, Results, Store, create_hub, seasons_of

HOST = "hub.test"
NOW = 1_795_000_000.0
GOOD = {"X-Companion": "1", "Origin": f"http://{HOST}", "Content-Type": "application/json"}


class Keeper:
    """A hub's host without a broker: keeps what was asked of it."""

    def __init__(self, store: Store) -> None:
        self.codes, self._store = Codes(), store
        self.revoked: list[TableId] = []

    def is_host(self, key: str) -> bool:
        return key == "the-key"

    def code(self) -> tuple[str, int]:
        return self.codes.now()

    def pair(self, asked: Pair, arrived_at: str) -> Paired | NotPaired:
        why = self.codes.spend(asked.code)
        return NotPaired(why) if why else Paired(TableId("t-oak4"), "x" * 24, arrived_at, 8883, "a certificate", "Club")

    def tables(self) -> tuple[Kept, ...]:
        return self._store.tables()

    def revoke(self, table: TableId) -> None:
        self.revoked.append(table)
        self._store.forget(table)

    def left_out(self) -> tuple[str, ...]:
        return tuple(sorted(self._store.left_out()))

    def leave_out(self, name: str, on: bool) -> None:
        self._store.leave_out(name, on)


class Club:
    """A hub, and the ways in which tables and browsers meet it."""

    def __init__(self, folder: Path, *, is_public: bool = False, delay: float = 0.0, seasons: str = "") -> None:
        self.now = NOW
        self.store = Store(folder / "hub.db")
        self.host = Keeper(self.store)
        self.floor = Floor(self.store.keep, self.store.note, delay, lambda seat: f"Seat {seat + 1}", lambda: self.now)
        named = seasons_of(tuple(filter(None, seasons.split("; "))))
        results = Results(self.store, named, lambda: self.now, delay)
        self.hub = Hub(
            *(self.floor, results),
            name="Café Tournesol",
            hosts=(HOST, "localhost", "127.0.0.1"),
            host=None if is_public else self.host,
            address=lambda: f"http://{HOST}",
            clock=lambda: self.now,
        )
        self.app = create_hub(self.hub)

    def close(self) -> None:
        self.store.close()

    def browser(self, **cookies: str) -> FlaskClient:
        client = self.app.test_client()
        for name, value in cookies.items():
            client.set_cookie(f"companion-{name}", value, domain=HOST)
        return client

    def html(self, path: str, **cookies: str) -> str:
        response = self.browser(**cookies).get(path, headers={"Host": HOST})
        assert response.status_code == 200, (path, response.status_code)
        return response.text

    def comes(self, table: str, name: str, shown: bool = True, retained: bool = False) -> TableId:
        id_ = TableId(table)
        self.floor.heard(id_, HERE, encode(Here(True, name, "1.0", shown)), retained)
        return id_

    def goes(self, table: str, retained: bool = False) -> None:
        self.floor.heard(TableId(table), HERE, encode(Here(False)), retained)

    def shows(self, table: str, seen: Seen, guests: Guests | None = None) -> None:
        said = view_of(seen, guests or Guests())
        self.floor.heard(TableId(table), SETUP, encode(setup_of(seen)))
        self.floor.heard(TableId(table), VIEW, encode(replace(said, at=self.now - 48)))

    def ends(self, table: str, *names: str, days_ago: float = 0.0, number: int = 0) -> GameOver:
        """A game has just ended there: the first of these has won, the others follow in order."""
        told = over(table, f"{table}-{number}-{days_ago}", names, self.now - days_ago * 86_400)
        self.floor.heard(TableId(table), "result", encode(told))
        return told


def over(table: str, record: str, names: tuple[str, ...], at: float, bots: tuple[str, ...] = ()) -> GameOver:
    return GameOver(
        id=f"{table}/{record}",
        record=record,
        seq=Seq(479),
        stands=True,
        game=GameId("actionworks"),
        options=(),
        opened=at - 3600,
        ended=at,
        seats=tuple(Placed(n, name, name in bots, 100 - n) for n, name in enumerate(names, 1)),
        winners=(SeatId(0),),
        said=say("result.won"),
        numbers=(),
    )


@cache
def evenings() -> tuple[Seen, ...]:
    """What everybody sees of one table of each game; played once for all tests."""
    with TemporaryDirectory() as folder:
        return tuple(seen_after(Path(folder) / game, game, 60) for game in GAMES)


def full_house(club: Club, tables: int) -> None:
    """This many tables, game after game."""
    seens = itertools.cycle(evenings())
    for n in range(tables):
        club.comes(f"t-{n:05}", f"Oak {n + 1}")
        club.shows(f"t-{n:05}", next(seens))
