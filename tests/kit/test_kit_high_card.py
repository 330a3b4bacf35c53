"""The recipe's game passes the whole kit as it stands, installed with pip, untouched."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.recipes import HIGH_CARD, install

MOST_LINES = 400


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(HIGH_CARD, tmp_path_factory.mktemp("site"))


def run(site: Path, *command: str | Path) -> subprocess.CompletedProcess[str]:
    """In the project's folder, as its author would."""
    environment = os.environ | {"PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=HIGH_CARD, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_high_card_passes_the_whole_kit(site: Path) -> None:
    done = run(site, Path(sys.executable).with_name("companion"), "kit", "high-card")
    assert done.returncode == 0, done.stdout + done.stderr
    left_out = set(re.findall(r"^SKIPPED \[\d+\] \S+ (.*)$", done.stdout, re.MULTILINE))
    assert left_out - {"the package fonts-spleen is not installed"} == {
        "everything that is drawn in this game can be touched at any time, or means nothing"
    }, "it has secrets, a deck, corrections"


@pytest.mark.slow
def test_its_own_tests_pass(site: Path) -> None:
    done = run(site, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore", "tests")
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_can_be_written_in_an_hour() -> None:
    """Code, both languages, pack, tests and packaging together."""
    kept = [path for path in HIGH_CARD.rglob("*") if path.suffix in (".py", ".po", ".toml", ".md")]
    assert sum(len(path.read_text("utf-8").splitlines()) for path in kept) <= MOST_LINES


def test_the_recipe_shows_what_is_really_there() -> None:
    """Every block of the page that names a file is in that file, word for word."""
    page = (HIGH_CARD.parent / "add-a-game.md").read_text("utf-8")
    shown = re.findall(r"^`([\w/.]+)`:?\n\n?```\w*\n(.*?)```", page, re.MULTILINE | re.DOTALL)
    assert len(shown) >= 5
    for name, block in shown:
        text = (HIGH_CARD / name).read_text("utf-8")
        for part in re.split(r"^…\n", block, flags=re.MULTILINE):
            assert part.strip("\n") in text, f"{name} has not: {part}"
