"""What `main` passes around so that web, hw and firmware_bridge need not know each other."""

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
    """Joining a club from the box. Every method returns at once; the table hears of the result later."""

    def look(self) -> None:
        """Look for hubs nearby."""

    def join(self, wish: JoinClub) -> None: ...


class Machine(Struct, frozen=True):
    """What can be asked of the machine under the box; None if it cannot. Everything returns at once."""

    switch_off: Callable[[], None] | None = None
    open_wifi: Callable[[], None] | None = None
    wifi: WifiPage | None = None
    use_stick: Callable[[ToStick], None] | None = None
    speak: Callable[[Lang], None] | None = None
    """From now on the box speaks this language."""
    wire: Callable[[tuple[Button, ...]], None] | None = None
    """The buttons are wired like this (see `Wire`)."""
    keep_clock: Callable[[TurnClock], None] | None = None
    """From now on turns may take this long, even after a restart."""
    hear_time: Callable[[float, str], None] | None = None
    """A phone that sits down reports the time and its time zone."""
    club: Clubs | None = None
    link: Callable[[Uid], None] | None = None
    """Write a link on this tag, where it lies; the table hears of the result later."""


PlaybackWish = Literal["pause", "go", "step", "faster", "slower"]
"""What can be asked of a demo."""


class Playing(Struct, frozen=True):
    """How a demo is running: whether it waits for a step, and the seconds between acts."""

    paused: bool
    pace: float


class Playback(Protocol):
    """A demo as its watchers see it. Every method may be called from any thread."""

    def now(self) -> Playing: ...

    def do(self, wish: PlaybackWish) -> None: ...


WifiKind = Literal["house", "known", "own"]
"""A Wi-Fi of the house by its name, any that the box knows, or its own."""


class Leaving(Struct, frozen=True):
    """The Wi-Fi the box is about to join, "" for any that it knows, and where phones will find the box there, without
    `http://`, the likeliest first."""

    to: WifiKind
    name: str
    at: tuple[str, ...]


class Network(Protocol):
    """The box's Wi-Fi as phones may change it. Everything returns at once; a failure becomes a trouble.

    The box stays for a few seconds after it was told to go, so that phones hear where (`leaving`).
    """

    @property
    def has_own(self) -> bool:
        """Whether the box can open a Wi-Fi of its own."""

    def is_own(self) -> bool:
        """Whether it is on its own Wi-Fi now."""

    def names(self) -> tuple[str, ...]:
        """The networks nearby, as far as known."""

    def join(self, name: str, password: str) -> bool:
        """Leave for this one; False if no network can have this name and password."""

    def leave(self) -> None:
        """Leave its own Wi-Fi for one that it knows."""

    def open_own(self) -> None: ...

    def leaving(self) -> Leaving | None:
        """Where it is about to go, until it is there or has failed; None while it stays."""

    def watch(self, fn: Callable[[], None]) -> Callable[[], None]:
        """Call `fn`, from any thread, whenever `leaving` changes; the result ends that."""


class PretendReader(Struct, frozen=True):
    """One antenna of the pretend table, the tags on it, and the place it stands for (None for a wand)."""

    id: ReaderId
    said: Said
    lying: tuple[Uid, ...]
    place: PlaceId | None = None


class Lamp(Struct, frozen=True):
    """The lamp right now: what it signals, and its colour (0 to 255 each)."""

    signal: Signal
    red: int
    green: int
    blue: int


class Surface(Struct, frozen=True):
    """What really lies on the pretend table: hands know every card, even those that no phone may name."""

    lying: tuple[Lies, ...]
    pack: Any
    picture: Picture
    """The table drawn, with all hands open."""
    touched: frozenset[Token]
    """Things that something can be done with now."""
    rows: tuple[Said, ...] = ()
    """The list that the box has open, or that the dial would open; () if it is too long to show at once."""


class Held(Struct, frozen=True):
    """What may be done with a held thing: where it may be dropped, and why not elsewhere."""

    lit: frozenset[Token]
    alone: bool
    """Whether laying it on a reader by itself would do something."""
    why: tuple[tuple[Token, Refusal], ...] = ()
    otherwise: Refusal | None = None
    """Why nothing at all can be done with it."""


class PretendBox(Protocol):
    """The pretend table as the page that drives it sees it. Every method may be called from any thread."""

    def readers(self) -> tuple[PretendReader, ...]: ...

    def surface(self) -> Surface: ...

    def lay(self, uid: Uid, reader: ReaderId) -> None:
        """Put a tag on a reader; if it lies elsewhere, it is lifted there first."""

    def lift(self, uid: Uid) -> None:
        """Take a tag off whatever reader it is on; harmless if it is on none."""

    def carry(self, held: Token) -> Held:
        """What the box would say if this thing were laid here or there."""

    def drop(self, held: Token | None, on: Token) -> bool:
        """Do what hands would do to lay the held thing there or, holding nothing, to touch it; False if they can't."""

    def choose(self, rows: tuple[Said, ...], at: int) -> bool:
        """Turn the dial to a row and press OK; False if the box shows other rows by now."""

    def press(self, button: Button, held: bool) -> None: ...

    def turn(self, steps: int) -> None: ...

    def set_fault(self, fault: Fault, on: bool) -> None: ...

    def faults(self) -> tuple[Fault, ...]:
        """The faults that are switched on."""

    def screen(self) -> bytes:
        """The OLED as a PNG, 128×64, 1 bit."""

    def lamp(self) -> Lamp: ...

    def seat_lamps(self) -> tuple[bool, ...]:
        """Which seats' lamps are lit."""

    def watch(self, fn: Callable[[], None]) -> Callable[[], None]:
        """Call `fn`, from any thread, whenever screen, lamps or readers change; the result ends that."""


class Host(Protocol):
    """Whoever sets up the pretend table: which game is played, in which language, and for whom bots play.

    Every method may be called from any thread, and none waits for the table.
    """

    @property
    def is_new(self) -> bool:
        """Whether nothing was ever played with this data folder, so that visitors are shown around."""

    @property
    def practises_since(self) -> Seq | None:
        """The entry after which somebody is practising; None in a real game."""

    def end_practice(self) -> None:
        """Begin the real game with those who sit here; harmless if it is on already."""

    def play(self, game: GameId) -> None:
        """Play this game; an unfinished one goes on, and so can the one left behind."""

    def let_bots(self, on: bool, hands: SeatId | None = None) -> None:
        """Let bots play for everyone without a phone, except for the seat that `hands` play; or for nobody."""

    def speak(self, lang: Lang) -> None:
        """From now on the box speaks this language."""
