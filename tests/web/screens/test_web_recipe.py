"""The recipe for a screen, followed step by step in a copy of the program."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.recipes import RECIPES

ROOT = RECIPES.parents[1]
SCREENS = ROOT / "web" / "screens"
READ = """
from pathlib import Path
from urllib.request import Request, urlopen
from companion.app.main import Options, companion
with companion(Options(Path({data!r}), "timeline", ("Ada", "Ben"), 0, True), tell=lambda _: None) as running:
    for lang in ("en", "fr"):
        asked = Request(f"http://127.0.0.1:{{running.port}}/awaited", headers={{"Accept-Language": lang}})
        with urlopen(asked) as page:
            print(page.read().decode())
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    leave = shutil.ignore_patterns("*.mo", "__pycache__")
    for package in ("companion", "firmware_bridge", "hw", "web"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=leave)
    shutil.copy(ROOT / "hatch_build.py", tmp_path)
    return tmp_path


def run(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *words], cwd=root, capture_output=True, text=True, check=False)


def words() -> list[str]:
    """The texts of the page, English first."""
    page = (RECIPES / "add-a-screen.md").read_text("utf-8")
    return [block.replace("\n   ", "\n") for block in re.findall(r"   ```\n   (msgid.*?)   ```", page, re.DOTALL)]


@pytest.mark.slow
@pytest.mark.skipif(not SCREENS.is_dir(), reason="screens do not stand in one folder yet")
def test_one_file_a_template_and_words_are_a_screen(copy: Path, tmp_path: Path) -> None:
    shutil.copy(RECIPES / "screen" / "awaited.py", copy / "web" / "screens")
    shutil.copy(RECIPES / "screen" / "awaited.html", copy / "web" / "templates" / "parts")
    for lang, block in zip(("en", "fr"), words(), strict=True):
        path = copy / "web" / "texts" / f"{lang}.po"
        path.write_text(f"{path.read_text('utf-8')}\n{block.strip()}\n", "utf-8")
    assert run(copy, "hatch_build.py").stderr.endswith("compiled\n")
    (tmp_path / "data").mkdir()
    read = run(copy, "-c", READ.format(data=str(tmp_path / "data")))
    assert re.findall(r"<h1>(.*?)</h1>", read.stdout) == ["Waiting for", "On attend"], read.stderr
    assert "at the table" in read.stdout
    assert "à table" in read.stdout


def test_the_page_shows_what_is_in_the_file() -> None:
    page = (RECIPES / "add-a-screen.md").read_text("utf-8")
    [block] = re.findall(r"`screen/awaited.py`\n\n   ```python\n   (.*?)   ```", page, re.DOTALL)
    assert block in (RECIPES / "screen" / "awaited.py").read_text("utf-8")
    assert len(words()) == 2
