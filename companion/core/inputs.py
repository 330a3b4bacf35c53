"""What the world did. Everything that reaches the table is one of these."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Raw, Struct

from .ids import PieceId, ReaderId, SeatId, Seq, Uid

Button = Literal["check", "ok", "back", "next"]

Mode = Literal["strict", "advise", "scribe"]
"""What happens to an act that breaks a rule but that hands could do: refused; allowed after a warning and OK; or just
recorded."""


class Tapped(Struct, frozen=True, tag="tapped"):
    """A tag arrived at a reader."""

    uid: Uid
    reader: ReaderId


class Lifted(Struct, frozen=True, tag="lifted"):
    """A tag left a reader."""

    uid: Uid
    reader: ReaderId


class Found(Struct, frozen=True, tag="found"):
    """Everything on a reader, reported when it is heard from for the first time or again: layout, never a play."""

    reader: ReaderId
    uids: tuple[Uid, ...]


class ReaderLost(Struct, frozen=True, tag="reader-lost"):
    """A reader went silent. That removes nothing."""

    reader: ReaderId


class ReaderBack(Struct, frozen=True, tag="reader-back"):
    reader: ReaderId


class Pressed(Struct, frozen=True, tag="pressed"):
    button: Button
    held: bool = False


class Turned(Struct, frozen=True, tag="turned"):
    """The dial moved by this many steps; right is positive."""

    steps: int


class Act(Struct, frozen=True, tag="act", omit_defaults=True):
    """Do this intent (its JSON, checked against the game).

    With `appeals` it should stand even against a rule; at a strict table, somebody there must agree.
    """

    intent: Raw
    appeals: bool = False


class LetStand(Struct, frozen=True, tag="let-stand", omit_defaults=True):
    """An act that a rule refuses stands all the same, or (`yes` false) does not.

    `command` is that of the phone that asked; "" means whatever the box has just refused.
    """

    command: str = ""
    yes: bool = True


class Draw(Struct, frozen=True, tag="draw"):
    """The seat that draws for the table has shown the card to its phone's camera."""

    piece: PieceId


class TakeBack(Struct, frozen=True, tag="take-back"):
    """Undo everything after entry `to`."""

    to: Seq


class Join(Struct, frozen=True, tag="join", omit_defaults=True):
    """A phone, named by the code it shows, wants a seat; someone must let it in at the box.

    `instead` is the code it showed before, if it now asks for something else.
    """

    seat: SeatId
    name: str
    code: str
    instead: str = ""


class Claim(Struct, frozen=True, tag="claim", omit_defaults=True):
    """A phone that was let in takes its seat; `key` is the hash of its new secret.

    `now` and `zone` are its time and time zone, a hint for a box without a clock of its own.
    """

    code: str
    key: str
    now: float = 0.0
    zone: str = ""


class Leave(Struct, frozen=True, tag="leave", omit_defaults=True):
    """A phone gives its seat back; the seat stays in the game. The referee may name another's `seat`."""

    seat: SeatId | None = None


class LetBot(Struct, frozen=True, tag="let-bot", omit_defaults=True):
    """From now on the bot plays for this seat or, with `on` false, its person again.

    The referee may name another `seat`; so may anybody, for a fellow player whose phone is away.
    """

    on: bool
    seat: SeatId | None = None


class SitElsewhere(Struct, frozen=True, tag="sit-elsewhere", omit_defaults=True):
    """The person of this seat plays from elsewhere or, with `on` false, is back: this decides who moves their pieces.

    The referee may name another `seat`.
    """

    on: bool
    seat: SeatId | None = None


class Skip(Struct, frozen=True, tag="skip"):
    """Nobody wants to wait: the bot answers what `seat` is being asked, just this once."""

    seat: SeatId


class SetClock(Struct, frozen=True, tag="set-clock"):
    """From now on each turn has this many seconds, or no limit."""

    kind: Literal["off", "soft", "strict"]
    seconds: Annotated[int, Meta(ge=5, le=3600)] = 90


class HandOver(Struct, frozen=True, tag="hand-over"):
    """The seat moves to another phone; `key` is the hash of that phone's new secret."""

    name: str
    key: str


class OpenGame(Struct, frozen=True, tag="open-game"):
    """Begin a new game with those who sit here; `names` are those of all its seats, in order.

    `pack` is one of the owner's own packs, or "" for the shipped one. `sat` gives for each name the seat they had in
    the present game, if somebody in between no longer plays; () if all stay where they are.
    """

    game: str
    names: tuple[str, ...]
    options: tuple[tuple[str, str], ...] = ()
    mode: Mode = "strict"
    pack: str = ""
    sat: tuple[SeatId, ...] = ()


EnrolRow = Literal["deck", "piece", "seats", "numbers", "readers", "tell", "places"]
"""What gets tags: every piece without one, one piece, the seats, the numbers; names for readers; or nothing."""


class Enrol(Struct, frozen=True, tag="enrol", omit_defaults=True):
    """Give tags to things: begin with a `row` of them (for "piece", say which), skip the next, undo the last, reuse a
    tag that is taken, only look what tags are, switch writing links on them on or off, report one dead, end.

    `uid` is the strange tag that the piece gets at once. `at` is how many steps had been taken when this was wished, so
    that two people who press the same button skip one thing and not two (-1: unknown).
    """

    do: Literal["begin", "skip", "undo", "anyway", "look", "link", "dead", "end"]
    row: EnrolRow = "deck"
    piece: PieceId | None = None
    uid: Uid | None = None
    at: int = -1


LinkOutcome = Literal["new", "same", "gone", "again", "other", "locked", "long", "old", "unable"]
"""What came of writing a link on a tag: it is there (new, or as before); the tag is unchanged, or must be written
again; it is of another kind, locked or too small; the Pico is too old for it, or the reader cannot."""


class BelieveTable(Struct, frozen=True, tag="believe-table"):
    """The table is right: correct the record until both agree."""


FirstQuestion = Literal["language", "buttons", "seats", "game", "tags"]
"""What a box asks before its first game."""


class Lead(Struct, frozen=True, tag="lead"):
    """Answer the first-run question on show: take line `at` or, with -1, return to the one before."""

    question: FirstQuestion
    at: int


PhoneWish: TypeAlias = (
    Lead
    | Enrol
    | Act
    | LetStand
    | Draw
    | TakeBack
    | BelieveTable
    | Join
    | Claim
    | Leave
    | LetBot
    | SitElsewhere
    | Skip
    | SetClock
    | HandOver
    | OpenGame
)
"""What a phone may ask for, as it is sent and recorded. `companion.table.wishes` has everything that can be wished."""


class Asked(Struct, frozen=True, tag="asked", omit_defaults=True):
    """A phone wants something. `command` is the phone's own id for it: repeated, it is answered again, not done again.

    `asked` is the number of the question it answers (see `Snapshot.asked`). `table` is the game it was shown ("" if
    unknown), because numbers start over with every game.
    """

    command: str
    seat: SeatId
    asked: int
    wish: PhoneWish
    table: str = ""


class BotChose(Struct, frozen=True, tag="bot-chose"):
    """A seat's bot has made up its mind about the question `asked` (see `Snapshot.asked`)."""

    seat: SeatId
    asked: int
    intent: Raw


Input: TypeAlias = Tapped | Lifted | Found | ReaderLost | ReaderBack | Pressed | Turned | Asked | BotChose
