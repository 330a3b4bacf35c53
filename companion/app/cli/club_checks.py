"""What the doctor checks between the box, the broker and the hub of its club; nothing for a table without a club."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from companion.core import Name
from companion.table import Found, ailing, fine

PATIENCE: Final = 8.0
LONG_AGO: Final = 1_735_689_600.0
"""A clock before 2025 was never set, and then no certificate is valid."""


def club(data: Path) -> Iterator[Found]:
    from web.club import ClubUnreadable, can_join, load

    try:
        member = load(data)
    except ClubUnreadable as error:
        yield ailing("club.file", why=Name(str(error)))
        return
    if member is None:
        return
    called = {"club": Name(member.paired.club), "host": Name(f"{member.paired.host}:{member.paired.port}")}
    if not can_join():
        yield ailing("club.paho", club=called["club"])
        return
    from web.club.looking import look

    met = look(member.paired, PATIENCE)
    if met == "untrusted" and time.time() < LONG_AGO:
        yield ailing("club.clock", **called)
    elif met == "fine":
        yield fine("club.fine" if member.shown else "club.hidden", **called)
    else:
        yield ailing(f"club.{met}", **called)
