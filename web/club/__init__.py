"""Club night: what a table says on the broker, and how a hub reads it; `docs/club.md` has the contract."""

from .club import Club, ClubStatus, ClubUnreadable, can_join, load
from .home import DISCOVERY, home
from .joining import NoWay
from .pairing import PAIR, NotPaired, Pair, Paired, typed
from .payloads import (
    TOPICS,
    VERSION,
    ChairSaid,
    GameOver,
    Here,
    HubHere,
    Kept,
    Placed,
    SetupSaid,
    Story,
    Telling,
    Ticks,
    View,
    encode,
)
from .reading import Opened, Unreadable, decode, opened, seen_of
from .telling import Guests, game_over, setup_of, tellings, view_of
from .topics import DEVICE, EVERY_TABLE, HERE, HUB, ID, KEPT, RESULT, ROOT, SETUP, TOLD, VIEW, TableId, parted, topic

# fmt: off
__all__ = [
    "DEVICE", "DISCOVERY", "EVERY_TABLE", "HERE", "HUB", "ID", "KEPT", "PAIR", "RESULT",
    "ROOT", "SETUP", "TOLD", "TOPICS", "VERSION", "VIEW", "ChairSaid", "Club", "ClubStatus", "ClubUnreadable",
    "GameOver", "Guests", "Here", "HubHere", "Kept", "NoWay", "NotPaired", "Opened", "Pair", "Paired", "Placed",
    "SetupSaid", "Story", "TableId", "Telling", "Ticks", "Unreadable", "View", "can_join", "decode", "encode",
    "game_over", "home", "load", "opened", "parted", "seen_of", "setup_of", "tellings", "topic", "typed", "view_of",
]
# fmt: on
