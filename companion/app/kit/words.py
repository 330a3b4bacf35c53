"""What a game must have words for, and which of its short forms are too long for the box."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from string import Formatter
from typing import get_args

from companion.app.kit.kit import Kit
from companion.core import Fact, Refused, judge
from companion.library import Lang
from companion.library.texts import Surface

SHORT: tuple[Surface, ...] = ("", "oled")
HANDS: Surface = "hands"
LINE, BIG_LINE = 21, 16
"""How many letters fit on a line of the box, and on one of a refusal."""


def keys(kit: Kit) -> Iterator[tuple[Surface, str]]:
    """(surface, key) of everything that must have words, even if no evening came to it."""
    game = kit.game
    yield from (("", key) for key in ("game.title", "game.short"))
    for option in game.options:
        yield "", f"option.{option.name}"
        yield from (("", f"option.{option.name}.{choice}") for choice in option.choices)
    yield from (("", f"rule.{rule}") for rule in game.rules)
    for verb in (*game.verbs, *game.corrections):
        yield from ((surface, f"{kind}.{verb.name}") for kind in ("verb", "intent") for surface in SHORT)
    for event in get_args(game.event):
        yield from ((surface, f"event.{event.__struct_config__.tag}") for surface in SHORT)
    for rule in refusals(kit):
        yield "", f"ok.{rule}"
        yield from ((surface, f"no.{rule}") for surface in (*SHORT, HANDS))


def refusals(kit: Kit) -> list[str]:
    """The keys of all rules that an intent can break."""
    verbs = (*kit.game.verbs, *kit.game.corrections)
    return sorted({rule.key for verb in verbs for rule in (*verb.guards, *verb.rules)})


def has_own(kit: Kit, lang: Lang, surface: Surface, key: str) -> bool:
    """Whether there is a text for this very surface: a long sentence is not a short form."""
    text = kit.texts.find(lang, key, surface, 2)
    if text is None:
        return False
    return not surface or surface == HANDS or len(text) <= 40 or text != kit.texts.find(lang, key, "", 2)


def names_in(text: str | None) -> set[str]:
    """The facts that a text needs."""
    return {name for _, name, _, _ in Formatter().parse(text or "") if name}


def too_long(kit: Kit, lang: Lang, fact: Callable[[str, str], Fact]) -> list[str]:
    """The short forms that do not fit with each fact at its longest: `fact` gives it by name and key."""
    speaker, long = kit.speaker(lang), list[str]()
    for surface, key in keys(kit):
        if surface == "oled":
            names = names_in(kit.texts.find(lang, key, surface, 2))
            text = speaker.key(key, surface, **{name: fact(name, key) for name in names})
            if len(text) > (BIG_LINE if key.startswith("no.") else LINE):
                long.append(f"{key}: {text}")
    return long


def facts_in_code(folder: Path) -> set[str]:
    """The names of the facts that rules give when they refuse, by keyword, as in `unless(…, seat=…)`."""
    calls = (node for path in folder.rglob("*.py") for node in ast.walk(ast.parse(path.read_text("utf-8"))))
    return {
        keyword.arg or ""
        for node in calls
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "unless"
        for keyword in node.keywords
    }


def facts_told(kit: Kit, steps: int) -> dict[str, set[str]]:
    """The facts in each refusal when strangers wished for anything, by the key of the rule."""
    told: dict[str, set[str]] = {}
    for seats in kit.seats():
        chance = random.Random(seats)
        for step in kit.playout(seats, 9, steps):
            for wish in (kit.wild(step.before, seats, chance) for _ in range(10)):
                verdict = judge(kit.game, step.before, wish)
                for refusal in verdict.refusals if isinstance(verdict, Refused) else ():
                    told.setdefault(refusal.key, set()).update(name for name, _ in refusal.facts)
    return told
