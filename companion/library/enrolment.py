"""Giving tags to things: what to lay next, what came of what was laid, and how to undo it.

Pure, like `selection`: an `Enrolling` and what happened give the next one, and the changes that the tagbook must make
first. The box, phones and `companion enrol` all drive this machine.
"""

from __future__ import annotations

from typing import Final, Protocol, TypeAlias, assert_never, get_args

from msgspec import Struct
from msgspec.structs import replace

from companion.core import (
    UNKNOWN,
    Enrol,
    EnrolRow,
    Fact,
    GameId,
    LinkOutcome,
    Name,
    Piece,
    PieceId,
    Place,
    PlaceId,
    ReaderId,
    Said,
    Seat,
    SeatId,
    Signal,
    Uid,
    reader_called,
    say,
)

from .tagbook import Change, Line, NumberTag, PieceTag, PlaceTag, SeatTag, Swap, Tag

NUMBERS: Final = range(1, 13)
"""The numbers that have a tag of their own."""
DEAD: Final = say("enrol.dead")
_TRIES: Final[tuple[LinkOutcome, ...]] = ("gone", "again")
"""After these, the same tag has to be laid once more."""
_LINKED: Final = (say("enrol.link.new"), say("enrol.link.same"))
_BAD: Final = (
    *("enrol.passing", "enrol.twice", "enrol.foreign", "enrol.used"),
    *(f"enrol.link.{outcome}" for outcome in get_args(LinkOutcome) if outcome not in ("new", "same")),
)
_PASSING: Final = "08"
"""Four-byte uids that start with this are random each time: phones and bank cards have them, tags do not."""


class ReaderNamed(Struct, frozen=True):
    """Not a tag: the reader that is to have this name. Any tag laid on a reader picks it."""

    reader: ReaderId


Wanted: TypeAlias = Tag | ReaderNamed


class Book(Protocol):
    """The part of a tagbook that is read here."""

    def find(self, uid: Uid) -> Tag | None: ...
    def enrolled(self, uid: Uid) -> Tag | None: ...
    def uids_of(self, tag: Tag) -> tuple[Uid, ...]: ...


class Things(Struct, frozen=True):
    """What can be enrolled at a table, in order.

    `open` are the pieces that may be named when their tag is laid; None as long as nobody has anything to hide.
    """

    game: GameId
    pieces: tuple[PieceId, ...]
    seats: int = 0
    readers: tuple[ReaderId, ...] = ()
    open: frozenset[PieceId] | None = None
    places: tuple[PlaceId, ...] = ()


class Step(Struct, frozen=True):
    """What became of one wanted thing: the uid it got ("" if skipped), and the changes that undo it."""

    uid: str = ""
    undoes: tuple[Change, ...] = ()


class Enrolling(Struct, frozen=True):
    """One row of wanted things, from first to last or until someone ends it; with none, tags are only identified.

    `note` is what came of the last event. `refused` is a tag that already belongs to something else and can be
    reassigned. While `looking`, tags are identified and not given. While `linking`, every known or newly given tag gets
    a link, too; `link` is the one whose link is still to be written.
    """

    row: EnrolRow
    wanted: tuple[Wanted, ...] = ()
    steps: tuple[Step, ...] = ()
    note: Said = Said("")
    refused: Uid | None = None
    looking: bool = False
    linking: bool = False
    link: Uid | None = None

    @property
    def next(self) -> Wanted | None:
        """What to lay next; None if there is nothing, or not now."""
        return self.wanted[len(self.steps)] if len(self.steps) < len(self.wanted) and not self.looking else None

    @property
    def is_done(self) -> bool:
        return len(self.steps) == len(self.wanted)

    @property
    def given(self) -> int:
        return sum(bool(step.uid) for step in self.steps)


NOTHING: Final = Enrolling("tell")
"""Nobody is giving tags; every enrolment starts from here."""

Then: TypeAlias = tuple[Enrolling | None, tuple[Change, ...]]
"""The enrolment once the changes are made; None when it has ended."""


def begin(book: Book, things: Things, row: EnrolRow, piece: PieceId | None = None) -> Enrolling:
    """A row of things without a tag; for one `piece`, whatever tags it has."""
    match row:
        case "piece":
            meant = (PieceTag(things.game, piece),) if piece in things.pieces and piece is not None else ()
            return Enrolling(row, meant)
        case "deck":
            tags: tuple[Tag, ...] = tuple(PieceTag(things.game, each) for each in things.pieces)
        case "seats":
            tags = tuple(SeatTag(SeatId(seat)) for seat in range(things.seats))
        case "numbers":
            tags = tuple(NumberTag(number) for number in NUMBERS)
        case "places":
            tags = tuple(PlaceTag(things.game, place) for place in things.places)
        case "readers":
            return Enrolling(row, tuple(ReaderNamed(reader) for reader in things.readers))
        case "tell":
            return Enrolling(row)
        case _:
            assert_never(row)
    return Enrolling(row, tuple(tag for tag in tags if not book.uids_of(tag)))


def obey(now: Enrolling, book: Book, things: Things, wish: Enrol) -> Then:
    """What a button or a phone asks for."""
    match wish.do:
        case "begin":
            return replace(begin(book, things, wish.row, wish.piece), linking=now.linking), ()
        case "skip":
            want = now.next
            return (now if want is None else _stepped(now, Step(), "enrol.skipped", want, things)), ()
        case "undo":
            return _undo(now, things)
        case "anyway":
            return _anyway(now, book, things)
        case "look":
            return replace(now, looking=not now.looking, note=Said(""), refused=None), ()
        case "link":
            on = not now.linking
            return replace(now, linking=on, link=None, note=say("enrol.links-on" if on else "enrol.links-off")), ()
        case "dead":
            return quiet(now), ()
        case "end":
            return None, ()
        case _:
            assert_never(wish.do)


def lay(now: Enrolling, book: Book, things: Things, uid: Uid, reader: ReaderId) -> Then:
    """A tag was laid on a reader; if its link is still to be written, only for that."""
    if now.link == uid:
        return replace(now, note=say("enrol.link-again")), ()
    after, changes = _lay(replace(now, link=None), book, things, uid, reader)
    is_known = any(isinstance(change, Line) and change.uid == uid for change in changes) or book.find(uid) is not None
    if after is None or not after.linking or after.refused or not is_known or isinstance(now.next, ReaderNamed):
        return after, changes
    return replace(after, link=uid), changes


def linked(now: Enrolling, uid: Uid, outcome: LinkOutcome) -> Enrolling:
    """What came of writing a link on a tag."""
    if now.link != uid:
        return now
    return replace(now, note=say(f"enrol.link.{outcome}"), link=uid if outcome in _TRIES else None)


def _lay(now: Enrolling, book: Book, things: Things, uid: Uid, reader: ReaderId) -> Then:
    want = now.next
    match want:
        case None:
            return replace(now, note=_told(book.find(uid), things), refused=None), ()
        case ReaderNamed(reader=name):
            return _touched(now, things, name, reader)
        case _:
            return _laid(now, book, things, want, uid)


def quiet(now: Enrolling) -> Enrolling:
    """Nothing was read though something should have been: only waiting reveals a dead tag."""
    return now if now.next is None else replace(now, note=DEAD, refused=None)


def signal(before: Enrolling | None, after: Enrolling | None) -> Signal:
    """What lamp and buzzer signal."""
    if before is None or after is None:
        return "quiet"
    if (len(after.steps) > len(before.steps) and after.steps[-1].uid) or after.note in _LINKED:
        return "accepted"
    return "refused" if after.refused or after.note.key in _BAD else "quiet"


def item(want: Wanted, things: Things) -> Fact:
    """What a wanted thing is called."""
    match want:
        case PieceTag(game=game, piece=piece) if game == things.game and piece in things.pieces:
            return Piece(piece)
        case PieceTag(piece=piece):
            return Name(piece)
        case PlaceTag(place=place):
            return Place(place)
        case SeatTag(seat=seat):
            return Seat(seat) if seat < things.seats else Name(f"#{seat + 1}")
        case NumberTag(number=number):
            return number
        case ReaderNamed(reader=reader):
            return reader_called(reader)
        case _:
            assert_never(want)


def _laid(now: Enrolling, book: Book, things: Things, want: Tag, uid: Uid) -> Then:
    found = book.find(uid)
    if found == want:
        return _stepped(now, Step(uid), "enrol.same", want, things), ()
    if found is not None:
        return replace(now, note=_used(now, found, uid, things), refused=uid), ()
    if len(uid) == 8 and uid.startswith(_PASSING):
        return replace(now, note=say("enrol.passing"), refused=None), ()
    return _give(now, book, things, want, uid)


def _give(now: Enrolling, book: Book, things: Things, want: Tag, uid: Uid) -> Then:
    """A piece that is enrolled by itself gets its tag instead of its old ones, which are dead or lost."""
    old = tuple(each for each in book.uids_of(want) if each != uid) if now.row == "piece" else ()
    changes = (Line(uid, want), *(Line(each, None) for each in old))
    undoes = (Line(uid, book.enrolled(uid)), *(Line(each, want) for each in old))
    return _stepped(now, Step(uid, undoes), "enrol.again" if old else "enrol.given", want, things), changes


def _anyway(now: Enrolling, book: Book, things: Things) -> Then:
    want = now.next
    if now.refused is None or want is None or isinstance(want, ReaderNamed):
        return now, ()
    after, changes = _give(now, book, things, want, now.refused)
    return (replace(after, link=now.refused) if after is not None and now.linking else after), changes


def _touched(now: Enrolling, things: Things, name: ReaderId, reader: ReaderId) -> Then:
    want = ReaderNamed(name)
    if ReaderNamed(reader) in now.wanted[: len(now.steps)]:
        return replace(now, note=say("enrol.twice", item=item(ReaderNamed(reader), things))), ()
    swap = () if reader == name else (Swap(name, reader),)
    return _stepped(now, Step(name, swap), "enrol.given", want, things), swap


def _undo(now: Enrolling, things: Things) -> Then:
    if not now.steps:
        return replace(now, note=say("enrol.nothing"), refused=None), ()
    back = replace(now, steps=now.steps[:-1], refused=None, link=None)
    note = say("enrol.undone", item=item(back.wanted[len(back.steps)], things))
    return replace(back, note=note), now.steps[-1].undoes


def _stepped(now: Enrolling, step: Step, key: str, want: Wanted, things: Things) -> Enrolling:
    return replace(now, steps=(*now.steps, step), note=say(key, item=item(want, things)), refused=None)


def _used(now: Enrolling, found: Tag, uid: Uid, things: Things) -> Said:
    """What a tag is that was laid for something else."""
    if isinstance(found, PieceTag) and found.game != things.game:
        return say("enrol.foreign", game=Name(found.game))
    is_ours = any(step.uid == uid for step in now.steps)
    return say("enrol.twice" if is_ours else "enrol.used", item=_seen(found, things))


def _told(found: Tag | None, things: Things) -> Said:
    match found:
        case None:
            return say("enrol.unknown")
        case PieceTag(game=game) if game != things.game:
            return say("enrol.foreign", game=Name(game))
        case _:
            return say("enrol.is", item=_seen(found, things))


def _seen(tag: Tag, things: Things) -> Fact:
    """A card that lies hidden is just “a card”, even to whoever holds its tag to a reader."""
    is_hidden = isinstance(tag, PieceTag) and things.open is not None and tag.piece not in things.open
    return Piece(UNKNOWN) if is_hidden else item(tag, things)
