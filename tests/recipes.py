"""The projects in docs/recipes, really installed: into their own folder, as pip does it for anybody."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

RECIPES = Path(__file__).parent.parent / "docs" / "recipes"
HIGH_CARD = RECIPES / "high_card"


def install(project: Path, target: Path) -> Path:
    """Install a project without its dependencies, which are already here, with the tests' own build tool."""
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check")
    subprocess.run([sys.executable, "-m", "pip", "install", *options, "--target", target, project], check=True)
    return target
