"""Attacks and what they do. `seat` is whoever acts, `target` whoever it happens to."""

from __future__ import annotations

from typing import ClassVar

from companion.core import Concern, Event, PieceId, Public, SeatId
from companion.games.us_patent.state import FightKind


class AttackDeclared(Event, frozen=True):
    """`source` is the card of a ranged attack, `attack` which of its attacks; a basic one has none.

    `held` is what the Shield forbids (P38).
    """

    seat: Public[SeatId]
    target: Public[SeatId]
    kind: Public[FightKind]
    source: Public[PieceId]
    held: Public[tuple[str, ...]] = ()
    attack: Public[int] = 0


class AttackStopped(Event, frozen=True):
    """A Shield stops this attack: no dice, no effect."""

    seat: Public[SeatId]
    target: Public[SeatId]


class AttackThrown(Event, frozen=True):
    """The attacker's dice, and the total."""

    reveals: ClassVar[bool] = True
    seat: Public[SeatId]
    number: Public[int]
    total: Public[int]


class DefenceThrown(Event, frozen=True):
    reveals: ClassVar[bool] = True
    seat: Public[SeatId]
    number: Public[int]
    total: Public[int]


class AttackMissed(Event, frozen=True):
    seat: Public[SeatId]
    target: Public[SeatId]
    attack: Public[int]
    defence: Public[int]


class AttackHit(Event, frozen=True):
    seat: Public[SeatId]
    target: Public[SeatId]
    attack: Public[int]
    defence: Public[int]


class CardDisabled(Event, frozen=True):
    """By an attacker."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    target: Public[SeatId]
    card: Public[PieceId]


class CardDestroyed(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    target: Public[SeatId]
    card: Public[PieceId]


class CardStolen(Event, frozen=True):
    """Taken from the victim's machine, not yet in the thief's."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    target: Public[SeatId]
    card: Public[PieceId]


class Spared(Event, frozen=True):
    """The hit does nothing, by choice or because there is nothing to hit."""

    concerns: ClassVar[Concern] = "course"
    seat: Public[SeatId]
    target: Public[SeatId]


class LootInstalled(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Public[PieceId]


class LootThrown(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Public[PieceId]


class CounterOpened(Event, frozen=True):
    """The right to strike back is used."""

    concerns: ClassVar[Concern] = "course"
    seat: Public[SeatId]


class CounterWaived(Event, frozen=True):
    """By choice."""

    concerns: ClassVar[Concern] = "course"
    seat: Public[SeatId]


class CounterBarred(Event, frozen=True):
    """This attack took the Weapon of the seat that was hit (P.l)."""

    seat: Public[SeatId]


class CounterMissed(Event, frozen=True):
    """The two are no longer on the same space (P.u)."""

    seat: Public[SeatId]
