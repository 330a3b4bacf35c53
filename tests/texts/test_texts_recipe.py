"""The recipe for a language, followed step by step in a copy of the program."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hatch_build import sources
from tests.recipes import RECIPES

ROOT = RECIPES.parents[1]
PACKAGES = ("companion", "firmware_bridge", "hw", "web")
NAMED = {"companion/locale": ("lang.de", "first.de"), "web/texts": ("web.lang.de", "web.box-speaks.de")}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program as a fresh clone has it, with the recipes."""
    root = tmp_path_factory.mktemp("copy")
    leave = shutil.ignore_patterns("*.mo", "__pycache__")
    for name in (*PACKAGES, "docs/recipes"):
        shutil.copytree(ROOT / name, root / name, ignore=leave)
    shutil.copy(ROOT / "hatch_build.py", root)
    return root


def run(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *words], cwd=root, capture_output=True, text=True, check=False)


def steps() -> tuple[str, str]:
    """What the page says stands in `texts.py`, and what becomes of it."""
    page = (RECIPES / "add-a-language.md").read_text("utf-8")
    before, after = re.findall(r"   ```python\n(.*?)   ```", page, re.DOTALL)
    return before.replace("\n   ", "\n").strip(), after.replace("\n   ", "\n").strip()


def put(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


@pytest.fixture(scope="module")
def german(copy: Path) -> Path:
    begun = run(copy, "docs/recipes/new_language.py", "de")
    assert begun.returncode == 0, begun.stderr
    assert {copy / line for line in begun.stdout.splitlines()} >= {path.with_name("de.po") for path in sources(copy)}
    texts = copy / "companion/library/texts.py"
    for old, new in zip(*(step.splitlines() for step in steps()), strict=True):
        if old:
            put(texts, old, new)
    for folder, keys in NAMED.items():
        for path in (copy / folder).glob("*.po"):
            path.write_text(
                path.read_text("utf-8") + "".join(f'\nmsgid "{k}"\nmsgstr "Deutsch"\n' for k in keys), "utf-8"
            )
    put(
        copy / "companion/locale/de.po",
        'msgstr "Journal: none yet; the first game makes it"',
        'msgstr "Noch kein Spiel"',
    )
    compiled = run(copy, "hatch_build.py")
    assert compiled.returncode == 0, compiled.stderr
    return copy


@pytest.mark.slow
def test_the_doctor_speaks_the_language_of_the_settings(german: Path, tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('language = "de"\n')
    told = run(german, "-m", "companion.app.cli", "doctor", "--data", str(tmp_path)).stdout
    assert "Noch kein Spiel" in told, told
    assert "texts for timeline" in told, "what is not translated is read in English"


@pytest.mark.slow
def test_a_phone_that_reads_german_is_told_so(german: Path, tmp_path: Path) -> None:
    put(german / "web/texts/de.po", 'msgid "web.shelf"\nmsgstr "Games"', 'msgid "web.shelf"\nmsgstr "Spiele"')
    assert run(german, "hatch_build.py").returncode == 0
    program = (
        "from pathlib import Path; from urllib.request import Request, urlopen\n"
        "from companion.app.main import Options, companion\n"
        f"options = Options(Path({str(tmp_path)!r}), 'timeline', ('Ada', 'Ben'), 0, True)\n"
        "with companion(options, tell=lambda _: None) as running:\n"
        "    asked = Request(f'http://127.0.0.1:{running.port}/shelf', headers={'Accept-Language': 'de-AT,en'})\n"
        "    print(urlopen(asked).read().decode())\n"
        "    print(urlopen(f'http://127.0.0.1:{running.port}/more').read().decode())\n"
    )
    told = run(german, "-c", program)
    assert '<html lang="de"' in told.stdout, told.stderr
    assert "<h1>Spiele</h1>" in told.stdout
    assert "Deutsch" in told.stdout, "where a phone chooses its language"


@pytest.mark.slow
def test_without_the_recipe_there_is_no_german(tmp_path: Path) -> None:
    """The control."""
    (tmp_path / "settings.toml").write_text('language = "de"\n')
    assert (
        "language" in run(ROOT, "-m", "companion.app.cli", "doctor", "--data", str(tmp_path)).stdout.split("wrong")[1]
    )


def test_a_language_that_is_no_word_of_two_letters_is_refused() -> None:
    assert "in two letters" in run(ROOT, "docs/recipes/new_language.py", "german").stderr
