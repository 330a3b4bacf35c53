"""The one writer: what comes in, what is granted, one game and its record, and the snapshot that everybody draws."""

from .appeals import against_rule
from .checkup import Checkup, Doctor, Found, absent, ailing, fine, in_its_own_process, wrong
from .desk import Chance, Desk, Opens, Shelf, Wired, pick_by_weight
from .door import Queue, waiting
from .past import past_of
from .played import play_of
from .ports import (
    Clubs,
    Fault,
    Held,
    Host,
    Lamp,
    Leaving,
    Machine,
    Playback,
    PlaybackWish,
    Playing,
    PretendBox,
    PretendReader,
    Surface,
    WifiKind,
)
from .printer import Printer, printed_by_itself
from .publishing import Latest
from .record import Chair, bars_take_back, intent_from, last_act, state_hash
from .referee import Carried, Referee
from .seen import Seen, Told
from .sitting import carried, may_roll
from .snapshot import FEWEST, Mode, OnShelf, Open, Snapshot, things_of
from .table import QUIET, Table
from .updates import Progress, Updates
from .wishes import (
    Answer,
    Appeal,
    AskMachine,
    Change,
    Do,
    Done,
    FindHubs,
    GiveSeats,
    GoBack,
    GoOn,
    JoinClub,
    LetIn,
    No,
    SendAway,
    Show,
    Speak,
    Tick,
    UseStick,
    Wire,
    Wish,
)

# fmt: off
__all__ = [
    "FEWEST", "QUIET", "Answer", "Appeal", "AskMachine", "Carried", "Chair", "Chance", "Change", "Checkup", "Clubs",
    "Desk", "Do", "Doctor", "Done", "Fault", "FindHubs", "Found", "GiveSeats", "GoBack", "GoOn", "Held", "Host",
    "JoinClub", "Lamp", "Latest", "Leaving", "LetIn", "Machine", "Mode", "No", "OnShelf", "Open", "Opens", "Playback",
    "PlaybackWish", "Playing", "PretendBox", "PretendReader", "Printer", "Progress", "Queue", "Referee", "Seen",
    "SendAway", "Shelf", "Show", "Snapshot", "Speak", "Surface", "Table", "Tick", "Told", "Updates", "UseStick",
    "WifiKind", "Wire", "Wired", "Wish", "absent", "against_rule", "ailing", "bars_take_back", "carried", "fine",
    "in_its_own_process", "intent_from", "last_act", "may_roll", "past_of", "pick_by_weight", "play_of",
    "printed_by_itself", "state_hash", "things_of", "waiting", "wrong",
]
# fmt: on
