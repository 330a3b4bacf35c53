"""The one list of rules: it refuses, offers, explains and is checked."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Any, Final, get_args

from msgspec.structs import replace

from companion.core import Intent, Verb
from companion.games.one_false_step.state import (
    Auction,
    Dispute,
    DrawingSeats,
    Giving,
    Laying,
    Monday,
    Naming,
    Opening,
    Paying,
    Shot,
    State,
    Step,
    Thursday,
    Turning,
    Wednesday,
)

from . import intents as i
from .corrections import CORRECTIONS
from .guards import ROLLS, SETTING_UP
from .laying import BOARDS_VERBS, DRAWS, OPENING
from .monday import DICE, PLACING
from .saturday import AUCTIONS, PAYMENTS
from .trade import ANSWERS, BANK, OFFERS
from .week import MEALS, ROCKETS, SHOTS

_STEPS: Final[dict[type[Intent], type[Step]]] = {
    i.LayBoard: Laying,
    i.TurnBoard: Laying,
    i.LiftBoard: Laying,
    i.UseLayout: Laying,
    i.MakeMap: Laying,
    i.DrewSeat: DrawingSeats,
    i.NameButton: Naming,
    i.BidSeat: Opening,
    i.Stake: Monday,
    i.Jump: Monday,
    i.Strengthen: Monday,
    i.SendByTrain: Monday,
    i.BoardRocket: Monday,
    i.AttackRolled: Dispute,
    i.DefenceRolled: Dispute,
    i.Feed: Wednesday,
    i.FeedAll: Wednesday,
    i.Starve: Wednesday,
    i.Upgrade: Thursday,
    i.MoonShot: Thursday,
    i.EndThursday: Thursday,
    i.ShotRolled: Shot,
    i.DrewCity: Turning,
    i.Bid: Auction,
    i.Pass: Auction,
    i.PayRed: Paying,
    i.PayFood: Paying,
    i.GiveButton: Giving,
}
"""The step in which each verb may be legal."""
_TRADING: Final = tuple(step for step in get_args(Step) if step not in (*SETTING_UP, *ROLLS))
"""Trades are open alongside everything done in these."""

_SURE: Final = frozenset(
    {
        i.LayBoard,
        i.TurnBoard,
        i.LiftBoard,
        i.DrewSeat,
        i.NameButton,
        i.Stake,
        i.Jump,
        i.SendByTrain,
        i.BoardRocket,
        i.Starve,
    }
    | {i.AttackRolled, i.DefenceRolled, i.ShotRolled, i.DrewCity, i.GiveButton, i.OfferFood, i.OfferGold}
    | {i.DeclineTrade, i.WithdrawOffer, i.NamePrice, i.MakeMap, i.FeedAll, i.MoonShot, i.EndThursday, i.Pass}
)
"""Verbs that list only intents that keep their rules."""

_ANSWERS: Final = tuple(replace(verb, listed=False) for verb in (*BOARDS_VERBS, *OPENING, *PAYMENTS, *ANSWERS))
"""Each answers a question of its own step and makes no sense before it is asked."""

VERBS: Final[tuple[Verb[State, Any], ...]] = tuple(
    replace(verb, phases=(_STEPS[verb.intent],) if verb.intent in _STEPS else _TRADING, sure=verb.intent in _SURE)
    for verb in (*DRAWS, *DICE, *SHOTS, *PLACING, *MEALS, *ROCKETS, *AUCTIONS, *_ANSWERS, *OFFERS, *BANK)
)


_RULINGS: Final = (*ascii_lowercase, *(f"a{letter}" for letter in ascii_lowercase), "ba")
RULE_IDS: Final[tuple[str, ...]] = (*(f"F{n}" for n in range(1, 48)), *(f"F.{letter}" for letter in _RULINGS))
"""F1–F47, then F.a–F.ba: the numbers never change their meaning."""

__all__ = ["CORRECTIONS", "RULE_IDS", "VERBS"]
