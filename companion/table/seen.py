"""What leaves the table: what one audience may see, with nothing that leads back to the state.

Web and hw get only this. Reading a secret by mistake is stopped by mypy and, at run time, by its absence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from companion.core import (
    PUBLIC,
    TABLE,
    Decision,
    Duel,
    FirstQuestion,
    Game,
    GameId,
    Hubs,
    IdlePage,
    Intent,
    Line,
    Mode,
    Page,
    PieceId,
    Refusal,
    Result,
    Said,
    SeatId,
    Seq,
    Signal,
    Stick,
    Uid,
    WifiPage,
    say,
)
from companion.library import Enrolling, Names

from .record import Chair
from .turn_clock import Ticking


def acts_as(audience: SeatId) -> SeatId:
    """The actor who sees what `audience` sees: its seat or, if it has none, the table."""
    return TABLE if audience == PUBLIC else audience


FEWEST: Final = 2
"""The fewest people a box that has never played asks for."""


class OnShelf(Struct, frozen=True):
    """A game that the people who sit here could play next, with its short name in the box's language."""

    game: GameId
    title: str


class Open(Struct, frozen=True):
    """The open question of a first run: which one it is, how the box asks it, how far people are.

    While it `joins`, the box shows where phones find it instead.
    """

    question: FirstQuestion
    page: Page
    number: int
    of: int
    joins: bool


class Joining(Struct, frozen=True):
    """A phone that asks for a seat, by which `command`; `admitted` once it was let in at the box (see `door`)."""

    seat: SeatId
    name: str
    code: str
    admitted: bool = False
    command: str = ""


class Appealed(Struct, frozen=True):
    """A phone asks to let an act stand against a rule: whose, what, why it was refused, and by which command."""

    seat: SeatId
    said: Said
    refusal: Refusal
    command: str


class Told(Struct, frozen=True):
    """One line of the history, as its reader may know it."""

    seq: Seq
    at: float
    who: SeatId
    lines: tuple[Said, ...]
    kind: Literal["opened", "did", "correction", "refused", "took-back", "seated"]
    undone: bool
    marks: tuple[str, ...] = ()

    @property
    def can_be_taken_back(self) -> bool:
        """Whether it is a person's act that still counts; what chance did goes back with the act before it."""
        return self.kind in ("did", "correction") and self.who != TABLE and not self.undone

    @property
    def stands_against_rules(self) -> bool:
        return self.kind in ("did", "correction") and bool(self.marks) and not self.undone


class Corrected(Struct, frozen=True):
    """A correction just made: by whom, how things stand now, and the old and new value."""

    seq: Seq
    who: SeatId
    said: Said
    change: Said | None


class PutBack(Struct, frozen=True):
    """Whether a seat may take back on its own, and what hands must then put back on the table."""

    allowed: bool
    refusal: Refusal | None
    moves: tuple[Said, ...]


class Undo(Struct, frozen=True):
    """What a seat may take back on its own right now: its last act, and the entry to return to.

    `is_die`: it is a die that it typed and that will be asked for again.
    """

    to: Seq
    said: Said
    moves: tuple[Said, ...]
    is_die: bool


class Past(Struct, frozen=True, eq=False):
    """The past as one audience may know it: told when asked for, because it may be long."""

    recent: Callable[[], Iterator[Told]]
    """The record, newest first, one entry at a time, without refusals made on others' phones."""
    before: Callable[[Seq], Iterator[Told]]
    """The same, starting with the entry before this one."""
    corrected: Callable[[], tuple[Corrected, ...]]
    """The corrections since anything else was done, newest first."""
    against_rules: Callable[[], tuple[Told, ...]]
    """What stands against a rule, oldest first."""
    put_back: Callable[[Seq], PutBack]
    """What hands would have to do if everything after this entry were taken back."""
    undo: Callable[[], Undo | None]
    """The last act, if it was the audience's own and it may freely take it back."""
    series: Callable[[], tuple[tuple[Line, ...], ...]]
    """The game's numbers after each entry that counts."""
    waited: Callable[[], tuple[int, ...]]
    """How many seconds the game waited for each seat, also when it waited for several at once."""
    overtimes: Callable[[int], tuple[int, ...]]
    """How many turns of each seat took longer than this many seconds."""
    showdown: Callable[[], Duel | None]
    """What two seats are settling between them, or have just settled."""
    kinds: Callable[[], frozenset[str]]
    """The kinds of entries people have made, whoever may read them."""

    def told(self) -> tuple[Told, ...]:
        """The whole record, oldest first."""
        return tuple(self.recent())[::-1]


class Shown(Struct, frozen=True, kw_only=True, eq=False):
    """What everybody may know, whatever they see of the game.

    `page` is what the box shows after `flash`, which comes first for a few seconds. `beat` grows with every
    publication.
    """

    game: Game[Any, Any]
    table: str
    beat: int
    mode: Mode
    page: Page = IdlePage(say("box.title"), say("box.nobody"))
    flash: Page | None = None
    signal: Signal = "quiet"
    troubles: tuple[Said, ...] = ()
    joining: tuple[Joining, ...] = ()
    """The phones that ask for seats, in order of arrival, including those that were let in and may sit down."""
    appeal: Appealed | None = None
    """What somebody at the box, or the referee, is asked to let stand."""
    away: tuple[SeatId, ...] = ()
    """Seats whose phone no longer listens, so that nobody waits for them in vain."""
    enrolling: Enrolling | None = None
    """While tags are given, what is laid down goes here and not into the game."""
    question: Said | None = None
    """What people must settle before the game goes on."""
    stranger: Uid | None = None
    """The last unknown tag that was laid down, so that a phone can say what it is."""
    shelf: tuple[OnShelf, ...] = ()
    """Once the game is over: what could be played next."""
    beginning: Open | None = None
    """What a box asks before its first game."""
    to_do: tuple[Said, ...] = ()
    """What hands still have to carry, turn or pay for past acts; nobody waits for it."""
    served: SeatId | None = None
    """The seat they do it for, because a bot or a person elsewhere has acted."""
    is_watched: bool = False
    """Whether readers watch places of the table."""
    repairs: tuple[Said, ...] = ()
    """While the table is out of step: the fewest things that bring it back."""
    lies_wrong: tuple[Said, ...] = ()
    """Every piece that readers see elsewhere than the record says."""
    wifi: WifiPage | None = None
    """The box's own Wi-Fi, if it has one."""
    banner: Said | None = None
    """What everybody must know throughout the evening: that it is a demo."""
    clock: Ticking | None = None
    """The turn clock, if it is on."""
    club: str = ""
    """The name of the club where everybody can see this table; "" for none."""
    hubs: Hubs | None = None
    """The clubs that the box could join; None if it can join none."""
    stick: Stick | None = None
    """The USB stick just put into the box, until somebody has said what to do with it."""


SHOWN = Shown.__struct_fields__


class Seen(Shown, frozen=True, kw_only=True, eq=False):
    """One moment as `audience` may know it: its view of the game, with what everybody may know.

    `line` are the entries that still count, `asked` the number of each seat's present question.
    """

    audience: SeatId
    view: Any
    finds_known: Callable[[], frozenset[PieceId]]
    seq: Seq
    line: tuple[Seq, ...]
    asked: tuple[int, ...]
    decisions: tuple[Decision, ...]
    chairs: tuple[Chair, ...]
    referee: Chair | None
    result: Result | None
    fallen: Intent | None
    """The dice that were taken back: the same roll falls again."""
    past: Past

    @property
    def awaited(self) -> tuple[SeatId, ...]:
        return self.decisions[-1].seats if self.decisions else ()

    @property
    def known(self) -> frozenset[PieceId]:
        """The pieces that this audience sees by name; computed on first use."""
        return self.finds_known()

    @property
    def actor(self) -> SeatId:
        """The actor for this audience: its seat or, if it has none, the table."""
        return acts_as(self.audience)

    @property
    def pack(self) -> Any:
        """The game's cards with everything described so far, as far as this audience knows it."""
        return self.game.pack_now(self.view)

    def names(self) -> Names:
        """What seats, pieces and places are called at this table."""
        describe, pack = self.game.describe, self.pack
        return Names(tuple(chair.name for chair in self.chairs), lambda piece: describe(pack, piece), self.game.place)


SeenBy: TypeAlias = Callable[[SeatId], Seen]


class Moment(Struct, frozen=True, eq=False):
    """One publication of the table, for those who show it to several audiences: what all see, and what each sees."""

    public: Seen
    seen_by: SeenBy
