"""Asking a phone “why not?” moves nothing: the sheet never tells hands to put something back."""

from __future__ import annotations

import itertools
import random
import re
from pathlib import Path
from urllib.parse import quote

import pytest

from companion.app.kit.kit import kit_of
from companion.app.opening import load_texts
from companion.box import stack
from companion.core import SeatId
from companion.journal import Journal
from companion.library import LANGS, Lang, Tagbook, shelf
from companion.phones import offers
from companion.table import Chair, Desk, Referee, Table
from web import create_app
from web.door import key_of

ACTS = 40
BACK = re.compile(r"^(?:Put (?:things|the card|the pawn) back|Leave everything|Remettez|Laissez tout)")
HANDS = re.compile(r'<p class="hands">(.*?)</p>')


def sheets(game: str, folder: Path, lang: Lang) -> tuple[int, list[str]]:
    """How many refusals a waiting seat may ask about, and what their sheets tell hands."""
    kit, chance = kit_of(game), random.Random(5)
    with Journal.open(folder / f"{game}.journal") as journal:
        clock = itertools.count(1000.0).__next__
        referee = Referee.begin(kit.game, kit.setup(3), ("Ada", "Ben", "Chloé"), "strict", journal, clock)
        for seat in range(3):
            referee.seat(SeatId(seat), Chair(f"Seat {seat}", key_of(f"phone-{seat}")), None)
        for _ in range(ACTS):
            referee.act(kit.sensible_pick(referee.at.state, chance), None, on_box=True)
        table = Table(Desk(referee, Tagbook(), stack.Box(), None))
        client = create_app(table, load_texts(kit.game), None, ("127.0.0.1",)).test_client()
        told, asked = list[str](), 0
        for seat in map(SeatId, range(3)):
            for name, value in (("lang", lang), ("seat", f"phone-{seat}")):
                client.set_cookie(f"companion-{name}", value, domain="127.0.0.1")
            for offer in offers.not_now(table.snapshot.seen_by(seat)):
                asked += 1
                page = client.get(f"/why?intent={quote(offer.json)}", headers={"Host": "127.0.0.1"})
                assert page.status_code == 200
                told += HANDS.findall(page.text)
        return asked, told


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("game", shelf.games())
def test_no_sheet_tells_hands_to_put_back_what_nobody_moved(game: str, lang: Lang, tmp_path: Path) -> None:
    asked, told = sheets(game, tmp_path, lang)
    assert asked
    assert not [hands for hands in told if BACK.match(hands)]
