"""What the game can wait for: the steps of the stack. Their fields are marked like those of the state."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from companion.core import Guarded, Hidden, PieceId, PlaceId, Public, SeatId

FightKind = Literal["basic", "counter", "ranged"]
NEVER: Final = 99
"""A margin that no dice can reach."""


class Dealing(Struct, frozen=True, tag="dealing"):
    """Time Machines are still to be drawn."""


class Drawing(Struct, frozen=True, tag="drawing"):
    """The top card of the deck comes to `seat`, who alone looks at it."""

    seat: Public[SeatId]


class Placing(Struct, frozen=True, tag="placing"):
    """`seat` puts the researched card into the Lab or the Market of its period."""

    seat: Public[SeatId]
    card: Guarded[Hidden[PieceId]]


class Moving(Struct, frozen=True, tag="moving"):
    """`seat` rolls to move, or stays."""

    seat: Public[SeatId]


class Rolling(Struct, frozen=True, tag="rolling"):
    """The dice of the move are due: how many and how much is added, as fixed when it began."""

    seat: Public[SeatId]
    dice: Public[int]
    plus: Public[int]


class Going(Struct, frozen=True, tag="going"):
    """`seat` goes up to `reach` spaces."""

    seat: Public[SeatId]
    reach: Public[int]


class Acting(Struct, frozen=True, tag="acting"):
    """`seat` may take one Action."""

    seat: Public[SeatId]


class Numbering(Struct, frozen=True, tag="numbering"):
    """The die of a new number is due."""

    seat: Public[SeatId]


class Inventing(Struct, frozen=True, tag="inventing"):
    """`seat` looks into the Lab and takes one card, or none."""

    seat: Public[SeatId]
    place: Public[PlaceId]


class Fight(Struct, frozen=True, omit_defaults=True):
    """An attack as declared: its dice and numbers stay as they are, whatever becomes of the cards (P.v).

    `held` is what it could do if the Shield did not forbid it (P38).
    """

    attacker: Public[SeatId]
    defender: Public[SeatId]
    kind: Public[FightKind]
    attack_dice: Public[int]
    attack_plus: Public[int]
    defence_dice: Public[int]
    defence_plus: Public[int]
    disables: Public[bool]
    destroys: Public[int]
    steals: Public[int]
    armed: Public[bool]
    held: Public[tuple[str, ...]] = ()


class Dice(Struct, frozen=True, tag="dice"):
    """Dice of an attack are due; NEVER stands for a sum that is not known yet."""

    fight: Public[Fight]
    attack: Public[int]
    defence: Public[int]


class Hit(Struct, frozen=True, tag="hit"):
    """The attacker names what is hit; `attack` and `defence` are the sums."""

    fight: Public[Fight]
    attack: Public[int]
    defence: Public[int]

    @property
    def seat(self) -> SeatId:
        return self.fight.attacker


class Loot(Struct, frozen=True, tag="loot"):
    """A stolen card is in the thief's hand; `works` is as it was."""

    seat: Public[SeatId]
    card: Public[PieceId]
    works: Public[bool]


class Countering(Struct, frozen=True, tag="countering"):
    """The target of `fight` may strike back."""

    fight: Public[Fight]

    @property
    def seat(self) -> SeatId:
        return self.fight.defender


class Following(Struct, frozen=True, tag="following"):
    """`seat` does what a card's text says, and corrects what that changes."""

    seat: Public[SeatId]
    card: Public[PieceId]


class Ending(Struct, frozen=True, tag="ending"):
    """The Action is done; `seat` may still do something free."""

    seat: Public[SeatId]


class Closing(Struct, frozen=True, tag="closing"):
    """The turn is over: the win is checked, then the next begins."""

    seat: Public[SeatId]


class Short(Struct, frozen=True, tag="short"):
    """`seat` draws more power than it has and must switch off. Never on the stack: `State.short` has it (see `top`)."""

    seat: Public[SeatId]


OfSeat: TypeAlias = (
    Placing | Moving | Going | Acting | Inventing | Hit | Loot | Countering | Following | Ending | Closing | Short
)
"""These wait for their `seat`, the others for chance."""

Step: TypeAlias = OfSeat | Dealing | Drawing | Rolling | Numbering | Dice
