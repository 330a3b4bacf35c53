"""The voice of the box, off by default: says what the display shows, and drops what is stale."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from companion.core import AcceptedPage, DuelPage, Page, Said, say
from companion.library import Speaker
from companion.table.outside import Latest, Seen
from hw.follower import Follower

from .aloud import spoken
from .mouth import Mouth

LOOK: Final = 0.2
"""Seconds between checks whether it is still speaking, and so the longest until a dead speaker is reported."""
Names = Callable[[Said | None], None]
"""Reports what is wrong, or (None) that it is right again."""


class Voice(Follower):
    """One line at a time, always the newest: it is cut off when the game goes on. Silent without a mouth.

    A speaker that fails is a trouble that everybody reads; the game goes on, and the next line is tried again.
    """

    settle = 0.2

    def __init__(
        self, latest: Latest[Seen], speaks: Callable[[Seen], Speaker], mouth: Mouth | None, names: Names
    ) -> None:
        super().__init__("voice", latest)
        self._speaks, self._mouth, self._names = speaks, mouth, names
        self._said_of_page = ""
        self._flash: Page | None = None
        self._is_speaking = self._in_trouble = False

    def _turn(self, seen: Seen | None) -> None:
        if self._mouth is None:
            return
        if seen is not None:
            self._follow(seen, self._mouth)
        elif self._is_speaking:
            self._is_speaking = self._mouth.is_speaking()
            self._tell_trouble(False)

    def _follow(self, seen: Seen, mouth: Mouth) -> None:
        """Say what is new: a page once, and a passing message every time, because a second NO is another NO."""
        speaker, before = self._speaks(seen), self._said_of_page
        self._said_of_page = of_page = spoken(seen.page, speaker)
        flash = None if seen.flash is self._flash else seen.flash
        self._flash = seen.flash
        words = [spoken(flash, speaker)] if flash is not None else []
        if isinstance(flash, AcceptedPage | DuelPage) or (flash is None and of_page != before):
            words.append(of_page)
        if line := " ".join(filter(None, words)):
            mouth.say(line, speaker.lang)
            self._is_speaking = True

    def _pause(self) -> float | None:
        return LOOK if self._is_speaking else None

    def _end(self) -> None:
        if self._mouth is not None:
            self._mouth.stop()

    def _name_failure(self, error: Exception) -> None:
        self._is_speaking = False
        super()._name_failure(error)
        self._tell_trouble(True)

    def _tell_trouble(self, is_so: bool) -> None:
        """Once when it begins and once when it ends: reporting it is news, which this thread follows, too."""
        if is_so != self._in_trouble:
            self._in_trouble = is_so
            self._names(say("trouble.voice") if is_so else None)
