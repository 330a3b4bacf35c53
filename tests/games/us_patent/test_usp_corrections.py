"""Corrections of facts at the table."""

from __future__ import annotations

import pytest

from companion.core import TABLE, PlaceId, SeatId, allowed, verb_of
from companion.games.us_patent import GAME
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.state import (
    NO_NUMBER,
    NOTHING,
    Acting,
    Dice,
    Ending,
    Going,
    Hit,
    Moving,
    board_place,
    owner_of,
)
from tests.games.us_patent.play import ADA, BEN, CLEO, CLERK, Table, everywhere, laid, machine, piece, playout
from tests.games.us_patent.test_usp_fight import COUNTER, duel

MOVE = (Ending(ADA), Acting(ADA), Moving(ADA))


def span(table: Table, intent: i.SetGold | i.SetNumber | i.SetDie) -> tuple[int, int]:
    found = verb_of(GAME, intent).span
    assert found is not None
    return found(table.now, intent)


@pytest.mark.rule("P.o", "P42")
def test_gold_and_numbers_are_set_within_bounds() -> None:
    table = laid(machine(gold=3)).do(i.SetGold(BEN, ADA, 9), i.SetNumber(BEN, CLEO, 4))
    assert (table.now.machines[ADA].gold, table.now.machines[CLEO].number) == (9, 4)
    assert span(table, i.SetGold(ADA, BEN, 0)) == (0, 199)
    assert span(table, i.SetNumber(ADA, BEN, 0)) == (0, 6)
    assert table.why(i.SetGold(ADA, BEN, 200)) == ("P.o", "in-span")
    assert table.why(i.SetNumber(ADA, BEN, 7)) == ("P42", "in-span")
    assert table.why(i.SetGold(ADA, SeatId(5), 2)) == ("P40", "seat-there")
    table.do(i.DropNumber(ADA, CLEO))
    assert table.now.machines[CLEO].number == NO_NUMBER
    assert table.why(i.DropNumber(ADA, CLEO)) == ("P42", "number-there")


def test_pawns_and_turns_are_set() -> None:
    table = laid(machine()).do(i.SetPawn(ADA, BEN, board_place(7), PlaceId("7/lab")))
    assert table.now.machines[BEN].at == "7/lab"
    assert table.why(i.SetPawn(ADA, BEN, board_place(6), PlaceId("7/lab"))) == ("P.ak", "space-there")
    table.do(i.SetTurn(ADA, CLEO))
    assert table.awaits() == ("research", (TABLE,))
    assert table.now.turn == CLEO
    fight = laid(machine(at="4/a"), machine("fog-bell", at="4/a")).do(i.Attack(ADA, BEN))
    assert fight.why(i.SetTurn(ADA, BEN)) == ("P20", "between-acts")


def test_a_die_typed_wrong_is_set_right() -> None:
    table = laid(machine("sedan-chair", at="0/office"), pack=CLERK, steps=MOVE).do(i.Roll(ADA)).rolls(2)
    table.do(i.SetDie(BEN, 5))
    assert table.now.steps[-1] == Going(ADA, 6), "with the Chassis"
    fight = laid(machine(at="4/a"), machine("fog-bell", at="4/a")).do(i.Attack(ADA, BEN)).rolls(12)
    fight.do(i.SetDie(ADA, 3))
    assert span(fight, i.SetDie(ADA, 2)) == (2, 12)
    fight.rolls(1)
    assert fight.awaits() == ("hit", (ADA,))
    fight.do(i.SetDie(ADA, 6))
    assert fight.now.turn == BEN, "3 against 7: no hit after all"
    assert fight.why(i.SetDie(ADA, 3)) == ("P27", "die-there")
    rolled = laid(machine(), steps=MOVE).do(i.Roll(ADA)).rolls(2)
    assert rolled.why(i.SetDie(ADA, 9)) == ("P19", "dice-sum")


@pytest.mark.parametrize("name", ["thunder-jar", "fog-bell", "mangolds-robot", "pet-star", "oak-door"])
@pytest.mark.parametrize("place", ["deck", "0/junkyard", "3/market", "5/lab"])
def test_a_card_lies_where_people_say(name: str, place: str) -> None:
    """From a slot, a Market, a Lab, the Junkyard, the deck."""
    table = laid(machine("thunder-jar boiler-of-doubt"), markets="fog-bell", labs="mangolds-robot", junkyard="pet-star")
    table.do(i.MoveCard(ADA, piece(name), PlaceId(place)))
    where = [lies.place for lies in GAME.layout(table.now) if lies.piece == name]
    assert where == [place]
    cards = [c for c in everywhere(table.now) if not c.startswith("pawn")]
    assert len(cards) == len(set(cards)) == 56


def test_a_card_goes_into_a_free_slot_of_its_type_and_is_turned_over() -> None:
    table = laid(machine("fog-bell"), junkyard="pet-star oak-door")
    table.do(i.MoveCard(ADA, piece("pet-star"), PlaceId("slot/0/plant")))
    assert table.works(ADA) == {"fog-bell", "pet-star"}
    table.do(i.TurnCard(ADA, piece("pet-star")))
    assert table.down(ADA) == {"pet-star"}
    assert table.why(i.MoveCard(ADA, piece("oak-door"), PlaceId("slot/0/plant"))) == ("P5", "own-slot")
    assert table.why(i.MoveCard(ADA, piece("oak-door"), PlaceId("slot/0/shield"))) == ("P5", "slot-free")
    assert table.why(i.MoveCard(ADA, piece("oak-door"), PlaceId("the-moon"))) == ("P46", "place-there")
    assert table.why(i.MoveCard(ADA, piece("pawn-1"), PlaceId("deck"))) == ("P4", "an-upgrade")


@pytest.mark.rule("P10")
def test_a_correction_that_takes_power_away_asks_the_owner() -> None:
    table = laid(machine("thunder-jar hedgehog-coat pet-star")).do(i.TurnCard(BEN, piece("pet-star")))
    assert table.awaits() == ("short", (ADA,))


def test_the_words_of_a_correction_do_not_tell_where_a_hidden_card_lies() -> None:
    table = laid(machine(), labs="mangolds-robot", deck="oak-door")
    verb = verb_of(GAME, i.MoveCard(ADA, piece("oak-door"), PlaceId("deck")))
    listed = {n.card for n in allowed(verb, table.now, ADA) if isinstance(n, i.MoveCard)}
    assert listed == set()
    table = laid(machine("fog-bell"), labs="mangolds-robot", deck="oak-door")
    listed = {n.card for n in allowed(verb, table.now, ADA) if isinstance(n, i.MoveCard)}
    assert "fog-bell" in listed
    assert not listed & {"mangolds-robot", "oak-door"}


def test_before_the_deal_and_after_the_end_little_can_be_set() -> None:
    table = Table(GAME.start(laid(machine()).now.setup))
    assert table.why(i.SetGold(ADA, BEN, 3)) == ("P2", "machines-dealt")
    assert table.why(i.MoveCard(ADA, piece("fog-bell"), PlaceId("deck")))[0] == "P2"


def test_random_play_goes_on_after_any_correction() -> None:
    for seed in range(4):
        for at, (state, _, _) in enumerate(playout(4, seed, 160)):
            if at % 16:
                continue
            for verb in GAME.corrections:
                for intent in list(allowed(verb, state, ADA))[::29]:
                    table = Table(state).do(intent)
                    seat = table.awaits()[1][0] if GAME.decisions(table.now) else None
                    assert seat is None or table.legal(seat)


@pytest.mark.rule("P27")
def test_a_die_of_an_attack_set_right_counts_with_weapon_and_shield() -> None:
    table = duel("magnet-glove", "hedgehog-coat").do(i.Attack(ADA, BEN))
    assert table.why(i.SetDie(ADA, 3)) == ("P27", "die-there"), "nothing is thrown yet"
    dice = table.rolls(12).do(i.SetDie(ADA, 3)).now.steps[-1]
    assert isinstance(dice, Dice)
    assert dice.attack == 6, "3 on the dice and a Weapon of 3"
    hit = table.do(i.SetDie(ADA, 8)).rolls(1).do(i.SetDie(ADA, 3)).now.steps[-1]
    assert isinstance(hit, Hit)
    assert (hit.attack, hit.defence) == (11, 6), "3 on the die and a Shield of 3"


@pytest.mark.rule("P13")
def test_a_card_of_any_machine_is_turned_and_nothing_else_is() -> None:
    table = laid(machine("fog-bell"), machine("oak-door boiler-of-doubt"), junkyard="pet-star")
    assert table.do(i.TurnCard(ADA, piece("oak-door"))).down(BEN) == {"oak-door"}
    for loose in (piece("pet-star"), NOTHING, piece("pawn-1")):
        assert table.why(i.TurnCard(ADA, loose)) == ("P13", "attached")
        assert owner_of(table.now, loose) == TABLE


@pytest.mark.rule("P46")
@pytest.mark.parametrize("name", ["bee-cannon", "hedgehog-coat", "siege-piano"])
def test_a_card_that_is_moved_leaves_the_others_where_they_lie(name: str) -> None:
    """Out of the middle of a Market, a Junkyard, a machine of the second seat."""
    three = ("bee-cannon", "hedgehog-coat", "siege-piano")
    rest = tuple(card for card in three if card != name)
    shop = laid(machine(), markets=" ".join(three)).do(i.MoveCard(ADA, piece(name), PlaceId("5/lab")))
    assert shop.now.markets[2] == rest
    junk = laid(machine(), junkyard=" ".join(three)).do(i.MoveCard(ADA, piece(name), PlaceId("5/lab")))
    assert junk.now.junkyard == rest
    own = laid(machine(), machine(f"{name} boiler-of-doubt")).do(i.MoveCard(ADA, piece(name), PlaceId("5/lab")))
    assert own.now.machines[BEN].attached() == ("boiler-of-doubt",)


@pytest.mark.rule("P.ak", "P40")
def test_every_pawn_may_be_set_on_every_space_by_its_board() -> None:
    table = laid(machine())
    verb = verb_of(GAME, i.SetPawn(ADA, BEN, board_place(7), PlaceId("7/lab")))
    offered = {(n.seat, n.space) for n in allowed(verb, table.now, ADA) if isinstance(n, i.SetPawn)}
    assert offered == {(seat, space.id) for seat in (ADA, BEN, CLEO) for space in CLERK.spaces}
    for board in (6, 8):
        assert table.why(i.SetPawn(ADA, BEN, board_place(board), PlaceId("7/lab"))) == ("P.ak", "space-there")
    assert table.why(i.SetPawn(ADA, SeatId(3), board_place(7), PlaceId("7/lab"))) == ("P40", "seat-there")


@pytest.mark.rule("P35")
@pytest.mark.parametrize("mover", [ADA, BEN])
@pytest.mark.parametrize("space", ["1/lab", "8/lab"])
def test_nobody_strikes_back_at_who_was_set_elsewhere(mover: SeatId, space: str) -> None:
    table = duel("", "hedgehog-coat", effects=COUNTER).do(i.Attack(ADA, BEN)).rolls(2, 6)
    assert table.awaits() == ("counter", (BEN,))
    table.do(i.SetPawn(ADA, mover, board_place(int(space[0])), PlaceId(space)))
    assert table.now.turn == BEN, "the attack is over"


@pytest.mark.rule("P10")
def test_one_of_several_that_lack_power_is_set_right_alone() -> None:
    table = laid(*(machine(cards) for cards in ("arc-harpoon fog-bell", "siege-piano fog-bell", "full-stop fog-bell")))
    assert list(table.now.short) == [ADA, BEN, CLEO]
    table.do(i.TurnCard(ADA, piece("siege-piano")))
    assert list(table.now.short) == [ADA, CLEO]
