"""Every trouble of the journal has a text for phone and box, with its cure, in both languages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

import companion
from companion.core import Said, Seq
from companion.journal import ExportDamaged, JournalError, Problem
from companion.journal.checks import Kind
from hatch_build import read_texts

LOCALE = Path(companion.__file__).parent / "locale"


def errors(kind: type[JournalError] = JournalError) -> Iterator[type[JournalError]]:
    for child in kind.__subclasses__():
        yield child
        yield from errors(child)


def text(lang: str, said: Said, surface: str) -> str:
    catalog, problems = read_texts(LOCALE / f"{lang}.po")
    assert problems == []
    message = catalog.get(said.key, surface or None)
    assert message is not None, f"{lang}.po has no {surface} text for {said.key}"
    return str(message.string).format(**dict(said.facts))


TROUBLES = [
    *(kind(Path("/data/journal.db"), "found").said for kind in errors()),
    ExportDamaged(Path("/data/game.jsonl"), 3, "found").said,
]


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("said", TROUBLES, ids=lambda said: said.key)
def test_a_trouble_fits_the_display_and_has_a_cure(lang: str, said: Said) -> None:
    assert text(lang, said, "")
    assert len(text(lang, said, "oled")) <= 16
    assert len(text(lang, said, "hands")) <= 21


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("kind", get_args(Kind))
def test_a_problem_has_a_sentence(lang: str, kind: Kind) -> None:
    assert text(lang, Problem(kind, Seq(3), "found").said, "")


def test_no_two_troubles_share_a_key() -> None:
    assert len({said.key for said in TROUBLES}) == len(TROUBLES) == 10
