"""What the table needs of a box. `companion.box` has one; the composition root hands it over."""

from __future__ import annotations

from typing import Protocol

from companion.core import Button, Intent, Lead, Page, PlaceId, Token

from .snapshot import Open, Snapshot
from .wishes import Wish


class Dialogs(Protocol):
    """The box, as the table sees it: what is laid, pressed and turned there becomes wishes; it shows a page."""

    def lay(self, scene: Snapshot, token: Token) -> Wish | None: ...

    def moved(self, scene: Snapshot, intents: tuple[Intent, ...], landed: tuple[PlaceId, ...]) -> Wish | None:
        """Pieces were moved, some to the places where they `landed`, and one of these intents explains it."""

    def laid_wrong(self, scene: Snapshot, token: Token, place: PlaceId) -> Wish | None:
        """A piece was laid where nothing legal leads: the wish that is refused for the best reason, if any."""

    def put_back(self) -> None:
        """What was moved lies where it lay: whatever that had opened is closed."""

    @property
    def is_choosing(self) -> bool:
        """Whether something is open that somebody is to answer."""

    def press(self, scene: Snapshot, button: Button, held: bool) -> Wish | None: ...

    def turn(self, scene: Snapshot, steps: int) -> None: ...

    def page(self, scene: Snapshot) -> Page: ...

    def also_drawn(self, scene: Snapshot, done: Intent, token: Token) -> Intent | None:
        """The draw that the tap of `token` means as well as what it has `done`."""

    def offer(self, scene: Snapshot, place: Token) -> bool:
        """Show what is done at this place, where one has just come; whether there is anything."""

    def rest(self, *, corrects: bool = False) -> None:
        """Close what people have opened; where they set things right themselves, open that instead."""

    def joined(self) -> None:
        """The table is in a club now: whatever asked for it is closed."""

    @property
    def beginning(self) -> Open | None:
        """The open question of a first run."""

    def lead(self, wish: Lead) -> Wish | None:
        """Answer that question for a phone."""

    def end_first_run(self) -> None: ...
