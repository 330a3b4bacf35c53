"""What the program logs, for whoever looks after the box: public, so it never names a card."""

from __future__ import annotations

import logging
import sys
import traceback
from types import TracebackType
from typing import Final, TypeAlias

_LEVELS: Final = (logging.ERROR, logging.WARNING, logging.INFO, logging.DEBUG)
_Raised: TypeAlias = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class OneLine(logging.Formatter):
    """One line per message. Of an exception it shows type and location only: its text may name somebody's card."""

    def format(self, record: logging.LogRecord) -> str:
        return " | ".join(line.strip() for line in super().format(record).splitlines() if line.strip())

    def formatException(self, ei: _Raised) -> str:  # noqa: N802 - the name is logging's
        kind, _, trace = ei
        places = (f"{frame.filename}:{frame.lineno} in {frame.name}" for frame in traceback.extract_tb(trace))
        return "\n".join([kind.__name__ if kind else "no exception", *places])

    def formatStack(self, stack_info: str) -> str:  # noqa: N802
        return ""


def to_stderr(much: int) -> None:
    """Log errors only at 0, then also warnings, then the usual, and everything at 3."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(OneLine("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(handlers=[handler], level=_LEVELS[min(much, len(_LEVELS) - 1)], force=True)
