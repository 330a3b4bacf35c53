"""Problems with a pack are reported in both languages: where, with which value, and what to do."""

from __future__ import annotations

import random
import re
import tomllib
from typing import Any

import pytest

from companion.app.opening import load_texts
from companion.core import GameId, Said, say
from companion.library import LANGS, OwnPacks, Speaker, fill, shelf
from companion.library.packs import HEAD_FILE
from companion.library.toml_forms import Problem, parse_toml

BROKEN: tuple[Any, ...] = (-999, 10**6, "", "Ä ?", "weapn", [], [1], {}, {"kind": "surpluss"}, True, 1.5, "x" * 500)
TIMES = 60
UNFILLED = re.compile(r"\{[a-z]+\}")


def broken(tables: Any, chance: random.Random) -> Any:
    """The same tables with one thing in them wrong: another value, one less, an unknown one."""
    if isinstance(tables, dict) and tables and chance.random() < 0.9:
        name = chance.choice(sorted(tables))
        match chance.random():
            case odds if odds < 0.1:
                return {other: value for other, value in tables.items() if other != name}
            case odds if odds < 0.2:
                return {**tables, f"{name}x": 1}
            case _:
                return {**tables, name: broken(tables[name], chance)}
    if isinstance(tables, list) and tables and chance.random() < 0.9:
        at = chance.randrange(len(tables))
        if chance.random() < 0.2:
            return [*tables, tables[at]]
        return [*tables[:at], broken(tables[at], chance), *tables[at + 1 :]]
    return chance.choice(BROKEN)


def unsaid(game_id: GameId, problem: Problem) -> list[str]:
    """What somebody at the table couldn't read about a problem."""
    if not problem.told:
        return [f"no text: {problem.line()}"]
    texts = load_texts(shelf.open(game_id))
    said = [(part, Speaker(texts, lang).say(part)) for part in problem.told for lang in LANGS]
    return [f"{part.key}: {words}" for part, words in said if words == part.key or UNFILLED.search(words)]


@pytest.mark.slow
@pytest.mark.parametrize("game_id", shelf.games())
def test_every_mistake_in_a_pack_is_said_in_both_languages(game_id: GameId, tmp_path: Any) -> None:
    game, chance = shelf.open(game_id), random.Random(game_id)
    tables = tomllib.loads(OwnPacks(tmp_path).text(game, ""))
    own = {name: value for name, value in tables.items() if name in game.pack.__struct_fields__}
    problems = [p for _ in range(TIMES) for p in fill(game.pack, broken(own, chance), HEAD_FILE)[1]]
    assert len(problems) > TIMES // 3
    assert [line for problem in problems for line in unsaid(game_id, problem)] == []


def test_a_text_that_is_no_toml_is_said_with_its_line() -> None:
    for text, line in (("a = 1\nb ? 2\n", 2), ("a = [1,\n\n", 3)):
        (problem,) = parse_toml(text, HEAD_FILE)[1]
        assert dict(problem.told[0].facts)["line"] == line
        assert unsaid(shelf.games()[0], problem) == []


def test_a_mistake_without_words_is_noticed() -> None:
    """The controls: a problem without a text, and one whose text is missing."""
    game_id = shelf.games()[0]
    assert unsaid(game_id, Problem(HEAD_FILE, "id", "1", "expected an id"))
    assert unsaid(game_id, Problem(HEAD_FILE, "id", "1", "expected an id", "", say("form.nowhere"), Said("")))
