"""The rows of a damaged SQLite file and its log, found page by page: every intact leaf yields its rows.

SQLite itself finds nothing beyond a page that it cannot read. Here every page is looked at on its own (the format is
SQLite's, documented at sqlite.org/fileformat2.html); whether a row is genuine is decided by its chain, not by us.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final, TypeAlias

from msgspec import Struct

from . import wal
from .errors import beside

Value: TypeAlias = int | float | bytes | None
Pages: TypeAlias = dict[int, list[bytes]]
"""By number, every remaining version of a page, newest first."""

_USUAL_PAGE: Final = 4096
_SIZES: Final = frozenset(1 << n for n in range(9, 17))
_HEADER: Final = 100
_LEAF: Final = 13
_POINTER: Final = 4
_INTEGERS: Final = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
_REAL: Final = 7
_ZERO, _ONE = 8, 9
_FIRST_BLOB: Final = 12
_LONGEST: Final = 16 * 1024 * 1024
_MOST_STEPS: Final = 20_000
"""From page to page of a long row: reused pages offer many ways, and damaged ones lead in circles."""
_MOST_WAYS: Final = 64


class Found(Struct, frozen=True):
    """One row as found: its rowid and the values of its columns, texts as bytes."""

    rowid: int
    values: tuple[Value, ...]


def rows(path: Path) -> Iterator[Found]:
    """Every row of every table that can still be read in a file or its log, newest versions first.

    The whole log is read, including frames that SQLite would not reach and those of older logs not yet overwritten. A
    row may come more than once, and some may never have existed.
    """
    file, log = (_content(part) for part in (path, beside(path, "-wal")))
    for size in _sizes(file, log):
        pages = read_pages(file, log, size)
        seen: set[bytes] = set()
        for number, versions in pages.items():
            for page in versions:
                yield from _of_page(page, _HEADER if number == 1 else 0, pages, seen)


def read_pages(file: bytes, log: bytes, size: int) -> Pages:
    pages: Pages = {}
    in_log = [(frame.number, frame.page) for frame in wal.frames(log, size)]
    in_file = [(at // size + 1, file[at : at + size]) for at in range(0, len(file) - size + 1, size)]
    for number, page in (*reversed(in_log), *in_file):
        versions = pages.setdefault(number, [])
        if page not in versions:
            versions.append(page)
    return pages


def _content(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _sizes(file: bytes, log: bytes) -> tuple[int, ...]:
    """Possible page sizes: as file and log state it, and the usual one in case both are damaged there."""
    said = int.from_bytes(file[16:18], "big")
    begin = wal.header(log)
    sizes = (65536 if said == 1 else said, 0 if begin is None else begin.page_size, _USUAL_PAGE)
    return tuple(dict.fromkeys(size for size in sizes if size in _SIZES))


def _of_page(page: bytes, start: int, pages: Pages, seen: set[bytes]) -> Iterator[Found]:
    """The rows of a leaf, unless an earlier page had exactly the same bytes."""
    if page[start] != _LEAF:
        return
    count = int.from_bytes(page[start + 3 : start + 5], "big")
    for n in range(min(count, len(page) // 4)):
        at = int.from_bytes(page[start + 8 + 2 * n : start + 10 + 2 * n], "big")
        try:
            yield from _cell(page, at, pages, seen)
        except (IndexError, ValueError, struct.error):
            continue  # a broken cell says nothing about its neighbours


def _cell(page: bytes, at: int, pages: Pages, seen: set[bytes]) -> Iterator[Found]:
    begin = at
    length, at = _varint(page, at)
    rowid, at = _varint(page, at)
    if not 0 < length <= _LONGEST:
        raise ValueError(length)
    here = _length_on_leaf(length, len(page))
    end = at + here + (0 if here == length else _POINTER)
    if page[begin:end] in seen:
        return
    seen.add(page[begin:end])
    for rest in islice(_continued(page[at + here : end], length - here, pages), _MOST_WAYS):
        yield Found(rowid, tuple(_record(page[at : at + here] + rest)))


def _length_on_leaf(length: int, size: int) -> int:
    """How many bytes of a record are on its leaf; the rest is on a chain of pages."""
    if length <= size - 35:
        return length
    least = (size - 12) * 32 // 255 - 23
    here = least + (length - least) % (size - 4)
    return here if here <= size - 35 else least


def _continued(pointer: bytes, length: int, pages: Pages) -> Iterator[bytes]:
    """This many bytes on the pages that start at the pointer, in every possible way, newest pages first."""
    ways: list[tuple[int, bytes, tuple[bytes, ...]]] = [(length, pointer, ())]
    for _ in range(_MOST_STEPS):
        if not ways:
            return
        missing, pointer, parts = ways.pop()
        if missing <= 0:
            yield b"".join(parts)[:length]
            continue
        versions = pages.get(int.from_bytes(pointer, "big"), ())
        ways += [
            (missing - len(page) + _POINTER, page[:_POINTER], (*parts, page[_POINTER:])) for page in versions[::-1]
        ]


def _record(payload: bytes) -> Iterator[Value]:
    head, at = _varint(payload, 0)
    kinds = []
    while at < head:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    for kind in kinds:
        if kind >= _FIRST_BLOB:
            length = (kind - _FIRST_BLOB) // 2
            if at + length > len(payload):
                raise ValueError(length)
            yield payload[at : at + length]
            at += length
        elif kind in _INTEGERS:
            yield int.from_bytes(payload[at : at + _INTEGERS[kind]], "big", signed=True)
            at += _INTEGERS[kind]
        elif kind == _REAL:
            yield float(struct.unpack_from(">d", payload, at)[0])
            at += 8
        elif kind in (_ZERO, _ONE):
            yield kind - _ZERO
        elif kind == 0:
            yield None
        else:
            raise ValueError(kind)


def _varint(content: bytes, at: int) -> tuple[int, int]:
    """SQLite's integer of one to nine bytes, and where it ends."""
    value = 0
    for n in range(9):
        byte = content[at + n]
        if n == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + n + 1
    raise AssertionError("nine bytes at most")
