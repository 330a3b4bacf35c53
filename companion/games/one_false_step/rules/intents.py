"""What an actor may want. The table's intents are chance: what was drawn, named or rolled."""

from __future__ import annotations

from companion.core import Intent, PieceId, PlaceId, SeatId


class LayBoard(Intent, frozen=True):
    """This board goes to this square of the map."""

    board: PieceId
    place: PlaceId


class TurnBoard(Intent, frozen=True):
    """Turn it a quarter clockwise."""

    board: PieceId


class LiftBoard(Intent, frozen=True):
    board: PieceId


class UseLayout(Intent, frozen=True):
    """Lay the boards as in this suggestion of the pack."""

    number: int


class MakeMap(Intent, frozen=True):
    """The boards lie as they should."""


class DrewSeat(Intent, frozen=True):
    """The table: this County Seat came."""

    city: PieceId


class NameButton(Intent, frozen=True):
    """The table: this seat has the Button first."""

    seat: SeatId


class BidSeat(Intent, frozen=True):
    city: PieceId
    number: int


class Stake(Intent, frozen=True):
    """A counter of this city claims a mine or farm."""

    city: PieceId
    claim: PlaceId


class Jump(Intent, frozen=True):
    """A counter of this city disputes the claim of another seat."""

    city: PieceId
    claim: PlaceId


class Strengthen(Intent, frozen=True):
    city: PieceId


class SendByTrain(Intent, frozen=True):
    """A counter of `city` rides to `to`, which may be the same city."""

    city: PieceId
    to: PieceId


class BoardRocket(Intent, frozen=True):
    city: PieceId


class AttackRolled(Intent, frozen=True):
    """The table: the attacker's die."""

    number: int


class DefenceRolled(Intent, frozen=True):
    """The table: the defender's die."""

    number: int


class Feed(Intent, frozen=True):
    city: PieceId


class FeedAll(Intent, frozen=True):
    """Pay for every city that is still due."""


class Starve(Intent, frozen=True):
    city: PieceId


class Upgrade(Intent, frozen=True):
    """Raise the system of this Rocket card by one level."""

    card: PieceId


class MoonShot(Intent, frozen=True):
    pass


class ShotRolled(Intent, frozen=True):
    """The table: the sum of two dice for the next system."""

    number: int


class EndThursday(Intent, frozen=True):
    pass


class DrewCity(Intent, frozen=True):
    """The table: this City card came off the deck."""

    city: PieceId


class Bid(Intent, frozen=True):
    number: int


class Pass(Intent, frozen=True):
    pass


class PayRed(Intent, frozen=True):
    """This many of the chips for the Button are red."""

    number: int


class PayFood(Intent, frozen=True):
    """This many of the chips for the Button are Food; the rest is Gold."""

    number: int


class GiveButton(Intent, frozen=True):
    seat: SeatId


class OfferFood(Intent, frozen=True):
    """Offer this much Food, for a price still to be named."""

    seat: SeatId
    number: int


class OfferGold(Intent, frozen=True):
    """Offer this much Gold, for a price still to be named."""

    seat: SeatId
    number: int


class NamePrice(Intent, frozen=True):
    """The price of one's own offer to this seat, in the other colour."""

    seat: SeatId
    number: int


class AcceptTrade(Intent, frozen=True):
    """Take the offer that this seat made."""

    seat: SeatId


class DeclineTrade(Intent, frozen=True):
    seat: SeatId


class WithdrawOffer(Intent, frozen=True):
    seat: SeatId


class BuyFood(Intent, frozen=True):
    """Buy this much Food from the Bank for three times the Gold."""

    number: int


class BuyGold(Intent, frozen=True):
    """Buy this much Gold from the Bank for three times the Food."""

    number: int


class SetChips(Intent, frozen=True):
    """This many chips lie there: `red/0`, `food/1`, `gold/2` before a seat, `on/farmington` on a city."""

    place: PlaceId
    number: int


class SetCounters(Intent, frozen=True):
    """This many counters lie there: `city/…` on the map, `card/…`, `train/…`, `rocket/0`."""

    place: PlaceId
    number: int


class SetLevel(Intent, frozen=True):
    card: PieceId
    number: int


class SetClaim(Intent, frozen=True):
    claim: PlaceId
    seat: SeatId


class ClearClaim(Intent, frozen=True):
    claim: PlaceId


class SetKnowHow(Intent, frozen=True):
    card: PieceId
    seat: SeatId


class BankKnowHow(Intent, frozen=True):
    card: PieceId


class GiveCity(Intent, frozen=True):
    city: PieceId
    seat: SeatId


class DropCity(Intent, frozen=True):
    """This city is out of the game."""

    city: PieceId


class SetButton(Intent, frozen=True):
    seat: SeatId


class SetTurn(Intent, frozen=True):
    seat: SeatId


class SetWeek(Intent, frozen=True):
    number: int
