"""Where everything lies, what the game waits for, and what can be reckoned from that."""

from .parts import (
    PARTS,
    TYPES,
    Pack,
    Type,
    demand_for,
    demanded_by,
    describe,
    kind_of,
    part_of,
    parts_in,
    pieces,
    place,
)
from .stack import UNCHOSEN, act_of, chosen, effect, fits, is_untyped, launched, models, next_copy, spent
from .state import (
    AT_A_TURN,
    FEWEST,
    GAME_ID,
    MOST,
    VERSION,
    Between,
    Borrowing,
    Cards,
    Clearing,
    Copying,
    Dealing,
    DealingDemands,
    Declaring,
    Effects,
    Flipping,
    Looking,
    Naming,
    Ordering,
    Showing,
    State,
    Step,
    Turn,
    Zones,
    demands_left,
    hand_of,
    is_shown,
    limit,
    opened,
    shown,
    start,
    turn_is_on,
    types_in_use,
    wanted_by,
    within_reach,
)

# fmt: off
__all__ = [
    "AT_A_TURN", "FEWEST", "GAME_ID", "MOST", "PARTS", "TYPES", "UNCHOSEN", "VERSION", "Between", "Borrowing",
    "Cards", "Clearing", "Copying", "Dealing", "DealingDemands", "Declaring", "Effects", "Flipping", "Looking",
    "Naming", "Ordering", "Pack", "Showing", "State", "Step", "Turn", "Type", "Zones", "act_of", "chosen",
    "demand_for", "demanded_by", "demands_left", "describe", "effect", "fits", "hand_of", "is_shown", "is_untyped",
    "kind_of", "launched", "limit", "models", "next_copy", "opened", "part_of", "parts_in", "pieces", "place",
    "shown", "spent", "start", "turn_is_on", "types_in_use", "wanted_by", "within_reach",
]
# fmt: on
