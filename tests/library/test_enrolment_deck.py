"""A whole deck is enrolled in order on the pretend table, on the box alone, with every kind of bad tag in it.

Tags go through a real link from a pretend Pico to a real table; each result is read off the display's page.
"""

from __future__ import annotations

import queue
import random
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.app.opening import load_texts, make_setup
from companion.box import Box
from companion.core import Button, EnrolPage, GameId, PieceId, Pressed, ReaderId, SeatId, TurnPage, Uid
from companion.journal import Journal
from companion.library import PieceTag, SeatTag, Speaker, Tag, Tagbook, shelf
from companion.table import Desk, Referee, Snapshot, Table, things_of
from companion.table import table as table_file
from firmware_bridge.link import Link
from firmware_bridge.pretend import PretendPico
from firmware_bridge.senses import Senses
from tests.patience import PATIENCE

DECK = 56
READERS = (ReaderId("left"), ReaderId("right"))
GAME = shelf.open("actionworks")
PIECES = GAME.pieces(shelf.pack(GAME))[:DECK]
FOREIGN, SEAT, PHONE = Uid("04F00001"), Uid("04F00002"), Uid("08C0FFEE")
FRESH = [Uid(f"04BEEF{n:08X}") for n in range(DECK)]


class Bench:
    """Somebody with a deck, a roll of tags and the box."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        journal = stack.enter_context(Journal.open(folder / "games.journal"))
        referee = Referee.begin(GAME, make_setup(GAME, 3), ("Ada", "Ben", "Chloé"), "strict", journal, lambda: 0.0)
        others: dict[Uid, Tag] = {FOREIGN: PieceTag(GameId("timeline"), PieceId("rome")), SEAT: SeatTag(SeatId(2))}
        self.book = Tagbook(folder / "tags.toml", others)
        self.book.save_as(folder / "tags.toml")
        self._shown: queue.SimpleQueue[Snapshot] = queue.SimpleQueue()
        self.table = Table(Desk(referee, self.book, Box(), None, None, READERS))
        self.pico = PretendPico(READERS)
        self.pico.start()
        stack.callback(self.pico.close)
        link = Link(lambda: self.pico.port, self.table.put, lambda _: None, senses=Senses(self.table.put))
        link.start()
        stack.callback(link.close)
        assert self.pico.wait_heard()
        self.table.subscribe(self._shown.put)
        self.table.start()
        stack.callback(self.table.stop)
        self._rng = random.Random(1)
        self.now = self._shown.get(timeout=PATIENCE)
        self._speaker = Speaker(load_texts(GAME), "en", self.now.names())

    def lay(self, uid: Uid) -> str:
        """Lay a tag on either reader; returns what the display notes."""
        self.pico.lay(uid, self._rng.choice(READERS))
        self.now = self._shown.get(timeout=PATIENCE)
        self.pico.lift(uid)
        assert self.pico.wait_heard()
        return self.note

    def press(self, button: Button, held: bool = False) -> str:
        self.table.put(Pressed(button, held))
        return self.wait()

    def wait(self) -> str:
        self.now = self._shown.get(timeout=PATIENCE)
        return self.note

    @property
    def note(self) -> str:
        return self._speaker.say(self.now.page.note, "oled") if isinstance(self.now.page, EnrolPage) else ""

    def called(self, piece: PieceId) -> str:
        return self._speaker.say(GAME.describe(self.now.state.setup.pack, piece), "oled")


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    only = _only_the_deck(things_of)
    for user in ("companion.table.granting", "companion.table.letters", "companion.box.giving", "companion.box.tags"):
        monkeypatch.setattr(f"{user}.things_of", only)
    with ExitStack() as stack:
        yield Bench(stack, tmp_path)


def _only_the_deck(whole):  # type: ignore[no-untyped-def]
    from msgspec.structs import replace

    return lambda *given: replace(whole(*given), pieces=PIECES)


def test_56_cards_by_order_with_every_planted_fault_found_and_named(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.press("back", held=True)
    bench.press("ok")
    planted = {7: FOREIGN, 19: SEAT, 30: FRESH[4], 31: FRESH[30], 44: PHONE, 55: FRESH[0]}
    named: dict[int, str] = {}
    for n, uid in enumerate(FRESH):
        if n in planted:
            named[n] = bench.lay(planted[n])
        if n == 40:  # a dead tag under this card: nothing is read, and the display says so by itself
            monkeypatch.setattr(table_file, "QUIET", 0.01)
            bench.press("check")
            bench.press("check")
            named[n] = bench.wait()
            monkeypatch.setattr(table_file, "QUIET", 60.0)
        if n == 50:  # the wrong tag, and back
            bench.lay(FRESH[55])
            named[n] = bench.press("back")
        assert bench.lay(uid) == f"OK: {bench.called(PIECES[n])}"
    assert named == {
        7: "Of timeline",
        19: "Used: Chloé",
        30: f"Twice! {bench.called(PIECES[4])}",
        31: f"Twice! {bench.called(PIECES[30])}",
        40: "Dead? Use another",
        44: "A phone? No tag",
        50: f"Undone: {bench.called(PIECES[50])}",
        55: f"Twice! {bench.called(PIECES[0])}",
    }
    bench.press("ok")
    assert isinstance(bench.now.page, TurnPage)
    kept = Tagbook.load(bench.book._path or Path())
    assert [kept.find(uid) for uid in FRESH] == [PieceTag(GAME.id, piece) for piece in PIECES]
    assert (len(kept.all()), bench.now.seq) == (DECK + 2, 1), "nothing else was enrolled, and nothing played"
