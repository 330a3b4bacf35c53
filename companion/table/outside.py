"""The door for web and hw: what leaves the table, with nothing that leads back to a state."""

from .checkup import Doctor, Found
from .played import play_of
from .ports import (
    Fault,
    Held,
    Host,
    Lamp,
    Leaving,
    Network,
    Playback,
    PlaybackWish,
    Playing,
    PretendBox,
    PretendReader,
    Surface,
    WifiKind,
)
from .printer import NotPrinted, Paper, Printer, SheetsAsked
from .publishing import Latest
from .record import Chair, own_rule
from .seen import FEWEST, SHOWN, Appealed, Corrected, Joining, Moment, Open, Past, PutBack, Seen, Told, Undo
from .sitting import may_roll, question, who_rolls
from .snapshot import things_seen
from .turn_clock import Ticking
from .updates import Updates
from .wishes import Answer, Done, No

# fmt: off
__all__ = [
    "FEWEST", "SHOWN", "Answer", "Appealed", "Chair", "Corrected", "Doctor", "Done", "Fault", "Found", "Held",
    "Host", "Joining", "Lamp", "Latest", "Leaving", "Moment", "Network", "No", "NotPrinted", "Open", "Paper",
    "Past", "Playback", "PlaybackWish", "Playing", "PretendBox", "PretendReader", "Printer", "PutBack", "Seen",
    "SheetsAsked", "Surface", "Ticking", "Told", "Undo", "Updates", "WifiKind", "may_roll", "own_rule", "play_of",
    "question", "things_seen", "who_rolls",
]
# fmt: on
