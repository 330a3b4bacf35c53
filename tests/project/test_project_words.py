"""One word, one thing: a word that names things in several rooms is in the glossary of CONTRIBUTING.md, or is plain."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from tests.conftest import ROOT

PACKAGES = ("companion", "web", "hw", "firmware_bridge")
NOT_OURS = {"games", "kit", "pico", "chips"}
"""A game speaks its rulebook's language, the kit the language of tests, the firmware MicroPython's."""

PLAIN = {
    "grammar": "any both first full in left let lost may more no not off over such taken why",
    "what a program has, called as everywhere": "bad damaged error field found frame group header key kind kept "
    "line name number one problem replay row run saved setting sheet unknown unreached unreadable unusable update wire",
    "what a thing on a desk is called in a shop": "button buzzer chip dial lamp light network night oled pin "
    "stick wifi",
    "what people do, as they say it": "accepted act asked asking choice do face gone laid lay lies lifted "
    "now open out press refused rescue rest sent starting telling tick told transfer turn",
    "two things in two rooms, each told by its room": "bar draw glance pen plan presence record",
}
"""Words that are in no glossary, and why: everybody knows what they mean."""

ENDINGS = ("", "s", "es", "d", "ed", "r", "er", "ing", "ling", "led")


def glossary() -> set[str]:
    table = (ROOT / "CONTRIBUTING.md").read_text().partition("## Words")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([a-z][^|]*) \| (.*) \|$", table, re.MULTILINE)[1:]
    return {word for row, meaning in rows for word in re.findall(r"[a-z]+", row) + re.findall(r"\*([a-z]+)\*", meaning)}


@cache
def names(root: Path) -> tuple[tuple[str, str], ...]:
    """The room and the name of every module and public class."""
    return tuple(_names(root))


def _names(root: Path) -> Iterator[tuple[str, str]]:
    for path in (path for package in PACKAGES for path in sorted((root / package).rglob("*.py"))):
        parts = path.relative_to(root).parts
        if NOT_OURS & set(parts):
            continue
        room = "/".join(parts[: 2 if parts[0] == "companion" else 1])
        yield from ((room, name) for name in (path.stem, *_classes(path)) if not name.startswith("_"))


def _classes(path: Path) -> Iterator[str]:
    return (node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.ClassDef))


def words(name: str) -> list[str]:
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+", name)]


def forms(known: Iterable[str]) -> set[str]:
    return {word.removesuffix("e") + ending for word in known for ending in ENDINGS} | {
        word + ending for word in known for ending in ENDINGS
    }


def unknown(root: Path, known: set[str]) -> set[str]:
    rooms = defaultdict[str, set[str]](set)
    for room, name in names(root):
        for word in words(name):
            rooms[word].add(room)
    return {word for word, where in rooms.items() if len(where) > 1} - forms(known)


def test_a_word_of_several_rooms_is_in_the_glossary_or_plain() -> None:
    plain = {word for listed in PLAIN.values() for word in listed.split()}
    assert unknown(ROOT, glossary() | plain) == set()


def test_no_word_is_called_plain_for_nothing() -> None:
    plain = {word for listed in PLAIN.values() for word in listed.split()}
    assert [word for word in sorted(plain) if not unknown(ROOT, glossary() | plain - {word})] == []


def test_the_glossary_has_no_word_that_the_code_does_not_say() -> None:
    said = {word for path in ROOT.glob("companion/**/*.py") for word in re.findall(r"[a-z]+", path.read_text().lower())}
    said |= {path.name for path in ROOT.glob("companion/**/")}
    assert {word for word in glossary() if not said & forms({word})} == set()


def test_a_new_word_in_two_rooms_is_noticed(tmp_path: Path) -> None:
    for room in ("companion/box", "companion/table", "web"):
        (tmp_path / room).mkdir(parents=True)
    (tmp_path / "companion/table/seats.py").write_text("class Gizmo: ...\nclass _Gadget: ...\nclass Widget: ...")
    (tmp_path / "web/gizmos.py").write_text("class Gizmo: ...\nclass _Gadget: ...")
    assert unknown(tmp_path, {"seat"}) == {"gizmo"}
