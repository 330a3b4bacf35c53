"""The examples in docs/table-script.md are run, and every kind of line has one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from companion.app.script import read, run
from companion.app.script.expecting import PAGES
from companion.app.script.lines import Deed
from companion.app.script.reading import HEADERS

MANUAL = Path(__file__).parents[2] / "docs" / "table-script.md"


def evenings() -> list[str]:
    """The examples, joined: one that begins with `game` starts another evening."""
    blocks = re.findall(r"^```table-script\n(.*?)^```", MANUAL.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    told: list[str] = []
    for block in blocks:
        if block.startswith("game "):
            told.append(block)
        else:
            told[-1] += block
    return told


@pytest.mark.parametrize("number", range(len(evenings())))
def test_the_examples_go_as_they_say(number: int) -> None:
    report = run(read(evenings()[number], MANUAL.name))
    assert report.expected
    assert not report.differences, [d.told() for d in report.differences]


def test_every_kind_of_line_has_an_example() -> None:
    scripts = [read(text) for text in evenings()]
    shown = {type(line.deed) for script in scripts for line in script.lines}
    untold = {kind.__name__ for kind in set(get_args(Deed)) - shown}
    # The end of a game, and a hash, are in the table of forms.
    assert untold == {"IsOver", "StateIs"}
    words = {line.split()[0] for text in evenings() for line in text.splitlines() if line}
    assert set(HEADERS) <= words


def test_the_pages_that_are_named_exist() -> None:
    (row,) = (
        line for line in MANUAL.read_text(encoding="utf-8").splitlines() if line.startswith("| `expect oled KIND`")
    )
    named = [word.split()[0] for word in re.findall(r"`([^`]+)`", row)[1:]]
    assert len(named) > 8
    assert set(named) <= set(PAGES)


def test_an_example_that_went_wrong_would_be_noticed() -> None:
    text = evenings()[0].replace("expect awaited Ada", "expect awaited Ben", 1)
    assert len(run(read(text)).differences) == 1
