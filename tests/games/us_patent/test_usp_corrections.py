"""Facts of the table set right."""

from __future__ import annotations

import pytest

from companion.core.ids import TABLE, PlaceId, SeatId
from companion.core.judge import allowed, verb_of
from companion.games.us_patent import GAME
from companion.games.us_patent.cards import board_place
from companion.games.us_patent.machine import NO_NUMBER
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.steps import Acting, Ending, Going, Moving
from tests.games.us_patent.play import ADA, BEN, CLEO, CLERK, Table, everywhere, laid, machine, piece, playout

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
    assert rolled.why(i.SetDie(ADA, 9)) == ("P27", "dice-sum")


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
