"""`companion enrol`: which tag is which piece."""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.core import PieceId, PlaceId, ReaderId, SeatId, Uid

from . import logs
from .options import AskedWrongly, CouldNot, made, with_data, with_game, with_verbose

if TYPE_CHECKING:
    from companion.core import Game
    from companion.library import Enrolling, Settings, Speaker, Tag, Tagbook

    from .enrolling import Happening


def _uid(_ctx: click.Context, _param: click.Parameter, given: str | None) -> Uid | None:
    from companion.library import BadUid, uid_of

    try:
        return None if given is None else uid_of(given)
    except BadUid as error:
        raise AskedWrongly(f"{error}.") from error


@click.command()
@with_data
@with_game("The game whose pieces get tags.")
@click.option("--uid", metavar="UID", callback=_uid, help="Use this tag, instead of one laid on a reader.")
@click.option("--piece", metavar="PIECE", help="Only this piece of the game, by its id.")
@click.option("--place", metavar="PLACE", help="A place of the game instead of a piece: a space of its board, a slot.")
@click.option("--seat", metavar="N", type=click.IntRange(0, 31), help="A seat instead of a piece; the first is 0.")
@click.option("--number", metavar="N", type=int, help="A number to type by tapping, instead of a piece.")
@click.option("--tell", is_flag=True, help="Only say what each tag laid on a reader is.")
@click.option("--list", "listed", is_flag=True, help="List every tag in the tagbook and exit.")
@click.option("--forget", metavar="UID", callback=_uid, help="Take this tag out of the tagbook and exit.")
@with_verbose
def enrol(
    *,
    data: Path,
    game: str | None,
    uid: Uid | None,
    piece: str | None,
    place: str | None,
    seat: int | None,
    number: int | None,
    tell: bool,
    listed: bool,
    forget: Uid | None,
    verbose: int,
) -> None:
    """Give tags to the pieces of a game.

    By default every piece without a tag comes up in order, and the next tag laid on a reader becomes its tag. With
    --piece, --place, --seat or --number only that one does; a piece then loses the tags it had. Each tag is saved at
    once. During a game, hold BACK on the box or use a phone instead.

    On the pretend table nothing needs tags.
    """
    logs.to_stderr(verbose)
    ways = [way for way in (piece, place, seat, number) if way is not None]
    if len(ways) > 1 or (uid is not None and not ways):
        raise AskedWrongly(
            "A tag stands for one thing. Give one of --piece, --place, --seat, --number, with or without --uid."
        )
    alone = sum((listed, tell, forget is not None))
    if alone and (ways or uid is not None or alone > 1):
        raise AskedWrongly("--list, --tell and --forget cannot be combined. Run them one after another.")
    bench = Bench(data, game)
    if listed:
        bench.list()
    elif forget is not None:
        bench.forget(forget)
    elif tell:
        bench.tell()
    else:
        now = bench.place(place) if place is not None else bench.begin(piece, seat, number)
        if uid is not None:
            bench.give(uid, now)
        else:
            bench.sit(now, alone=bool(ways))


class Bench:
    """Where tags are given: the tagbook of a data folder, a game, and its names."""

    def __init__(self, data: Path, game_id: str | None) -> None:
        from companion.app.opening import DEFAULT_GAME, load_texts
        from companion.library import TAGS, Names, Speaker, Tagbook, Things, load_settings, shelf

        self._data = data
        self._chosen = load_settings(data)
        self._book: Tagbook = Tagbook.load(data / TAGS)
        self._game: Game[Any, Any] = shelf.open(game_id or DEFAULT_GAME)
        self._pack = shelf.pack(self._game)
        describe, pack = self._game.describe, self._pack
        self._things = Things(self._game.id, self._game.pieces(self._pack))
        names = Names((), lambda piece: describe(pack, piece), self._game.place)
        self._speaker: Speaker = Speaker(load_texts(self._game), self._chosen.language, names)

    def called(self, tag: Tag) -> str:
        """What people call it, with its id."""
        from companion.library import NumberTag, PieceTag, PlaceTag, SeatTag

        match tag:
            case PieceTag(game, piece) if game == self._game.id and piece in self._pieces:
                return f"{self._speaker.say(self._game.describe(self._pack, piece))} ({piece})"
            case PieceTag(game, piece):
                return f"{piece} of {game}"
            case PlaceTag(game, place) if game == self._game.id:
                return f"{self._speaker.say(self._game.place(place))} ({place})"
            case PlaceTag(game, place):
                return f"{place} of {game}"
            case SeatTag(seat):
                return f"seat {seat}"
            case NumberTag(number):
                return f"number {number}"

    @property
    def _pieces(self) -> tuple[PieceId, ...]:
        return self._things.pieces

    def begin(self, piece: str | None, seat: int | None, number: int | None) -> Enrolling:
        """Start with what was asked for: one thing, or every piece without a tag."""
        from companion.library import Enrolling, NumberTag, SeatTag, enrolment, nearest

        if seat is not None:
            return Enrolling("seats", (SeatTag(SeatId(seat)),))
        if number is not None:
            return Enrolling("numbers", (NumberTag(number),))
        if piece is None:
            return enrolment.begin(self._book, self._things, "deck")
        if piece not in self._pieces:
            guess = nearest(piece, self._pieces) or self._pieces[0]
            raise AskedWrongly(f"{self._game.id} has no piece {piece!r}. Did you mean {guess!r}?")
        return enrolment.begin(self._book, self._things, "piece", PieceId(piece))

    def place(self, asked: str) -> Enrolling:
        """Start with the one place that was asked for."""
        from companion.library import Enrolling, PlaceTag, nearest

        places = self._game.places(self._pack)
        if not places:
            raise AskedWrongly(f"{self._game.id} has no places with tags. Use --piece, --seat or --number.")
        if asked not in places:
            guess = nearest(asked, places) or places[0]
            raise AskedWrongly(f"{self._game.id} has no place {asked!r}. Did you mean {guess!r}?")
        return Enrolling("places", (PlaceTag(self._game.id, PlaceId(asked)),))

    def list(self) -> None:
        tags = self._book.all()
        for uid, tag in tags:
            click.echo(f"{uid:<20}  {self.called(tag)}")
        missing = len(self.begin(None, None, None).wanted)
        click.echo(f"{len(tags)} tags in the tagbook; pieces of {self._game.id} without a tag: {missing}.")

    def forget(self, uid: Uid) -> None:
        tag = self._book.forget(uid)
        if tag is None:
            raise CouldNot(f"There is no tag {uid} in the tagbook. To list them: companion enrol --list")
        click.echo(f"Tag {uid} is free again; it was {self.called(tag)}.")

    def give(self, uid: Uid, now: Enrolling) -> None:
        """Give this tag to the one wanted thing, as if it had been laid on a reader."""
        from companion.library import enrolment

        made(self._data)
        after, changes = enrolment.lay(now, self._book, self._things, uid, ReaderId(""))
        assert after is not None, "laying a tag ends nothing"
        if not after.is_done:
            free = f" To free it first: companion enrol --forget {uid}" if after.refused else ""
            raise CouldNot(self._speaker.say(after.note) + free)
        self._book.change(changes)
        click.echo(self._speaker.say(after.note))

    def _is_pretend(self) -> bool:
        """Whether there is no reader to lay anything on; if so, say that."""
        from companion.app.main import Options, wants_pretend
        from companion.library import own_of
        from firmware_bridge import link

        has_own = any(own_of(antenna) for antenna in self._chosen.readers.values())
        if has_own or link.find_pico() is not None or not wants_pretend(Options(self._data), self._chosen):
            return False
        click.echo(
            "This is a pretend table: its pieces have pretend tags already, and nothing needs enrolling. "
            "For real tags plug the reader box into this machine, or name one tag with --uid."
        )
        return True

    def tell(self) -> None:
        """Name tags that are laid on the readers, until someone ends it."""
        from companion.library import Enrolling

        if not self._is_pretend():
            self._follow(Enrolling("tell"))

    def sit(self, now: Enrolling, *, alone: bool) -> None:
        """Wait for tags on the box's readers, and for keys."""
        from .enrolling import KEYS

        if self._is_pretend():
            return
        if not now.wanted:
            click.echo(
                f"Every piece of {self._game.id} has a tag already. To give one another: companion enrol --piece ID"
            )
            return
        if not alone:
            click.echo(KEYS)
        click.echo(f"Tags given: {self._follow(now)} of {len(now.wanted)}.")

    def _follow(self, now: Enrolling) -> int:
        """Returns how many got a tag. Holds the journal meanwhile: readers talk to one program only."""
        from companion.journal import JOURNAL, Journal

        from .enrolling import Keyboard

        keyboard = Keyboard(self._book, self._things, now, self._speaker.say, click.echo)
        with Journal.open(made(self._data) / JOURNAL), _happenings(self._speaker, self._chosen) as happenings:
            keyboard.follow(happenings)
        return keyboard.given


@contextmanager
def _happenings(speaker: Speaker, chosen: Settings) -> Iterator[Iterator[Happening]]:
    """Whatever comes from readers and keyboard, in order of arrival, until the block ends."""
    from companion.app.readers import own
    from companion.core import Tapped
    from firmware_bridge import greeting, link
    from firmware_bridge.senses import Senses

    from .enrolling import Noticed, Typed

    came: queue.SimpleQueue[Happening] = queue.SimpleQueue()

    def sensed(given: object) -> None:
        if isinstance(given, Tapped):
            came.put(given)

    def stated(state: greeting.LinkState) -> None:
        match state:
            case greeting.Up(readers=readers):
                there = f"The reader box is there, with {len(readers)} readers."
                came.put(Noticed(f"{there} What lies on them already must be laid anew."))
            case greeting.Down(trouble=trouble):
                came.put(Noticed(f"{speaker.say(trouble)} {speaker.say(trouble, 'hands')}."))

    senses = Senses(sensed)
    solos = tuple(own(chosen, senses))
    has_picos = chosen.mat is not None or len(solos) < len(chosen.readers)
    parts = (*((link.Link(link.find_pico, sensed, stated, senses=senses),) if has_picos else ()), *solos)
    for part in parts:
        part.start()
    threading.Thread(target=_keys, args=(lambda text: came.put(Typed(text)),), name="keys", daemon=True).start()
    try:
        yield _each(came)
    finally:
        for part in parts:
            part.close()


def _each(came: queue.SimpleQueue[Happening]) -> Iterator[Happening]:
    """Goes on until someone ends it; a long silence is a happening, too."""
    from companion.table import QUIET

    from .enrolling import Waited

    while True:
        try:
            happening = came.get(timeout=QUIET)
        except queue.Empty:
            happening = Waited()
        yield happening


def _keys(put: Callable[[str], None]) -> None:
    """Every line that is typed; the end of input ends the sitting."""
    for line in _typed_lines():
        put(line)
    put("q")


def _typed_lines() -> Iterable[str]:
    return sys.stdin
