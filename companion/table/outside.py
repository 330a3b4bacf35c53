"""The door for web and hw: what leaves the table, and nothing that leads from there to a state."""

from .checkup import Doctor, Found
from .ports import Fault, Held, Host, Lamp, Network, Playback, PlaybackWish, Playing, PretendBox, PretendReader, Surface
from .printer import NotPrinted, Paper, Printer, SheetsAsked
from .publishing import Latest
from .record import Chair, own_rule
from .seen import FEWEST, Appealed, Corrected, Joining, Moment, Open, Seen, Told, Undo
from .sitting import may_roll, question, who_rolls
from .snapshot import things_seen
from .turn_clock import Ticking
from .updates import Updates
from .wishes import Answer, Done, No

# fmt: off
__all__ = [
    "FEWEST", "Answer", "Appealed", "Chair", "Corrected", "Doctor", "Done", "Fault", "Found", "Held", "Host",
    "Joining", "Lamp", "Latest", "Moment", "Network", "No", "NotPrinted", "Open", "Paper", "Playback", "PlaybackWish",
    "Playing", "PretendBox", "PretendReader", "Printer", "Seen", "SheetsAsked", "Surface", "Ticking", "Told", "Undo",
    "Updates", "may_roll", "own_rule", "question", "things_seen", "who_rolls",
]
# fmt: on
