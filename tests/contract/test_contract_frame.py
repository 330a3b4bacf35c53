"""Whatever the game: one folder, pure, every rule proven."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from companion.library import shelf
from tests.contract.kit import ROOT, Kit

PROBE = """
import builtins, json, sys
import msgspec
bad, real, done = set(sys.argv[2].split()), builtins.__import__, []
def watch(name, globals=None, locals=None, fromlist=(), level=0):
    importer = (globals or {}).get("__name__", "")
    if level == 0 and importer.startswith(("companion.core", "companion.games")):
        done.append((importer, name))
    return real(name, globals, locals, fromlist, level)
builtins.__import__ = watch
real("companion.games." + sys.argv[1], None, None, ["GAME"], 0)
print(json.dumps([list(pair) for pair in done if pair[1].partition(".")[0] in bad or pair[1] in bad]))
"""


def forbidden() -> list[str]:
    """What core and games may not import, from the project's own contract."""
    panel = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = panel["tool"]["importlinter"]["contracts"]
    lists = [c["forbidden_modules"] for c in contracts if "companion.games" in c.get("source_modules", [])]
    assert lists
    return [module for modules in lists for module in modules]


def impure(folder: str, bad: list[str]) -> list[list[str]]:
    done = subprocess.run(
        [sys.executable, "-c", PROBE, folder, " ".join(bad)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    found: list[list[str]] = json.loads(done.stdout)
    return found


def test_importing_the_game_loads_nothing_impure(kit: Kit) -> None:
    assert impure(kit.folder.name, forbidden()) == []


def test_a_game_that_imports_something_would_be_noticed(kit: Kit) -> None:
    """The control: were msgspec forbidden, the same probe would name it."""
    assert impure(kit.folder.name, ["msgspec"]) != []


def test_no_game_knows_another(kit: Kit) -> None:
    others = [f"companion.games.{game.replace('-', '_')}" for game in shelf.games() if game != kit.game.id]
    sources = [path.read_text("utf-8") for path in kit.folder.rglob("*.py")]
    assert not [other for other in others if any(other in source for source in sources)]


def test_the_folder_has_what_every_game_has(kit: Kit) -> None:
    names = {path.stem for path in kit.folder.iterdir()}
    assert {"README", "rules", "state", "views", "bot", "pack", "texts", "playthroughs"} <= names
    assert {path.name for path in (kit.folder / "texts").glob("*.po")} == {"en.po", "fr.po"}


def marked(folder: Path) -> set[str]:
    """The rule ids that the tests of a game carry."""
    found: set[str] = set()
    for path in folder.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "rule":
                found |= {str(arg.value) for arg in node.args if isinstance(arg, ast.Constant)}
    return found


def test_every_rule_and_ruling_has_a_test_and_every_mark_a_rule(kit: Kit) -> None:
    carried = marked(kit.tests)
    assert [rule for rule in kit.game.rules if rule not in carried] == []
    assert carried <= set(kit.game.rules)


def test_a_rule_without_a_test_would_be_noticed(kit: Kit, tmp_path: Path) -> None:
    """The control."""
    (tmp_path / "test_one.py").write_text(f'@pytest.mark.rule("{kit.game.rules[0]}")\ndef test_it() -> None: ...\n')
    assert marked(tmp_path) == {kit.game.rules[0]}


@pytest.mark.parametrize("name", ["id", "version", "seats", "rules", "options"])
def test_the_game_says_what_it_is(kit: Kit, name: str) -> None:
    assert getattr(kit.game, name)
