"""The inbox has room for fingers and phones: anything that never stops talking is made to wait."""

from __future__ import annotations

import itertools
import threading
from pathlib import Path

from companion.app.opening import make_setup
from companion.box import Box
from companion.core import TABLE, ReaderId, Tapped, Uid
from companion.journal import Journal
from companion.library import Tagbook, shelf
from companion.table import Desk, Referee, Table
from companion.table.table import ROOM
from tests.patience import PATIENCE
from tests.pick import GAME, setup_for

STRANGE = Tapped(Uid("04C0FFEE"), ReaderId("left"))


def table_of(journal: Journal) -> Table:
    clock = itertools.count(1000.0).__next__
    referee = Referee.begin(GAME, setup_for(2), ("Ada", "Ben"), "strict", journal, clock)
    return Table(Desk(referee, Tagbook(), Box()))


def test_a_table_that_is_not_done_has_no_room_until_it_is(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "games.journal") as journal:
        table = table_of(journal)
        for _ in range(ROOM):
            assert table.has_room(0.0)
            table.put(STRANGE)
        assert not table.has_room(0.0)
        assert not table.has_room(0.01)
        table.start()
        assert table.has_room(PATIENCE)
        table.stop()


def test_whoever_asks_before_telling_more_never_has_more_than_a_few_letters_waiting(tmp_path: Path) -> None:
    most = 0
    with Journal.open(tmp_path / "games.journal") as journal:
        table = table_of(journal)
        table.start()

        def tell() -> None:
            nonlocal most
            for _ in range(500):
                table.put(STRANGE)
                most = max(most, table._inbox.qsize())
                assert table.has_room(PATIENCE)

        tellers = [threading.Thread(target=tell) for _ in range(2)]
        for teller in tellers:
            teller.start()
        for teller in tellers:
            teller.join()
        table.stop()
    assert 0 < most <= ROOM + len(tellers)


def test_whoever_looks_after_the_start_sees_what_chance_has_brought_by_itself(tmp_path: Path) -> None:
    game = shelf.open("timeline")
    with Journal.open(tmp_path / "games.journal") as journal:
        clock = itertools.count(1000.0).__next__
        referee = Referee.begin(game, make_setup(game, 2), ("Ada", "Ben"), "strict", journal, clock)
        table = Table(Desk(referee, Tagbook(), Box(), lambda candidates, _weights: candidates[0]))
        assert table.snapshot.awaited == (TABLE,)
        table.start()
        assert table.snapshot.awaited != (TABLE,)
        table.stop()
