"""Measurements by the wall clock: other work on the machine must not make them fail."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Final

import pytest

TRIES: Final = 3
QUIET: Final = 1.1
"""How much longer than usual work may take on a machine that counts as quiet."""
SPIN: Final = """
from time import perf_counter, process_time
began, used = perf_counter(), process_time()
while process_time() - used < 0.3:
    pass
print((perf_counter() - began) / 0.3)
"""


def held_up() -> float:
    """How many times longer work takes now than it would alone, on the busiest of the cores that we may use."""
    spins = [
        subprocess.Popen([sys.executable, "-S", "-c", SPIN], stdout=subprocess.PIPE, text=True)
        for _ in os.sched_getaffinity(0)
    ]
    return max(float(spin.communicate()[0]) for spin in spins)


def within(limit: float, measure: Callable[[], float], busy: Callable[[], float] = held_up) -> None:
    """Measure until a ratio is within its limit; if it never is, either it has grown, or the machine is busy: then
    skip.
    """
    ratios = []
    for _ in range(TRIES):
        ratios.append(measure())
        if ratios[-1] <= limit:
            return
    told = f"{', '.join(f'{ratio:.2f}' for ratio in ratios)}: more than {limit:g}"
    if (times := busy()) > QUIET:
        pytest.skip(f"{told}, but this machine is held up ×{times:.1f}; measure when it is quiet: ./test bench")
    pytest.fail(told)
