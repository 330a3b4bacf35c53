"""Every rule and ruling has a test that carries its id; every id has a text."""

from __future__ import annotations

import ast
from pathlib import Path

from companion import shelf
from companion.games.timeline import GAME
from companion.texts import Texts

HERE = Path(__file__).parent


def marked() -> set[str]:
    ids = set()
    for path in HERE.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Attribute(attr="rule"), args=args):
                    ids |= {str(arg.value) for arg in args if isinstance(arg, ast.Constant)}
                case _:
                    pass
    return ids


def test_no_rule_lacks_a_test_and_no_test_names_a_rule_that_is_none() -> None:
    assert sorted(set(GAME.rules) - marked()) == []
    assert sorted(marked() - set(GAME.rules)) == []


def test_every_rule_of_a_verb_is_one_of_the_numbered() -> None:
    used = {rule.id for verb in (*GAME.verbs, *GAME.corrections) for rule in (*verb.guards, *verb.rules)}
    assert used <= set(GAME.rules)


def test_every_key_of_the_game_has_a_text_on_every_surface_it_needs() -> None:
    texts = Texts.load(*shelf.texts_folders(GAME.id))
    rules = {rule.key for verb in (*GAME.verbs, *GAME.corrections) for rule in (*verb.guards, *verb.rules)}
    verbs = [verb.name for verb in (*GAME.verbs, *GAME.corrections)]
    keys = ["game.title", "game.short", *(f"rule.{rule}" for rule in GAME.rules)]
    keys += [f"{kind}.{verb}" for verb in verbs for kind in ("verb", "intent")]
    keys += [f"{kind}.{key}" for key in rules for kind in ("ok", "no")]
    keys += [f"event.{event.__struct_config__.tag}" for event in GAME.event.__args__]
    keys += [f"option.{option.name}" for option in GAME.options]
    keys += [f"option.{option.name}.{choice}" for option in GAME.options for choice in option.choices]
    for lang in ("en", "fr"):
        assert [key for key in keys if texts.find(lang, key, "", 1) is None] == []
        for key in rules:
            short, hands = (texts.find(lang, f"no.{key}", surface, None) for surface in ("oled", "hands"))
            assert short is not None, key
            assert len(short) <= 16, key
            assert hands is not None, key
