"""The process that looks at pictures, one after another: each comes as length and bytes, answers are JSON lines.

It runs with little memory and low priority, so that no picture can hold up a tap.
"""

from __future__ import annotations

import contextlib
import os
import resource
import struct
import sys
import warnings
from typing import BinaryIO, Final

import msgspec

from .spotting import Sighted, Unfit, shrunk, spotted

HEAD: Final = struct.Struct(">cI")
"""What is wanted of a picture, and its length."""
CODES, SMALL = b"c", b"s"
"""Its codes; or the same picture, small enough to keep."""
MEMORY: Final = 1024 * 1024 * 1024
"""Bytes of address space; even the largest picture uses only about a tenth of it as memory."""
NICE: Final = 10


class Looked(msgspec.Struct, frozen=True):
    """What is on a picture, or the small picture, or why there is neither."""

    seen: Sighted | None = None
    small: bytes | None = None
    unfit: Unfit | None = None


def main() -> None:
    """Work until there are no more pictures."""
    with contextlib.suppress(OSError):  # services may not; there are enough cores
        os.nice(NICE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("ignore")  # about decompression bombs: sizes are checked here
    answer_all(sys.stdin.buffer, sys.stdout.buffer)


def answer_all(pictures: BinaryIO, answers: BinaryIO) -> None:
    while len(head := pictures.read(HEAD.size)) == HEAD.size:
        what, length = HEAD.unpack(head)
        data = pictures.read(length)
        answers.write(msgspec.json.encode(_answer(what, data)) + b"\n")
        answers.flush()


def _answer(what: bytes, data: bytes) -> Looked:
    try:
        found = shrunk(data) if what == SMALL else spotted(data)
    except ImportError:
        return Looked(unfit="absent")
    except MemoryError:
        return Looked(unfit="large")
    match found:
        case Sighted():
            return Looked(seen=found)
        case bytes():
            return Looked(small=found)
        case _:
            return Looked(unfit=found)


if __name__ == "__main__":
    main()
