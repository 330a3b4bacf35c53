"""How a table joins a club: it sends the code that the hub shows, once, and gets what it needs for the broker."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

from companion.core import CODE_LENGTH, CODE_SIGNS

from .topics import ID, TableId

PAIR: Final = "/pair"
"""Where a hub takes `Pair` as JSON by POST.

It answers `Paired` with 200, or `NotPaired`: 403 for a code that is wrong, used or expired, 429 for too many
attempts, 400 for anything that isn't a `Pair`.
"""
CODE: Final = rf"[{CODE_SIGNS}]{{{CODE_LENGTH}}}"

Name = Annotated[str, Meta(min_length=1, max_length=40)]


class Pair(Struct, frozen=True, forbid_unknown_fields=True):
    """A table asks to join. `again` is its earlier id, with its old password, so that it stays the same table."""

    code: Annotated[str, Meta(pattern=rf"^{CODE}\Z")]
    name: Name
    again: str = ""
    password: str = ""


class Paired(Struct, frozen=True):
    """What a table is given: its id, which is its user name, and `ca`, the certificate that signs the broker's."""

    table: Annotated[TableId, Meta(pattern=rf"^{ID.pattern}\Z")]
    password: Annotated[str, Meta(min_length=16, max_length=200)]
    host: Annotated[str, Meta(min_length=1, max_length=253)]
    port: Annotated[int, Meta(ge=1, le=65535)]
    ca: Annotated[str, Meta(max_length=20_000)]
    club: Name


class NotPaired(Struct, frozen=True):
    """Why not: `wrong`, `old`, `used`, `many`, `unreadable`."""

    why: str


def typed(code: str) -> str:
    """A code as people type it: in lower case, with hyphens or spaces."""
    return "".join(sign for sign in code.upper() if sign.isalnum())
