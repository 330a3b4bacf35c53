"""What somebody wants: box, phone, bot and script ask in the same words. `granting` decides what becomes of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct

from companion.core import (
    Asked,
    BelieveTable,
    Button,
    Claim,
    Enrol,
    HandOver,
    Input,
    Intent,
    Join,
    Lead,
    Leave,
    LetBot,
    LetStand,
    OpenGame,
    Page,
    Refusal,
    Said,
    SeatId,
    Seq,
    SetClock,
    SitElsewhere,
    Skip,
)
from companion.library import Lang

if TYPE_CHECKING:
    from .referee import Referee

ToMachine = Literal["off", "wifi"]
ToStick = Literal["save", "restore", "no"]


class Do(Struct, frozen=True):
    """Play this. If it is refused, the same taps may have meant something else: `instead`, or `several` acts."""

    intent: Intent
    instead: Intent | None = None
    several: bool = False


class Appeal(Struct, frozen=True):
    """Play this even against a rule."""

    intent: Intent


class GoBack(Struct, frozen=True):
    """Take back to entry `to`, for the seat `by` that acted last; `as_referee` if the referee asks or OK was held."""

    to: Seq
    by: SeatId
    as_referee: bool


class LetIn(Struct, frozen=True):
    """Let the phones that show these codes sit down."""

    codes: tuple[str, ...]


class SendAway(Struct, frozen=True):
    """The phones that show these codes have to ask again."""

    codes: tuple[str, ...]


class Change(Struct, frozen=True):
    """Put another game on the table: the one that `opens` returns for the present one.

    If that is the same, nothing changes.
    """

    opens: Callable[[Referee], Referee]


class GiveSeats(Struct, frozen=True):
    """From now on bots play for these seats and people for all others."""

    bots: tuple[SeatId, ...]


class Show(Struct, frozen=True):
    """Do nothing; the box shows this for a moment."""

    page: Page


class GoOn(Struct, frozen=True):
    """The question that stopped the table is settled."""


class Tick(Struct, frozen=True):
    """Hands have done what no reader sees: the errand in these words or, with None, all of them."""

    said: Said | None


class AskMachine(Struct, frozen=True):
    """Switch the machine off, or start its own Wi-Fi."""

    to: ToMachine


class UseStick(Struct, frozen=True):
    """Save everything on the USB stick in the box, restore what is saved there, or leave it alone."""

    to: ToStick


class FindHubs(Struct, frozen=True):
    """Look which clubs' hubs are nearby."""


class JoinClub(Struct, frozen=True):
    """Show this table at the club whose hub is there and shows this code; `number` names it, 0 keeps its name."""

    address: str
    code: str
    number: int = 0


class Speak(Struct, frozen=True):
    """From now on the box speaks this language."""

    lang: Lang


class Wire(Struct, frozen=True):
    """The button that came as the nth key is the nth of CHECK, OK, BACK and NEXT."""

    keys: tuple[Button, ...]


Wish: TypeAlias = (
    Do
    | Appeal
    | LetStand
    | GoBack
    | OpenGame
    | Change
    | Skip
    | SetClock
    | Join
    | LetIn
    | SendAway
    | Claim
    | Leave
    | LetBot
    | SitElsewhere
    | HandOver
    | GiveSeats
    | Enrol
    | Lead
    | Speak
    | Wire
    | GoOn
    | Tick
    | BelieveTable
    | AskMachine
    | UseStick
    | FindHubs
    | JoinClub
    | Show
)


class By(Struct, frozen=True):
    """Whose wish it is: a seat's or the referee's or, with None, that of somebody at the box; and what caused it."""

    seat: SeatId | None
    cause: Input | None

    @property
    def on_box(self) -> bool:
        return self.seat is None

    @property
    def phone(self) -> Asked | None:
        return self.cause if isinstance(self.cause, Asked) and not self.on_box else None


class Done(Struct, frozen=True, tag="done"):
    """It is in the journal under `seq`; `again` if the same command had already done it."""

    seq: Seq
    again: bool = False


class No(Struct, frozen=True, tag="no"):
    """It was refused, and this is why, as far as the asking seat may know."""

    refusal: Refusal


Answer: TypeAlias = Done | No
