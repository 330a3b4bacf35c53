"""The stack of dialogs: which one is asked, what each button opens, and which come by themselves. Pure.

`Rest` lies at the bottom; above it at most one dialog that people have opened; above that any interruptions. `Box`
holds the stack for the table.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from msgspec.structs import replace

from companion.core import (
    TABLE,
    Blocked,
    Button,
    Idle,
    Intent,
    Lead,
    LetStand,
    Page,
    PlaceId,
    Ready,
    RefusedPage,
    Token,
    mentions_it,
)
from companion.table import Open, Snapshot, Wire, Wish, waiting

from .check import Check
from .choosing import Choosing, lands
from .correcting import Correcting
from .dialog import Dialog, Interruption, Then
from .first_run import BUTTONS, FirstRun
from .interruptions import due
from .join import Join
from .offered import offered_at
from .pointing import ending
from .rest import Rest
from .tags import Tags
from .tried import Tried
from .which import Which

Stack: TypeAlias = tuple[Dialog, ...]
Next: TypeAlias = tuple[Stack, Wish | None]

REST: Final[Stack] = (Rest(),)

OPENS: Final[dict[tuple[Button, bool], type[Dialog]]] = {
    ("check", False): Check,
    ("check", True): Correcting,
    ("next", True): Join,
    ("back", True): Tags,
}
"""What a button opens, short or held, unless a dialog says otherwise; pressed again there, the box comes to rest."""


def settled(scene: Snapshot, stack: Stack) -> Stack:
    """The stack with exactly the interruptions that are due; whatever came to nothing is forgotten."""
    there = {type(dialog): dialog for dialog in stack if isinstance(dialog, Interruption)}
    opened = tuple(dialog for dialog in stack if not isinstance(dialog, Interruption | Tried))
    return (*opened, *(there.get(kind) or kind() for kind in due(scene))) if scene.interrupts else opened


def page(scene: Snapshot, stack: Stack) -> Page:
    """What the box shows."""
    stack = settled(scene, stack)
    return stack[_uppermost(scene, stack)].page(scene)


def _uppermost(scene: Snapshot, stack: Stack) -> int:
    """The dialog that is shown and asked: the last one, unless it yields to what people have opened."""
    last = len(stack) - 1
    is_opened = any(not dialog.stays for dialog in stack)
    return next(at for at in range(last, -1, -1) if not (is_opened and stack[at].yields(scene)))


def tap(scene: Snapshot, stack: Stack, token: Token) -> Next:
    """The tag of a known thing was laid down: the uppermost dialog that takes it answers."""
    stack = settled(scene, stack)
    for at in reversed(range(len(stack))):
        then = stack[at].tap(scene, token)
        if then is not None:
            return _after(stack, at, then)
    raise AssertionError("Rest takes every tag")


def moved(scene: Snapshot, stack: Stack, intents: tuple[Intent, ...], landed: tuple[PlaceId, ...]) -> Next:
    """Pieces were moved, and one of these intents explains it; one whose piece already lies in its place needs no OK.

    Whatever was pointed at before may tell which one is meant.
    """
    stack = settled(scene, stack)
    begun = _opened(stack)
    dialog = Choosing(among=intents)
    if isinstance(begun, Choosing):
        narrowed = replace(begun, among=intents, at=0)
        dialog = dialog if isinstance(ending(scene, narrowed), Idle | Blocked) else narrowed
    end = ending(scene, dialog)
    places = tuple(Token("place", place) for place in landed)
    is_laid = isinstance(end, Ready) and any(lands(scene, end.intent, place) for place in places)
    return _opening(stack, dialog.reached(scene, end, sure=is_laid))


def laid_wrong(scene: Snapshot, stack: Stack, token: Token, place: PlaceId) -> Next:
    """A piece was laid where nothing legal leads: say why not or, where rules only advise, ask."""
    stack = settled(scene, stack)
    there = Choosing(tokens=(token, Token("place", place)))
    end = ending(scene, there)
    return _opening(stack, there.reached(scene, end)) if isinstance(end, Blocked | Ready) else (stack, None)


def _opening(stack: Stack, then: Then) -> Next:
    """The stack with this in place of what people have opened."""
    dialog, wish = then
    below = tuple(each for each in stack if each.stays and not isinstance(each, Interruption))
    above = tuple(each for each in stack if isinstance(each, Interruption))
    return (*below, *(() if dialog is None else (dialog,)), *above), wish


def press(scene: Snapshot, stack: Stack, button: Button, held: bool) -> Next:
    """A button was pressed, or held."""
    tried = next((dialog.tokens for dialog in stack if isinstance(dialog, Tried)), ())
    stack = settled(scene, stack)
    if (button, held) == ("ok", True) and isinstance(scene.flash, RefusedPage) and scene.flash.held != "nothing":
        return _appealed(stack, tried, scene.flash)
    at = _uppermost(scene, stack)
    then = stack[at].press(scene, button, held)
    if then is None:
        kind = OPENS[button, held]
        then = (None, None) if type(stack[at]) is kind else (kind(), None)
    return _after(stack, at, then)


def _appealed(stack: Stack, tried: tuple[Token, ...], shown: RefusedPage) -> Next:
    """OK was held while the box was still saying no."""
    if shown.held == "which":
        return _after(stack, len(stack) - 1, (Which(tried), None))
    return rested(stack), LetStand()


def turn(scene: Snapshot, stack: Stack, steps: int) -> Stack:
    """The dial moved."""
    stack = settled(scene, stack)
    at = _uppermost(scene, stack)
    return _after(stack, at, (stack[at].turn(scene, steps), None))[0]


def drawn_with(scene: Snapshot, done: Intent, token: Token) -> Intent | None:
    """The draw that a tap also means: a card that stood for what was just done may be the one drawn for it."""
    if token.kind != "piece" or scene.awaited != (TABLE,) or mentions_it(done, token):
        return None
    end = ending(scene, Choosing((token,)))
    return end.intent if isinstance(end, Ready) and not end.asks else None


def rested(stack: Stack) -> Stack:
    """The stack without what people have opened."""
    return tuple(dialog for dialog in stack if dialog.stays)


def _opened(stack: Stack) -> Dialog:
    """The uppermost dialog that is not an interruption."""
    return next(dialog for dialog in reversed(stack) if not isinstance(dialog, Interruption))


def _after(stack: Stack, at: int, then: Then) -> Next:
    """The stack after the dialog at `at` has answered."""
    dialog, wish = then
    below, above = stack[:at], tuple(each for each in stack[at + 1 :] if isinstance(each, Interruption))
    if dialog is None:
        return rested((*(below or stack[:1]), *above)), wish
    return (*(below or stack[:1]), dialog, *above), wish


class Box:
    """Lives on the table's thread. `first` asks the questions of a box that has never played."""

    def __init__(self, first: FirstRun | None = None) -> None:
        self._stack: Stack = REST if first is None else (*REST, first)
        self._keys: dict[Button, Button] = {}

    @property
    def stack(self) -> Stack:
        """All that is open, the uppermost last."""
        return self._stack

    def offer(self, scene: Snapshot, place: Token) -> bool:
        """Show what can be done at this place, where somebody has just come; False if there is nothing."""
        offered = offered_at(scene, place)
        if offered is not None:
            self._stack = (*rested(self._stack), offered)
        return offered is not None

    def lay(self, scene: Snapshot, token: Token) -> Wish | None:
        """A tag was laid on a wand."""
        self._stack, wish = tap(scene, self._stack, token)
        return wish

    def moved(self, scene: Snapshot, intents: tuple[Intent, ...], landed: tuple[PlaceId, ...]) -> Wish | None:
        """Pieces were moved, some to the places where they `landed`, and one of these intents explains it."""
        self._stack, wish = moved(scene, self._stack, intents, landed)
        return wish

    def laid_wrong(self, scene: Snapshot, token: Token, place: PlaceId) -> Wish | None:
        """A piece was laid where nothing legal leads: refuse what was meant or, where rules only advise, ask."""
        self._stack, wish = laid_wrong(scene, self._stack, token, place)
        return wish

    def put_back(self) -> None:
        """Moved pieces are back where they were: close whatever that had opened."""
        if any(isinstance(dialog, Choosing) and dialog.among for dialog in self._stack):
            self.rest()

    @property
    def is_choosing(self) -> bool:
        """Whether something is open that somebody has to answer."""
        return any(isinstance(dialog, Choosing) for dialog in self._stack)

    def press(self, scene: Snapshot, button: Button, held: bool) -> Wish | None:
        self._stack, wish = press(scene, self._stack, self._key(scene, button, held), held)
        return self._learnt(wish)

    def turn(self, scene: Snapshot, steps: int) -> None:
        self._stack = turn(scene, self._stack, steps)

    def page(self, scene: Snapshot) -> Page:
        return page(scene, self._stack)

    def also_drawn(self, scene: Snapshot, done: Intent, token: Token) -> Intent | None:
        """The draw that tapping `token` means in addition to what it has `done`."""
        return drawn_with(scene, done, token)

    def rest(self, *, corrects: bool = False) -> None:
        """Close what people have opened; where they set things right themselves, open that instead."""
        self._stack = rested(self._stack)
        if corrects:
            self._stack = (*self._stack, Correcting())

    def joined(self) -> None:
        """The table is in a club now: close whatever asked for it."""
        if any(dialog.to_club for dialog in self._stack):
            self.rest()

    @property
    def beginning(self) -> Open | None:
        """The open question of a first run."""
        first = self._first
        return None if first is None else first.open

    def lead(self, wish: Lead) -> Wish | None:
        """A phone answers the open question."""
        first = self._first
        assert first is not None, "asked before"
        after, wanted = first.take(wish.at)
        at = self._stack.index(first)
        self._stack = (*self._stack[:at], *(() if after is None else (after,)), *self._stack[at + 1 :])
        return self._learnt(wanted)

    def end_first_run(self) -> None:
        """Called, for instance, when a phone has begun a game."""
        self._stack = tuple(dialog for dialog in self._stack if dialog is not self._first)

    @property
    def _first(self) -> FirstRun | None:
        return next((dialog for dialog in self._stack if isinstance(dialog, FirstRun)), None)

    def _key(self, scene: Snapshot, button: Button, held: bool) -> Button:
        """Which button this is, as people showed when asked to press it; while they are being asked, as wired.

        To let in the first phone any button will do, because the buttons are not known yet.
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
