"""The screens that follow the game by themselves, by the name a stream asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .chairs import join_screen, more_screen, waiting_screen
from .enrolling import enrol_screen
from .evening import shelf_screen
from .first_time import first_screen
from .screen import Builder
from .screens import check_screen, corrections_screen, history_screen, seat_screen, table_screen, watch_screen

LIVE: Final[Mapping[str, Builder]] = {
    "seat": seat_screen,
    "watch": watch_screen,
    "first": first_screen,
    "join": join_screen,
    "waiting": waiting_screen,
    "table": table_screen,
    "history": history_screen,
    "corrections": corrections_screen,
    "check": check_screen,
    "more": more_screen,
    "shelf": shelf_screen,
    "enrol": enrol_screen,
}
