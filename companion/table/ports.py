"""What `main` hands around so that web, hw and firmware_bridge need not know each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol

from msgspec import Struct

from companion.core import (
    Button,
    GameId,
    Lies,
    Picture,
    PlaceId,
    ReaderId,
    Refusal,
    Said,
    SeatId,
    Seq,
    Signal,
    Token,
    Uid,
    WifiPage,
)
from companion.library import Lang, TurnClock

from .wishes import JoinClub, ToStick

Fault = Literal["cable", "noise", "flicker", "display"]
"""How the pretend table can misbehave."""


class Clubs(Protocol):
    """Joining a club from the box. All of it returns at once; the table is told what came of it."""

    def look(self) -> None:
        """Which hubs are around?"""

    def join(self, wish: JoinClub) -> None: ...


class Machine(Struct, frozen=True):
    """What may be asked of the machine under the box; None where it cannot be. All of it returns at once."""

    switch_off: Callable[[], None] | None = None
    open_wifi: Callable[[], None] | None = None
    wifi: WifiPage | None = None
    use_stick: Callable[[ToStick], None] | None = None
    speak: Callable[[Lang], None] | None = None
    """From now on the box speaks this language."""
    wire: Callable[[tuple[Button, ...]], None] | None = None
    """The buttons are wired so (see `Wire`)."""
    keep_clock: Callable[[TurnClock], None] | None = None
    """From now on turns take so long, also after a restart."""
    hear_time: Callable[[float, str], None] | None = None
    """A phone that sits down says the time and its time zone."""
    club: Clubs | None = None
    link: Callable[[Uid], None] | None = None
    """Write a link on this tag, where it lies; the table is told what came of it."""


PlaybackWish = Literal["pause", "go", "step", "faster", "slower"]
"""What may be asked of a demo."""


class Playing(Struct, frozen=True):
    """How a demo goes on: whether it waits for a step, and the seconds between two acts."""

    paused: bool
    pace: float


class Playback(Protocol):
    """A demo, as those who watch it see it. Every method may be called from any thread."""

    def now(self) -> Playing: ...

    def do(self, wish: PlaybackWish) -> None: ...


WifiKind = Literal["house", "known", "own"]
"""A Wi-Fi of the house by its name, any that the box knows, or its own."""


class Leaving(Struct, frozen=True):
    """To which Wi-Fi the box is about to go: its name, "" for any that it knows; and where phones find the box there,
    without `http://`, the likeliest first.
    """

    to: WifiKind
    name: str
    at: tuple[str, ...]


class Network(Protocol):
    """The Wi-Fi of the box, as phones may change it. All of it returns at once; a failure is told as a trouble.

    The box stays for some seconds after it was sent: until then phones hear where it goes (`leaving`).
    """

    @property
    def has_own(self) -> bool:
        """Whether the box can open a Wi-Fi of its own."""

    def is_own(self) -> bool:
        """Whether it is on its own now."""

    def names(self) -> tuple[str, ...]:
        """The Wi-Fi around, as far as it is known."""

    def join(self, name: str, password: str) -> bool:
        """Leave for this one; False where there can be none of this name and password."""

    def leave(self) -> None:
        """Leave its own for one that it knows."""

    def open_own(self) -> None: ...

    def leaving(self) -> Leaving | None:
        """Where it is about to go, until it is there or has failed; None while it stays."""

    def watch(self, fn: Callable[[], None]) -> Callable[[], None]:
        """Call `fn`, from any thread, whenever `leaving` changes; the answer ends that."""


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


class Host(Protocol):
    """Who sets up the pretend table: which game is played there, in which language, and for whom bots play.

    Every method may be called from any thread and none waits for the table.
    """

    @property
    def is_new(self) -> bool:
        """Whether nothing was ever played with this data folder, so that whoever comes is shown around."""

    @property
    def practises_since(self) -> Seq | None:
        """The entry after which somebody practises; None where a real game is played."""

    def end_practice(self) -> None:
        """Begin the real game with those who sit here; harmless where it is played already."""

    def play(self, game: GameId) -> None:
        """Play this game; an unfinished one of it goes on, and the one that is left can be gone on with likewise."""

    def let_bots(self, on: bool, hands: SeatId | None = None) -> None:
        """Let bots play for all who have no phone, but for the seat that `hands` play, or for nobody."""

    def speak(self, lang: Lang) -> None:
        """The box speaks this language from now on."""
