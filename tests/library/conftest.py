from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.recipes import HIGH_CARD, install


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of packages in which High Card is installed."""
    return install(HIGH_CARD, tmp_path_factory.mktemp("site"))


@pytest.fixture
def own_site(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it that a test may break, on Python's path."""
    copy = tmp_path / "site"
    shutil.copytree(site, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.syspath_prepend(copy)
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    forget_modules(monkeypatch)
    return copy


def forget_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget what another test imported from its own copy."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "high_card"]:
        monkeypatch.delitem(sys.modules, name)
