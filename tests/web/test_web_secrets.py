"""A secret reaches exactly the seat that may know it: two alike cards that Ben never told apart are swapped.

Every byte sent to Ben and to spectators must then be the same. Builds that each leak in one way must be caught.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.box.box import Box
from companion.core.game import Setup
from companion.core.ids import PieceId, SeatId
from companion.journal import Journal
from companion.library.codes import codes_of
from companion.library.tagbook import PieceTag, Tagbook
from companion.library.texts import Texts
from companion.table.desk import Desk
from companion.table.referee import Referee
from companion.table.seen import Seen
from companion.table.table import Table
from companion.table.things import things_of
from tests.printed import Album
from tests.web.conftest import Phone
from web import create_app, rendering
from web.screen import Screen
from web.visit import Visit

PATHS = (
    "/seat",
    "/watch",
    "/table",
    "/table?form=list",
    "/history",
    "/corrections",
    "/check",
    "/rules",
    "/rules?q=T",
    "/more",
    "/",
    "/report",
    "/report.html",
    "/thing?kind=seat&id=0",
    "/thing?kind=place&id=hand-0",
    "/thing?kind=piece&id=Ace",
    "/thing?kind=piece&id=Elk",
    "/api/v1/view",
    "/api/v1/history",
)


def all_bytes(tmp_path: Path, texts: Texts, toys: Any, cards: tuple[str, ...]) -> tuple[str, ...]:
    """Everything Ben and a spectator can read of a game in which Ada holds these cards."""
    setup = Setup(toys.TOY.id, 1, 2, (), toys.ToyPack(cards))
    with Journal.open(tmp_path / f"{'-'.join(cards)}.db") as journal:
        referee = Referee.begin(toys.TOY, setup, ("Ada", "Ben"), "strict", journal, lambda: 0.0)
        table = Table(Desk(referee, Tagbook(), Box()))
        table.start()
        app = create_app(table, texts, None, ("box.test",), photos=Album())
        ada, ben, watcher = (toys.Phone(app, table) for _ in range(3))
        ada.sit(0)
        ben.sit(1)
        ada.act({"verb": "play", "actor": 0, "card": "Elk"})
        ada.act({"verb": "play", "actor": 0, "card": cards[0]}, asked=0)
        ada.act({"verb": "bid", "actor": 0, "amount": 9})
        seen = [browser.get(path).get_data(as_text=True) for browser in (ben, watcher) for path in PATHS]
        seen.append(ben.act({"verb": "play", "actor": 1, "card": "Ace"}).get_data(as_text=True))
        codes = codes_of(things_of(table.snapshot))
        elk, bat, dam = (codes.number(PieceTag(toys.TOY.id, PieceId(card))) for card in ("Elk", "Bat", "Dam"))
        seen += [ben.photo(*shown).get_data(as_text=True) for shown in ((elk,), (bat,), (elk, bat, dam))]
        name = table.snapshot.table
        table.stop()
    return tuple(html.replace(name, "TABLE") for html in seen)


@pytest.fixture
def toys(ada: Phone) -> Any:
    """The module that defines the toy game."""
    import sys

    return sys.modules[type(ada).__module__]


def both(tmp_path: Path, texts: Texts, toys: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    one = all_bytes(tmp_path, texts, toys, ("Ace", "Bat", "Elk", "Dam"))
    other = all_bytes(tmp_path, texts, toys, ("Cog", "Bat", "Elk", "Dam"))
    return one, other


def test_what_ben_is_sent_does_not_depend_on_what_ada_holds(tmp_path: Path, texts: Texts, toys: Any) -> None:
    one, other = both(tmp_path, texts, toys)
    assert one == other


def leak_own(screen: Screen, adas: Seen) -> Screen:
    model = msgspec.structs.replace(screen.model, own=adas.game.own(adas.view, SeatId(0)))
    return msgspec.structs.replace(screen, model=model)


def leak_rows(screen: Screen, adas: Seen) -> Screen:
    model = msgspec.structs.replace(screen.model, rows=adas.game.picture(adas.view).rows)
    return msgspec.structs.replace(screen, model=model)


@pytest.mark.parametrize(("part", "leak"), [("seat", leak_own), ("table", leak_rows)])
def test_a_build_that_shows_what_ada_sees_is_caught(
    tmp_path: Path, texts: Texts, toys: Any, monkeypatch: pytest.MonkeyPatch, part: str, leak: Any
) -> None:
    real = rendering.page

    def leaky(visit: Visit, screen: Screen, *rest: Any) -> str:
        return real(visit, leak(screen, visit.moment.seen_by(SeatId(0))) if screen.part == part else screen, *rest)

    monkeypatch.setattr(rendering, "page", leaky)
    one, other = both(tmp_path, texts, toys)
    assert one != other
