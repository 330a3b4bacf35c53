"""The kit works for the smallest game, and says what to do if something is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.recipes import install

LAST_COIN = Path(__file__).parent / "last_coin"
CODE, EN = "last_coin/__init__.py", "last_coin/texts/en.po"
Kit = Callable[..., tuple[int, str]]


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(LAST_COIN, tmp_path_factory.mktemp("site"))


@pytest.fixture
def site(installed: Path, tmp_path: Path) -> Path:
    """A copy that a test may break, with the game's own tests in `tests`."""
    shutil.copytree(installed, tmp_path / "site")
    shutil.copytree(LAST_COIN / "tests", tmp_path / "tests")
    return tmp_path / "site"


@pytest.fixture
def kit(site: Path) -> Kit:
    """`companion kit last-coin`, as the game's author runs it in their project's folder."""

    def run(*words: str, **environment: str) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-m", "companion.app.cli", "kit", "last-coin", *words],
            cwd=site.parent,
            env=os.environ | {"PYTHONPATH": str(site), "COLUMNS": "400"} | environment,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr

    return run


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


@pytest.mark.slow
def test_the_smallest_game_passes_the_whole_kit(kit: Kit, site: Path) -> None:
    status, told = kit()
    assert status == 0, told
    assert "failed" not in told
    own = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore", "tests"],
        cwd=site.parent,
        env=os.environ | {"PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert own.returncode == 0, own.stdout


@pytest.mark.slow
def test_its_trees_are_counted_anew_and_the_same(kit: Kit, site: Path) -> None:
    """Counting comes to an end even for a short game."""
    perft = site.parent / "tests" / "perft.toml"
    kept = perft.read_text("utf-8")
    perft.unlink()
    status, told = kit("-k", "trees")
    assert status == 1
    assert "count the trees once: REGENERATE_PERFT=1 companion kit last-coin" in told
    assert kit("-k", "trees", REGENERATE_PERFT="1")[0] == 0
    assert perft.read_text("utf-8") == kept


BROKEN: dict[str, tuple[str, str, str, str, str]] = {
    "a rule that is not told": (CODE, '(("heap", state.heap),)', "()", "refusal_asks", "unless(…, heap=…)"),
    "a missing word": (EN, 'msgid "rule.L2"', 'msgid "rule.L3"', "has_words", "texts/en.po lacks [('', 'rule.L2')]"),
    "a set-up without a default": (
        CODE, ' = Setup(GameId("last-coin"), 1, 0, (), Pack(0))', "",
        "record_leads", "setup: Static[Setup[Pack]] = NO_SETUP",
    ),
    "a fold that does nothing": (CODE, "heap=state.heap - event.number, ", "", "sensible_players", "never finish"),
    "a second referee that is stricter": ("../tests/naive.py", "min(2,", "min(1,", "referee_agrees", "number=2"),
    "no second referee": ("../tests/naive.py", "def legal", "def lawful", "referee_agrees", "a function legal(setup,"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("what", BROKEN)
def test_what_is_wrong_with_a_tiny_game_is_said(kit: Kit, site: Path, what: str) -> None:
    """The controls: the same kit, on the same game with one thing broken."""
    name, old, new, asked, told = BROKEN[what]
    change(site / name, old, new)
    status, said = kit("-k", asked)
    assert status == 1, said
    assert told in said


@pytest.mark.slow
def test_a_game_that_is_not_on_the_shelf_is_guessed(kit: Kit, site: Path) -> None:
    change(site / CODE, "import annotations", "import annotation")
    status, said = kit()
    assert status == 2
    assert "installed but left out: SyntaxError" in said


def test_without_pytest_it_says_what_to_install(kit: Kit, site: Path) -> None:
    (site / "sitecustomize.py").write_text(
        "import importlib.util as u\nreal = u.find_spec\n"
        "u.find_spec = lambda name, *more: None if name == 'pytest' else real(name, *more)\n"
    )
    status, said = kit()
    assert status == 1
    assert "To install: pip install pytest" in said
