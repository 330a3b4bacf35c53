"""Enrolment on the box alone: a list of what gets tags, a list of pieces, and what each button does meanwhile. Pure."""

from __future__ import annotations

from typing import Final, assert_never, get_args

from companion.core.facts import Piece, Said, say
from companion.core.ids import PUBLIC, ReaderId
from companion.core.inputs import Button, Enrol, EnrolRow
from companion.core.pages import ChoosePage, EnrolPage
from companion.library.enrolment import Enrolling, ReaderNamed, Things, item
from companion.table.seen import Seen
from companion.table.snapshot import Snapshot

ROWS: Final[tuple[EnrolRow, ...]] = get_args(EnrolRow)
LEAP: Final = 10
"""Lines that NEXT, held, passes in the long list of pieces."""


def things_of(scene: Snapshot, readers: tuple[ReaderId, ...] = ()) -> Things:
    return things_seen(scene.seen_by(PUBLIC), readers)


def things_seen(public: Seen, readers: tuple[ReaderId, ...] = ()) -> Things:
    """What can be enrolled at this table. A game begins without chance, so before the first act nothing is secret."""
    game, pack = public.game, public.view.setup.pack
    named = None if len(public.line) == 1 else public.known
    return Things(game.id, game.pieces(pack), len(public.chairs), readers, named, game.places(pack))


def first_row(scene: Snapshot) -> int:
    """Where the list begins: at the one piece, where a tag that nobody knows has just been laid."""
    return ROWS.index("piece" if scene.stranger else "deck")


def rows_page(at: int) -> ChoosePage:
    return ChoosePage(say("tags.title", n=at + 1, of=len(ROWS)), tuple(say(f"tags.{row}") for row in ROWS), at)


def pieces_page(scene: Snapshot, at: int) -> ChoosePage:
    pieces = things_of(scene).pieces
    items = tuple(say("choice", item=Piece(piece)) for piece in pieces)
    return ChoosePage(say("tags.whose", n=at + 1, of=len(pieces)), items, at)


def press(now: Enrolling, button: Button, held: bool) -> Enrol | None:
    """What a button asks for while tags are given."""
    match button:
        case "ok" if held and now.refused:
            return Enrol("anyway")
        case "ok":
            return Enrol("end" if now.is_done else "dead")
        case "next":
            return None if held else Enrol("skip")
        case "back":
            return Enrol("end" if held or not now.wanted else "undo")
        case "check":
            return Enrol("look")
        case _:
            assert_never(button)


def enrol_page(now: Enrolling, things: Things) -> EnrolPage:
    """What is laid next and what came of the last."""
    of = len(now.wanted)
    want = now.next
    if want is None:
        if now.looking or not of:
            said, note = (now.note, Said("")) if now.note.key else (say("enrol.look-at"), Said(""))
            return EnrolPage(said, note, 0, 0, say("enrol.tell"))
        return EnrolPage(say("enrol.finished", n=now.given, of=of), now.note, of, of, say("enrol.end"))
    asks = say("enrol.touch" if isinstance(want, ReaderNamed) else "enrol.lay")
    return EnrolPage(
        say("choice", item=item(want, things)), now.note, len(now.steps) + 1, of, asks, now.refused is not None
    )
