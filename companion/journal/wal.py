"""SQLite's write-ahead log, which we read before SQLite recovers from it.

SQLite reads the log up to the first frame that is not as written, and says nothing about what comes after. After a
power cut that is right: the last transaction was torn, and nobody was shown it. After a flipped bit it drops entries
that were shown. The frames that follow tell which of the two it was (sqlite.org/fileformat2.html#walformat): each has a
checksum that continues the one before, so a frame alone proves which frame it was written after.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final, TypeAlias

from msgspec import Struct

Sums: TypeAlias = tuple[int, int]

_HEADER: Final = struct.Struct(">8I")
_FRAME: Final = struct.Struct(">6I")
_MAGIC: Final = (0x377F0682, 0x377F0683)
_SUMMED: Final = 24
"""How many bytes of the header its checksum covers."""


class Header(Struct, frozen=True):
    """How a log begins: its page size, the byte order of its checksums, and the salts that mark its own frames."""

    page_size: int
    order: str
    salts: Sums
    sums: Sums


class Frame(Struct, frozen=True):
    """One page in the log. `commits` ends a transaction; `salts` and `sums` are as stated in the frame."""

    number: int
    commits: bool
    salts: Sums
    sums: Sums
    page: bytes
    head: bytes


def header(log: bytes) -> Header | None:
    """The beginning of a log; None if it is not as written."""
    if len(log) < _HEADER.size:
        return None
    magic, _, size, _, salt, other_salt, first, second = _HEADER.unpack_from(log)
    if magic not in _MAGIC:
        return None
    order = ">" if magic & 1 else "<"
    sums = (first, second)
    return Header(size, order, (salt, other_salt), sums) if _sum(order, log[:_SUMMED], (0, 0)) == sums else None


def frames(log: bytes, page_size: int) -> Iterator[Frame]:
    """Every frame, sound or not, of this log and of older ones that it has not overwritten yet."""
    length = _FRAME.size + page_size
    for at in range(_HEADER.size, len(log) - length + 1, length):
        number, size_after, salt, other_salt, first, second = _FRAME.unpack_from(log, at)
        page = log[at + _FRAME.size : at + length]
        yield Frame(number, size_after != 0, (salt, other_salt), (first, second), page, log[at : at + 8])


def damage(log: bytes) -> str | None:
    """Proof that entries were lost from a log; None if it is whole, or torn as a power cut may tear it.

    SQLite begins a transaction only once the one before is synced. So anything written after a commit proves that
    commit, and if SQLite would stop reading before it, it is lost. After a transaction that was torn, or that failed
    and was partly overwritten, nothing continues from its commit.
    """
    if len(log) <= _HEADER.size:
        return None  # no frame was ever written: the header is synced before the first one
    begin = header(log)
    if begin is None:
        return "its beginning is not as it was written"
    whole, before, after_commit = True, begin.sums, False
    for at, frame in enumerate(frames(log, begin.page_size), start=1):
        follows = frame.salts == begin.salts and frame.sums == _sums_of(begin.order, frame, before)
        if follows and after_commit and not whole:
            return f"frame {at} is sound, but one before it is not"
        whole = whole and follows
        before, after_commit = frame.sums, frame.commits and not whole
    return None


def _sums_of(order: str, frame: Frame, before: Sums) -> Sums:
    return _sum(order, frame.page, _sum(order, frame.head, before))


def _sum(order: str, content: bytes, before: Sums) -> Sums:
    first, second = before
    words = struct.unpack(f"{order}{len(content) // 4}I", content)
    for a, b in zip(words[::2], words[1::2], strict=True):
        first = (first + a + second) & 0xFFFFFFFF
        second = (second + b + first) & 0xFFFFFFFF
    return first, second
