"""Newer versions of the program: asked for by the referee, done by the machine, told to everybody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

from msgspec import Struct

from companion.core import Said, Word, say

Step = Literal["", "checking", "making", "trying", "taking-over", "done", "failed"]
UNDER_WAY: Final[tuple[Step, ...]] = ("checking", "making", "trying", "taking-over")
REASONS: Final = (
    "playing", "no-copy", "no-stick", "no-key", "unsigned", "unreadable", "other", "not-newer", "not-installed", "full",
    "crashed", "hung", "unread", "silent", "power",
)  # fmt: skip
"""Why an update did not come; each has its text."""
ASKER_ALONE: Final = ("playing", "no-stick", "no-key", "not-newer")
"""Only whoever asked needs to know; the display says nothing of it."""


class Progress(Struct, frozen=True):
    """How far an update is, or what came of the last one."""

    step: Step = ""
    version: str = ""
    why: str = ""

    @property
    def said(self) -> Said | None:
        """In words; None if nobody has asked for anything."""
        if self.step == "failed":
            return say("update.failed", why=self._reason)
        return say(f"update.{self.step}") if self.step else None

    @property
    def alarm(self) -> Said | None:
        """What the display says of it."""
        if self.step != "failed" or self.why in ASKER_ALONE:
            return None
        return say("trouble.update", why=self._reason)

    @property
    def _reason(self) -> Word:
        return Word(f"update.why.{self.why}" if self.why in REASONS else "update.why.other")


class Updates:
    """Asks the machine for an update; `now` says how far it is. Thread-safe.

    `ask` wants the one on a USB stick, and is told whether to go on while a game is being played; that game continues
    on the new version. `take` gets part of a file that a phone sends, where it begins and how long the whole is; False
    if another part is wanted. The last part asks for that file.
    """

    def __init__(self, ask: Callable[[bool], None], take: Callable[[bytes, int, int], bool]) -> None:
        self.ask, self.take = ask, take
        self.now = Progress()

    @property
    def waits_for_game(self) -> bool:
        return self.now.step == "failed" and self.now.why == "playing"

    @property
    def is_under_way(self) -> bool:
        return self.now.step in UNDER_WAY
