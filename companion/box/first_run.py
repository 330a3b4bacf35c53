"""The first run of a box: a few questions on its display, from the language to the first game.

Tags are given by the usual enrolment; this only leads to it. Phones may answer, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final

from msgspec import Struct
from msgspec.structs import replace

from companion.core import (
    Button,
    ChoosePage,
    Enrol,
    EnrolRow,
    FirstQuestion,
    JoinPage,
    Name,
    NumberPage,
    OpenGame,
    Page,
    Said,
    Token,
    TurnPage,
    say,
)
from companion.library import LANGS
from companion.table import FEWEST, Mode, OnShelf, Open, Snapshot, Speak, Wire

from .dialog import REST, Dialog, Then

ORDER: Final[tuple[FirstQuestion, ...]] = ("language", "buttons", "seats", "game", "tags")
BUTTONS: Final[tuple[Button, ...]] = ("check", "ok", "back", "next")
MOST: Final = 6
_PLAY: Final = 0
_ROWS: Final[tuple[EnrolRow | None, ...]] = (None, "readers", "deck", "seats")
"""What the last question offers: play right away, or give tags first."""


class Offers(Struct, frozen=True, eq=False):
    """What a first run may offer: the games for a number of people, and what their seats are called."""

    games: Callable[[int], tuple[OnShelf, ...]]
    names: Callable[[int], tuple[str, ...]]
    mode: Mode = "strict"
    own_wifi: Callable[[], bool] = lambda: True
    """Whether phones must join the box's own Wi-Fi, if it has one, to find it."""


class FirstRun(Dialog, frozen=True):
    """Which question is open, where its list stands, and what has been answered.

    `keys` are the buttons in the order in which CHECK, OK, BACK and NEXT were asked for.
    """

    offers: Offers
    question: FirstQuestion = "language"
    at: int = 0
    keys: tuple[Button, ...] = ()
    again: bool = False
    """The last press was a button that had already been pressed."""
    seats: int = 3
    joins: bool = False
    """The box shows where phones find it, until the next press."""
    wifi: bool = False
    """First it shows the Wi-Fi that it has made for them."""
    all_buttons: bool = True
    """There are four buttons; with fewer, others stand in for the missing ones, and the question is skipped."""

    stays: ClassVar[bool] = True

    def tap(self, scene: Snapshot, token: Token) -> Then:
        return self, None

    def press(self, scene: Snapshot, button: Button, held: bool) -> Then:
        """BACK returns to the previous question; CHECK shows where phones find the box, its own Wi-Fi first."""
        if self.question == "buttons":
            return self._pressed(button)
        if self.joins:
            return replace(self, joins=False), None
        if self.wifi:
            return replace(self, wifi=False, joins=button == "check"), None
        match button:
            case "next":
                return self.turn(scene, 1), None
            case "back":
                return self._before(), None
            case "ok":
                return self._taken()
            case "check":
                wifi = scene.wifi is not None and self.offers.own_wifi()
                return replace(self, wifi=wifi, joins=not wifi), None

    def take(self, at: int) -> Then:
        """A phone took line `at` of the open question; -1 returns to the previous one.

        Phones cannot press the box's buttons: for that question their one line says that they are wired as usual.
        """
        now = replace(self, joins=False, wifi=False)
        if at < 0:
            return now._before(), None
        if self.question == "buttons":
            return now._learnt(BUTTONS)
        return replace(now, at=at)._taken() if at < self._size() else (now, None)

    def turn(self, scene: Snapshot, steps: int) -> FirstRun:
        if self.question == "buttons" or self.joins or self.wifi:
            return self
        return replace(self, at=(self.at + steps) % self._size())

    @property
    def knows_buttons(self) -> bool:
        """Whether a press means what its button says; until people have been asked, wires may be crossed."""
        return self.question not in ("language", "buttons")

    @property
    def open(self) -> Open:
        """The open question as everybody sees it."""
        order = tuple(question for question in ORDER if self.all_buttons or question != "buttons")
        return Open(self.question, self._asked(), order.index(self.question) + 1, len(order), self.joins)

    def page(self, scene: Snapshot) -> Page:
        if self.wifi and scene.wifi is not None:
            return scene.wifi
        return JoinPage() if self.joins else self._asked()

    def _asked(self) -> Page:
        """What the box asks."""
        match self.question:
            case "language":
                items = tuple(say(f"first.{lang}") for lang in LANGS)
                return ChoosePage(say("first.language"), items, self.at, say("first.join"))
            case "buttons":
                return self._button_page()
            case "seats":
                return NumberPage(say("first.seats"), FEWEST, MOST, FEWEST + self.at)
            case "game":
                items = tuple(say("choice", item=Name(one.title)) for one in self._games())
                return ChoosePage(say("first.game"), items, self.at)
            case "tags":
                return ChoosePage(say("first.tags"), tuple(map(_row, _ROWS)), self.at)

    def _button_page(self) -> Page:
        done = len(self.keys)
        wanted = say("first.press", button=Name(BUTTONS[done].upper()))
        why = say("first.again" if self.again else "first.why")
        return TurnPage(say("first.buttons"), say("first.nth", n=done + 1, of=len(BUTTONS)), wanted, why, Said(""))

    def _games(self) -> tuple[OnShelf, ...]:
        return self.offers.games(self.seats)

    def _size(self) -> int:
        match self.question:
            case "language":
                return len(LANGS)
            case "seats":
                return MOST - FEWEST + 1
            case "game":
                return max(1, len(self._games()))
            case "buttons" | "tags":
                return len(_ROWS)

    def _pressed(self, button: Button) -> Then:
        if button in self.keys:
            return replace(self, again=True), None
        keys = (*self.keys, button)
        if len(keys) < len(BUTTONS):
            return replace(self, keys=keys, again=False), None
        return self._learnt(keys)

    def _learnt(self, keys: tuple[Button, ...]) -> Then:
        return replace(self, question="seats", at=1, keys=keys, again=False), Wire(keys)

    def _taken(self) -> Then:
        match self.question:
            case "language":
                return self._after_language(), Speak(LANGS[self.at])
            case "seats":
                return replace(self, question="game", at=0, seats=FEWEST + self.at), None
            case "game" if games := self._games():
                game, offers = games[self.at % len(games)].game, self.offers
                opens = OpenGame(game, offers.names(self.seats), (), offers.mode)
                return replace(self, question="tags", at=_PLAY), opens
            case "tags":
                row = _ROWS[self.at]
                return REST if row is None else (self, Enrol("begin", row))
            case _:
                return self, None

    def _before(self) -> FirstRun:
        match self.question:
            case "buttons":
                return FirstRun(self.offers)
            case "seats" if self.all_buttons:
                return replace(self, keys=())._after_language()
            case "seats":
                return FirstRun(self.offers, all_buttons=False)
            case "game":
                return replace(self, question="seats", at=self.seats - FEWEST)
            case _:
                return self

    def _after_language(self) -> FirstRun:
        if self.all_buttons:
            return replace(self, question="buttons", at=0)
        return replace(self, question="seats", at=1)


def _row(row: EnrolRow | None) -> Said:
    return say("first.play" if row is None else f"tags.{row}")
