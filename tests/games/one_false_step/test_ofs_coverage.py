"""No rule or ruling without a test, no refusal without a rule."""

from __future__ import annotations

import ast
from pathlib import Path

from companion.games.one_false_step import GAME


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
    assert [rule for rule in GAME.rules if rule not in carried()] == []
    assert carried() <= set(GAME.rules)


def test_the_list_is_complete() -> None:
    assert len(GAME.rules) == len(set(GAME.rules)) == 47 + 26 + 26 + 1
    assert (GAME.rules[0], GAME.rules[46], GAME.rules[-1]) == ("F1", "F47", "F.ba")


def test_every_refusal_cites_a_rule() -> None:
    rules = {rule.id for verb in (*GAME.verbs, *GAME.corrections) for rule in (*verb.guards, *verb.rules)}
    assert rules <= set(GAME.rules)


def test_corrections_have_physical_rules_only() -> None:
    assert all(rule.physical for verb in GAME.corrections for rule in (*verb.guards, *verb.rules))
