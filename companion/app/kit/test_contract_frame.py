"""Whatever the game: one folder, pure, every rule proven."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from companion.app.kit.kit import Kit
from companion.library import shelf

PROBE = """
import builtins, json, sys
import msgspec
bad, real, done = set(sys.argv[2].split()), builtins.__import__, []
def watch(name, globals=None, locals=None, fromlist=(), level=0):
    importer = (globals or {}).get("__name__", "")
    if level == 0 and (importer + ".").startswith(("companion.core.", sys.argv[1] + ".")):
        done.append((importer, name))
    return real(name, globals, locals, fromlist, level)
builtins.__import__ = watch
real(sys.argv[1], None, None, ["GAME"], 0)
print(json.dumps([list(pair) for pair in done if pair[1].partition(".")[0] in bad or pair[1] in bad]))
"""
IMPURE = (
    "asyncio", "datetime", "flask", "gpiozero", "io", "logging", "luma", "multiprocessing", "os", "pathlib", "PIL",
    "queue", "random", "secrets", "select", "selectors", "serial", "shutil", "signal", "socket", "sqlite3",
    "subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid", "uvicorn", "webbrowser",
)  # fmt: skip
"""What core and games may not import: chance, clocks and files belong to the table."""


OURS = {"README", "rules", "state", "views", "bot", "playthroughs"}


def impure(module: str, bad: Iterable[str]) -> list[list[str]]:
    path = os.pathsep.join(part for part in sys.path if part)
    done = subprocess.run(
        [sys.executable, "-c", PROBE, module, " ".join(bad)],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    found: list[list[str]] = json.loads(done.stdout)
    return found


def test_importing_the_game_loads_nothing_impure(kit: Kit) -> None:
    assert impure(kit.module, IMPURE) == []


def test_a_game_that_imports_something_would_be_noticed(kit: Kit) -> None:
    """The control: if msgspec were forbidden, the same probe would name it."""
    assert impure(kit.module, ["msgspec"]) != []


def test_no_game_knows_another(kit: Kit) -> None:
    others = [shelf.module(game_id) for game_id in shelf.games() if game_id != kit.game.id]
    sources = [path.read_text("utf-8") for path in kit.folder.rglob("*.py")]
    assert not [other for other in others if any(other in source for source in sources)]


def test_the_folder_has_what_every_game_has(kit: Kit) -> None:
    needed = {"pack", "texts"} | (OURS if kit.is_ours else set())
    lacks = needed - {path.stem for path in kit.folder.iterdir()}
    assert not lacks, f"{kit.folder} lacks {', '.join(sorted(lacks))}"
    assert {path.name for path in (kit.folder / "texts").glob("*.po")} == {"en.po", "fr.po"}


def marked(folder: Path) -> set[str]:
    """The rule ids that a game's tests are marked with."""
    found: set[str] = set()
    for path in folder.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "rule":
                found |= {str(arg.value) for arg in node.args if isinstance(arg, ast.Constant)}
    return found


def test_every_rule_and_ruling_has_a_test_and_every_mark_a_rule(kit: Kit) -> None:
    carried = marked(kit.tests)
    untested = [rule for rule in kit.game.rules if rule not in carried]
    assert not untested, f"no test in {kit.tests} is marked, as in @pytest.mark.rule({untested[0]!r}), for: {untested}"
    assert carried <= set(kit.game.rules)


def test_a_rule_without_a_test_would_be_noticed(kit: Kit, tmp_path: Path) -> None:
    """The control."""
    (tmp_path / "test_one.py").write_text(f'@pytest.mark.rule("{kit.game.rules[0]}")\ndef test_it() -> None: ...\n')
    assert marked(tmp_path) == {kit.game.rules[0]}


@pytest.mark.parametrize("name", ["id", "version", "seats", "rules"])
def test_the_game_says_what_it_is(kit: Kit, name: str) -> None:
    assert getattr(kit.game, name)
