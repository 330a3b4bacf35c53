"""A turn by hands alone: trays that say where a card goes, pawns that say where they stand, and what leads there."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from companion.app.kit.kit import Kit
from companion.core import (
    TABLE,
    ChoosePage,
    ConfirmPage,
    PieceId,
    PlaceId,
    Pressed,
    ReaderId,
    SeatId,
    Tapped,
    led_to,
    legal,
)
from companion.games.timeline.rules.intents import EnterMarket, Travel
from companion.games.timeline.state import FINISH
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.state import (
    BANK,
    BOARDS,
    SLOTS,
    TO_LAB,
    TO_MARKET,
    Acting,
    Drawing,
    Going,
    Moving,
    Placing,
    known,
    pawn_of,
)
from companion.library import PieceTag, PlaceTag, Tag, pretend_uid, shelf
from companion.table import reading
from companion.table.letters import handle
from tests.campaigns._moving import MovedTable

SEATS = 4
MECHANIC, OFFICE = PlaceId("0/mechanic"), PlaceId("0/office")
WAND = ReaderId("r01")


def always_three(candidates: tuple[Any, ...], _weights: tuple[int, ...]) -> Any:
    return candidates[2]


@pytest.fixture
def kit() -> Kit:
    return Kit(shelf.open("us-patent"))


def opened(kit: Kit, **given: Any) -> MovedTable:
    there = next(mat for mat in kit.game.mats(SEATS) if mat.name == "turn")
    return MovedTable(kit.game, kit.setup(SEATS, 3), there, random.Random(3), **given)


@pytest.fixture
def table(kit: Kit) -> Iterator[MovedTable]:
    with opened(kit) as table:
        yield table


def until(table: MovedTable, holds: Callable[[Any], bool]) -> None:
    """Play on by words until it is so."""
    kit, chance = Kit(table.game), random.Random(5)
    while not holds(table.state):
        assert table.say(kit.sensible_pick(table.state, chance))
        table.do_what_is_owed()
        assert table.desk.referee.at.result is None, "the game ended before"


def at(step: type) -> Callable[[Any], bool]:
    return lambda state: isinstance(state.steps[-1], step)


def tap(table: MovedTable, tag: Tag, reader: ReaderId = WAND) -> None:
    handle(table.desk, Tapped(pretend_uid(tag), reader))
    table.desk.draw()


def press(table: MovedTable, button: Any) -> None:
    handle(table.desk, Pressed(button))
    table.desk.draw()


def piece(name: str) -> Tag:
    return PieceTag(Kit(shelf.open("us-patent")).game.id, PieceId(name))


def tray(table: MovedTable, place: PlaceId) -> ReaderId:
    return next(reader for reader, at in table.desk.trays.items() if at == place)


def done(table: MovedTable, seq: int) -> list[type]:
    return [type(each) for each in table.done_since(seq)]


@pytest.mark.parametrize(("place", "verb"), [(TO_LAB, i.PlaceInLab), (TO_MARKET, i.PlaceInMarket)])
def test_a_drawn_card_says_on_a_tray_where_it_goes(table: MovedTable, place: PlaceId, verb: type) -> None:
    until(table, at(Drawing))
    seq, card = table.desk.referee.at.seq, table.state.deck.next()[0]
    tap(table, piece(card), tray(table, place))
    assert done(table, seq) == [i.Drew, verb]


def test_a_card_drawn_on_the_wand_may_pass_a_tray_later(table: MovedTable) -> None:
    until(table, at(Drawing))
    seq, card = table.desk.referee.at.seq, table.state.deck.next()[0]
    tap(table, piece(card))
    tap(table, piece(card), tray(table, TO_LAB))
    assert done(table, seq) == [i.Drew, i.PlaceInLab]


def test_a_card_that_is_refused_is_meant_for_no_tray(table: MovedTable) -> None:
    until(table, lambda state: isinstance(state.steps[-1], Placing) and any(state.markets))
    seq = table.desk.referee.at.seq
    other = next(cards[0] for cards in table.state.markets if cards)
    tap(table, piece(other), tray(table, TO_LAB))
    assert done(table, seq) == []
    assert isinstance(table.state.steps[-1], Placing)


def may_act_after(state: Any) -> bool:
    """The turn has its Action still before it."""
    return any(isinstance(step, Acting) for step in state.steps)


def near(table: MovedTable, space: PlaceId) -> Callable[[Any], bool]:
    """Somebody may go there now, and was not there before."""

    def holds(state: Any) -> bool:
        goes = legal(table.game, state, state.turn)
        is_there = state.machines[state.turn].at == space or not may_act_after(state)
        return not is_there and any(isinstance(each, i.Go) and each.space == space for each in goes)

    return holds


def test_a_pawn_that_stands_in_the_office_has_gone_there(table: MovedTable) -> None:
    until(table, near(table, OFFICE))
    seq, seat = table.desk.referee.at.seq, table.state.turn
    others = SeatId((seat + 1) % SEATS)
    tap(table, piece(pawn_of(others)), tray(table, OFFICE))
    assert done(table, seq) == [], "another's pawn is no move of this turn"
    tap(table, piece(pawn_of(seat)), tray(table, OFFICE))
    assert table.done_since(seq) == [i.Go(seat, PlaceId("board/0"), OFFICE)]


def test_a_pawn_that_is_put_back_where_it_stood_has_gone_nowhere(table: MovedTable) -> None:
    until(table, lambda state: at(Going)(state) and state.machines[state.turn].at == OFFICE)
    seq = table.desk.referee.at.seq
    tap(table, piece(pawn_of(table.state.turn)), tray(table, OFFICE))
    assert done(table, seq) == []
    assert not table.box.is_choosing


def at_the_office(table: MovedTable) -> int:
    until(table, near(table, OFFICE))
    tap(table, PlaceTag(table.game.id, OFFICE))
    return table.desk.referee.at.seq


def test_what_is_done_at_a_place_is_offered_there_and_seen_before_ok(table: MovedTable) -> None:
    seq = at_the_office(table)
    assert isinstance(table.desk.snapshot.page, ConfirmPage)
    assert table.desk.snapshot.flash is None, "nothing hides what OK would do"
    press(table, "ok")
    assert done(table, seq) == [i.TakeNumber]


def test_next_leads_from_what_is_offered_to_everything(table: MovedTable) -> None:
    seq = at_the_office(table)
    press(table, "next")
    assert isinstance(table.desk.snapshot.page, ChoosePage)
    assert done(table, seq) == []


def test_back_and_the_bank_do_something_else(table: MovedTable) -> None:
    seq = at_the_office(table)
    press(table, "back")
    assert not isinstance(table.desk.snapshot.page, ConfirmPage)
    tap(table, PlaceTag(table.game.id, BANK))
    assert done(table, seq) == [i.TakeGold]


# What leads there


def within_reach(kind: str) -> Callable[[Any], bool]:
    """The awaited seat is to go, and a card lies where it may go to; its slot for it is empty."""
    return lambda state: at(Going)(state) and may_act_after(state) and takeable(state, kind) is not None


def takeable(state: Any, kind: str) -> tuple[PieceId, PlaceId, PlaceId] | None:
    """A card, its slot, and where one goes to take it."""
    game, seat, tables = shelf.open("us-patent"), state.turn, known(state)
    machine = state.machines[seat]
    goals = {each.space for each in legal(game, state, seat) if isinstance(each, i.Go)} - {machine.at}
    for board in range(1, BOARDS):
        cards = state.markets[board] if kind == "market" else [each.value for each in state.labs[board]]
        for card in (tables.cards[each] for each in cards if f"{board}/{kind}" in goals):
            if not machine.cards[card.slot] and (kind == "lab" or card.rank <= machine.gold):
                return card.id, PlaceId(f"slot/{seat}/{SLOTS[card.slot]}"), PlaceId(f"{board}/{kind}")
    return None


@pytest.mark.parametrize(("kind", "ends"), [("market", [i.Buy]), ("lab", [i.LookInLab, i.Invent])])
def test_who_lays_a_far_card_into_a_slot_has_gone_for_it(table: MovedTable, kind: str, ends: list[type]) -> None:
    until(table, within_reach(kind))
    found = takeable(table.state, kind)
    assert found is not None
    card, slot, space = found
    seq, seat = table.desk.referee.at.seq, table.state.turn
    table.swap([card], [slot])
    assert done(table, seq) == [], "hands may still take it away again"
    table.rest()
    assert done(table, seq) == [i.Go, *ends]
    assert table.state.machines[seat].at == space
    assert not table.desk.hands.found


def test_who_takes_it_away_at_once_has_done_nothing(table: MovedTable) -> None:
    until(table, within_reach("market"))
    found = takeable(table.state, "market")
    assert found is not None
    card, slot, _ = found
    seq, lay = table.desk.referee.at.seq, table.lies[card]
    table.swap([card], [slot])
    table.swap([card], [lay])
    table.rest()
    assert done(table, seq) == []
    assert not table.desk.hands.astray


def test_what_nothing_shows_is_not_guessed(table: MovedTable) -> None:
    """Before the researched card is laid somewhere, no one way leads to another card in a slot."""
    until(table, lambda state: isinstance(state.steps[-1], Placing) and any(state.markets))
    seq, seat = table.desk.referee.at.seq, table.state.turn
    card = next(cards[0] for cards in table.state.markets if cards)
    table.swap([card], [PlaceId(f"slot/{seat}/weapon")])
    table.rest()
    assert done(table, seq) == []
    assert table.desk.hands.astray


def test_several_who_are_awaited_are_led_nowhere(table: MovedTable) -> None:
    until(table, within_reach("market"))
    found = takeable(table.state, "market")
    assert found is not None
    table.swap([found[0]], [found[1]])
    now = reading.look(table.desk)
    given = now.should, now.seen, now.watch
    seat = table.state.turn
    assert led_to(table.game, table.state, (seat,), *given)
    assert led_to(table.game, table.state, (seat, SeatId((seat + 1) % SEATS)), *given) == ()


# TimeLine: trays above the columns


@pytest.fixture
def columns() -> Iterator[MovedTable]:
    """A game whose first mover has placed the pawn, and whose turn it is."""
    timeline = Kit(shelf.open("timeline"))
    there = next(mat for mat in timeline.game.mats(3) if mat.name == "turn")
    with MovedTable(timeline.game, timeline.setup(3, 3), there, random.Random(3)) as table:
        until(table, lambda state: any(isinstance(each, Travel) for each in legal(table.game, state, mover(table))))
        yield table


def mover(table: MovedTable) -> SeatId:
    return table.desk.referee.at.decisions[-1].seats[0]


def pass_by(table: MovedTable, place: PlaceId) -> None:
    pawn = table.game.pawn(mover(table))
    assert pawn is not None
    table.tap(pawn, tray(table, place))


def test_a_pawn_past_the_tray_of_a_column_goes_along_its_line(columns: MovedTable) -> None:
    travel = next(each for each in legal(columns.game, columns.state, mover(columns)) if isinstance(each, Travel))
    lies = columns.layout(columns.state)[travel.card]
    seq = columns.desk.referee.at.seq
    pass_by(columns, PlaceId(f"head/{lies.split('/')[1]}"))
    assert isinstance(columns.desk.snapshot.page, ConfirmPage), "a counter is taken and a column slides: seen before OK"
    press(columns, "ok")
    assert columns.done_since(seq) == [travel]


def test_a_pawn_past_the_tray_of_finish_enters_the_market(columns: MovedTable) -> None:
    seq = columns.desk.referee.at.seq
    pass_by(columns, FINISH)
    press(columns, "ok")
    assert done(columns, seq)[:1] == [EnterMarket]


def test_a_pawn_past_the_tray_of_its_own_column_is_asked_where_it_stops(columns: MovedTable) -> None:
    pawn = columns.game.pawn(mover(columns))
    assert pawn is not None
    own = columns.layout(columns.state)[pawn].split("/")[1]
    seq = columns.desk.referee.at.seq
    pass_by(columns, PlaceId(f"head/{own}"))
    assert isinstance(columns.desk.snapshot.page, ChoosePage)
    assert done(columns, seq) == []


# Dice


def test_the_box_rolls_as_soon_as_nothing_else_would_come_first(kit: Kit) -> None:
    with opened(kit, dice=always_three) as table:
        until(table, lambda state: isinstance(state.steps[-1], Drawing))
        seq, card = table.desk.referee.at.seq, table.state.deck.next()[0]
        tap(table, piece(card), tray(table, TO_LAB))
        assert table.done_since(seq)[2:] == [i.MoveRolled(TABLE, 3)]
        assert isinstance(table.state.steps[-1], Going)


def test_the_box_rolls_and_does_not_draw(kit: Kit) -> None:
    with opened(kit, dice=always_three) as table:
        until(table, at(Drawing))
        table.desk.let_chance_play()
        assert isinstance(table.state.steps[-1], Drawing)


def test_where_cards_and_dice_are_real_nothing_falls_by_itself(table: MovedTable) -> None:
    until(table, at(Moving))
    table.desk.let_chance_play()
    assert isinstance(table.state.steps[-1], Moving)


def test_a_tray_is_no_place_where_anything_is_missed(table: MovedTable) -> None:
    """A card left lying on a tray, or a pawn that has gone, leaves nothing to put right."""
    until(table, at(Acting))
    table.swap([pawn_of(SeatId(0))], [OFFICE])
    table.swap([pawn_of(SeatId(0))], [MECHANIC])
    assert not table.desk.hands.astray
    assert not table.desk.hands.found
