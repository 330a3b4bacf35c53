"""Your first minute: a Market with a Siege Piano that is too dear, and a machine that cannot power one more Upgrade.

Ada stands in the Market of 1857 with 8 Gold; her Bee Cannon takes 4 of her 5 power, so anything she buys next will be
too much for it. She has just drawn Canal Horse.
"""

from __future__ import annotations

from typing import Final

from companion.core import TABLE, Hint, Intent, Lesson, Piece, PieceId, Place, PlaceId, Practice, SeatId, Token, say

from .rules import intents as i

_ADA, _BEN, _CHLOE = SeatId(0), SeatId(1), SeatId(2)
_LAB, _MARKET, _BOARD = PlaceId("2/lab"), PlaceId("2/market"), PlaceId("board/2")
_WEAPON, _SHIELD = PlaceId("slot/0/weapon"), PlaceId("slot/0/shield")
_CANNON, _PIANO, _COAT = PieceId("bee-cannon"), PieceId("siege-piano"), PieceId("hedgehog-coat")
_HORSE, _ABBOT = PieceId("canal-horse"), PieceId("steam-abbot")
_DYNAMO, _SLED = PieceId("tide-dynamo"), PieceId("moon-sled")


def _rest(seat: SeatId, card: PieceId, market: str) -> tuple[Intent, ...]:
    """A turn in which a card goes to a Market and nothing else happens."""
    return (i.Drew(TABLE, card), i.PlaceInMarket(seat, PlaceId(market)), i.Stay(seat), i.TakeGold(seat))


_ACTS: Final[tuple[Intent, ...]] = (
    i.DrewMachine(TABLE, PieceId("lampwright-1857")),
    i.DrewMachine(TABLE, PieceId("aviatrix-1926")),
    i.DrewMachine(TABLE, PieceId("astronaut-1969")),
    i.Drew(TABLE, _CANNON),
    i.PlaceInLab(_ADA, _LAB),
    i.Stay(_ADA),
    i.LookInLab(_ADA),
    i.Invent(_ADA, _CANNON),
    *_rest(_BEN, _PIANO, "2/market"),
    *_rest(_CHLOE, _COAT, "2/market"),
    i.Drew(TABLE, _ABBOT),
    i.PlaceInLab(_ADA, _LAB),
    i.Roll(_ADA),
    i.MoveRolled(TABLE, 2),
    i.Go(_ADA, _BOARD, _MARKET),
    i.TakeGold(_ADA),
    *_rest(_BEN, _DYNAMO, "4/market"),
    *_rest(_CHLOE, _SLED, "5/market"),
    i.Drew(TABLE, _HORSE),
)


def _piece(card: PieceId) -> Token:
    return Token("piece", card)


def _place(place: str) -> Token:
    return Token("place", place)


def _hint(awaits: str, lesson: str, card: PieceId, place: str) -> Hint:
    """Do something with a card at a place; both glow."""
    return Hint(awaits, say(lesson, card=Piece(card), place=Place(PlaceId(place))), (_piece(card), _place(place)))


_STAY: Final = tuple(Hint(at, say("lesson.stay", place=Place(_MARKET)), (_place(_MARKET),)) for at in ("move", "go"))
"""Before the die, or after it where the box rolls on its own."""
_BUY: Final = Hint(
    "act",
    say("lesson.buy", card=Piece(_COAT), place=Place(_SHIELD), dear=Piece(_PIANO)),
    (_piece(_COAT), _place(_SHIELD)),
)
_OFF: Final = Hint("short", say("lesson.power", card=Piece(_CANNON)), (_piece(_CANNON), _piece(_COAT)))

PRACTICE: Final = Practice(
    seats=3,
    seat=_ADA,
    acts=_ACTS,
    lessons=(
        Lesson(
            "research",
            (_hint("place", "lesson.research", _HORSE, _MARKET),),
            ("event.put-in-market", "event.put-in-lab"),
        ),
        Lesson("price", (*_STAY, _hint("act", "lesson.price", _PIANO, _WEAPON)), ("no.can-pay", "event.bought")),
        Lesson("power", (*_STAY, _BUY, _OFF), ("event.switched-off",)),
    ),
)
