"""What the world did. Everything that reaches the table is one of these."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Raw, Struct

from .ids import PieceId, ReaderId, SeatId, Seq, Uid

Button = Literal["check", "ok", "back", "next"]

Mode = Literal["strict", "advise", "scribe"]
"""What becomes of an act against a rule that hands could do: it is refused, it stands once OK was pressed on a warning,
or it is only recorded."""


class Tapped(Struct, frozen=True, tag="tapped"):
    """A tag arrived at a reader."""

    uid: Uid
    reader: ReaderId


class Lifted(Struct, frozen=True, tag="lifted"):
    """A tag left a reader."""

    uid: Uid
    reader: ReaderId


class Found(Struct, frozen=True, tag="found"):
    """All that lies on a reader, told when it is heard again or for the first time: layout, never a play."""

    reader: ReaderId
    uids: tuple[Uid, ...]


class ReaderLost(Struct, frozen=True, tag="reader-lost"):
    """A reader went silent; it removes nothing."""

    reader: ReaderId


class ReaderBack(Struct, frozen=True, tag="reader-back"):
    reader: ReaderId


class Pressed(Struct, frozen=True, tag="pressed"):
    button: Button
    held: bool = False


class Turned(Struct, frozen=True, tag="turned"):
    """The dial moved by so many steps, right is positive."""

    steps: int


class Act(Struct, frozen=True, tag="act", omit_defaults=True):
    """Do this intent (its JSON, checked against the game).

    With `appeals` it is to stand even against a rule: where the table is strict, somebody there must agree.
    """

    intent: Raw
    appeals: bool = False


class LetStand(Struct, frozen=True, tag="let-stand", omit_defaults=True):
    """An act that a rule refuses stands all the same, or (`yes` false) it does not.

    `command` is that of the phone which asked for it; "" is what was refused on the box just now.
    """

    command: str = ""
    yes: bool = True


class Draw(Struct, frozen=True, tag="draw"):
    """The seat whose hands draw for the table has shown the card to its phone's camera."""

    piece: PieceId


class TakeBack(Struct, frozen=True, tag="take-back"):
    """Undo everything after entry `to`."""

    to: Seq


class Join(Struct, frozen=True, tag="join", omit_defaults=True):
    """A phone, named by a code it shows, would like a seat; someone must let it in at the box.

    `instead` is the code it showed before, if it asks for something else now.
    """

    seat: SeatId
    name: str
    code: str
    instead: str = ""


class Claim(Struct, frozen=True, tag="claim", omit_defaults=True):
    """An admitted phone takes its seat; `key` is the hash of its new secret.

    `now` and `zone` are the time and the time zone that it says: a hint for a box that has no clock of its own.
    """

    code: str
    key: str
    now: float = 0.0
    zone: str = ""


class Leave(Struct, frozen=True, tag="leave", omit_defaults=True):
    """A phone gives its seat back; the seat stays in the game. The referee may name the `seat` of another."""

    seat: SeatId | None = None


class LetBot(Struct, frozen=True, tag="let-bot", omit_defaults=True):
    """From now on the bot plays for this seat, or (`on` false) its person again.

    The referee may name another `seat`; so may anybody whose fellow player's phone is away.
    """

    on: bool
    seat: SeatId | None = None


class SitElsewhere(Struct, frozen=True, tag="sit-elsewhere", omit_defaults=True):
    """The person of this seat is somewhere else, or (`on` false) at the table again: who moves their pieces.

    The referee may name another `seat`.
    """

    on: bool
    seat: SeatId | None = None


class Skip(Struct, frozen=True, tag="skip"):
    """Nobody wants to wait: the bot answers what `seat` is asked now, this once."""

    seat: SeatId


class SetClock(Struct, frozen=True, tag="set-clock"):
    """From now on a seat has so many seconds for its turn, or as long as it likes."""

    kind: Literal["off", "soft", "strict"]
    seconds: Annotated[int, Meta(ge=5, le=3600)] = 90


class HandOver(Struct, frozen=True, tag="hand-over"):
    """The seat's phone is from now on another one; `key` is the hash of that phone's new secret."""

    name: str
    key: str


class OpenGame(Struct, frozen=True, tag="open-game"):
    """Begin a new game with those who sit here; `names` are those of all its seats, in order.

    `pack` is one of the owner's own packs; "" the shipped one. `sat` tells for each name which seat of the present game
    it had, where somebody in between no longer plays; () if all stay where they are.
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
    """Tags are given to things: begin with a `row` of them (of "piece", which one), skip the next, take the last
    back, give a used tag anyway, only look what tags are, also write links on them or no longer, say that one is
    dead, end.

    `uid` is the strange tag that the piece gets at once; `at` how many steps had been taken when this was wished, so
    that two who press the same button skip one thing and not two (-1 does not say).
    """

    do: Literal["begin", "skip", "undo", "anyway", "look", "link", "dead", "end"]
    row: EnrolRow = "deck"
    piece: PieceId | None = None
    uid: Uid | None = None
    at: int = -1


LinkOutcome = Literal["new", "same", "gone", "again", "other", "locked", "long", "old", "unable"]
"""What came of writing a link on a tag: it is there (new, or the same as before); the tag is as it was, or must be
written again; it is of another kind, locked, or too small; the Pico is too old for it, or the reader cannot."""


class BelieveTable(Struct, frozen=True, tag="believe-table"):
    """The table is right and the record is to follow: it is corrected until both agree."""


FirstQuestion = Literal["language", "buttons", "seats", "game", "tags"]
"""What a box that has never played asks."""


class Lead(Struct, frozen=True, tag="lead"):
    """Answer the question of a first run that was shown: take its line `at`, or (-1) return to the one before."""

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
"""What a phone may ask for, as it is sent and recorded. `companion.table.wishes` has what anybody may wish."""


class Asked(Struct, frozen=True, tag="asked", omit_defaults=True):
    """A phone wants something. `command` is the phone's own id for it: repeated, it is answered again, not done again.

    `asked` is the number of the question it answers (see `Snapshot.asked`). `table` is the game it was shown ("" does
    not say): numbers begin anew with every game.
    """

    command: str
    seat: SeatId
    asked: int
    wish: PhoneWish
    table: str = ""


class BotChose(Struct, frozen=True, tag="bot-chose"):
    """The bot of a seat has made up its mind about the question `asked` (see `Snapshot.asked`)."""

    seat: SeatId
    asked: int
    intent: Raw


Input: TypeAlias = Tapped | Lifted | Found | ReaderLost | ReaderBack | Pressed | Turned | Asked | BotChose
