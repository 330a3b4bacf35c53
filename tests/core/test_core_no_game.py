"""Core and the web's drawing know no game: a game brings what it draws."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import companion.core
from companion.library import shelf
from web import create_app

CORE = Path(companion.core.__file__).parent
TEMPLATES = Path(create_app.__code__.co_filename).parent / "templates"


def words_of_games() -> set[str]:
    """The ids of our games, and the names of everything they draw."""
    return {word for game_id in shelf.games() for word in (game_id, *shelf.open(game_id).icons)}


def strings(source: str) -> Iterator[str]:
    return (
        node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant) and type(node.value) is str
    )


def known(core: list[str], templates: list[str]) -> set[str]:
    said = {text for source in core for text in strings(source)}
    drawn = {name for text in templates for name in re.findall(r'name == "([\w-]+)"', text)}
    return words_of_games() & (said | drawn)


def test_neither_knows_a_word_of_a_game() -> None:
    core = [path.read_text("utf-8") for path in CORE.rglob("*.py")]
    assert known(core, [path.read_text("utf-8") for path in TEMPLATES.rglob("*.html")]) == set()


def test_an_icon_in_core_or_in_a_template_would_be_noticed() -> None:
    """The control: both as they were."""
    assert known(['Icon = Literal["chassis", "go"]'], []) == {"chassis"}
    assert known([], ['{%- elif name == "oil" %}<path/>{%- elif name == "go" %}']) == {"oil"}
