"""What an actor may want. The table's intents are chance: what was drawn or rolled."""

from __future__ import annotations

from companion.core import Intent, PieceId, PlaceId, SeatId


class DrewMachine(Intent, frozen=True):
    """The table: this Time Machine came to the next seat."""

    card: PieceId


class Drew(Intent, frozen=True):
    """The table: this Upgrade came off the deck."""

    card: PieceId


class MoveRolled(Intent, frozen=True):
    """The table: the dice of a move, added up."""

    number: int


class NumberRolled(Intent, frozen=True):
    """The table: the die of a new number."""

    number: int


class AttackRolled(Intent, frozen=True):
    """The table: the attacker's dice, added up."""

    number: int


class DefenceRolled(Intent, frozen=True):
    """The table: the defender's dice, added up."""

    number: int


class TellPeriod(Intent, frozen=True):
    """The researched card, which nobody has described yet, belongs to this board."""

    number: int


class PlaceInLab(Intent, frozen=True):
    """Lay the researched card face down in the Lab here; old records do not say where."""

    place: PlaceId = PlaceId("")


class PlaceInMarket(Intent, frozen=True):
    """Lay the researched card face up in the Market here; old records do not say where."""

    place: PlaceId = PlaceId("")


class Roll(Intent, frozen=True):
    """Roll to move."""


class Stay(Intent, frozen=True):
    """Neither roll nor move."""


class Go(Intent, frozen=True):
    """The board comes first, so that lists of spaces stay short."""

    board: PlaceId
    space: PlaceId


class LeapTo(Intent, frozen=True):
    """Go there by the effect of an Upgrade."""

    board: PlaceId
    space: PlaceId


class ResearchAgain(Intent, frozen=True):
    pass


class MoveAgain(Intent, frozen=True):
    pass


class TakeGold(Intent, frozen=True):
    pass


class Buy(Intent, frozen=True):
    card: PieceId


class LookInLab(Intent, frozen=True):
    pass


class Invent(Intent, frozen=True):
    """This card of the Lab goes onto the machine."""

    card: PieceId


class InventNothing(Intent, frozen=True):
    pass


class Study(Intent, frozen=True):
    """From a Library, look into the Labs of earlier periods."""


class CloseLook(Intent, frozen=True):
    """The cards have been seen; take them off the phone."""


class Salvage(Intent, frozen=True):
    """This card of the Junkyard goes onto the machine, disabled."""

    card: PieceId


class Mend(Intent, frozen=True):
    """The Mechanic makes everything work for 1 Gold."""


class Patent(Intent, frozen=True):
    card: PieceId


class TakeNumber(Intent, frozen=True):
    pass


class ClaimPatent(Intent, frozen=True):
    """Win, if winning is an Action."""


class RepairOne(Intent, frozen=True):
    """`source` makes `card` work again."""

    source: PieceId
    card: PieceId


class RepairAll(Intent, frozen=True):
    source: PieceId


class Revive(Intent, frozen=True):
    """A disabled card makes itself work again."""

    card: PieceId


class Attack(Intent, frozen=True):
    """A basic attack."""

    seat: SeatId


class FollowText(Intent, frozen=True):
    """The Action: the free text of this card."""

    card: PieceId


class FinishText(Intent, frozen=True):
    """What the text says is done."""


class Shoot(Intent, frozen=True):
    """The ranged attack of `card`."""

    card: PieceId
    seat: SeatId


class ShootSecond(Intent, frozen=True):
    """The second ranged attack of a card that has two."""

    card: PieceId
    seat: SeatId


class Volley(Intent, frozen=True):
    """A ranged attack on everyone it reaches."""

    card: PieceId


class Disable(Intent, frozen=True):
    card: PieceId


class Destroy(Intent, frozen=True):
    card: PieceId


class Steal(Intent, frozen=True):
    card: PieceId


class Spare(Intent, frozen=True):
    """The hit does nothing."""


class InstallLoot(Intent, frozen=True):
    pass


class ThrowAway(Intent, frozen=True):
    """The stolen card goes to the Junkyard."""


class CounterAttack(Intent, frozen=True):
    pass


class LetGo(Intent, frozen=True):
    """No counterattack."""


class SwitchOff(Intent, frozen=True):
    card: PieceId


class EndTurn(Intent, frozen=True):
    pass


class SetGold(Intent, frozen=True):
    """Correction: this much Gold lies before this seat."""

    seat: SeatId
    number: int


class SetNumber(Intent, frozen=True):
    """Correction: this seat's counter; 0 is “!”."""

    seat: SeatId
    number: int


class DropNumber(Intent, frozen=True):
    """Correction: this seat has no number."""

    seat: SeatId


class SetPawn(Intent, frozen=True):
    """Correction: this seat's pawn stands here."""

    seat: SeatId
    board: PlaceId
    space: PlaceId


class SetTurn(Intent, frozen=True):
    """Correction: it is this seat's turn, from Research on."""

    seat: SeatId


class SetDie(Intent, frozen=True):
    """Correction: the last dice were this number."""

    number: int


class TurnCard(Intent, frozen=True):
    """Correction: this attached card lies the other way up."""

    card: PieceId


class Describe(Intent, frozen=True):
    """What is printed on that card: an `Upgrade` as JSON, typed into a form by whoever sees it."""

    card: PieceId
    upgrade: str


class MoveCard(Intent, frozen=True):
    """Correction: this Upgrade lies here."""

    card: PieceId
    place: PlaceId
