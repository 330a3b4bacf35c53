"""Entries as rows: their JSON, the chain that binds each to all before it, and the short ids of tables."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import Final

import msgspec
from msgspec import Struct

from companion.core import Asked, Input, Seq

from .entries import Body, Entry

BEGINNING: Final = ""
"""The chain before the first entry."""

SHIFT: Final = 32
"""`entries.id` = table number × 2^32 + seq: one tree holds all, in order, and an append touches one page of it."""

UNREADABLE: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What decoding raises where bytes are not in the words of the format."""

_LETTERS: Final = "0123456789abcdefghjkmnpqrstvwxyz"

_encode: Final = msgspec.json.Encoder().encode
_decode_body: Final = msgspec.json.Decoder(Body).decode
_decode_cause: Final = msgspec.json.Decoder(Input).decode


class Row(Struct, frozen=True):
    """An entry as its bytes, exactly as chained."""

    seq: Seq
    at: float
    body: bytes
    cause: bytes | None
    state: str
    chain: str

    def entry(self) -> Entry:
        """Raises one of UNREADABLE if body or cause are not in the words of this format."""
        cause = None if self.cause is None else _decode_cause(self.cause)
        return Entry(self.seq, self.at, _decode_body(self.body), cause, self.state, self.chain)

    def command(self) -> str | None:
        """The phone's own id of the command that caused this."""
        return None if self.cause is None else command_of(_decode_cause(self.cause))

    def follows(self, chain: str) -> bool:
        """Whether this is, unchanged, the row that was written after the one with `chain`."""
        return self.chain == link(chain, self.seq, self.at, self.body, self.cause, self.state)


def make(previous: str, seq: Seq, body: Body, cause: Input | None, at: float, state: str) -> Row:
    at = float(at) + 0.0  # SQLite keeps neither whole numbers in a REAL nor the sign of zero
    body_json = one_line(_encode(body))
    cause_json = None if cause is None else one_line(_encode(cause))
    return Row(seq, at, body_json, cause_json, state, link(previous, seq, at, body_json, cause_json, state))


def command_of(cause: Input | None) -> str | None:
    return cause.command if isinstance(cause, Asked) else None


def one_line(json: bytes) -> bytes:
    """Raw parts come as someone else wrote them, perhaps on several lines; an export has one line for each entry."""
    return msgspec.json.format(json, indent=-1) if b"\n" in json or b"\r" in json else json


def link(previous: str, seq: int, at: float, body: bytes, cause: bytes | None, state: str) -> str:
    """The chain after this row. The lengths come first, so no two different rows have the same bytes."""
    cause_length = -1 if cause is None else len(cause)
    head = f"{previous} {seq} {at!r} {len(body)} {cause_length} {state}\n".encode()
    return blake2b(head + body + (cause or b""), digest_size=16, person=b"journal 1").hexdigest()


def short_ids(first_chain: str) -> Iterator[str]:
    """The ids that a table may have, best first. They follow from its first entry, so a changed one is noticed."""
    attempt = 0
    while True:
        digest = blake2b(f"{first_chain} {attempt}".encode(), digest_size=4, person=b"table id").digest()
        number = int.from_bytes(digest, "big")
        yield "".join(_LETTERS[number >> shift & 31] for shift in (15, 10, 5, 0))
        attempt += 1
