"""What an advising referee lets pass, what needs OK, what is listed as “not now”; texts that say little."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core import TABLE, Accepted, Verb, judge
from companion.games.us_patent import GAME
from companion.games.us_patent.rules import CORRECTIONS, VERBS
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.state import NEVER, NOTHING, Ranged, Space, drive, fight_of, known
from companion.games.us_patent.state.vocabulary import AnyEffect, Drive, Parry, Robbery, Strike
from tests.games.us_patent.play import ADA, BEN, laid, machine, piece
from tests.games.us_patent.test_usp_fight import duel

MOMENT = frozenset({
    *("your-turn", "powered", "fight-over", "lab-closed", "number-thrown", "text-done"),
    *("act-step", "action-unspent", "researched", "die-down", "action-left", "once-a-turn"),
})  # fmt: skip
"""Hands can take a card or a Gold piece at a wrong moment, too."""
HANDS_CAN = frozenset({
    *(f"on-{kind}" for kind in ("market", "lab", "library", "junkyard", "office", "mechanic")),
    *("own-board", "dated", "this-market", "works", "in-reach", "way-there", "has-leap", "leaps-there", "source-works"),
    *("same-space", "has-gun", "gun-works", "in-scope", "still-works", "disable-held", "destroy-held", "steal-held"),
    *("may-disable", "may-destroy", "may-steal", "light-hit", "heavy-hit", "steal-margin"),
})  # fmt: skip
"""Forbidden, but hands can do it: cards, pawns and Gold are there. Every other rule says that something isn't."""
FREE = (i.RepairOne, i.RepairAll, i.Revive)
ACTIONS = {verb.intent for verb in VERBS if "act-step" in {guard.key for guard in verb.guards}}
"""What hands can do at any moment. All other verbs continue a turn or answer a question: at any other time they
mean nothing.
"""


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_advice_lets_pass_what_hands_can_do(verb: Verb[Any, Any]) -> None:
    can = MOMENT if verb.intent in (*FREE, *ACTIONS) else frozenset[str]()
    can |= HANDS_CAN if verb.intent is not i.ClaimPatent else frozenset[str]()
    for rule in (*verb.guards, *verb.rules):
        assert rule.physical == (rule.key not in can), f"{rule.id} {rule.key}"


@pytest.mark.rule("P22", "P.ag")
def test_in_advise_a_purchase_elsewhere_is_marked_and_one_without_gold_refused() -> None:
    table = laid(machine(at="4/lab", gold=9), markets="thunder-jar", advise=True)
    verdict = judge(GAME, table.now, i.Buy(ADA, piece("thunder-jar")), advise=True)
    assert isinstance(verdict, Accepted)
    assert set(verdict.marks) == {"P22"}
    poor = laid(machine(at="4/market", gold=1), markets="thunder-jar", advise=True)
    assert poor.why(i.Buy(ADA, piece("thunder-jar"))) == ("P.ag", "can-pay")


def test_what_reveals_rolls_or_spends_asks_for_ok() -> None:
    at_once = {verb.intent for verb in VERBS if not verb.asks and not verb.chance}
    assert at_once == {
        i.TellPeriod,
        i.PlaceInLab,
        i.Stay,
        i.Go,
        i.CloseLook,
        i.InventNothing,
        i.FinishText,
        i.SwitchOff,
        i.TakeGold,
    }
    assert all(verb.asks for verb in CORRECTIONS)
    assert not any(verb.asks for verb in VERBS if verb.chance), "what fell has fallen"
    assert {verb.intent for verb in VERBS if verb.chance} == {verb.intent for verb in VERBS if _is_tables(verb)}


def _is_tables(verb: Verb[Any, Any]) -> bool:
    return verb.intent in (i.DrewMachine, i.Drew, i.MoveRolled, i.NumberRolled, i.AttackRolled, i.DefenceRolled)


def test_answers_are_not_told_among_what_cannot_be_done_now() -> None:
    told = {verb.intent for verb in VERBS if verb.listed and not verb.chance}
    turn = {i.Roll, i.Stay, i.EndTurn}
    actions = {i.Buy, i.LookInLab, i.Study, i.Salvage, i.Mend, i.Patent, i.TakeNumber, i.Attack}
    assert told == {*turn, *actions, i.TakeGold, i.MoveAgain, i.ResearchAgain}
    assert [verb.intent for verb in CORRECTIONS if not verb.listed] == [i.Describe]


@pytest.mark.rule("P33", "P27", "P19")
@pytest.mark.parametrize("effect", [Strike(), Parry()])
def test_a_text_that_says_no_more_fights_as_if_it_said_nothing(effect: AnyEffect) -> None:
    bare = duel("sedan-chair", "sedan-chair").now
    told = duel("sedan-chair", "sedan-chair", effects={"sedan-chair": (effect,)}).now
    assert fight_of(told, ADA, BEN, "basic", NOTHING) == fight_of(bare, ADA, BEN, "basic", NOTHING)


@pytest.mark.rule("P19", "P33", "P36", "P.y")
def test_what_a_text_leaves_out_is_as_in_the_basic_rules() -> None:
    table = laid(machine("sedan-chair"), effects={"sedan-chair": (Drive(),)})
    assert drive(known(table.now), table.now.machines[ADA]) == (1, 0)
    shot = duel("angry-goose", "fog-bell", effects={"angry-goose": (Ranged("any"),)}).now
    fight = fight_of(shot, ADA, BEN, "ranged", piece("angry-goose"))
    assert (fight.attack_dice, fight.attack_plus, fight.defence_dice, fight.defence_plus) == (2, 2, 1, 0)
    assert (fight.disables, fight.destroys, fight.steals) == (True, 5, NEVER)
    robber = duel("sedan-chair", effects={"sedan-chair": (Robbery(),)}).now
    assert fight_of(robber, ADA, BEN, "basic", NOTHING).steals == 1
    assert (Space("1/a").x, Space("1/a").y, Space("1/a").kind) == (50, 50, "plain")


@pytest.mark.rule("P2")
def test_chance_has_the_table_for_its_actor() -> None:
    for verb in VERBS:
        if verb.chance:
            state = laid(machine()).now
            assert verb.guards[-1].broken(state, ADA) is not None
            assert verb.guards[-1].broken(state, TABLE) is not None, "nothing is due"
