"""`row` holds a measure to its limit; with `--report` all of them go into docs/speed.md."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime

import pytest

from tests.bench.measured import Measured, Row, keep

_ROWS = pytest.StashKey[list[Row]]()


@pytest.fixture
def row(request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]) -> Measured:
    return Measured(request.config.stash.setdefault(_ROWS, []), capsys)


def pytest_sessionfinish(session: pytest.Session) -> None:
    rows = session.config.stash.get(_ROWS, [])
    if rows and session.config.getoption("--report"):
        today = datetime.now(UTC).date()
        keep(rows, f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, {today}")
