"""`companion.library.enrolment` at a keyboard: wanted things are printed line by line, keys stand in for buttons."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias, assert_never

from msgspec import Struct

from companion.box import enrol_page
from companion.core import Enrol, Said, Tapped
from companion.library import DEAD, Enrolling, Tagbook, Things, enrolment

KEYS: Final = "u undoes the last one, s skips this one, a gives a used tag anyway, q quits; press Enter after each."
_WISHES: Final = {"u": Enrol("undo"), "s": Enrol("skip"), "a": Enrol("anyway"), "q": Enrol("end")}


class Typed(Struct, frozen=True):
    """Someone typed this and Enter."""

    text: str


class Noticed(Struct, frozen=True):
    """The reader box came or went."""

    line: str


class Waited(Struct, frozen=True):
    """Nothing happened for a long while."""


Happening: TypeAlias = Tapped | Typed | Noticed | Waited


class Keyboard:
    """One row of wanted things, from first to last or until someone ends it. Each tag is saved at once.

    `say` puts things said into words, `tell` prints a line.
    """

    def __init__(
        self, book: Tagbook, things: Things, now: Enrolling, say: Callable[[Said], str], tell: Callable[[str], None]
    ) -> None:
        self._book = book
        self._things = things
        self._say = say
        self._tell = tell
        self._now = now
        self._is_open = bool(now.wanted) or now.row == "tell"

    @property
    def given(self) -> int:
        """How many got a tag."""
        return self._now.given

    def follow(self, happenings: Iterable[Happening]) -> None:
        """Go on until the last wanted thing is done, someone ends it, or nothing more happens."""
        self._expect()
        for happening in happenings if self._is_open else ():
            self._take(happening)
            if not self._is_open:
                return

    def _take(self, happening: Happening) -> None:
        match happening:
            case Tapped(uid=uid, reader=reader):
                self._then(enrolment.lay(self._now, self._book, self._things, uid, reader))
            case Typed(text):
                self._typed(text.strip().lower())
            case Noticed(line):
                self._tell(line)
            case Waited() if self._now.note != DEAD:
                self._then((enrolment.quiet(self._now), ()))
            case Waited():
                pass
            case _:
                assert_never(happening)

    def _typed(self, text: str) -> None:
        if not text:
            self._expect()
        elif text in _WISHES:
            self._then(enrolment.obey(self._now, self._book, self._things, _WISHES[text]))
        else:
            self._tell(f"{text!r} means nothing here: {KEYS}")

    def _then(self, then: enrolment.Then) -> None:
        after, changes = then
        if changes:
            self._book.change(changes)
        if after is None:
            self._is_open = False
            return
        before, self._now = self._now, after
        if after is not before and after.note.key:
            self._tell(self._say(after.note))
        self._is_open = not after.is_done or after.row == "tell"
        if self._is_open and len(after.steps) != len(before.steps):
            self._expect()

    def _expect(self) -> None:
        if self._is_open:
            page = enrol_page(self._now, self._things)
            count = f"{page.at} of {page.of}: " if page.of else ""
            self._tell(f"{count}{self._say(page.asks)} {self._say(page.said)}")
