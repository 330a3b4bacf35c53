"""English and French say the same things with the same facts, and every key the program uses has a text."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import TypeAlias

import pytest

from hatch_build import PACKAGES, read_texts, sources

ROOT = Path(__file__).parent.parent.parent
FOLDERS = sorted({path.parent for path in sources(ROOT)})
Key: TypeAlias = tuple[str, str]

OLED_CHARACTERS = 21 * 5
"""The display full of its smallest letters."""


def texts_of(path: Path) -> dict[Key, tuple[str, ...]]:
    catalog, problems = read_texts(path)
    assert problems == []
    found: dict[Key, tuple[str, ...]] = {}
    for message in catalog:
        if message.id:
            key, *_ = (message.id,) if isinstance(message.id, str) else message.id
            string = message.string or ""
            found[message.context or "", key] = (string,) if isinstance(string, str) else tuple(string)
    return found


def facts_in(texts: tuple[str, ...]) -> set[str]:
    return {name for text in texts for _, name, _, _ in Formatter().parse(text) if name is not None}


def called(folder: Path) -> str:
    return str(folder.relative_to(ROOT))


@pytest.mark.parametrize("folder", FOLDERS, ids=called)
def test_both_languages_have_the_same_keys(folder: Path) -> None:
    en, fr = texts_of(folder / "en.po"), texts_of(folder / "fr.po")
    assert sorted(en.keys() - fr.keys()) == [], "missing in fr.po"
    assert sorted(fr.keys() - en.keys()) == [], "missing in en.po"


@pytest.mark.parametrize("folder", FOLDERS, ids=called)
def test_both_languages_use_the_same_facts(folder: Path) -> None:
    en, fr = texts_of(folder / "en.po"), texts_of(folder / "fr.po")
    differ = {key: (en[key], fr[key]) for key in en.keys() & fr.keys() if facts_in(en[key]) != facts_in(fr[key])}
    assert differ == {}


@pytest.mark.parametrize("folder", FOLDERS, ids=called)
def test_surfaces_are_known_and_short_texts_are_short(folder: Path) -> None:
    for lang in ("en", "fr"):
        texts = texts_of(folder / f"{lang}.po")
        assert {surface for surface, _ in texts} <= {"", "oled", "hands", "why", "say"}
        long = [key for key, forms in texts.items() if key[0] == "oled" and max(map(len, forms)) > OLED_CHARACTERS]
        assert long == []
        rules = [key for key, forms in texts.items() if key[1].startswith("rule.") and max(map(len, forms)) > 240]
        assert rules == []


@pytest.mark.slow
def test_every_key_in_the_code_has_a_text() -> None:
    known = {key for folder in FOLDERS for _, key in texts_of(folder / "en.po")}
    missing = sorted(f"{where}: {key}" for where, key in keys_in_code() if key not in known)
    assert missing == []


def test_a_key_without_text_would_be_caught() -> None:
    tree = ast.parse('page(say("box.no-such-text", n=1), Word("also-not"), speaker.key("nor-this"), say("verb." + v))')
    assert list(keys_of(tree)) == ["box.no-such-text", "also-not", "nor-this"]


KIT = ROOT / "companion" / "app" / "kit"
"""Tests: they say what nobody reads."""


def keys_in_code() -> Iterator[tuple[str, str]]:
    for package in PACKAGES:
        for path in sorted(path for path in (ROOT / package).rglob("*.py") if not path.is_relative_to(KIT)):
            if "pico" not in path.parts:
                for key in keys_of(ast.parse(path.read_text(encoding="utf-8"))):
                    yield str(path.relative_to(ROOT)), key


def keys_of(tree: ast.AST) -> Iterator[str]:
    """The keys that are written out: say("…"), Said("…"), Word("…"), speaker.key("…")."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Name(id="say" | "Said" | "Word") | ast.Attribute(attr="key"),
                args=[ast.Constant(value=str(key)), *_],
            ) if key:
                yield key
            case _:
                pass
