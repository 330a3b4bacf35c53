"""The box as the table knows it: what its dialogs wish for, and what they show."""

from __future__ import annotations

from companion.core.ids import PlaceId
from companion.core.inputs import Button, Lead
from companion.core.pages import Page
from companion.core.rules import Intent, Token
from companion.table.door import waiting
from companion.table.snapshot import Open, Snapshot
from companion.table.wishes import Wire, Wish

from . import stack
from .choosing import Choosing
from .correcting import Correcting
from .first_run import BUTTONS, FirstRun
from .offered import offered_at
from .stack import REST, Stack


class Box:
    """Lives on the table's thread. `first` asks the questions of a box that has never played."""

    def __init__(self, first: FirstRun | None = None) -> None:
        self._stack: Stack = REST if first is None else (*REST, first)
        self._keys: dict[Button, Button] = {}

    @property
    def stack(self) -> Stack:
        """All that is open, the uppermost last."""
        return self._stack

    def lay(self, scene: Snapshot, token: Token) -> Wish | None:
        """A tag was laid on a wand."""
        self._stack, wish = stack.tap(scene, self._stack, token)
        return wish

    def moved(self, scene: Snapshot, intents: tuple[Intent, ...], landed: tuple[PlaceId, ...]) -> Wish | None:
        """Pieces were moved, some to the places where they `landed`, and one of these intents explains it."""
        self._stack, wish = stack.moved(scene, self._stack, intents, landed)
        return wish

    def laid_wrong(self, scene: Snapshot, token: Token, place: PlaceId) -> Wish | None:
        """A piece was laid where nothing legal leads: what was meant is refused or, where rules only advise, asked."""
        self._stack, wish = stack.laid_wrong(scene, self._stack, token, place)
        return wish

    def put_back(self) -> None:
        """What was moved lies where it lay: whatever that had opened is closed."""
        if any(isinstance(dialog, Choosing) and dialog.among for dialog in self._stack):
            self.rest()

    @property
    def is_choosing(self) -> bool:
        """Whether something is open that somebody is to answer."""
        return any(isinstance(dialog, Choosing) for dialog in self._stack)

    def press(self, scene: Snapshot, button: Button, held: bool) -> Wish | None:
        self._stack, wish = stack.press(scene, self._stack, self._key(scene, button, held), held)
        return self._learnt(wish)

    def turn(self, scene: Snapshot, steps: int) -> None:
        self._stack = stack.turn(scene, self._stack, steps)

    def page(self, scene: Snapshot) -> Page:
        return stack.page(scene, self._stack)

    def also_drawn(self, scene: Snapshot, done: Intent, token: Token) -> Intent | None:
        """The draw that the tap of `token` means as well as what it has `done`."""
        return stack.drawn_with(scene, done, token)

    def offer(self, scene: Snapshot, place: Token) -> bool:
        """Show what is done at this place, where one has just come; whether there is anything."""
        offered = offered_at(scene, place)
        if offered is not None:
            self._stack = (*stack.rested(self._stack), offered)
        return offered is not None

    def rest(self, *, corrects: bool = False) -> None:
        """Close what people have opened; where they set things right themselves, open that instead."""
        self._stack = stack.rested(self._stack)
        if corrects:
            self._stack = (*self._stack, Correcting())

    @property
    def beginning(self) -> Open | None:
        """The open question of a first run."""
        first = self._first
        return None if first is None else first.open

    def lead(self, wish: Lead) -> Wish | None:
        """A phone answers that question."""
        first = self._first
        assert first is not None, "asked before"
        after, wanted = first.take(wish.at)
        at = self._stack.index(first)
        self._stack = (*self._stack[:at], *(() if after is None else (after,)), *self._stack[at + 1 :])
        return self._learnt(wanted)

    def end_first_run(self) -> None:
        """For instance because a phone has begun a game."""
        self._stack = tuple(dialog for dialog in self._stack if dialog is not self._first)

    @property
    def _first(self) -> FirstRun | None:
        return next((dialog for dialog in self._stack if isinstance(dialog, FirstRun)), None)

    def _key(self, scene: Snapshot, button: Button, held: bool) -> Button:
        """Which button that is, as people said when they were asked to press it; as it is wired while they are.

        To let in the first phone, any will do: they are not known yet.
        """
        first = self._first
        if first is not None and held and not first.knows_buttons and waiting(scene.joining):
            return "ok"
        is_asked = first is not None and first.question == "buttons"
        return button if is_asked else self._keys.get(button, button)

    def _learnt(self, wish: Wish | None) -> Wish | None:
        if isinstance(wish, Wire):
            self._keys = dict(zip(wish.keys, BUTTONS, strict=True))
        return wish
