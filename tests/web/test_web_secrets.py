"""A secret reaches exactly the seat that may know it: two alike cards that Ben never told apart are swapped.

Every byte sent to Ben and to spectators must then be the same. Builds that each leak in one way must be caught.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.box import Box
from companion.core import PieceId, SeatId
from companion.journal import Journal
from companion.library import PieceTag, Tagbook, Texts, codes_of
from companion.table import Desk, Referee, Seen, Table, things_of
from tests.pick import GAME
from tests.printed import Album
from tests.web.conftest import PICK, Phone, setup_for
from web import create_app
from web.screen import Screen, Visit, rendering

PATHS = (
    "/seat",
    "/seat?wide=1",
    "/touch?kind=place&id=hand-0",
    "/touch?kind=piece&id=Ace",
    "/touch?kind=piece&id=Elk",
    "/watch",
    "/tv",
    "/table",
    "/table?form=list",
    "/history",
    "/corrections",
    "/check",
    "/rules",
    "/rules?q=X",
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


def all_bytes(tmp_path: Path, texts: Texts, cards: tuple[str, ...]) -> tuple[str, ...]:
    """Everything Ben and a spectator can read of a game in which Ada holds these cards."""
    with Journal.open(tmp_path / f"{'-'.join(cards)}.db") as journal:
        referee = Referee.begin(PICK, setup_for(2, cards), ("Ada", "Ben"), "strict", journal, lambda: 0.0)
        table = Table(Desk(referee, Tagbook(), Box()))
        table.start()
        app = create_app(table, texts, None, ("box.test",), photos=Album())
        ada, ben, watcher = (Phone(app, table) for _ in range(3))
        ada.sit(0)
        ben.sit(1)
        ada.act({"verb": "lay", "actor": 0, "card": "Elk"})
        ada.act({"verb": "lay", "actor": 0, "card": cards[0]}, asked=0)
        ada.act({"verb": "bet", "actor": 0, "number": 9})
        seen = [browser.get(path).get_data(as_text=True) for browser in (ben, watcher) for path in PATHS]
        seen.append(ben.act({"verb": "lay", "actor": 1, "card": "Ace"}).get_data(as_text=True))
        codes = codes_of(things_of(table.snapshot))
        elk, bat, dam = (codes.number(PieceTag(GAME.id, PieceId(card))) for card in ("Elk", "Bat", "Dam"))
        seen += [ben.photo(*shown).get_data(as_text=True) for shown in ((elk,), (bat,), (elk, bat, dam))]
        name = table.snapshot.table
        table.stop()
    return tuple(html.replace(name, "TABLE") for html in seen)


def both(tmp_path: Path, texts: Texts) -> tuple[tuple[str, ...], tuple[str, ...]]:
    one = all_bytes(tmp_path, texts, ("Ace", "Elk", "Bat", "Dam"))
    other = all_bytes(tmp_path, texts, ("Cog", "Elk", "Bat", "Dam"))
    return one, other


def test_what_ben_is_sent_does_not_depend_on_what_ada_holds(tmp_path: Path, texts: Texts) -> None:
    one, other = both(tmp_path, texts)
    assert one == other


def leak_own(screen: Screen, adas: Seen) -> Screen:
    model = msgspec.structs.replace(screen.model, own=adas.game.own(adas.view, SeatId(0)))
    return msgspec.structs.replace(screen, model=model)


def leak_rows(screen: Screen, adas: Seen) -> Screen:
    model = msgspec.structs.replace(screen.model, rows=adas.game.picture(adas.view).rows)
    return msgspec.structs.replace(screen, model=model)


@pytest.mark.parametrize(("part", "leak"), [("seat", leak_own), ("table", leak_rows)])
def test_a_build_that_shows_what_ada_sees_is_caught(
    tmp_path: Path, texts: Texts, monkeypatch: pytest.MonkeyPatch, part: str, leak: Any
) -> None:
    real = rendering.render_page

    def leaky(visit: Visit, screen: Screen, *rest: Any) -> str:
        return real(visit, leak(screen, visit.moment.seen_by(SeatId(0))) if screen.part == part else screen, *rest)

    monkeypatch.setattr("web.screens.render_page", leaky)
    one, other = both(tmp_path, texts)
    assert one != other
