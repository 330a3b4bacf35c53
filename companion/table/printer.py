"""Printed sheets for a running table: made one order at a time, and never on a thread of the table."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from companion.core import CompanionError, GameId

Paper = Literal["a4", "letter"]
PATIENCE: Final = 180.0
"""Seconds that sheets may take: a small Pi draws the largest game in less than a minute."""


class NotPrinted(CompanionError, OSError):
    """The sheets could not be made."""


class SheetsAsked(Struct, frozen=True):
    """The sheets of a pack; `pack` is "" for the one that comes with the game. With `labels`, only codes."""

    game: GameId
    pack: str
    lang: str
    paper: Paper
    labels: bool = False


def printed_by_itself(data: Path, wanted: SheetsAsked) -> bytes:
    """What `companion print` writes. Drawing takes seconds in which no tap may wait; raises NotPrinted."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "sheets.pdf")
        command = [sys.executable, "-m", "companion.app.cli", "print", wanted.game, "--pack", wanted.pack]
        command += ["--language", wanted.lang, "--paper", wanted.paper, "--out", str(file), "--data", str(data)]
        command += ["--labels"] if wanted.labels else []
        try:
            subprocess.run(command, capture_output=True, timeout=PATIENCE, check=True, text=True)
            return file.read_bytes()
        except subprocess.CalledProcessError as error:
            raise NotPrinted(f"the sheets of {wanted.game} were not made: {error.stderr.strip()}") from error
        except (subprocess.TimeoutExpired, OSError) as error:
            raise NotPrinted(f"the sheets of {wanted.game} were not made ({error}); try again") from error


class Printer:
    """Makes sheets when asked, one order at a time. Thread-safe."""

    def __init__(self, makes: Callable[[SheetsAsked], bytes]) -> None:
        self._makes = makes
        self._busy = threading.Lock()

    def sheets(self, wanted: SheetsAsked) -> bytes | None:
        """The PDF; None at once if another is being made. Raises NotPrinted."""
        if not self._busy.acquire(blocking=False):
            return None
        try:
            return self._makes(wanted)
        finally:
            self._busy.release()
