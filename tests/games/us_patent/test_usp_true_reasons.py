"""Reasons that were untrue, or not the most basic: tests/campaigns/reasons.py found each of them."""

from __future__ import annotations

from typing import Any

import pytest

from companion.app.kit.kit import plain
from companion.core import TABLE, Intent, PlaceId, Refusal, RuleId, Seat, SeatId, Word, explain
from companion.games.us_patent import GAME
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.state import (
    Acting,
    Drawing,
    Ending,
    Going,
    Leap,
    Moving,
    Ranged,
    Repair,
    Rolling,
    SelfRepair,
    turn_steps,
)
from companion.games.us_patent.state.vocabulary import AnyEffect
from tests.games.us_patent import naive
from tests.games.us_patent.play import ADA, BEN, CLEO, Table, in_lab, laid, machine, piece
from tests.games.us_patent.test_usp_reasons import a_hit

MOVE = (Ending(ADA), Acting(ADA))


def told(rule: str, key: str, **facts: Any) -> Refusal:
    return Refusal(RuleId(rule), key, tuple(facts.items()))


def checked(table: Table, wish: Intent) -> set[str]:
    """The broken lines of the checklist."""
    return {check.key for check in explain(GAME, table.now, wish) if check.broken is not None}


# Switching off


@pytest.mark.rule("P10", "P.e")
@pytest.mark.parametrize("seat", [ADA, BEN])
def test_who_has_power_enough_is_told_so_in_anyones_turn(seat: SeatId) -> None:
    """P10 knows no turns: it wouldn't be allowed in your own either."""
    table = laid(machine("angry-goose"), machine("fog-bell"))
    card = piece("angry-goose" if seat == ADA else "fog-bell")
    assert table.why(i.SwitchOff(seat, card)) == ("P10", "short-open")


@pytest.mark.rule("P10")
def test_of_two_who_lack_power_the_second_is_not_said_to_have_enough() -> None:
    table = laid(machine("angry-goose brass-umbrella"), machine("bee-cannon hedgehog-coat"))
    assert table.now.short == (ADA, BEN)
    wish = i.SwitchOff(BEN, piece("bee-cannon"))
    assert table.no(wish) == told("P10", "powered", seat=Seat(ADA))
    assert checked(table, wish) == {"powered"}


@pytest.mark.rule("P10", "P27")
def test_while_power_is_lacking_an_open_hit_is_not_said_to_be_closed() -> None:
    weak = machine("bee-cannon hedgehog-coat water-wheel", at="4/a")
    hit = laid(machine(at="4/a"), weak).do(i.Attack(ADA, BEN)).rolls(12, 1).do(i.TurnCard(ADA, piece("water-wheel")))
    assert hit.now.short == (BEN,)
    assert checked(hit, i.Spare(ADA)) == {"powered"}


# Answers to another question


@pytest.mark.rule("P.t", "P23")
def test_what_is_asked_comes_before_every_other_answer() -> None:
    look = laid(machine(at="1/lab"), labs="fog-bell").do(i.LookInLab(ADA))
    wish: Intent
    for wish in (i.Spare(ADA), i.LetGo(ADA), i.ThrowAway(ADA), i.FinishText(ADA), in_lab(ADA, 1)):
        assert look.no(wish) == told("P23", "lab-closed", seat=Seat(ADA)), wish
    hit = a_hit()
    first = told("P.t", "fight-over", seat=Seat(ADA), what=Word("awaited.hit"))
    for wish in (i.InventNothing(ADA), i.ThrowAway(ADA), i.LetGo(ADA), i.CounterAttack(BEN), in_lab(ADA, 1)):
        assert hit.no(wish) == first, wish
    hit.do(i.Steal(ADA, piece("water-wheel"))).do(i.ThrowAway(ADA))
    assert hit.awaits() == ("counter", (BEN,))
    first = told("P.t", "fight-over", seat=Seat(BEN), what=Word("awaited.counter"))
    for wish in (i.Disable(BEN, piece("magnet-glove")), i.InventNothing(BEN), i.Spare(BEN)):
        assert hit.no(wish) == first, wish


# Steps of the turn


@pytest.mark.rule("P18", "P19", "P.al", "P.am")
def test_free_repairs_wait_for_research_and_the_dice_and_say_for_which() -> None:
    effects: dict[str, tuple[AnyEffect, ...]] = {"water-wheel": (Repair("one", "free"),), "fog-bell": (SelfRepair(),)}
    own = machine("water-wheel -fog-bell")
    for wish in (i.RepairOne(ADA, piece("water-wheel"), piece("fog-bell")), i.Revive(ADA, piece("fog-bell"))):
        research = laid(own, effects=effects, steps=turn_steps(ADA))
        assert research.why(wish) == ("P18", "researched")
        rolling = laid(own, effects=effects, steps=(*MOVE, Rolling(ADA, 1, 0)))
        assert rolling.why(wish) == ("P19", "die-down")
        for step in (Moving(ADA), Going(ADA, 3), Acting(ADA)):
            assert wish in laid(own, effects=effects, steps=(*MOVE, step)).legal(ADA)


@pytest.mark.rule("P19")
def test_before_the_dice_are_down_nobody_is_told_to_go() -> None:
    rolling = laid(steps=(*MOVE, Rolling(ADA, 1, 0)))
    assert rolling.why(i.Roll(ADA)) == rolling.why(i.Stay(ADA)) == ("P19", "die-down")
    going = laid(steps=(*MOVE, Going(ADA, 4)))
    assert going.why(i.Roll(ADA)) == ("P19", "not-rolled")


@pytest.mark.rule("P19", "P21")
def test_who_researches_again_is_not_told_to_move_afterwards() -> None:
    again = laid(steps=(Ending(ADA), Drawing(ADA)))
    assert again.why(i.Roll(ADA)) == ("P19", "move-left")


@pytest.mark.rule("P2")
def test_before_the_first_turn_no_die_and_no_card_is_due_but_time_machines() -> None:
    table = Table(GAME.start(laid().now.setup))
    for wish in (i.MoveRolled(TABLE, 3), i.NumberRolled(TABLE, 3), i.Drew(TABLE, piece("fog-bell"))):
        assert table.no(wish) == told("P2", "machines-dealt"), wish


@pytest.mark.rule("P19", "P27")
def test_no_dice_are_said_to_show_nought_to_nought() -> None:
    for wish in (i.MoveRolled(TABLE, 3), i.AttackRolled(TABLE, 7), i.SetDie(ADA, 3)):
        assert "dice-sum" not in checked(laid(), wish), wish


# The right rule


@pytest.mark.rule("P27", "P.z")
def test_that_nobody_attacks_oneself_is_said_by_the_rule_of_that_attack() -> None:
    table = laid(machine("magnet-glove", at="4/a"), effects={"magnet-glove": (Ranged("time"),)})
    assert table.why(i.Attack(ADA, ADA)) == ("P27", "other-player")
    assert table.why(i.Shoot(ADA, piece("magnet-glove"), ADA)) == ("P.z", "other-player")


@pytest.mark.rule("P19", "P27")
def test_a_die_set_right_names_the_rule_of_its_roll() -> None:
    assert laid(steps=(*MOVE, Going(ADA, 4))).why(i.SetDie(ADA, 9)) == ("P19", "dice-sum")
    duel = laid(machine(at="4/a"), machine(at="4/a")).do(i.Attack(ADA, BEN)).rolls(7)
    assert duel.why(i.SetDie(ADA, 13)) == ("P27", "dice-sum")


@pytest.mark.rule("P32", "P37", "P.al")
def test_nothing_is_said_of_what_anothers_card_could_do() -> None:
    effects: dict[str, tuple[AnyEffect, ...]] = {
        "magnet-glove": (Ranged("space"),),
        "water-wheel": (Repair("all", "action"),),
    }
    table = laid(machine("-oak-door", at="4/a"), machine("magnet-glove water-wheel", at="1/a"), effects=effects)
    assert table.why(i.Shoot(ADA, piece("magnet-glove"), CLEO)) == ("P32", "has-gun")
    assert "in-scope" not in checked(table, i.Shoot(ADA, piece("magnet-glove"), CLEO))
    early = laid(machine("-oak-door"), machine("water-wheel"), effects=effects, steps=(*MOVE, Moving(ADA)))
    assert early.why(i.RepairAll(ADA, piece("water-wheel"))) == ("P.al", "repairs")


@pytest.mark.rule("P.al", "P.am")
def test_a_card_that_has_repaired_one_is_not_said_to_have_repaired_all() -> None:
    effects = {"water-wheel": (Repair("one", "free"),)}
    table = laid(machine("water-wheel -fog-bell -angry-goose"), effects=effects)
    table.do(i.RepairOne(ADA, piece("water-wheel"), piece("fog-bell")))
    again = i.RepairOne(ADA, piece("water-wheel"), piece("angry-goose"))
    assert table.why(again) == ("P.am", "once-a-turn")
    assert table.why(i.RepairAll(ADA, piece("water-wheel"))) == ("P.al", "repairs")


@pytest.mark.rule("P32", "P.ak")
def test_of_a_space_that_is_not_there_no_kind_is_told() -> None:
    table = laid(machine("sedan-chair", at="4/a"), effects={"sedan-chair": (Leap("lab"),)})
    assert checked(table, i.LeapTo(ADA, PlaceId("board/4"), PlaceId("4/cellar"))) == {"space-there"}
    assert checked(table, i.LeapTo(ADA, PlaceId("board/4"), PlaceId("4/market"))) == {"leaps-there"}


def test_the_second_referee_says_the_same_of_all_these() -> None:
    """Its own words for some of them: whatever it lists first is what people are told."""
    look = laid(machine(at="1/lab"), labs="fog-bell").do(i.LookInLab(ADA)).now
    setup = plain(look.setup)
    assert naive.broken(setup, plain(look), plain(i.Spare(ADA))) == [("settling", "P23"), ("step", "P27")]
    assert naive.broken(setup, plain(laid().now), plain(i.Attack(ADA, ADA))) == [("thing", "P27")]
    assert naive.broken(setup, plain(laid().now), plain(i.TakeGold(BEN))) == [("turn", "P3")]
    assert naive.broken(setup, plain(laid().now), plain(i.TakeGold(ADA))) == []
