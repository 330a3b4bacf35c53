"""Which tag is which piece: one TOML file that people can read and repair."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias, assert_never

import msgspec
from msgspec import Struct

from companion.core import CompanionError, GameId, PieceId, PlaceId, ReaderId, SeatId, Token, Uid

from .form_words import cut, shown
from .toml_forms import LONGEST_KEY, FormError, Problem, as_toml, fill, is_missing, parse_toml, read_toml
from .whole_files import write_whole

TAGS: Final = "tags.toml"
"""The tagbook's file in the data folder."""
_HEADER: Final = """\
# The tagbook: which tag is which piece. One line for each tag; the name of a line is the tag's full number.
# A tag is a piece or a place of a game, a seat (the first is 0), or a number to be typed by tapping.
# Under [readers], which reader is called what at this table, where that is not what the reader box calls it.

"""
_UID: Final = re.compile(r"[0-9A-F]{8}|[0-9A-F]{14}|[0-9A-F]{20}")
_PRETEND: Final = "FE"
"""First byte of pretend uids. Chip makers have smaller numbers, mostly 04."""


class PieceTag(Struct, frozen=True, order=True):
    """The tag under a piece of a game."""

    game: GameId
    piece: PieceId


class PlaceTag(Struct, frozen=True, order=True):
    """The tag on a place of a game: a space of its board, a slot."""

    game: GameId
    place: PlaceId


class SeatTag(Struct, frozen=True, order=True):
    """The tag that says who taps."""

    seat: SeatId


class NumberTag(Struct, frozen=True, order=True):
    """The tag that types a number."""

    number: int


Tag: TypeAlias = PieceTag | PlaceTag | SeatTag | NumberTag


def points_at(tag: Tag) -> Token:
    """What a tag points at."""
    match tag:
        case PieceTag(piece=piece):
            return Token("piece", piece)
        case PlaceTag(place=place):
            return Token("place", place)
        case SeatTag(seat=seat):
            return Token("seat", seat)
        case NumberTag(number=number):
            return Token("number", number)
        case _:
            assert_never(tag)


class Line(Struct, frozen=True):
    """From now on the uid is this tag or, with None, nothing."""

    uid: Uid
    tag: Tag | None


class Swap(Struct, frozen=True):
    """Two readers swap names. Readers go by their name at the table, so doing it twice undoes it."""

    one: ReaderId
    other: ReaderId


Change: TypeAlias = Line | Swap


class TakenIn(Struct, frozen=True):
    """What became of the tags of another tagbook; `differ` are something else here and were left alone."""

    added: int
    same: int
    differ: tuple[Uid, ...]


class TagbookDamaged(FormError):
    """A tagbook with unreadable lines.

    The file is left alone, a copy of it is kept in `aside`, and `readable` has the good lines, to go on with.
    """

    def __init__(
        self, problems: Iterable[Problem], path: Path, aside: Path | None, readable: Mapping[Uid, Tag]
    ) -> None:
        self.aside = aside
        self.readable: Final = Tagbook(path, readable)
        kept = f" A copy of the damaged tagbook is kept in {aside}." if aside else ""
        super().__init__(problems, f"Repair {path}.{kept}")


class BadUid(CompanionError, ValueError):
    """No chip can have this uid."""


class Tagbook:
    """Tags by uid. Reading needs no lock; changes are saved before they count. Without a path nothing is saved."""

    def __init__(
        self,
        path: Path | None = None,
        tags: Mapping[Uid, Tag] | None = None,
        readers: Mapping[ReaderId, ReaderId] | None = None,
    ) -> None:
        self._path = path
        self._tags = dict(tags or {})
        self._readers = dict(readers or {})
        self._pretend: dict[Uid, Tag] = {}
        self._lock = threading.Lock()

    @classmethod
    def load(cls, path: Path) -> Tagbook:
        """The tagbook in a file, empty if there is none; raises TagbookDamaged with every problem."""
        return cls(path, *_read(path))

    @classmethod
    def parse(cls, text: str) -> Tagbook:
        """The tagbook in a text, without a file; raises FormError with every problem."""
        tables, wrong = parse_toml(text, "tags")
        tags, readers, problems = _understood(tables, "tags")
        if wrong or problems:
            raise FormError((*wrong, *problems), "Send a whole export of a tagbook.")
        return cls(None, tags, readers)

    def text(self) -> str:
        """The whole book as one file would hold it."""
        return _text(self._tags, self._readers)

    def enrolled(self, uid: Uid) -> Tag | None:
        """What the file says about a uid; pretend uids are in no file."""
        return self._tags.get(uid)

    def reader(self, wired: ReaderId) -> ReaderId:
        """What a reader is called at this table."""
        return self._readers.get(wired, wired)

    def find(self, uid: Uid) -> Tag | None:
        return self._tags.get(uid) or self._pretend.get(uid)

    def uids_of(self, tag: Tag) -> tuple[Uid, ...]:
        return tuple(sorted(uid for uid, other in self._tags.items() if other == tag))

    def tagged(self, game: GameId) -> frozenset[PieceId]:
        """The pieces of a game that have a tag."""
        tags = (*self._tags.values(), *self._pretend.values())
        return frozenset(tag.piece for tag in tags if isinstance(tag, PieceTag) and tag.game == game)

    def all(self) -> tuple[tuple[Uid, Tag], ...]:
        """Every enrolled uid with its tag, in the order of the file."""
        return tuple(sorted(self._tags.items(), key=_by_tag))

    def forget(self, uid: Uid) -> Tag | None:
        """Take a uid out of the book; returns the tag it was. Saved when this returns."""
        with self._lock:
            tags = dict(self._newest())
            tag = tags.pop(uid, None)
            if tag is not None:
                self._save(tags)
            return tag

    def change(self, changes: Iterable[Change]) -> None:
        """Make all these changes or, if the book cannot be saved, none."""
        with self._lock:
            tags, readers = dict(self._newest()), dict(self._readers)
            for change in changes:
                if isinstance(change, Swap):
                    readers = _swapped(readers, change.one, change.other)
                elif change.tag is None:
                    tags.pop(change.uid, None)
                else:
                    tags[uid_of(change.uid)] = change.tag
            self._save(tags, readers)

    def take_in(self, other: Tagbook) -> TakenIn:
        """Add every tag of another tagbook; a uid that is something else here stays that. Saved when this returns."""
        with self._lock:
            here = self._newest()
            new = {uid: tag for uid, tag in other.all() if uid not in here}
            differ = tuple(uid for uid, tag in other.all() if here.get(uid, tag) != tag)
            if new:
                self._save({**here, **new})
            return TakenIn(len(new), len(other.all()) - len(new) - len(differ), differ)

    def save_as(self, path: Path) -> None:
        """Write a copy, whole or not at all."""
        write_whole(path, self.text())

    def pretend(self, tags: Iterable[Tag]) -> None:
        """From now on these are also found by their pretend uids, which are never saved."""
        self._pretend = {pretend_uid(tag): tag for tag in tags}

    def _newest(self) -> dict[Uid, Tag]:
        """What the file says now: someone may have repaired it or enrolled from the command line."""
        if self._path is not None and self._path.exists():
            try:
                self._tags, self._readers = _read(self._path)
            except TagbookDamaged as error:
                if error.readable._tags != self._tags:
                    raise
        return self._tags

    def _save(self, tags: dict[Uid, Tag], readers: dict[ReaderId, ReaderId] | None = None) -> None:
        readers = self._readers if readers is None else readers
        if self._path is not None:
            write_whole(self._path, _text(tags, readers))
        self._tags, self._readers = tags, readers


def _swapped(readers: Mapping[ReaderId, ReaderId], one: ReaderId, other: ReaderId) -> dict[ReaderId, ReaderId]:
    """The same readers with two names swapped; a reader with its original name needs no line."""
    turned = {one: other, other: one}
    named = {one: one, other: other, **readers}
    return {wired: turned.get(name, name) for wired, name in named.items() if turned.get(name, name) != wired}


def uid_of(text: str) -> Uid:
    """A uid as chips and people write it (`04:a1 …`) in our form: all its bytes, in upper-case hex."""
    uid = re.sub(r"[\s:-]", "", text).upper()
    if not _UID.fullmatch(uid):
        raise BadUid(f"{text!r} is not a tag number: expected 4, 7 or 10 bytes in hex, such as 04A1B2C3D4E5F6")
    return Uid(uid)


def pretend_uid(tag: Tag) -> Uid:
    """The uid of a tag on the pretend table: seven bytes, always the same for the same tag."""
    match tag:
        case PieceTag(game, piece):
            name = f"piece {game} {piece}"
        case PlaceTag(game, place):
            name = f"place {game} {place}"
        case SeatTag(seat):
            name = f"seat {seat}"
        case NumberTag(number):
            name = f"number {number}"
        case _:
            assert_never(tag)
    return Uid(_PRETEND + _digest(name.encode(), 6).upper())


class _Line(Struct, frozen=True):
    """One line of the file: a game with a piece or a place, or a seat, or a number."""

    game: str | None = None
    piece: str | None = None
    place: str | None = None
    seat: int | None = None
    number: int | None = None

    def tag(self) -> Tag | None:
        match (self.game, self.piece, self.place, self.seat, self.number):
            case (str(game), str(piece), None, None, None):
                return PieceTag(GameId(game), PieceId(piece))
            case (str(game), None, str(place), None, None):
                return PlaceTag(GameId(game), PlaceId(place))
            case (None, None, None, int(seat), None) if seat >= 0:
                return SeatTag(SeatId(seat))
            case (None, None, None, None, int(number)):
                return NumberTag(number)
            case _:
                return None


def _line(tag: Tag) -> str:
    return as_toml(msgspec.to_builtins(tag))


def _text(tags: Mapping[Uid, Tag], readers: Mapping[ReaderId, ReaderId]) -> str:
    named = "".join(f"{json.dumps(wired)} = {json.dumps(name)}\n" for wired, name in sorted(readers.items()))
    lines = "".join(f'"{uid}" = {_line(tag)}\n' for uid, tag in sorted(tags.items(), key=_by_tag))
    return _HEADER + (f"[readers]\n{named}\n" if named else "") + f"[tags]\n{lines}"


def _by_tag(item: tuple[Uid, Tag]) -> tuple[str, Tag, Uid]:
    return type(item[1]).__name__, item[1], item[0]


def _read(path: Path) -> tuple[dict[Uid, Tag], dict[ReaderId, ReaderId]]:
    if is_missing(path):
        return {}, {}
    tables, wrong = read_toml(path, path.name)
    tags, readers, problems = _understood(tables, path.name)
    if wrong or problems:
        raise TagbookDamaged((*wrong, *problems), path, _keep_aside(path), tags)
    return tags, readers


def _understood(tables: Mapping[str, Any], file: str) -> tuple[dict[Uid, Tag], dict[ReaderId, ReaderId], list[Problem]]:
    """What can be read of a tagbook, and what is wrong with the rest."""
    problems: list[Problem] = []
    tags: dict[Uid, Tag] = {}
    readers: dict[ReaderId, ReaderId] = {}
    for key, value in tables.items():
        if key == "readers":
            problems += _read_readers(file, value, readers)
        elif key != "tags" or not isinstance(value, dict):
            known = "is not known here; expected only lines under [tags] and [readers]"
            problems.append(Problem(file, cut(key, LONGEST_KEY) or '""', "", known))
        else:
            for name, line in value.items():
                problems += _read_line(file, name, line, tags)
    return tags, readers, problems


def _read_readers(file: str, value: Any, readers: dict[ReaderId, ReaderId]) -> Iterable[Problem]:
    is_named = isinstance(value, dict) and all(isinstance(name, str) for name in value.values())
    if not is_named or sorted(value) != sorted(value.values()):
        expected = 'expected each reader once on either side, such as left = "right" and right = "left"'
        return (Problem(file, "readers", shown(value), expected),)
    readers.update((ReaderId(wired), ReaderId(name)) for wired, name in value.items())
    return ()


def _read_line(file: str, name: str, line: Any, tags: dict[Uid, Tag]) -> Iterable[Problem]:
    key = cut(f"tags.{json.dumps(name)}", LONGEST_KEY)
    try:
        uid = uid_of(name)
    except BadUid as error:
        return (Problem(file, key, "", str(error)),)
    if uid in tags:
        return (Problem(file, key, "", f"is the same tag as another line ({uid}); keep one"),)
    if not isinstance(line, dict):
        return (Problem(file, key, shown(line), 'expected { game = "...", piece = "..." }'),)
    filled, problems = fill(_Line, line, file)
    if filled is None:
        return tuple(msgspec.structs.replace(p, key=f"{key}.{p.key}") for p in problems)
    tag = filled.tag()
    if tag is None:
        one_of = "expected game and piece, or game and place, or seat (0 or more), or number; one of the four"
        return (Problem(file, key, "", one_of),)
    tags[uid] = tag
    return ()


def _digest(content: bytes, size: int) -> str:
    from hashlib import blake2s  # seldom needed, and every start would wait for OpenSSL

    return blake2s(content, digest_size=size).hexdigest()


def _keep_aside(path: Path) -> Path | None:
    """Copy a damaged file, naming the copy by content so that many starts make only one; None if it is not a file."""
    try:
        content = path.read_bytes() if path.is_file() else None
    except OSError:
        content = None
    if content is None:
        return None
    aside = path.with_name(f"{path.stem}.damaged-{_digest(content, 4)}{path.suffix}")
    if not aside.exists():
        write_whole(aside, content)
    return aside
