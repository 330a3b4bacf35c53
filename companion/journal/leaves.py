"""The rows of a damaged SQLite file, found page by page: whatever else is broken, a leaf that is whole tells its rows.

SQLite itself finds nothing behind a page that it cannot read. Here every page is looked at by itself (the format is
SQLite's own, documented at sqlite.org/fileformat2.html); whether a row is true, its chain decides, not we.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeAlias

from msgspec import Struct

from .errors import beside

Value: TypeAlias = int | float | bytes | None

_USUAL_PAGE: Final = 4096
_SIZES: Final = frozenset(1 << n for n in range(9, 17))
_HEADER: Final = 100
_LEAF: Final = 13
_WAL_HEADER: Final = struct.Struct(">8I")
_FRAME: Final = struct.Struct(">6I")
_MAGIC: Final = (0x377F0682, 0x377F0683)
_INTEGERS: Final = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
_REAL: Final = 7
_ZERO, _ONE = 8, 9
_FIRST_BLOB: Final = 12
_LONGEST: Final = 64 * 1024 * 1024


class Found(Struct, frozen=True):
    """One row as it was found: its rowid and the values of its columns, texts as bytes."""

    rowid: int
    values: tuple[Value, ...]


def rows(path: Path) -> Iterator[Found]:
    """Every row of every table that can still be read, in no order; a row may come more than once."""
    size, pages = read_pages(path)
    for number, page in pages.items():
        yield from _of_page(page, _HEADER if number == 1 else 0, size, pages)


def read_pages(path: Path) -> tuple[int, dict[int, bytes]]:
    """The size of pages, and all of them by number: those of the file, under the newer ones of its log."""
    content = path.read_bytes()
    wal = beside(path, "-wal")
    size = _page_size(content)
    pages = {n + 1: content[n * size : (n + 1) * size] for n in range(len(content) // size)}
    if wal.exists():
        pages.update(_logged(wal.read_bytes(), size))
    return size, pages


def _page_size(content: bytes) -> int:
    said = int.from_bytes(content[16:18], "big")
    said = 65536 if said == 1 else said
    return said if content.startswith(b"SQLite format 3\0") and said in _SIZES else _USUAL_PAGE


def _logged(log: bytes, size: int) -> dict[int, bytes]:
    """The pages in a write-ahead log, up to its last commit; a broken frame ends it."""
    committed: dict[int, bytes] = {}
    if len(log) < _WAL_HEADER.size:
        return committed
    magic, _, logged_size, _, *salts, _, _ = _WAL_HEADER.unpack_from(log)
    if magic not in _MAGIC or logged_size != size:
        return committed
    order = ">" if magic & 1 else "<"
    check = _sum(order, log[:24], (0, 0))
    pending: dict[int, bytes] = {}
    for at in range(_WAL_HEADER.size, len(log) - _FRAME.size - size + 1, _FRAME.size + size):
        number, commit, *found_salts, first, second = _FRAME.unpack_from(log, at)
        page = log[at + _FRAME.size : at + _FRAME.size + size]
        check = _sum(order, page, _sum(order, log[at : at + 8], check))
        if found_salts != salts or (first, second) != check:
            break
        pending[number] = page
        if commit:
            committed.update(pending)
            pending.clear()
    return committed


def _sum(order: str, content: bytes, check: tuple[int, int]) -> tuple[int, int]:
    first, second = check
    words = struct.unpack(f"{order}{len(content) // 4}I", content)
    for a, b in zip(words[::2], words[1::2], strict=True):
        first = (first + a + second) & 0xFFFFFFFF
        second = (second + b + first) & 0xFFFFFFFF
    return first, second


def _of_page(page: bytes, start: int, size: int, pages: dict[int, bytes]) -> Iterator[Found]:
    if len(page) < size or page[start] != _LEAF:
        return
    count = int.from_bytes(page[start + 3 : start + 5], "big")
    for n in range(min(count, size // 4)):
        at = int.from_bytes(page[start + 8 + 2 * n : start + 10 + 2 * n], "big")
        try:
            yield _cell(page, at, size, pages)
        except (IndexError, KeyError, ValueError, struct.error):
            continue  # a broken cell says nothing about its neighbours


def _cell(page: bytes, at: int, size: int, pages: dict[int, bytes]) -> Found:
    length, at = _varint(page, at)
    rowid, at = _varint(page, at)
    if not 0 < length <= _LONGEST:
        raise ValueError(length)
    return Found(rowid, tuple(_record(_payload(page, at, length, size, pages))))


def _payload(page: bytes, at: int, length: int, size: int, pages: dict[int, bytes]) -> bytes:
    """The bytes of a record: all of them here, or the first here and the rest on a chain of pages."""
    if length <= size - 35:
        return page[at : at + length]
    least = (size - 12) * 32 // 255 - 23
    here = least + (length - least) % (size - 4)
    here = here if here <= size - 35 else least
    parts, missing = [page[at : at + here]], length - here
    follows = int.from_bytes(page[at + here : at + here + 4], "big")
    while missing > 0:
        more = pages[follows]
        parts.append(more[4 : 4 + min(missing, size - 4)])
        missing -= size - 4
        follows = int.from_bytes(more[:4], "big")
    return b"".join(parts)


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
    """SQLite's number of one to nine bytes, and where it ends."""
    value = 0
    for n in range(9):
        byte = content[at + n]
        if n == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + n + 1
    raise AssertionError("nine bytes at most")
