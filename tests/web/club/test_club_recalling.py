"""The power fails between the end of a game and the outbox: the next start finds the end in the journal, once."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from companion.app.plays import Records
from companion.core import GameId, SeatId
from companion.journal import JOURNAL, Journal
from companion.library import shelf
from companion.table.outside import Moment
from tests.campaigns.phones_canary import Played
from tests.web.club.evening import play
from web.club import Club, Kept, Paired, TableId
from web.club.club import FILE, OUTBOX
from web.club.membership import Membership
from web.club.outbox import Outbox
from web.club.recalling import LOOKED_BACK

NOWHERE = Paired(TableId("t-oak4"), "0123456789abcdef", "127.0.0.1", 1, "no certificate", "Café Tournesol")
TO_THE_END = 1000


class Evening:
    """A box with one game after another in one journal."""

    def __init__(self, data: Path, journal: Journal) -> None:
        self._data, self._journal = data, journal
        self.now = self.play()

    def play(self, acts: int = 3) -> Played:
        """The next game, so far."""
        self.now = Played(self._journal, shelf.open(GameId("timeline")), 3)
        play(self.now, random.Random(1), acts)
        return self.now

    def power_on(self, first: str, shown: bool = True) -> Outbox:
        """Switch on and off again; returns what the outbox has after that."""
        member = Membership(NOWHERE, "Oak 4", shown, first=first)
        (self._data / FILE).write_bytes(msgspec.json.encode(member))
        club = Club(self._data, self, "1.0", Records(self._data))
        club.start()
        club.close()
        return Outbox(self._data / OUTBOX)

    @property
    def moment(self) -> Moment:
        return self.now.referee.snapshot(1).moment()

    def follow(self, fn: Callable[[Moment], None]) -> Callable[[], None]:
        return lambda: None

    def shown_at(self, club: str) -> None:
        pass


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with Journal.open(tmp_path / JOURNAL) as journal:
        yield Evening(tmp_path, journal)


def told(outbox: Outbox) -> list[tuple[str, bool]]:
    return [(over.record, over.stands) for over in outbox.waiting()]


def test_an_end_that_was_not_told_is_told_at_the_next_start(evening: Evening) -> None:
    first = evening.now.referee.table
    ended = evening.play(TO_THE_END).referee.table
    evening.play()
    assert told(evening.power_on(first)) == [(ended, True)]
    assert told(evening.power_on(first)) == [(ended, True)], "it is the same one"


def test_what_the_hub_has_kept_is_not_sent_again(evening: Evening) -> None:
    ended = evening.play(TO_THE_END).referee.table
    evening.play()
    outbox = evening.power_on(ended)
    (over,) = outbox.waiting()
    outbox.kept(Kept(over.id, over.seq))
    assert told(evening.power_on(ended)) == []


def test_an_end_that_was_taken_back_meanwhile_stands_no_more(evening: Evening) -> None:
    ended = evening.play(TO_THE_END)
    referee = ended.referee
    assert told(evening.power_on(referee.table)) == [(referee.table, True)]
    referee.take_back(referee.at.line[-2], SeatId(0), None)
    evening.play()
    assert told(evening.power_on(referee.table)) == [(referee.table, False)]


def test_what_was_played_before_is_no_business_of_the_club(evening: Evening) -> None:
    evening.play(TO_THE_END)
    now = evening.play().referee.table
    assert told(evening.power_on(now)) == []
    assert told(evening.power_on("")) == [], "a club that was joined by a version which did not note it"
    assert told(evening.power_on("game-that-was-deleted")) == []


def test_a_table_that_hides_tells_nothing(evening: Evening) -> None:
    ended = evening.play(TO_THE_END).referee.table
    evening.play()
    assert told(evening.power_on(ended, shown=False)) == []


def test_a_start_reads_only_a_few_games(evening: Evening) -> None:
    first = evening.play(TO_THE_END).referee.table
    for _ in range(LOOKED_BACK):
        evening.play(0)
    assert told(evening.power_on(first)) == []


def test_a_game_that_cannot_be_read_keeps_nobody_from_the_others(
    evening: Evening, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    records = Records(tmp_path)
    assert records.seen("game-that-was-deleted") is None
    assert "game-that-was-deleted" in caplog.text
    assert Records(tmp_path / "nothing").since("any") == ()


def test_a_table_that_is_shown_again_begins_with_the_game_on_it(evening: Evening, tmp_path: Path) -> None:
    first = evening.now.referee.table
    evening.power_on(first, shown=False)
    club = Club(tmp_path, evening, "1.0", Records(tmp_path))
    club.start()
    evening.play(TO_THE_END)
    now = evening.play().referee.table
    club.show(True, nobody=False)
    status = club.now()
    assert status is not None
    assert status.member.first == now
    club.show(True, nobody=True)
    club.close()
    assert told(Outbox(tmp_path / OUTBOX)) == []
