"""What the box shows: one idea per page, as keys and facts. Everything here is public; hw draws it."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from .facts import Refusal, Said, Seat, say
from .ids import TABLE, SeatId, Seq
from .pictures import Duel

Signal = Literal["quiet", "turn", "accepted", "stands", "refused", "check-fine", "check-problem", "trouble"]
"""What lamp and buzzer tell. What `stands` was accepted against a rule."""

FLASH_SECONDS: Final = 4.0
"""So long is a page shown that is there for a moment only, and each leaf of it where it has several."""

LEAF: Final = 3
"""So many lines of what was accepted are shown at a time."""


StartingStep = Literal["program", "record", "devices"]
"""What a box is about while it starts: loading the program, reading its games, switching its devices on."""


class StartingPage(Struct, frozen=True, tag="starting"):
    """The box has power and is on its way; there is no game yet."""

    step: StartingStep = "program"


class UnplugPage(Struct, frozen=True, tag="unplug"):
    """The program has ended and everything is saved. It stays on the display for as long as that has power."""


class JoinPage(Struct, frozen=True, tag="join"):
    """The QR code of the dashboard. The web address is known to the device that draws it."""


class Stick(Struct, frozen=True):
    """A USB stick in the box; `saved` is the day of the newest backup on it, "" where there is none."""

    saved: str = ""


CODE_SIGNS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""What the code of a club is made of: no sign that is taken for another."""
CODE_LENGTH: Final = 8


class HubFound(Struct, frozen=True):
    """A club's hub that says on this network where it is."""

    name: str
    address: str


class Hubs(Struct, frozen=True):
    """What somebody at the box needs to join a club: the hubs around, once they were looked for, how addresses begin
    here, and what this table is called, "" where it has no name yet."""

    looked: bool = False
    near: tuple[HubFound, ...] = ()
    network: str = ""
    called: str = ""


class WifiPage(Struct, frozen=True, tag="wifi"):
    """The box's own Wi-Fi: as a QR code, and as one types it."""

    name: str
    password: str
    code: str


class Waits(Struct, frozen=True):
    """A phone that asks for a seat, and the code that it shows."""

    who: Said
    code: str


class AdmitPage(Struct, frozen=True, tag="admit"):
    """Phones ask for seats: hold OK to let them all in; OK lets in, BACK sends away, the one that is marked."""

    waiting: tuple[Waits, ...]
    at: int | None = None


class TurnPage(Struct, frozen=True, tag="turn"):
    """Whose turn, what is awaited, what to do next."""

    title: Said
    corner: Said
    who: Said
    what: Said
    hint: Said


class ChoosePage(Struct, frozen=True, tag="choose"):
    """A list walked with NEXT and taken with OK; `at` is the marked item, `who` chooses, `title` is at the foot.

    `other`, here and below: `who` is not the one seat that the game waits for, and is never left out.
    """

    title: Said
    items: tuple[Said, ...]
    at: int
    who: Said = Said("")
    other: bool = False


class NumberPage(Struct, frozen=True, tag="number"):
    """A number set by dial or NEXT, taken with OK by `who`; `foreseen` is what it would do, `corner` is at the foot."""

    title: Said
    low: int
    high: int
    at: int
    foreseen: tuple[Said, ...] = ()
    who: Said = Said("")
    corner: Said = Said("")


class SpellPage(Struct, frozen=True, tag="spell"):
    """Words put together sign by sign: dial or NEXT marks one of `signs`, OK takes it, BACK deletes. "" is the end.

    `of` is how many are wanted; 0 where that is not known.
    """

    title: Said
    typed: str
    signs: tuple[str, ...]
    at: int
    of: int = 0

    @property
    def sign(self) -> str:
        return self.signs[self.at]


class ConfirmPage(Struct, frozen=True, tag="confirm"):
    """One act of `who`, ready: OK does it, BACK drops it. With `hold` only OK that is held does it; with `stand`, too,
    which lets it stand against a rule, and BACK has nothing to drop."""

    said: Said
    foreseen: tuple[Said, ...]
    who: Said = Said("")
    other: bool = False
    takes: Literal["ok", "hold", "stand"] = "ok"


class AcceptedPage(Struct, frozen=True, tag="accepted"):
    """What was done and what came of it; what hands do comes first. `by` is who did it, where the page below does not
    name that seat.

    What is too much for one look is told leaf by leaf: this is leaf `at` of `of`.
    """

    seq: Seq
    lines: tuple[Said, ...]
    by: Said = Said("")
    at: int = 1
    of: int = 1

    @property
    def leaves(self) -> tuple[AcceptedPage, ...]:
        """The same, a few lines at a time."""
        parts = [self.lines[start : start + LEAF] for start in range(0, len(self.lines), LEAF)] or [()]
        return tuple(AcceptedPage(self.seq, lines, self.by, at, len(parts)) for at, lines in enumerate(parts, 1))


class DuelPage(Struct, frozen=True, tag="duel"):
    """What two seats have settled between them, with what else came of it; it stays until something is pressed or done.

    `done` tells what hands do about it.
    """

    duel: Duel
    done: AcceptedPage

    @property
    def leaves(self) -> tuple[Page, ...]:
        """Who against whom, then what was done."""
        return (self, *self.done.leaves) if self.done.lines else (self,)


class RefusedPage(Struct, frozen=True, tag="refused"):
    """NO, the rule, the reason, and what hands should do (the `hands` text of the same key).

    `by` is who wanted it, unless the game waits for just that seat. `held` is what OK does that is held meanwhile:
    nothing of its own, let the act stand, list which of several acts is to stand, or say that hands cannot do it.
    `appeal` says so on a second leaf.
    """

    refusal: Refusal
    by: Said = Said("")
    held: Literal["nothing", "stands", "which", "cannot"] = "nothing"
    appeal: ConfirmPage | None = None

    @property
    def leaves(self) -> tuple[Page, ...]:
        """The refusal, then how it may stand."""
        return (self,) if self.appeal is None else (self, self.appeal)


class CheckPage(Struct, frozen=True, tag="check"):
    """One line of the referee check, number `at` of `of`; on its first page also whose move it is."""

    said: Said
    at: int
    of: int
    is_problem: bool
    who: Said = Said("")
    what: Said = Said("")


class Glance(Struct, frozen=True):
    """One thing of a page that is read at a glance: plain, a condition that is met or not, an alarm."""

    said: Said
    look: Literal["plain", "kept", "missing", "alarm"] = "plain"


class GlancePage(Struct, frozen=True, tag="glance"):
    """How a seat stands, or the table: the number that matters most with its name, then what matters less and less.

    Page `at` of `of`; what there is no room for is behind it, at OK.
    """

    title: Said
    lines: tuple[Glance, ...]
    label: Said = Said("")
    value: str = ""
    at: int = 1
    of: int = 1


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


class StepPage(Struct, frozen=True, tag="step"):
    """One thing for hands to do, number `at` of `of`: for what was done, or (`is_wrong`) to put the table right."""

    title: Said
    said: Said
    at: int
    of: int
    is_wrong: bool = False


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
    | SpellPage
    | ConfirmPage
    | AcceptedPage
    | DuelPage
    | RefusedPage
    | CheckPage
    | GlancePage
    | PiecePage
    | EnrolPage
    | StepPage
    | TroublePage
    | IdlePage
)


def beside(awaited: tuple[SeatId, ...], seat: SeatId) -> Said:
    """Somebody to be named; nothing where that seat alone is awaited, so that the page names it anyway."""
    return Said("") if seat == TABLE or awaited == (seat,) else say("box.who", seat=Seat(seat))
