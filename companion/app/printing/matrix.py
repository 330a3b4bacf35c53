"""A Data Matrix as squares: which of its ten by ten modules are dark."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, TypeAlias, cast

from companion.core import CompanionError
from companion.library import Digits

SIDE: Final = 10
"""Modules of a code with six digits, including its frame."""
Run: TypeAlias = tuple[int, int, int, int]
"""Column, row, width and height of a dark stretch, in modules."""


class NoMatrix(CompanionError, ImportError):
    """The library that draws codes is not installed."""


@lru_cache(maxsize=512)
def runs(digits: Digits) -> tuple[Run, ...]:
    """The dark stretches, across and then down: overlaid, they leave no seam between modules."""
    dark = _modules(digits)
    across = ((start, row, width, 1) for row in range(SIDE) for start, width in _stretches(dark[row]))
    down = (
        (column, start, 1, height)
        for column in range(SIDE)
        for start, height in _stretches(tuple(row[column] for row in dark))
        if height > 1
    )
    return (*across, *down)


def _modules(digits: Digits) -> tuple[tuple[bool, ...], ...]:
    try:
        from zxingcpp import BarcodeFormat, create_barcode
    except ImportError as error:
        raise NoMatrix("codes need zxing-cpp; install it with: pip install 'table-companion[print]'") from error
    image = create_barcode(digits, BarcodeFormat.DataMatrix).to_image(scale=1, add_quiet_zones=False)
    pixels = bytes(cast(memoryview, image))
    if len(pixels) != SIDE * SIDE:
        raise ValueError(f"the code {digits} has {len(pixels)} modules, not {SIDE} by {SIDE}; give it six digits")
    return tuple(tuple(module == 0 for module in pixels[at : at + SIDE]) for at in range(0, len(pixels), SIDE))


def _stretches(line: tuple[bool, ...]) -> Iterator[tuple[int, int]]:
    start = None
    for at, is_dark in enumerate((*line, False)):
        if is_dark and start is None:
            start = at
        elif not is_dark and start is not None:
            yield start, at - start
            start = None
