"""What the box shows: one idea per page, as keys and facts. Everything here is public; hw draws it."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from .facts import Refusal, Said
from .ids import Seq
from .pictures import Duel

Signal = Literal["quiet", "turn", "accepted", "stands", "refused", "check-fine", "check-problem", "trouble"]
"""What lamp and buzzer signal. `stands`: accepted against a rule."""

FLASH_SECONDS: Final = 4.0
"""How long a temporary page is shown, or each leaf of it if it has several."""

LEAF: Final = 3
"""How many lines of an accepted act are shown at a time."""


StartingStep = Literal["program", "record", "devices"]
"""What a box does while it starts: load the program, read its games, switch its devices on."""


class StartingPage(Struct, frozen=True, tag="starting"):
    """The box has power and is starting; there is no game yet."""

    step: StartingStep = "program"


class UnplugPage(Struct, frozen=True, tag="unplug"):
    """The program has ended and everything is saved. Stays on the display as long as it has power."""


class JoinPage(Struct, frozen=True, tag="join"):
    """The QR code of the dashboard. The device that draws it knows the web address."""


class Stick(Struct, frozen=True):
    """A USB stick in the box; `saved` is the day of the newest backup on it, "" where there is none."""

    saved: str = ""


CODE_SIGNS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""The signs of a club's code: none that can be mistaken for another."""
CODE_LENGTH: Final = 8


class HubFound(Struct, frozen=True):
    """A club's hub that announces itself on this network."""

    name: str
    address: str


class Hubs(Struct, frozen=True):
    """What the box needs to join a club: the hubs nearby once it has looked for them, how addresses start here, and
    this table's name, "" if it has none yet."""

    looked: bool = False
    near: tuple[HubFound, ...] = ()
    network: str = ""
    called: str = ""


class WifiPage(Struct, frozen=True, tag="wifi"):
    """The box's own Wi-Fi: as a QR code, and as text to type."""

    name: str
    password: str
    code: str


class Waits(Struct, frozen=True):
    """A phone asking for a seat, and the code it shows."""

    who: Said
    code: str


class AdmitPage(Struct, frozen=True, tag="admit"):
    """Phones ask for seats: hold OK to let them all in; OK lets in the marked one, BACK sends it away."""

    waiting: tuple[Waits, ...]
    at: int | None = None


class TurnPage(Struct, frozen=True, tag="turn"):
    """Whose turn it is, what is awaited, what to do next."""

    title: Said
    corner: Said
    who: Said
    what: Said
    hint: Said


class ChoosePage(Struct, frozen=True, tag="choose"):
    """A list walked with NEXT and taken with OK; `at` is the marked item, `who` chooses, `title` is at the foot.

    `other`, here and below: `who` is not the one seat the game waits for, and must never be left out.
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
    """Words spelled sign by sign: dial or NEXT marks one of `signs`, OK takes it, BACK deletes. "" ends it.

    `of` is how many are wanted, 0 if unknown.
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
    """One act of `who`, ready: OK does it, BACK drops it. With `hold` only a held OK does it; the same with `stand`,
    which lets it stand against a rule and leaves BACK nothing to drop."""

    said: Said
    foreseen: tuple[Said, ...]
    who: Said = Said("")
    other: bool = False
    takes: Literal["ok", "hold", "stand"] = "ok"


class AcceptedPage(Struct, frozen=True, tag="accepted"):
    """What was done and what came of it, what hands do first. `by` is who did it, if the page below does not name that
    seat.

    What is too much for one look is told leaf by leaf: this is leaf `at` of `of`.
    """

    seq: Seq
    lines: tuple[Said, ...]
    by: Said = Said("")
    at: int = 1
    of: int = 1

    @property
    def leaves(self) -> tuple[AcceptedPage, ...]:
        """The same page, a few lines at a time."""
        parts = [self.lines[start : start + LEAF] for start in range(0, len(self.lines), LEAF)] or [()]
        return tuple(AcceptedPage(self.seq, lines, self.by, at, len(parts)) for at, lines in enumerate(parts, 1))


class DuelPage(Struct, frozen=True, tag="duel"):
    """What two seats have settled between them, with what else came of it. Stays until something is pressed or done.

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

    `by` is who wanted it, unless that is the one seat the game waits for. `held` is what holding OK does meanwhile:
    nothing of its own, let the act stand, list which of several acts should stand, or say that hands cannot do it.
    `appeal` says so on a second leaf.
    """

    refusal: Refusal
    by: Said = Said("")
    held: Literal["nothing", "stands", "which", "cannot"] = "nothing"
    appeal: ConfirmPage | None = None

    @property
    def leaves(self) -> tuple[Page, ...]:
        """The refusal, then how it could stand."""
        return (self,) if self.appeal is None else (self, self.appeal)


class CheckPage(Struct, frozen=True, tag="check"):
    """One line of the referee check, number `at` of `of`; the first page also says whose move it is."""

    said: Said
    at: int
    of: int
    is_problem: bool
    who: Said = Said("")
    what: Said = Said("")


class Glance(Struct, frozen=True):
    """One thing to take in at a glance: plain, a condition that is met or not, an alarm."""

    said: Said
    look: Literal["plain", "kept", "missing", "alarm"] = "plain"


class GlancePage(Struct, frozen=True, tag="glance"):
    """How a seat or the table stands: the most important number with its name, then the rest in order of importance.

    Page `at` of `of`; OK opens what does not fit.
    """

    title: Said
    lines: tuple[Glance, ...]
    label: Said = Said("")
    value: str = ""
    at: int = 1
    of: int = 1


class PiecePage(Struct, frozen=True, tag="piece"):
    """What this piece is, and that nothing was played; `more` has at most three lines."""

    said: Said
    where: Said
    more: tuple[Said, ...] = ()


class EnrolPage(Struct, frozen=True, tag="enrol"):
    """Whose tag comes next, number `at` of `of`; `note` is what came of the last one, `asks` what is wanted."""

    said: Said
    note: Said
    at: int
    of: int
    asks: Said
    used: bool = False
    """The last tag already belongs to something else; holding OK reassigns it."""


class StepPage(Struct, frozen=True, tag="step"):
    """One thing for hands to do, number `at` of `of`: after an act, or (`is_wrong`) to put the table right."""

    title: Said
    said: Said
    at: int
    of: int
    is_wrong: bool = False


class TroublePage(Struct, frozen=True, tag="trouble"):
    """What is wrong; the cure is the `hands` text of the same key."""

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
