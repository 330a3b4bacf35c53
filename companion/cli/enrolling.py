"""Giving tags to a row of pieces: what is expected next, what was tapped, and the way back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias, assert_never

from msgspec import Struct

from companion.core.ids import Uid
from companion.core.inputs import Tapped
from companion.tagbook import AlreadyUsed, Enrolled, Enrolment, Replaced, Tag, Tagbook

KEYS = "u takes the last one back, s skips this one, q ends; each with Enter."


class Typed(Struct, frozen=True):
    """Someone typed this and Enter."""

    text: str


class Noticed(Struct, frozen=True):
    """The reader box came or went."""

    line: str


class Waited(Struct, frozen=True):
    """Nothing happened for so many seconds."""

    seconds: float


Happening: TypeAlias = Tapped | Typed | Noticed | Waited


class Enrolling:
    """One sitting: a row of wanted tags, from the first to the last or until someone ends it.

    Each tag is saved at once. `called` names a tag for people, `tell` says a line to them.
    """

    def __init__(
        self, book: Tagbook, wanted: Sequence[Tag], called: Callable[[Tag], str], tell: Callable[[str], None]
    ) -> None:
        self._book = book
        self._wanted = wanted
        self._called = called
        self._tell = tell
        self._steps: list[Uid | None] = []
        """What became of each wanted tag so far: its uid, or None if it was skipped."""
        self._ended = False
        self._warned = -1

    @property
    def given(self) -> int:
        """How many got a tag."""
        return sum(uid is not None for uid in self._steps)

    def follow(self, happenings: Iterable[Happening]) -> None:
        """Go on until the last wanted tag is given or skipped, someone ends it, or nothing more happens."""
        self._expect()
        for happening in happenings if self._is_open else ():
            self._take(happening)
            if not self._is_open:
                return

    @property
    def _is_open(self) -> bool:
        return not self._ended and len(self._steps) < len(self._wanted)

    def _take(self, happening: Happening) -> None:
        match happening:
            case Tapped(uid=uid):
                self._tapped(uid)
            case Typed(text):
                self._typed(text.strip().lower())
            case Noticed(line):
                self._tell(line)
            case Waited(seconds):
                self._waited(seconds)
            case _:
                assert_never(happening)

    def _waited(self, seconds: float) -> None:
        """A dead tag is one that says nothing, so only waiting finds it; once for each piece is enough."""
        if self._warned != len(self._steps):
            self._warned = len(self._steps)
            self._tell(
                f"No new tag was read for {seconds:g} s. If {self._called(self._wanted[len(self._steps)])} lies on a "
                "reader, its tag is dead: put another tag under it."
            )

    def _expect(self) -> None:
        if self._is_open:
            at = len(self._steps)
            self._tell(f"{at + 1} of {len(self._wanted)}: lay {self._called(self._wanted[at])} on a reader.")

    def _tapped(self, uid: Uid) -> None:
        enrolment = self._book.enrol(uid, self._wanted[len(self._steps)])
        self._tell(told(enrolment, self._called))
        if not isinstance(enrolment, AlreadyUsed):
            self._steps.append(enrolment.uid)
            self._expect()

    def _typed(self, text: str) -> None:
        match text:
            case "q":
                self._ended = True
            case "s":
                self._steps.append(None)
                self._expect()
            case "u" if self._steps:
                self._undo()
            case "u":
                self._tell("There is nothing to take back yet.")
            case "":
                self._expect()
            case _:
                self._tell(f"{text!r} is no key here: {KEYS}")

    def _undo(self) -> None:
        uid = self._steps.pop()
        if uid is not None:
            self._book.forget(uid)
            self._tell(f"Tag {uid} is free again.")
        self._expect()


class Naming:
    """The other way round: tell what each tag is that is laid on a reader; nothing is changed."""

    def __init__(self, book: Tagbook, called: Callable[[Tag], str], tell: Callable[[str], None]) -> None:
        self._book = book
        self._called = called
        self._tell = tell

    def follow(self, happenings: Iterable[Happening]) -> None:
        """Go on until someone ends it."""
        self._tell("Lay a card on a reader to hear what it is; q and Enter end this.")
        for happening in happenings:
            match happening:
                case Tapped(uid=uid):
                    tag = self._book.find(uid)
                    unknown = "is in no tagbook: it is free, or its card is not enrolled"
                    self._tell(f"Tag {uid} {unknown if tag is None else 'is ' + self._called(tag)}.")
                case Noticed(line):
                    self._tell(line)
                case Typed(text) if text.strip().lower() == "q":
                    return
                case _:
                    pass


def told(enrolment: Enrolment, called: Callable[[Tag], str]) -> str:
    """What became of one tag, and what to do if that is not what was meant."""
    match enrolment:
        case AlreadyUsed(uid, tag):
            return (
                f"Tag {uid} is already {called(tag)}; nothing was changed. Take another tag, or first: "
                f"companion enrol --forget {uid}"
            )
        case Enrolled(uid, tag, others) | Replaced(uid, tag, _, others):
            old = f" It has other tags, too; forget those that are dead: {', '.join(others)}." if others else ""
            return f"Tag {uid} is now {called(tag)}.{old}"
        case _:
            assert_never(enrolment)
