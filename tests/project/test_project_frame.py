"""The frame holds: scripts parse, import arrows are really checked, the wheel has everything that a running table
needs.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from companion.app.kit.test_contract_frame import IMPURE

ROOT = Path(__file__).parent.parent.parent
PACKAGES = ("companion", "firmware_bridge", "hw", "web")


def run(*command: str | Path, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def copied(to: Path) -> Path:
    """The project as a fresh clone has it."""
    leave = shutil.ignore_patterns("*.mo", "__pycache__")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, to / package, ignore=leave)
    for name in ("pyproject.toml", "hatch_build.py", "LICENSE"):
        shutil.copy(ROOT / name, to / name)
    (to / "README.md").write_text("# The table companion\n")
    return to


@pytest.mark.parametrize("script", ["run", "test", ".ci/run", ".ci/setup.bash"])
def test_scripts_parse(script: str) -> None:
    assert run("bash", "-n", ROOT / script).stderr == ""


@pytest.mark.parametrize("script", ["run", "test", ".ci/run"])
def test_scripts_can_be_started(script: str) -> None:
    assert (ROOT / script).stat().st_mode & 0o111


def test_a_part_that_does_not_exist_is_refused_with_the_names_of_those_that_do() -> None:
    told = run(ROOT / "test", "quikc")
    assert told.returncode == 1
    assert told.stderr == "No part is called 'quikc'. There are: quick, rules, bench; or nothing, for everything.\n"


@pytest.mark.slow
def test_each_broken_arrow_is_caught(tmp_path: Path) -> None:
    copy = copied(tmp_path)
    planted = {
        "companion/core/ids.py": "import time",
        "companion/library/texts.py": "from companion.app import main",
        "web/__init__.py": "import hw",
        "web/door/limits.py": "from web.screen import rendering",
        "web/draw/qr.py": "from companion.table.snapshot import Snapshot",
        "hw/display/sheet.py": "from hw.keys import jobs",
        "companion/games/one/__init__.py": "from ..two import x",
        "companion/games/two/__init__.py": "x = 1",
    }
    for name, line in planted.items():
        path = copy / name
        path.parent.mkdir(exist_ok=True)
        path.write_text((path.read_text() if path.exists() else "") + f"\n{line}\n")
    told = run(Path(sys.executable).with_name("lint-imports"), "--no-cache", cwd=copy)
    assert told.returncode == 1
    assert "0 kept, 8 broken" in told.stdout


@pytest.mark.slow
def test_the_wheel_holds_texts_packs_pages_and_no_tests(tmp_path: Path) -> None:
    copy = copied(tmp_path)
    built = run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", "out", cwd=copy)
    assert built.returncode == 0, built.stderr
    [wheel] = (copy / "out").glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    sources = [path for package in PACKAGES for path in (copy / package).rglob("*") if path.is_file()]
    wanted = {str(path.relative_to(copy)) for path in sources if path.suffix not in (".pyc", ".gitignore")}
    assert wanted <= names
    assert {"companion/locale/en.mo", "companion/locale/fr.mo"} <= names
    assert not [name for name in names if name.startswith("tests/")]


@pytest.mark.slow
def test_a_wheel_with_bad_texts_is_not_built(tmp_path: Path) -> None:
    copy = copied(tmp_path)
    with (copy / "companion" / "locale" / "en.po").open("a", encoding="utf-8") as file:
        file.write('\nmsgid "planted"\nmsgstr "{"\n')
    built = run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", "out", cwd=copy)
    assert built.returncode != 0
    assert "companion/locale/en.po" in built.stderr
    assert "'planted'" in built.stderr


def test_the_kit_and_the_arrows_forbid_the_same() -> None:
    """The kit demands of other people's games what import-linter demands of ours."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    [forbidden] = [c["forbidden_modules"] for c in contracts if "companion.games" in c.get("source_modules", [])]
    assert sorted(forbidden) == sorted(IMPURE)
