"""What `main` hands around so that web, hw and firmware_bridge need not know each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol

from msgspec import Struct

from companion.core import (
    Button,
    Lies,
    Picture,
    PlaceId,
    ReaderId,
    Refusal,
    Said,
    Signal,
    Token,
    Uid,
    WifiPage,
)
from companion.library import Lang

Fault = Literal["cable", "noise", "flicker", "display"]
"""How the pretend table can misbehave."""


class Machine(Struct, frozen=True):
    """What may be asked of the machine under the box; None where it cannot be. All of it returns at once."""

    switch_off: Callable[[], None] | None = None
    open_wifi: Callable[[], None] | None = None
    wifi: WifiPage | None = None
    speak: Callable[[Lang], None] | None = None
    """From now on the box speaks this language."""
    wire: Callable[[tuple[Button, ...]], None] | None = None
    """The buttons are wired so (see `Wire`)."""
    link: Callable[[Uid], None] | None = None
    """Write a link on this tag, where it lies; the table is told what came of it."""


class PretendReader(Struct, frozen=True):
    """One antenna of the pretend table, the tags that lie on it, and the place it stands for (None is a wand)."""

    id: ReaderId
    said: Said
    lying: tuple[Uid, ...]
    place: PlaceId | None = None


class Lamp(Struct, frozen=True):
    """The lamp as it shines now: what it tells, and its colour (0 to 255 each)."""

    signal: Signal
    red: int
    green: int
    blue: int


class Surface(Struct, frozen=True):
    """What really lies on the pretend table: hands know every card, also those that no phone may name."""

    lying: tuple[Lies, ...]
    pack: Any
    picture: Picture
    """The table drawn, with all hands open."""
    touched: frozenset[Token]
    """Things with which something may be done now."""
    rows: tuple[Said, ...] = ()
    """The list that the box has open, or would open at the dial; () where it is too long to be shown at once."""


class Held(Struct, frozen=True):
    """What may be done with a thing that is held: where it may be dropped, and why not elsewhere."""

    lit: frozenset[Token]
    alone: bool
    """Whether something may be done by laying it on a reader."""
    why: tuple[tuple[Token, Refusal], ...] = ()
    otherwise: Refusal | None = None
    """Why nothing can be done with it at all."""


class PretendBox(Protocol):
    """The pretend table, as the page that drives it sees it. Every method may be called from any thread."""

    def readers(self) -> tuple[PretendReader, ...]: ...

    def surface(self) -> Surface: ...

    def lay(self, uid: Uid, reader: ReaderId) -> None:
        """Put a tag on a reader; if it lay elsewhere, it is lifted there first."""

    def lift(self, uid: Uid) -> None:
        """Take a tag off whatever reader it lies on; harmless when it lies on none."""

    def carry(self, held: Token) -> Held:
        """What the box would say if this thing were laid here or there."""

    def drop(self, held: Token | None, on: Token) -> bool:
        """Do what hands would do to lay what is held there or, with nothing held, touch it; False where they cannot."""

    def choose(self, rows: tuple[Said, ...], at: int) -> bool:
        """Turn the dial to a row and press OK; False where the box shows other rows by now."""

    def press(self, button: Button, held: bool) -> None: ...

    def turn(self, steps: int) -> None: ...

    def set_fault(self, fault: Fault, on: bool) -> None: ...

    def faults(self) -> tuple[Fault, ...]:
        """The faults that are on now."""

    def screen(self) -> bytes:
        """The OLED as a PNG, 128×64, 1 bit."""

    def lamp(self) -> Lamp: ...

    def seat_lamps(self) -> tuple[bool, ...]:
        """Which seats' lamps shine."""

    def watch(self, fn: Callable[[], None]) -> Callable[[], None]:
        """Call `fn`, from any thread, whenever screen, lamps or readers change; the answer ends that."""
