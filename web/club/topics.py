"""Which topic carries what. A table writes only below its own name: the broker's access list enforces it."""

from __future__ import annotations

import re
from typing import Final, NewType

ROOT: Final = "companion/v1"
HUB: Final = f"{ROOT}/hub"
"""The hub is here, or (its last will) away; retained."""

TableId = NewType("TableId", str)
"""The hub's name for a table: its name on the broker, and so its user name there."""
ID: Final = re.compile(r"t-[a-z0-9]{4,24}")
"""No table can pass for the hub, and no name has a special meaning in a topic or an access list."""

HERE: Final = "here"
"""`Here`, retained; the last will says away."""
SETUP: Final = "setup"
"""`SetupSaid`, retained: once a game."""
VIEW: Final = "view"
"""`View`, retained: the newest only."""
TOLD: Final = "told"
"""`Telling`, one for each entry of the record, at least once."""
RESULT: Final = "result"
"""`GameOver`, resent until it is kept."""
KEPT: Final = "kept"
"""`Kept`, from the hub to the table: this result is on its disk."""
DEVICE: Final = "device"
"""What Home Assistant reads; see `web.club.home`."""

EVERY_TABLE: Final = tuple(f"{ROOT}/+/{part}" for part in (HERE, SETUP, VIEW, TOLD, RESULT))
"""What a hub subscribes to."""


def topic(table: TableId, part: str) -> str:
    return f"{ROOT}/{table}/{part}"


def parted(name: str) -> tuple[TableId, str] | None:
    """The table and part that a topic names; None if it isn't a table's."""
    table, slash, part = name.removeprefix(f"{ROOT}/").partition("/")
    return (TableId(table), part) if slash and name.startswith(f"{ROOT}/") and ID.fullmatch(table) else None
