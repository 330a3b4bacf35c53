"""The first run of a box: a few questions on its display, from the language to the first game. Pure.

A `FirstRun` and a press give the next one and, where something is to be done, a `Step` for the table. Tags are given by
the enrolment that is always there; this only leads to it.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from companion.core.facts import Name, Said, say
from companion.core.ids import GameId
from companion.core.inputs import Button, Enrol, EnrolRow
from companion.core.pages import ChoosePage, NumberPage, Page, TurnPage
from companion.library.texts import LANGS, Lang

from .next_game import OnShelf

Question = Literal["language", "buttons", "seats", "game", "tags"]
ORDER: Final[tuple[Question, ...]] = ("language", "buttons", "seats", "game", "tags")
BUTTONS: Final[tuple[Button, ...]] = ("check", "ok", "back", "next")
FEWEST, MOST = 2, 6
_PLAY: Final = 0
_ROWS: Final[tuple[EnrolRow | None, ...]] = (None, "readers", "deck", "seats")
"""What the last question offers: to play at once, or to give tags first."""


class FirstRun(Struct, frozen=True):
    """Which question is open, where its list stands, and what has been answered.

    `keys` are the buttons as they came when CHECK, OK, BACK and NEXT were asked for, in this order.
    """

    question: Question = "language"
    at: int = 0
    keys: tuple[Button, ...] = ()
    again: bool = False
    """The last press was a button that had been pressed before."""
    seats: int = 3
    joins: bool = False
    """The box shows where phones find it, until the next press."""
    all_buttons: bool = True
    """There are four buttons; with fewer, another has the job of the missing one, and nothing is asked about them."""


class Open(Struct, frozen=True):
    """The open question: which one it is, how the box asks it, how far people are; `joins` as in `FirstRun`."""

    question: Question
    page: Page
    number: int
    of: int
    joins: bool


class Speak(Struct, frozen=True):
    """From now on the box speaks this language."""

    lang: Lang


class Wired(Struct, frozen=True):
    """The button that came as the nth key is the nth of `BUTTONS`."""

    keys: tuple[Button, ...]


class OpenFirst(Struct, frozen=True):
    game: GameId
    seats: int


class Played(Struct, frozen=True):
    """The questions are over."""


Step: TypeAlias = Speak | Wired | OpenFirst | Enrol | Played


def press(first: FirstRun, button: Button, offered: tuple[OnShelf, ...]) -> tuple[FirstRun, Step | None]:
    """A button was pressed. BACK returns to the question before; CHECK shows where phones find the box."""
    if first.question == "buttons":
        return _pressed(first, button)
    if first.joins:
        return replace(first, joins=False), None
    match button:
        case "next":
            return turn(first, 1, offered), None
        case "back":
            return _before(first), None
        case "ok":
            return _taken(first, offered)
        case "check":
            return replace(first, joins=True), None


def take(first: FirstRun, at: int, offered: tuple[OnShelf, ...]) -> tuple[FirstRun, Step | None]:
    """A phone took line `at` of the open question; -1 returns to the one before.

    It has no button to press for the box: there the one line says that they are wired as usual.
    """
    first = replace(first, joins=False)
    if at < 0:
        return _before(first), None
    if first.question == "buttons":
        return _learnt(first, BUTTONS)
    return _taken(replace(first, at=at), offered) if at < _size(first, offered) else (first, None)


def turn(first: FirstRun, steps: int, offered: tuple[OnShelf, ...]) -> FirstRun:
    """The dial moved."""
    if first.question == "buttons" or first.joins:
        return first
    return replace(first, at=(first.at + steps) % _size(first, offered))


def opened(first: FirstRun, offered: tuple[OnShelf, ...]) -> Open:
    """The open question as everybody sees it."""
    order = tuple(question for question in ORDER if first.all_buttons or question != "buttons")
    return Open(first.question, page(first, offered), order.index(first.question) + 1, len(order), first.joins)


def page(first: FirstRun, offered: tuple[OnShelf, ...]) -> Page:
    """What the box asks."""
    match first.question:
        case "language":
            items = tuple(say(f"first.{lang}") for lang in LANGS)
            return ChoosePage(say("first.language"), items, first.at, say("first.join"))
        case "buttons":
            return _button_page(first)
        case "seats":
            return NumberPage(say("first.seats"), FEWEST, MOST, FEWEST + first.at)
        case "game":
            items = tuple(say("choice", item=Name(one.title)) for one in offered)
            return ChoosePage(say("first.game"), items, first.at)
        case "tags":
            return ChoosePage(say("first.tags"), tuple(map(_row, _ROWS)), first.at)


def _button_page(first: FirstRun) -> Page:
    done = len(first.keys)
    wanted = say("first.press", button=Name(BUTTONS[done].upper()))
    why = say("first.again" if first.again else "first.why")
    return TurnPage(say("first.buttons"), say("first.nth", n=done + 1, of=len(BUTTONS)), wanted, why, Said(""))


def _row(row: EnrolRow | None) -> Said:
    return say("first.play" if row is None else f"tags.{row}")


def _size(first: FirstRun, offered: tuple[OnShelf, ...]) -> int:
    match first.question:
        case "language":
            return len(LANGS)
        case "seats":
            return MOST - FEWEST + 1
        case "game":
            return max(1, len(offered))
        case "buttons" | "tags":
            return len(_ROWS)


def _pressed(first: FirstRun, button: Button) -> tuple[FirstRun, Step | None]:
    if button in first.keys:
        return replace(first, again=True), None
    keys = (*first.keys, button)
    if len(keys) < len(BUTTONS):
        return replace(first, keys=keys, again=False), None
    return _learnt(first, keys)


def _learnt(first: FirstRun, keys: tuple[Button, ...]) -> tuple[FirstRun, Step]:
    return replace(first, question="seats", at=1, keys=keys, again=False), Wired(keys)


def _taken(first: FirstRun, offered: tuple[OnShelf, ...]) -> tuple[FirstRun, Step | None]:
    match first.question:
        case "language":
            return _after_language(first), Speak(LANGS[first.at])
        case "seats":
            return replace(first, question="game", at=0, seats=FEWEST + first.at), None
        case "game" if offered:
            opened = OpenFirst(offered[first.at % len(offered)].game, first.seats)
            return replace(first, question="tags", at=_PLAY), opened
        case "tags":
            row = _ROWS[first.at]
            return first, Played() if row is None else Enrol("begin", row)
        case _:
            return first, None


def _before(first: FirstRun) -> FirstRun:
    match first.question:
        case "buttons":
            return FirstRun()
        case "seats":
            return _after_language(replace(first, keys=())) if first.all_buttons else FirstRun(all_buttons=False)
        case "game":
            return replace(first, question="seats", at=first.seats - FEWEST)
        case _:
            return first


def _after_language(first: FirstRun) -> FirstRun:
    if first.all_buttons:
        return replace(first, question="buttons", at=0)
    return replace(first, question="seats", at=1)
