"""A keyboard for the commands, and evenings that are already in the journal."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from companion.app.cli import main
from companion.app.opening import make_setup
from companion.core import TABLE, Game, legal
from companion.journal import JOURNAL, Journal
from companion.library import shelf
from companion.table import Referee

Companion = Callable[..., Result]
NAMES = ("Ada", "Ben", "Chloé")


@pytest.fixture(autouse=True)
def _logs_as_before() -> Iterator[None]:
    """A command configures its process's log; here that is the log of all tests."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


@pytest.fixture
def companion(data: Path, monkeypatch: pytest.MonkeyPatch) -> Companion:
    """Types a command; its data are in `data` unless it says otherwise."""
    monkeypatch.setenv("COMPANION_DATA", str(data))

    def typed(*words: object, keys: str | None = None) -> Result:
        result = CliRunner().invoke(main, [str(word) for word in words], input=keys)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return typed


def play(game: Game[Any, Any], journal: Journal, acts: int, names: tuple[str, ...] = NAMES) -> str:
    """A game with this many acts after its opening, always the first legal one; returns its id."""
    clock = itertools.count(1_700_000_000.0, 60.0).__next__
    referee = Referee.begin(game, make_setup(game, len(names)), names, "strict", journal, clock)
    for _ in range(acts):
        decision = referee.at.decisions[-1]
        seat = TABLE if decision.is_chance else decision.seats[0]
        referee.act(legal(game, referee.at.state, seat)[0], None, on_box=True)
    return referee.table


Evening = Callable[..., str]


@pytest.fixture
def evening(data: Path) -> Evening:
    """An evening of ActionWorks played earlier; its id."""

    def played(acts: int = 20, names: tuple[str, ...] = NAMES) -> str:
        with Journal.open(data / JOURNAL) as journal:
            return play(shelf.open("actionworks"), journal, acts, names)

    return played
