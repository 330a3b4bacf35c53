"""No rule or ruling without a test, no refusal without a rule."""

from __future__ import annotations

import ast
from pathlib import Path

from companion.games.actionworks import GAME


def carried() -> set[str]:
    """The ids that tests of this folder carry."""
    found: set[str] = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Attribute(attr="rule"), args=args):
                    found |= {arg.value for arg in args if isinstance(arg, ast.Constant)}  # type: ignore[misc]
                case _:
                    pass
    return found


def test_every_rule_and_ruling_has_a_test() -> None:
    found = carried()
    assert [rule for rule in GAME.rules if rule not in found] == []
    assert found <= set(GAME.rules)


def test_the_list_is_complete() -> None:
    assert len(GAME.rules) == len(set(GAME.rules)) == 28 + 26 + 11
    assert (GAME.rules[0], GAME.rules[-1]) == ("A1", "A.ak")


def test_every_refusal_cites_a_rule() -> None:
    rules = {rule.id for verb in (*GAME.verbs, *GAME.corrections) for rule in (*verb.guards, *verb.rules)}
    assert rules <= set(GAME.rules)


def test_corrections_have_physical_rules_only() -> None:
    assert all(rule.physical for verb in GAME.corrections for rule in (*verb.guards, *verb.rules))


def test_only_what_is_done_in_a_turn_is_listed_when_it_cannot_be_done() -> None:
    listed = {verb.name for verb in GAME.verbs if verb.listed and not verb.chance}
    assert listed == {"play", "ship", "end-turn"}


def test_what_reveals_rolls_or_spends_asks_for_ok() -> None:
    asks = {verb.name for verb in (*GAME.verbs, *GAME.corrections) if verb.asks}
    plays = {"play", "declare", "ship", "end-turn", "go", "borrow-from", "plan-hand"}
    assert asks == plays | {"new-type", "same-types", "set-total", "set-turn", "move-card", "set-demand"}


def test_hands_can_do_more_than_the_rules_allow() -> None:
    """What advise lets stand: acts that break only rules which are not physical."""
    bends = {(verb.name, rule.key) for verb in GAME.verbs for rule in (*verb.guards, *verb.rules) if not rule.physical}
    moment = ("dealt", "cleared", "round-chosen", "your-turn", "flipped", "settled")
    in_turn = ("play", "declare", "ship", "take", "scrap-card", "clear-take")
    on_turn = {(verb, key) for verb in in_turn for key in moment} - {("clear-take", "cleared")}
    effects = {(verb, key) for verb in ("take", "scrap-card") for key in ("just-played", "played-with")}
    others = {
        ("declare", "something-joins"),
        ("add", "one-type"),
        ("add", "plans-only"),
        ("clear-take", "clear-turn"),
        ("act-as", "copy-one-type"),
        ("take", "take-due"),
        ("scrap-card", "scrap-due"),
        ("scrap-nothing", "bench-bare"),
        ("clear-take", "clear-due"),
    }
    answers = (
        "act-as",
        "add",
        "borrow",
        "borrow-from",
        "from-heap",
        "go",
        "plan-deck",
        "plan-hand",
        "put-back",
        "scrap-nothing",
        "seen",
    )
    while_asked = {(verb, key) for verb in answers for key in moment if key != "your-turn"}
    assert bends == on_turn | effects | others | while_asked


def test_chance_is_the_tables_alone() -> None:
    assert {verb.name for verb in GAME.verbs if verb.chance} == {"name-first", "dealt", "drew"}
