"""The turn: step 0, Research, Move, and what a look into Labs leaves behind."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core import PUBLIC, TABLE, Place, PlaceId, SeatId
from companion.games.us_patent import GAME
from companion.games.us_patent import events as e
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.rules.chance import weight
from companion.games.us_patent.state import (
    NO_NUMBER,
    Acting,
    Drawing,
    Ending,
    Going,
    Link,
    Moving,
    Repair,
    board_place,
    turn_steps,
)
from companion.games.us_patent.state.vocabulary import Drive
from tests.games.us_patent.play import ADA, BEN, CLEO, PLAIN, Table, go, in_lab, in_market, laid, machine, piece

MOVE = (Ending(ADA), Acting(ADA), Moving(ADA))


def next_turn(number: int) -> Table:
    """Ada ends her turn; Ben, whose number this is, begins."""
    return laid(machine(), machine(number=number)).do(i.EndTurn(ADA))


@pytest.mark.rule("P17", "P42")
@pytest.mark.parametrize(("before", "after"), [(6, 5), (2, 1), (1, 0), (NO_NUMBER, NO_NUMBER)])
def test_step_0_counts_down_by_itself(before: int, after: int) -> None:
    table = next_turn(before)
    assert table.now.turn == BEN
    assert table.now.machines[BEN].number == after
    assert table.now.machines[ADA].number == NO_NUMBER
    assert len(table.happened(e.NumberCalled)) == (before == 1)
    assert table.view(CLEO).machines[BEN].number == after


@pytest.mark.rule("P.g")
def test_a_number_just_taken_waits_for_the_owners_next_turn() -> None:
    table = laid(machine(at="0/office")).do(i.TakeNumber(ADA)).rolls(4)
    assert table.now.machines[ADA].number == 4
    assert table.now.turn == BEN
    table.now = replace(table.now, turn=CLEO, steps=(Ending(CLEO), Acting(CLEO)))
    assert table.do(i.EndTurn(CLEO)).now.machines[ADA].number == 3


@pytest.mark.rule("P18")
def test_research_goes_to_the_cards_own_period_wherever_the_pawn_is() -> None:
    table = laid(machine(at="4/market"), steps=turn_steps(ADA))
    assert table.awaits() == ("research", (TABLE,))
    table.do(i.Drew(TABLE, piece("mirror-cloak")))
    assert table.awaits() == ("place", (ADA,))
    assert table.why(in_lab(BEN, 8)) == ("P3", "your-turn")
    lab = Table(table.now).do(in_lab(ADA, 8)).now
    assert [h.value for h in lab.labs[8]] == ["mirror-cloak"]
    market = Table(table.now).do(in_market(ADA, 8)).now
    assert market.markets[8] == ("mirror-cloak",)
    assert table.view(BEN).steps[-1].card.value == "?"  # type: ignore[union-attr]
    assert table.view(ADA).steps[-1].card.value == "mirror-cloak"  # type: ignore[union-attr]


@pytest.mark.rule("P18", "P21")
def test_an_empty_deck_is_skipped_and_not_researched_again() -> None:
    table = laid(machine(), deck="").do(i.EndTurn(ADA))
    assert table.happened(e.ResearchSkipped)
    assert table.awaits() == ("move", (BEN,))
    table.do(i.Stay(BEN))
    assert table.why(i.ResearchAgain(BEN)) == ("P21", "deck-left")


def test_a_draw_contradicted_says_the_same_for_every_card() -> None:
    table = laid(machine(), markets="thunder-jar", labs="fog-bell", steps=turn_steps(ADA))
    refusals = {table.no(i.Drew(TABLE, piece(name))) for name in ("thunder-jar", "fog-bell", "no-such-card")}
    assert len(refusals) == 1


@pytest.mark.rule("P19")
def test_one_die_and_up_to_that_many_spaces() -> None:
    table = laid(machine(at="0/office"), steps=MOVE).do(i.Roll(ADA))
    assert [weight(table.now, n) for n in table.legal(TABLE)] == [1] * 6
    assert table.why(i.MoveRolled(TABLE, 7)) == ("P19", "dice-sum")
    table.rolls(2)
    spaces = {n.space for n in table.may(i.Go)}
    assert {"0/office", "0/mechanic", "0/junkyard", "2/library", "6/a", "2/a"} <= spaces
    assert "2/lab" not in spaces
    assert table.why(go(ADA, "2/lab")) == ("P19", "in-reach")
    assert table.goes(ADA, "6/a").now.machines[ADA].at == "6/a"


@pytest.mark.rule("P19")
def test_a_working_chassis_changes_the_move_and_a_disabled_one_does_not() -> None:
    for cards, dice in (("sedan-chair", 2), ("-sedan-chair", 1)):
        table = laid(machine(cards), steps=MOVE, effects={"sedan-chair": (Drive(2, 1),)}).do(i.Roll(ADA))
        assert [n.number for n in table.legal(TABLE)] == list(range(dice, 6 * dice + 1))  # type: ignore[attr-defined]
        table.rolls(dice)
        assert table.now.steps[-1] == Going(ADA, dice + (cards == "sedan-chair"))


def test_weights_of_two_dice() -> None:
    table = laid(machine("sedan-chair"), steps=MOVE, effects={"sedan-chair": (Drive(2),)}).do(i.Roll(ADA))
    assert [weight(table.now, n) for n in table.legal(TABLE)] == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]


def test_a_chassis_without_dice_asks_for_no_roll() -> None:
    table = laid(machine("sedan-chair", at="0/office"), steps=turn_steps(ADA), effects={"sedan-chair": (Drive(0, 2),)})
    table.do(i.Drew(TABLE, piece("fog-bell")), in_lab(ADA, 1))
    assert table.awaits() == ("go", (ADA,))
    assert table.now.steps[-1] == Going(ADA, 2)
    table = laid(machine("sedan-chair"), steps=MOVE, effects={"sedan-chair": (Drive(1, -3),)}).do(i.Roll(ADA)).rolls(2)
    assert table.awaits() == ("act", (ADA,)), "no space to go: nothing is asked"


@pytest.mark.rule("P20")
def test_one_action_and_only_in_step_3() -> None:
    table = laid(machine(), steps=MOVE)
    assert table.why(i.TakeGold(ADA)) == ("P20", "act-step")
    assert table.why(i.EndTurn(ADA)) == ("P20", "end-step")
    table.do(i.Stay(ADA), i.TakeGold(ADA))
    assert table.now.turn == BEN
    table = laid(
        machine("-mangolds-robot -fog-bell boiler-of-doubt"), effects={"boiler-of-doubt": (Repair("one", "free"),)}
    )
    table.do(i.TakeGold(ADA))
    assert table.awaits() == ("end", (ADA,))
    assert table.why(i.TakeGold(ADA)) == ("P20", "action-unspent")


@pytest.mark.rule("P21")
def test_anywhere_research_again_move_again_or_one_gold() -> None:
    table = laid(machine(at="3/w", gold=2))
    assert Table(table.now).do(i.TakeGold(ADA)).now.machines[ADA].gold == 3
    again = Table(table.now).do(i.ResearchAgain(ADA))
    assert isinstance(again.now.steps[-1], Drawing)
    moved = Table(table.now).do(i.MoveAgain(ADA)).rolls(1).goes(ADA, "3/library")
    assert moved.now.turn == BEN


@pytest.mark.rule("P.i")
def test_pawns_turn_round_pass_and_share() -> None:
    table = laid(machine(at="3/a"), machine(at="3/library"), steps=MOVE).do(i.Roll(ADA)).rolls(2)
    spaces = {n.space for n in table.may(i.Go)}
    assert {"3/a", "3/library", "3/e", "3/w"} <= spaces, "back to the start, onto Ben, past Ben"
    assert table.goes(ADA, "3/library").now.machines[ADA].at == table.now.machines[BEN].at


@pytest.mark.rule("P.aj")
def test_who_stays_does_not_roll() -> None:
    table = laid(machine(), steps=MOVE).do(i.Stay(ADA))
    assert table.awaits() == ("act", (ADA,))
    assert table.why(i.Stay(ADA)) == ("P19", "move-left")


@pytest.mark.rule("P.ak")
def test_links_count_one_and_run_both_ways_unless_marked() -> None:
    pack = replace(PLAIN, links=(*PLAIN.links, Link("3/market", "7/market", one_way=True)))
    for start, goal, there in (("3/market", "7/market", True), ("7/market", "3/market", False)):
        table = laid(machine(at=start), steps=MOVE, pack=pack).do(i.Roll(ADA)).rolls(1)
        assert (go(ADA, goal) in table.may(i.Go)) == there
    table = laid(machine(at="7/market"), steps=MOVE).do(i.Roll(ADA)).rolls(1)
    assert table.why(i.Go(ADA, board_place(2), PlaceId("7/a"))) == ("P.ak", "space-there")
    assert table.why(i.Go(ADA, board_place(7), PlaceId("7/attic"))) == ("P.ak", "space-there")


@pytest.mark.rule("P45", "P.ai")
@pytest.mark.parametrize("memory", ["off", "on"])
def test_a_lab_card_is_known_to_who_put_it_there_while_the_table_allows(memory: str) -> None:
    table = laid(machine(), steps=turn_steps(ADA), lab_memory=memory)
    table.do(i.Drew(TABLE, piece("mirror-cloak")), in_lab(ADA, 8))
    knows = {seat: table.view(seat).labs[8][0].value for seat in (ADA, BEN, PUBLIC)}
    assert knows == {ADA: "mirror-cloak" if memory == "on" else "?", BEN: "?", PUBLIC: "?"}


@pytest.mark.rule("P23", "P45", "P.ai", "P.ap")
@pytest.mark.parametrize("memory", ["off", "on"])
def test_a_look_is_for_one_pair_of_eyes(memory: str) -> None:
    table = laid(machine(at="3/lab"), labs="mangolds-robot gossip-engine fog-bell", lab_memory=memory)
    table.do(i.LookInLab(ADA))
    assert set(table.view(ADA).looks[ADA].value) == {"mangolds-robot", "gossip-engine"}
    assert table.view(BEN).looks[ADA].value == ("?", "?")
    table.do(i.Invent(ADA, piece("gossip-engine")))
    assert table.view(BEN).machines[ADA].attached() == ("gossip-engine",), "the card taken is public"
    assert table.now.looks[ADA].value == ()
    left = table.view(ADA).labs[3][0].value
    assert left == ("mangolds-robot" if memory == "on" else "?")
    assert table.view(BEN).labs[3][0].value == "?"


@pytest.mark.rule("P24", "P.n")
@pytest.mark.parametrize("memory", ["off", "on"])
def test_a_library_shows_earlier_labs_frozen_while_play_goes_on(memory: str) -> None:
    labs = "fog-bell hedgehog-coat mangolds-robot brass-umbrella mirror-cloak"
    table = laid(machine(at="3/library"), machine(at="2/market"), labs=labs, lab_memory=memory).do(i.Study(ADA))
    assert set(table.view(ADA).looks[ADA].value) == {"fog-bell", "hedgehog-coat"}, "boards 1 and 2, not 3, 4, 8"
    assert table.now.turn == BEN, "the game does not wait for the reader"
    assert table.view(BEN).looks[ADA].value == ("?", "?")
    table.do(i.Drew(TABLE, piece("oak-door")), in_lab(BEN, 1))
    assert "oak-door" not in table.view(ADA).looks[ADA].value
    assert table.view(ADA).labs[1][0].value == ("fog-bell" if memory == "on" else "?")
    assert i.CloseLook(ADA) in table.legal(ADA)
    table.do(i.CloseLook(ADA))
    assert table.now.looks[ADA].value == ()
    assert table.why(i.CloseLook(ADA)) == ("P.n", "look-open")


def test_an_open_look_ends_with_the_next_own_turn() -> None:
    table = laid(machine(at="3/library"), labs="fog-bell").do(i.Study(ADA))
    table.now = replace(table.now, turn=CLEO, steps=(Ending(CLEO), Acting(CLEO)))
    table.do(i.EndTurn(CLEO))
    assert table.now.turn == ADA
    assert table.now.looks[ADA].value == ()


@pytest.mark.rule("P24")
def test_a_library_never_shows_its_own_or_a_later_lab() -> None:
    table = laid(machine(at="3/library"), labs="mangolds-robot mirror-cloak")
    assert table.why(i.Study(ADA)) == ("P.aa", "labs-stocked")
    assert laid(machine(at="3/lab"), labs="fog-bell").why(i.Study(ADA)) == ("P24", "on-library")


def test_the_researched_card_is_told_to_nobody_else_and_not_by_the_decision() -> None:
    table = laid(machine(), steps=turn_steps(ADA)).do(i.Drew(TABLE, piece("mirror-cloak")))
    assert "mirror-cloak" not in repr(GAME.decisions(table.now))
    assert "mirror-cloak" in repr(GAME.own(table.view(ADA), ADA))
    assert "mirror-cloak" not in repr(GAME.own(table.view(BEN), ADA))


@pytest.mark.rule("P30", "P31")
def test_a_turn_that_ends_without_a_number_loses_none() -> None:
    assert not laid(machine()).do(i.EndTurn(ADA)).happened(e.NumberLost)


@pytest.mark.rule("P.ai", "P45")
def test_who_looks_into_a_lab_learns_nothing_of_the_next() -> None:
    labs = "fog-bell hedgehog-coat mangolds-robot brass-umbrella"
    table = laid(machine(at="2/lab"), labs=labs, lab_memory="on").do(i.LookInLab(ADA))
    assert [hidden.value for lab in table.view(ADA).labs for hidden in lab] == ["?", "hedgehog-coat", "?", "?"]


@pytest.mark.rule("P19")
def test_spaces_where_something_can_be_done_are_offered_first() -> None:
    table = laid(machine(at="4/market"), steps=(Ending(ADA), Acting(ADA), Going(ADA, 4)))
    kinds = {space.id: space.kind for space in PLAIN.spaces}
    offered = [kinds[n.space] == "plain" for n in table.may(i.Go)]
    assert offered == sorted(offered)
    assert 3 < sum(offered) < len(offered) - 3


@pytest.mark.rule("P19", "P.ak")
def test_a_space_to_which_no_path_leads_is_not_called_far() -> None:
    links = tuple(Link(link.a, link.b, one_way=True) if link.b == "7/lab" else link for link in PLAIN.links)
    away = tuple(Link(link.b, link.a, one_way=True) if link.a == "7/lab" else link for link in links)
    pack = replace(PLAIN, links=tuple(link for link in away if link.a != "7/lab"))
    table = laid(machine(at="7/lab"), pack=pack, steps=(Ending(ADA), Acting(ADA), Going(ADA, 30)))
    assert [n.space for n in table.may(i.Go)] == ["7/lab"]
    assert table.why(go(ADA, "0/office")) == ("P.ak", "way-there")
    assert table.why(go(ADA, "0/attic")) == ("P.ak", "space-there")
    for board in (6, 8):
        refusal = table.no(i.Go(ADA, board_place(board), PlaceId("7/lab")))
        assert refusal.facts == (("space", Place(PlaceId("7/lab"))),)
    assert table.no(go(ADA, "0/attic")).facts == (("space", Place(PlaceId("nowhere"))),)


@pytest.mark.rule("P.n", "P23")
@pytest.mark.parametrize(("reader", "looker"), [(ADA, BEN), (BEN, ADA)])
def test_who_reads_on_may_stop_while_another_looks_into_a_lab(reader: SeatId, looker: SeatId) -> None:
    at = {reader: "3/library", looker: "2/lab"}
    table = laid(machine(at=at[ADA]), machine(at=at[BEN]), labs="fog-bell hedgehog-coat", turn=reader)
    table.do(i.Study(reader))
    table.now = replace(table.now, turn=looker, steps=(Ending(looker), Acting(looker)))
    table.do(i.LookInLab(looker))
    assert table.why(i.CloseLook(looker)) == ("P23", "lab-closed")
    assert table.do(i.CloseLook(reader)).now.looks[reader].value == ()
