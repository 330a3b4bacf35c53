"""What is measured is held to its limit and kept for the report."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.bench.measured import Measured, Row, bar, keep, table

SLOW = Row("a tap", "an echo", 3.0, 2.5, 4.0, "≤", 4.0, 2.5)


def test_a_row_holds_to_its_limit_and_is_met_at_its_target() -> None:
    assert SLOW.holds
    assert not SLOW.is_met
    assert not replace(SLOW, ratio=4.1).holds
    assert replace(SLOW, ratio=2.5).is_met
    fast = replace(SLOW, sign="≥", limit=1.0, target=2.0)
    assert fast.is_met
    assert not replace(fast, ratio=0.9).holds


def test_a_measure_beyond_its_limit_fails_and_is_kept_all_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    rows: list[Row] = []
    Measured(rows, capsys).at_least("lists", "chess", [0.9, 1.1, 1.3], 1.0, 1.2)
    with pytest.raises(AssertionError, match=r"0\.80"):
        Measured(rows, capsys).at_least("lists", "chess", [0.7, 0.8, 1.3], 1.0, 1.2)
    assert [row.ratio for row in rows] == [1.1, 0.8]


def test_noise_is_met_with_more_slices_and_a_regression_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    rows: list[Row] = []
    Measured(rows, capsys).at_least("lists", "chess", [0.7, 0.8], 1.0, 1.2, lambda: [1.1, 1.2, 1.3])
    assert rows[-1].ratio == 1.1
    with pytest.raises(AssertionError, match=r"0\.85"):
        Measured(rows, capsys).at_least("lists", "chess", [0.7, 0.8], 1.0, 1.2, lambda: [0.8, 0.9, 1.3])
    with pytest.raises(AssertionError, match=r"9\.00"):
        Measured(rows, capsys).at_most("a tap", "an echo", [9.0], 4.0, 2.5, lambda: [9.0])


def test_the_report_changes_nothing_but_its_table(tmp_path: Path) -> None:
    page = tmp_path / "speed.md"
    page.write_text("# Speed\n<!-- measured -->\nold\n<!-- /measured -->\nWhy.\n", "utf-8")
    keep([SLOW], "a machine", page)
    keep([SLOW], "a machine", page)
    assert page.read_text("utf-8") == (
        f"# Speed\n<!-- measured -->\n{table([SLOW], 'a machine')}<!-- /measured -->\nWhy.\n"
    )
    assert "| a tap | an echo | 3.00 | 2.50–4.00 | ≤ 2.5 | not met |" in page.read_text("utf-8")


def test_the_mark_of_a_bar_is_the_target() -> None:
    assert bar(replace(SLOW, ratio=2.5)).count("█") == 12
    assert "████████████|  " in bar(replace(SLOW, ratio=2.5))
    assert bar(replace(SLOW, ratio=50.0)).count("█") == 24


def test_a_busy_machine_fails_nothing_that_is_measured_by_the_clock(capsys: pytest.CaptureFixture[str]) -> None:
    measured = Measured([], capsys)
    with pytest.raises(pytest.skip.Exception, match="held up"):
        measured.at_most("a tap", "an echo", [9.0], 4.0, 2.5, busy=lambda: 2.0)
    with pytest.raises(AssertionError, match=r"9\.00"):
        measured.at_most("a tap", "an echo", [9.0], 4.0, 2.5, busy=lambda: 1.0)
