"""What the table needs of a box. `companion.box` has one; the composition root passes it in."""

from __future__ import annotations

from typing import Protocol

from companion.core import Button, Intent, Lead, Page, PlaceId, Token

from .snapshot import Open, Snapshot
from .wishes import Wish


class Dialogs(Protocol):
    """The box as the table sees it: what is laid, pressed and turned there becomes wishes; it shows a page."""

    def lay(self, scene: Snapshot, token: Token) -> Wish | None: ...

    def moved(self, scene: Snapshot, intents: tuple[Intent, ...], landed: tuple[PlaceId, ...]) -> Wish | None:
        """Pieces were moved, some to the places where they `landed`, and one of these intents explains it."""

    def laid_wrong(self, scene: Snapshot, token: Token, place: PlaceId) -> Wish | None:
        """A piece was laid where nothing legal leads: the wish whose refusal gives the best reason, if any."""

    def put_back(self) -> None:
        """Moved pieces are back where they were: close whatever that had opened."""

    @property
    def is_choosing(self) -> bool:
        """Whether something is open that somebody has to answer."""

    def press(self, scene: Snapshot, button: Button, held: bool) -> Wish | None: ...

    def turn(self, scene: Snapshot, steps: int) -> None: ...

    def page(self, scene: Snapshot) -> Page: ...

    def also_drawn(self, scene: Snapshot, done: Intent, token: Token) -> Intent | None:
        """The draw that tapping `token` means in addition to what it has `done`."""

    def offer(self, scene: Snapshot, place: Token) -> bool:
        """Show what can be done at this place, where somebody has just come; False if there is nothing."""

    def rest(self, *, corrects: bool = False) -> None:
        """Close what people have opened; where they set things right themselves, open that instead."""

    def joined(self) -> None:
        """The table is in a club now: close whatever asked for it."""

    @property
    def beginning(self) -> Open | None:
        """The open question of a first run."""

    def lead(self, wish: Lead) -> Wish | None:
        """Answer the open question for a phone."""

    def end_first_run(self) -> None: ...
