"""What the box shows: one idea per page, as keys and facts. Everything here is public; hw draws it."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from .core.facts import Refusal, Said
from .core.ids import Seq

Signal = Literal["quiet", "turn", "accepted", "refused", "check-fine", "check-problem", "trouble"]
"""What lamp and buzzer tell."""


class StartingPage(Struct, frozen=True, tag="starting"):
    """The box has power and is on its way; there is no game yet."""


class UnplugPage(Struct, frozen=True, tag="unplug"):
    """The program has ended and everything is saved. It stays on the display for as long as that has power."""


class JoinPage(Struct, frozen=True, tag="join"):
    """The QR code of the dashboard. The web address is known to the device that draws it."""


class WifiPage(Struct, frozen=True, tag="wifi"):
    """The box's own Wi-Fi: as a QR code, and as one types it."""

    name: str
    password: str
    code: str


class AdmitPage(Struct, frozen=True, tag="admit"):
    """A phone asks for a seat: hold OK to let it in."""

    who: Said
    code: str


class TurnPage(Struct, frozen=True, tag="turn"):
    """Whose turn, what is awaited, what to do next."""

    title: Said
    corner: Said
    who: Said
    what: Said
    hint: Said


class ChoosePage(Struct, frozen=True, tag="choose"):
    """A list walked with NEXT and taken with OK; `at` is the marked item, `who` chooses, `title` is at the foot."""

    title: Said
    items: tuple[Said, ...]
    at: int
    who: Said = Said("")


class NumberPage(Struct, frozen=True, tag="number"):
    """A number set by dial or NEXT, taken with OK by `who`; `foreseen` is what it would do, `corner` is at the foot."""

    title: Said
    low: int
    high: int
    at: int
    foreseen: tuple[Said, ...] = ()
    who: Said = Said("")
    corner: Said = Said("")


class ConfirmPage(Struct, frozen=True, tag="confirm"):
    """One act of `who`, ready: OK does it, BACK drops it."""

    said: Said
    foreseen: tuple[Said, ...]
    who: Said = Said("")


class AcceptedPage(Struct, frozen=True, tag="accepted"):
    seq: Seq
    lines: tuple[Said, ...]


class RefusedPage(Struct, frozen=True, tag="refused"):
    """NO, the rule, the reason, and what hands should do (the `hands` text of the same key)."""

    refusal: Refusal


class CheckPage(Struct, frozen=True, tag="check"):
    """One line of the referee check, number `at` of `of`."""

    said: Said
    at: int
    of: int
    is_problem: bool


class PiecePage(Struct, frozen=True, tag="piece"):
    """What this piece is, and that nothing was played; `more` are at most three lines."""

    said: Said
    where: Said
    more: tuple[Said, ...] = ()


class EnrolPage(Struct, frozen=True, tag="enrol"):
    """Whose tag is laid next, number `at` of `of`; `note` is what came of the last one, `asks` what is wanted."""

    said: Said
    note: Said
    at: int
    of: int
    asks: Said
    used: bool = False
    """The tag laid last is something else already; OK, held, gives it all the same."""


class TroublePage(Struct, frozen=True, tag="trouble"):
    """What is wrong; its cure is the `hands` text of the same key."""

    said: Said


class IdlePage(Struct, frozen=True, tag="idle"):
    title: Said
    who: Said


Page: TypeAlias = (
    StartingPage
    | UnplugPage
    | JoinPage
    | WifiPage
    | AdmitPage
    | TurnPage
    | ChoosePage
    | NumberPage
    | ConfirmPage
    | AcceptedPage
    | RefusedPage
    | CheckPage
    | PiecePage
    | EnrolPage
    | TroublePage
    | IdlePage
)
