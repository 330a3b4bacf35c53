"""The process that looks at pictures: one after the other, each as its length and its bytes; answers are JSON lines.

It has little memory and little priority, so that no picture can hold up a tap.
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

from .spotting import Sighted, Unfit, spotted

HEAD: Final = struct.Struct(">I")
MEMORY: Final = 1024 * 1024 * 1024
"""Bytes of addresses; of these a picture of the largest kind needs about a tenth as memory."""
NICE: Final = 10


class Looked(msgspec.Struct, frozen=True):
    """What there is on a picture, or why nothing was looked for."""

    seen: Sighted | None = None
    unfit: Unfit | None = None


def main() -> None:
    """Until there are no more pictures."""
    os.nice(NICE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("ignore")  # of bombs, which are counted here
    answer_all(sys.stdin.buffer, sys.stdout.buffer)


def answer_all(pictures: BinaryIO, answers: BinaryIO) -> None:
    while len(head := pictures.read(HEAD.size)) == HEAD.size:
        data = pictures.read(HEAD.unpack(head)[0])
        answers.write(msgspec.json.encode(_answer(data)) + b"\n")
        answers.flush()


def _answer(data: bytes) -> Looked:
    try:
        found = spotted(data)
    except ImportError:
        return Looked(unfit="absent")
    except MemoryError:
        return Looked(unfit="large")
    return Looked(unfit=found) if isinstance(found, str) else Looked(seen=found)


if __name__ == "__main__":
    main()
