"""Wall-clock measurements fail for a regression, and never for a busy machine."""

from __future__ import annotations

import pytest

from tests.bench.quiet import held_up, within


def test_one_good_measurement_is_enough() -> None:
    ratios = iter((9.0, 9.0, 2.0))
    within(3, lambda: next(ratios))


def test_a_regression_fails_on_a_quiet_machine() -> None:
    with pytest.raises(pytest.fail.Exception, match="more than 3"):
        within(3, lambda: 9.0, busy=lambda: 1.0)


def test_a_busy_machine_proves_nothing() -> None:
    with pytest.raises(pytest.skip.Exception, match="held up"):
        within(3, lambda: 9.0, busy=lambda: 2.0)


def test_nobody_works_faster_than_alone() -> None:
    assert held_up() > 0.9
