"""The projects of docs/recipes, really installed: into a folder of their own, as pip does it for anybody."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

RECIPES = Path(__file__).parent.parent / "docs" / "recipes"
HIGH_CARD = RECIPES / "high_card"


def install(project: Path, target: Path) -> Path:
    """Install a project without its dependencies, which are here; the build tool is the one of the tests."""
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check")
    subprocess.run([sys.executable, "-m", "pip", "install", *options, "--target", target, project], check=True)
    return target
