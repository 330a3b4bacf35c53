"""The result of an attack is shown to everybody, with dice, Weapon and Shield, until something else is done."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core import PUBLIC, TABLE, Duel, Event, Intent, Piece, PieceId, Seat, Seq
from companion.games.us_patent import GAME
from companion.games.us_patent import events as e
from companion.games.us_patent.rules import intents as i
from companion.table.past import acts
from companion.table.record import Position, deed_of
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
    """Also the control: it becomes stale by what was done since."""
    told = Told(duel("bee-cannon", "brass-umbrella"))
    for roll in (None, 7, 6):
        told.do(i.Attack(ADA, BEN)) if roll is None else told.rolls(roll)
    assert told.shown() is not None
    told.recent.insert(0, (e.Spared(ADA, BEN),))
    assert told.shown() is not None, "still the same fight"
    told.recent.insert(0, ())
    assert told.shown() is None


def test_a_card_that_falls_by_itself_is_nobodys_act() -> None:
    """After a miss the next seat's card is drawn at once where the deck is virtual: the duel is still in sight."""
    table = duel("bee-cannon", "brass-umbrella")
    fought = Table(table.now).do(i.Attack(ADA, BEN)).events
    missed = (e.DefenceThrown(BEN, 6, 11), e.AttackMissed(ADA, BEN, 11, 11))
    done: list[tuple[Intent, tuple[Event, ...]]] = [
        (i.Attack(ADA, BEN), fought),
        (i.AttackRolled(TABLE, 7), (e.AttackThrown(ADA, 7, 11),)),
        (i.DefenceRolled(TABLE, 6), missed),
        (i.MoveRolled(TABLE, 3), ()),
        (i.TakeGold(BEN), ()),
    ]
    deeds = {Seq(seq): deed_of(GAME, *each, None) for seq, each in enumerate(done, 2)}
    line = (Seq(1), *deeds)
    at = Position(Seq(6), table.now, line, (1, 1, 1), ())
    shown = [GAME.showdown(table.view(PUBLIC), acts(replace(at, line=line[:n]), deeds)) for n in (4, 5, 6)]
    assert shown[0] is not None
    assert shown[1] == shown[0]
    assert shown[2] is None
