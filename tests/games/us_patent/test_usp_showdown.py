"""What an attack came to is shown to all, with dice, Weapon and Shield, until something else is done."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.app.opening import make_setup
from companion.core import PUBLIC, TABLE, Duel, Event, Intent, Piece, PieceId, Seat
from companion.games.us_patent import GAME
from companion.games.us_patent import events as e
from companion.games.us_patent.rules import intents as i
from companion.journal import Journal
from companion.table import Referee
from companion.table.past import showdown_of
from companion.table.record import deed_of
from tests.games.us_patent.play import ADA, BEN, Table
from tests.games.us_patent.test_usp_fight import duel


class Told:
    """A table, and what was done at it, newest first."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.recent: list[tuple[Event, ...]] = []

    def do(self, intent: Intent) -> Duel | None:
        self.recent.insert(0, self.table.do(intent).events)
        return self.shown()

    def rolls(self, number: int) -> Duel | None:
        self.recent.insert(0, self.table.rolls(number).events)
        return self.shown()

    def shown(self) -> Duel | None:
        return GAME.showdown(self.table.view(PUBLIC), iter(self.recent))


@pytest.mark.rule("P27")
def test_a_miss_is_seen_although_the_turn_has_gone_on() -> None:
    told = Told(duel("bee-cannon", "brass-umbrella"))
    assert told.shown() is None
    assert told.do(i.Attack(ADA, BEN)) is not None
    due = told.rolls(7)
    assert due is not None
    assert due.outcome is None, "a die is still to come"
    came = told.rolls(6)
    assert told.table.now.turn == BEN, "the turn has gone on"
    assert came is not None
    assert came.outcome is not None
    assert came.outcome.key == "event.attack-missed"
    ada, ben = came.sides
    assert dict(ada.said.facts) == {"dice": 7, "plus": 4, "n": 11}
    assert dict(ben.said.facts) == {"dice": 6, "plus": 5, "n": 11}
    assert [dict(side.note.facts)["card"] for side in came.sides] == [
        Piece(PieceId("bee-cannon")),
        Piece(PieceId("brass-umbrella")),
    ]


@pytest.mark.rule("P27")
def test_a_hit_is_seen_while_it_is_chosen_what_it_hits_and_after() -> None:
    told = Told(duel("bee-cannon", "brass-umbrella water-wheel"))
    told.do(i.Attack(ADA, BEN))
    told.rolls(12)
    hit = told.rolls(1)
    assert hit is not None
    assert hit.outcome is not None
    assert hit.outcome.key == "event.attack-hit"
    takes = next(n for n in told.table.legal(ADA) if isinstance(n, i.Disable) and n.card == "brass-umbrella")
    after = told.do(takes)
    assert after is not None
    assert after.outcome is not None
    assert dict(after.outcome.facts) == {
        "seat": Seat(ADA),
        "target": Seat(BEN),
        "card": Piece(PieceId("brass-umbrella")),
    }
    assert dict(after.sides[1].note.facts) == {"card": Piece(PieceId("brass-umbrella"))}, "the Shield that was there"


@pytest.mark.rule("P27")
def test_the_next_act_clears_it() -> None:
    """Also the control: what was done since is what makes it stale."""
    told = Told(duel("bee-cannon", "brass-umbrella"))
    for roll in (None, 7, 6):
        told.do(i.Attack(ADA, BEN)) if roll is None else told.rolls(roll)
    assert told.shown() is not None
    told.recent.insert(0, (e.Spared(ADA, BEN),))
    assert told.shown() is not None, "still the same fight"
    told.recent.insert(0, ())
    assert told.shown() is None


def test_a_card_that_falls_by_itself_is_nobodys_act(tmp_path: Path) -> None:
    """After a miss the next seat's card is drawn at once where the deck is virtual: the duel is still in sight."""
    with Journal.open(tmp_path / "games.journal") as journal:
        setup = make_setup(GAME, 3)
        referee = Referee.begin(GAME, setup, ("Ada", "Ben", "Cleo"), "strict", journal, count(1000.0).__next__)
        at = replace(referee.at, state=duel("bee-cannon", "brass-umbrella").now)
        fought = Table(at.state).do(i.Attack(ADA, BEN)).events
        missed = (e.DefenceThrown(BEN, 6, 11), e.AttackMissed(ADA, BEN, 11, 11))
        deeds = {
            2: deed_of(GAME, i.Attack(ADA, BEN), fought),
            3: deed_of(GAME, i.AttackRolled(TABLE, 7), (e.AttackThrown(ADA, 7, 11),)),
            4: deed_of(GAME, i.DefenceRolled(TABLE, 6), missed),
            5: deed_of(GAME, i.MoveRolled(TABLE, 3), ()),
            6: deed_of(GAME, i.TakeGold(BEN), ()),
        }
        shown = {last: showdown_of(GAME, replace(at, line=(1, *range(2, last + 1))), deeds) for last in (4, 5, 6)}  # type: ignore[arg-type]
    assert shown[4] is not None
    assert shown[5] == shown[4]
    assert shown[6] is None
