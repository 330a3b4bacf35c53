"""A box that has never played: drives the questions of `first_run` and does what their answers ask for."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from companion.core.inputs import Button, Enrol, OpenGame
from companion.library.texts import Lang
from companion.table.snapshot import Mode

from . import first_run
from .first_run import BUTTONS, FirstRun, Open, OpenFirst, Played, Speak, Step, Wired
from .next_game import OnShelf


class Beginning:
    """Lives on the table's thread. `open` is what is asked now, None once the questions are over.

    `offers` gives the games for so many people, `names` what their seats are called; `speak` and `wire` make an answer
    last. All of them return at once.
    """

    def __init__(
        self,
        offers: Callable[[int], tuple[OnShelf, ...]],
        names: Callable[[int], tuple[str, ...]],
        speak: Callable[[Lang], None],
        wire: Callable[[tuple[Button, ...]], None],
        *,
        mode: Mode = "strict",
        all_buttons: bool = True,
    ) -> None:
        self._offers, self._names, self._speak, self._wire = offers, names, speak, wire
        self._mode: Mode = mode
        self._keys: dict[Button, Button] = {}
        self._run: FirstRun | None = FirstRun(all_buttons=all_buttons)

    @property
    def open(self) -> Open | None:
        return None if self._run is None else first_run.opened(self._run, self._offered(self._run))

    @property
    def knows_buttons(self) -> bool:
        """Whether a press is what its button says; before people were asked, wires may be crossed."""
        return self._run is None or self._run.question not in ("language", "buttons")

    def key(self, button: Button) -> Button:
        """Which button that is, as people said when they were asked to press it; as it is wired while they are."""
        is_asked = self._run is not None and self._run.question == "buttons"
        return button if is_asked else self._keys.get(button, button)

    def end(self) -> None:
        """The questions are over, for instance because a phone began a game."""
        self._run = None

    def press(self, button: Button) -> OpenGame | Enrol | None:
        """An answer on the box; gives what the table must do for it."""
        assert self._run is not None, "there is no question"
        self._run, step = first_run.press(self._run, button, self._offered(self._run))
        return self._do(step)

    def take(self, at: int) -> OpenGame | Enrol | None:
        """An answer on a phone, likewise."""
        assert self._run is not None, "there is no question"
        self._run, step = first_run.take(self._run, at, self._offered(self._run))
        return self._do(step)

    def _do(self, step: Step | None) -> OpenGame | Enrol | None:
        match step:
            case None:
                return None
            case Speak(lang=lang):
                self._speak(lang)
            case Wired(keys=keys):
                self._keys = dict(zip(keys, BUTTONS, strict=True))
                self._wire(keys)
            case OpenFirst(game=game, seats=seats):
                return OpenGame(game, self._names(seats), (), self._mode)
            case Enrol():
                return step
            case Played():
                self._run = None
            case _:
                assert_never(step)
        return None

    def turn(self, steps: int) -> None:
        """The dial moved."""
        assert self._run is not None, "there is no question"
        self._run = first_run.turn(self._run, steps, self._offered(self._run))

    def _offered(self, run: FirstRun) -> tuple[OnShelf, ...]:
        return self._offers(run.seats) if run.question == "game" else ()
