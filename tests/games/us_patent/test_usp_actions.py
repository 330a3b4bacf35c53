"""Actions by place, numbers, the win."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core import PUBLIC, TABLE, Hidden, swapped
from companion.games.us_patent import GAME
from companion.games.us_patent import events as e
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.state import CALLED, NO_NUMBER, Acting, Ending, Moving
from tests.games.us_patent.play import ADA, BEN, CLEO, Table, laid, machine, piece

SET = "angry-goose fog-bell sedan-chair water-wheel"
THREE = "angry-goose fog-bell -sedan-chair water-wheel"


@pytest.mark.rule("P22", "P.ag")
def test_a_market_sells_for_the_rank() -> None:
    table = laid(machine(gold=6), markets="thunder-jar arc-harpoon fog-bell")
    assert [n.card for n in table.may(i.Buy)] == ["thunder-jar"]
    assert table.why(i.Buy(ADA, piece("arc-harpoon"))) == ("P.ag", "can-pay")
    assert table.why(i.Buy(ADA, piece("fog-bell"))) == ("P22", "this-market")
    assert table.why(i.Buy(ADA, piece("pet-star"))) == ("P22", "on-sale")
    assert table.view(PUBLIC).markets == table.now.markets
    table.do(i.Buy(ADA, piece("thunder-jar")))
    assert table.now.machines[ADA].gold == 0
    assert table.now.markets[4] == ("arc-harpoon",)
    assert laid(machine(at="4/a"), markets="thunder-jar").why(i.Buy(ADA, piece("thunder-jar"))) == ("P22", "on-market")


@pytest.mark.rule("P23")
def test_a_card_of_another_lab_that_was_looked_at_since_is_not_taken_from_this_one() -> None:
    """At a table where rules don't bind, somebody studies while the Lab lies open before them."""
    table = laid(machine(at="3/lab"), labs="gossip-engine").do(i.LookInLab(ADA))
    others = swapped(table.now.looks, ADA, Hidden((piece("fog-bell"),), (ADA,)))
    studied = Table(replace(table.now, looks=others))
    assert studied.why(i.Invent(ADA, piece("fog-bell"))) == ("P23", "in-this-lab")
    assert studied.may(i.Invent) == []


def test_a_lab_is_looked_into_and_one_card_taken_or_none() -> None:
    table = laid(machine(at="3/lab", gold=0), labs="mangolds-robot gossip-engine")
    looked = Table(table.now).do(i.LookInLab(ADA))
    assert {n.card for n in looked.may(i.Invent)} == {"mangolds-robot", "gossip-engine"}
    assert looked.why(i.Invent(ADA, piece("fog-bell"))) == ("P23", "in-this-lab")
    assert looked.why(i.TakeGold(ADA)) == ("P23", "lab-closed")
    nothing = Table(looked.now).do(i.InventNothing(ADA))
    assert nothing.now.turn == BEN
    assert len(nothing.now.labs[3]) == 2
    looked.do(i.Invent(ADA, piece("gossip-engine")))
    assert (looked.works(ADA), looked.now.machines[ADA].gold) == ({"gossip-engine"}, 0)
    assert table.why(i.Invent(ADA, piece("gossip-engine"))) == ("P23", "inventing")
    assert laid(machine(at="3/a"), labs="gossip-engine").why(i.LookInLab(ADA)) == ("P23", "on-lab")


@pytest.mark.rule("P25")
def test_the_junkyard_gives_one_card() -> None:
    table = laid(machine(at="0/junkyard"), junkyard="fog-bell pet-star")
    assert table.view(PUBLIC).junkyard == table.now.junkyard
    assert table.why(i.Salvage(ADA, piece("oak-door"))) == ("P25", "in-junkyard")
    assert laid(machine(at="0/office"), junkyard="fog-bell").why(i.Salvage(ADA, piece("fog-bell"))) == (
        "P25",
        "on-junkyard",
    )
    assert table.do(i.Salvage(ADA, piece("pet-star"))).down(ADA) == {"pet-star"}


@pytest.mark.rule("P.ao")
def test_what_junk_displaces_joins_the_junkyard_after_the_choice() -> None:
    table = laid(machine("oak-door boiler-of-doubt", at="0/junkyard"), junkyard="fog-bell")
    assert table.why(i.Salvage(ADA, piece("oak-door"))) == ("P25", "in-junkyard")
    assert table.do(i.Salvage(ADA, piece("fog-bell"))).now.junkyard == ("oak-door",)


@pytest.mark.rule("P26")
def test_the_mechanic_mends_all_for_one_gold_then_power_counts() -> None:
    table = laid(machine("-thunder-jar -fog-bell -sedan-chair water-wheel", at="0/mechanic", gold=1)).do(i.Mend(ADA))
    assert table.now.machines[ADA].gold == 0
    assert table.awaits() == ("short", (ADA,)), "9 > 8"
    poor = laid(machine("-fog-bell", at="0/mechanic", gold=0))
    assert poor.why(i.Mend(ADA)) == ("P.ag", "can-pay-mechanic")
    assert laid(machine("-fog-bell", at="0/office")).why(i.Mend(ADA)) == ("P26", "on-mechanic")


@pytest.mark.rule("P28")
def test_a_working_upgrade_is_patented_for_its_rank() -> None:
    table = laid(machine("thunder-jar -fog-bell steam-abbot", at="0/office", gold=1))
    assert table.why(i.Patent(ADA, piece("fog-bell"))) == ("P28", "works")
    assert table.why(i.Patent(ADA, piece("pet-star"))) == ("P28", "own-card")
    table.do(i.Patent(ADA, piece("steam-abbot")))
    assert table.now.machines[ADA].gold == 7
    assert table.now.markets[2] == ("steam-abbot",)
    assert table.down(ADA) == {"thunder-jar", "fog-bell"}, "6 > 5: the only card that can go off goes by itself"
    assert laid(machine("fog-bell", at="4/a")).why(i.Patent(ADA, piece("fog-bell"))) == ("P28", "on-office")


@pytest.mark.rule("P29", "P43")
def test_a_number_is_taken_with_one_die_with_nothing_installed() -> None:
    table = laid(machine(at="0/office")).do(i.TakeNumber(ADA))
    assert [n.number for n in table.legal(TABLE)] == [1, 2, 3, 4, 5, 6]  # type: ignore[attr-defined]
    assert table.rolls(6).now.machines[ADA].number == 6
    assert laid(machine(at="0/mechanic")).why(i.TakeNumber(ADA)) == ("P29", "on-office")


@pytest.mark.rule("P29")
@pytest.mark.parametrize("new", [1, 6])
def test_a_new_number_replaces_the_old_better_or_worse(new: int) -> None:
    assert laid(machine(at="0/office", number=3)).do(i.TakeNumber(ADA)).rolls(new).now.machines[ADA].number == new


@pytest.mark.rule("P43")
def test_the_holder_of_a_number_waits_anywhere() -> None:
    table = laid(machine(at="7/e", number=3)).do(i.TakeGold(ADA))
    assert table.now.machines[ADA].number == 3


@pytest.mark.rule("P30", "P.a")
def test_called_in_the_office_with_a_full_set_wins_as_the_turn_ends() -> None:
    for act in (i.EndTurn(ADA), i.TakeGold(ADA)):
        table = laid(machine(SET, at="0/office", number=CALLED)).do(act)
        assert table.now.winner == ADA
        result = GAME.result(table.now)
        assert result is not None
        assert result.winners == (ADA,)
        assert GAME.decisions(table.now) == ()
        assert table.why(i.TakeGold(BEN))[0] in {"P20", "P30"}
        assert table.why(i.SetNumber(ADA, BEN, 3)) == ("P30", "running")


@pytest.mark.rule("P30", "P31", "P.m", "P44")
@pytest.mark.parametrize(
    ("cards", "at", "number"),
    [(THREE, "0/office", CALLED), (SET, "0/mechanic", CALLED), ("", "0/office", CALLED)],
)
def test_a_called_turn_that_does_not_win_loses_the_number(cards: str, at: str, number: int) -> None:
    table = laid(machine(cards, at=at, number=number)).do(i.EndTurn(ADA))
    assert table.now.winner == TABLE
    assert table.now.machines[ADA].number == NO_NUMBER
    assert table.happened(e.NumberLost)


@pytest.mark.rule("P44", "P17")
@pytest.mark.parametrize("number", [NO_NUMBER, 1, 6])
def test_nobody_wins_uncalled(number: int) -> None:
    table = laid(machine(SET, at="0/office", number=number)).do(i.EndTurn(ADA))
    assert table.now.winner == TABLE
    assert table.now.machines[ADA].number == number


@pytest.mark.rule("P39", "P.af")
@pytest.mark.parametrize(("easier", "wins"), [("on", True), ("off", False), ("by-seats", False)])
@pytest.mark.parametrize("cards", [THREE, "angry-goose fog-bell sedan-chair", "fog-bell sedan-chair water-wheel"])
def test_in_the_easier_game_any_three_win(easier: str, wins: bool, cards: str) -> None:
    table = laid(machine(cards, at="0/office", number=CALLED), easier=easier).do(i.EndTurn(ADA))
    assert (table.now.winner == ADA) == wins
    two = laid(machine("angry-goose fog-bell", at="0/office", number=CALLED), easier=easier).do(i.EndTurn(ADA))
    assert two.now.winner == TABLE


@pytest.mark.rule("P.a", "P.ac")
def test_where_winning_is_an_action_it_must_be_taken() -> None:
    table = laid(machine(SET, at="0/office", number=CALLED), win="action")
    won = Table(table.now).do(i.ClaimPatent(ADA))
    assert won.now.winner == ADA
    for other in (i.EndTurn(ADA), i.TakeGold(ADA)):
        lost = Table(table.now).do(other)
        assert lost.now.winner == TABLE
        assert lost.now.machines[ADA].number == NO_NUMBER
    again = Table(table.now).do(i.TakeNumber(ADA)).rolls(2)
    assert again.now.machines[ADA].number == 2, "but P.h"
    by_itself = laid(machine(SET, at="0/office", number=CALLED))
    assert by_itself.why(i.ClaimPatent(ADA)) == ("P.a", "win-by-action")


@pytest.mark.rule("P.ac", "P30", "P44")
def test_the_winning_action_has_its_conditions() -> None:
    for own, why in (
        (machine(SET, at="0/mechanic", number=CALLED), ("P30", "on-office")),
        (machine(THREE, at="0/office", number=CALLED), ("P30", "full-set")),
        (machine(SET, at="0/office", number=2), ("P30", "called")),
        (machine(SET, at="0/office"), ("P44", "has-number")),
    ):
        assert laid(own, win="action").why(i.ClaimPatent(ADA)) == why


@pytest.mark.rule("P.h")
def test_a_new_number_on_the_called_turn_gives_up_the_win() -> None:
    table = laid(machine(SET, at="0/office", number=CALLED)).do(i.TakeNumber(ADA)).rolls(5)
    assert table.now.winner == TABLE
    assert table.now.machines[ADA].number == 5


@pytest.mark.rule("P.ad")
def test_through_the_office_and_out_again_wins_nothing() -> None:
    steps = (Ending(ADA), Acting(ADA), Moving(ADA))
    table = laid(machine(SET, at="0/junkyard", number=CALLED), steps=steps).do(i.Roll(ADA)).rolls(2)
    table.goes(ADA, "2/library").do(i.EndTurn(ADA))
    assert table.now.winner == TABLE
    assert table.now.machines[ADA].number == NO_NUMBER


@pytest.mark.rule("P.ae")
def test_power_is_settled_before_the_win_is_checked() -> None:
    cards = "-thunder-jar fog-bell sedan-chair water-wheel"
    table = laid(machine(cards, at="0/mechanic", number=CALLED)).do(i.Mend(ADA))
    assert table.awaits() == ("short", (ADA,))
    assert table.now.winner == TABLE
    table.do(i.SwitchOff(ADA, piece("fog-bell")))
    assert table.now.machines[ADA].number == NO_NUMBER


@pytest.mark.rule("P.aa")
def test_an_action_needs_something_to_act_on() -> None:
    assert laid(machine()).why(i.Buy(ADA, piece("fog-bell"))) == ("P.aa", "market-stocked")
    assert laid(machine(at="3/lab")).why(i.LookInLab(ADA)) == ("P.aa", "lab-stocked")
    assert laid(machine(at="3/library")).why(i.Study(ADA)) == ("P.aa", "labs-stocked")
    assert laid(machine(at="0/junkyard")).why(i.Salvage(ADA, piece("fog-bell"))) == ("P.aa", "junkyard-stocked")
    assert laid(machine("fog-bell", at="0/mechanic")).why(i.Mend(ADA)) == ("P.aa", "something-off")
    assert laid(machine("-fog-bell", at="0/office")).why(i.Patent(ADA, piece("fog-bell"))) == (
        "P.aa",
        "something-works",
    )


@pytest.mark.rule("P.ab")
@pytest.mark.parametrize("at", ["4/market", "3/w", "0/office", "8/library"])
def test_passing_and_one_gold_are_always_legal(at: str) -> None:
    table = laid(machine(at=at), deck="")
    assert {i.TakeGold(ADA), i.EndTurn(ADA), i.MoveAgain(ADA)} <= set(table.legal(ADA))
    assert table.do(i.EndTurn(ADA)).now.turn == BEN


@pytest.mark.rule("P.ag", "P.o")
def test_gold_moves_only_to_and_from_the_bank() -> None:
    fields = {name for verb in GAME.verbs for name in verb.intent.__struct_fields__}
    assert "gold" not in fields, "no verb names a sum to hand over"
    table = laid(machine(gold=0), markets="thunder-jar")
    assert table.why(i.Buy(ADA, piece("thunder-jar"))) == ("P.ag", "can-pay")
    rich = laid(machine(gold=150)).do(i.TakeGold(ADA))
    assert rich.now.machines[ADA].gold == 151, "the Bank has no end"
    assert rich.why(i.SetGold(ADA, BEN, -1)) == ("P.o", "in-span")


@pytest.mark.rule("P.ah")
def test_what_lies_open_is_open_to_all() -> None:
    table = laid(machine("thunder-jar -fog-bell", gold=7, number=3), labs="mangolds-robot", deck="pet-star oak-door")
    for audience in (PUBLIC, BEN, CLEO):
        view = table.view(audience)
        assert view.machines == table.now.machines
        assert (len(view.deck), [len(lab) for lab in view.labs]) == (2, [0, 0, 0, 1, 0, 0, 0, 0, 0])


@pytest.mark.rule("P46")
def test_there_is_no_hand() -> None:
    table = laid(machine(at="3/lab"), labs="gossip-engine").do(i.LookInLab(ADA), i.Invent(ADA, piece("gossip-engine")))
    places = {lies.place for lies in GAME.layout(table.now)}
    assert not any(place.startswith("hand") for place in places)
    assert table.now.machines[ADA].attached() == ("gossip-engine",)
    table = laid(machine()).do(i.ResearchAgain(ADA), i.Drew(TABLE, piece("fog-bell")))
    assert table.why(i.MoveCard(ADA, piece("pet-star"), table.now.machines[ADA].at)) == ("P46", "no-card-in-hand")
    assert table.why(i.TakeGold(ADA)) == ("P20", "action-unspent"), "it is laid before anything else"
