"""Where everything lies, and what the game waits for.

A view is a `State` too, with `?` for the unseen cards of the deck; everything else is public (F.av).
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, TypeVar

from msgspec import Struct

from companion.core import TABLE, Deck, GameId, Guarded, PieceId, Public, SeatId, Setup, SetupError, Static

from .map import BOARDS, NOBODYS
from .parts import SYSTEMS, Laid, Pack, Words, city_cards

GAME_ID: Final = GameId("one-false-step")
VERSION: Final = 1
FEWEST, MOST = 3, 6
FIRST_RED, FIRST_FOOD = 20, 4
Cards: TypeAlias = tuple[PieceId, ...]
Amounts: TypeAlias = tuple[int, ...]
Day = Literal["setup", "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
Colour = Literal["red", "food", "gold"]
COLOURS: Final[tuple[Colour, ...]] = ("red", "food", "gold")
BUTTON: Final = PieceId("")
"""What an auction is about if not a city."""

NO_SETUP: Final[Setup[Pack]] = Setup(GAME_ID, VERSION, 0, (), Pack("", Words("", ""), Words("", ""), ()))
"""Stands in where a state is stored or sent without its setup."""


class Holding(Struct, frozen=True, omit_defaults=True):
    """A city in front of a seat. `chips` still lie on it; none once it is Active.

    `counters` are in it on the map, including its marker; `middle` and `train` are on its card.
    """

    city: Public[PieceId]
    seat: Public[SeatId]
    chips: Public[int] = 0
    counters: Public[int] = 1
    middle: Public[int] = 0
    train: Public[int] = 0


class OpenSeat(Struct, frozen=True, omit_defaults=True):
    """A County Seat of the starting auction, with the chips and counter of the highest bidder so far."""

    city: Public[PieceId]
    seat: Public[SeatId] = TABLE
    number: Public[int] = 0


class Offer(Struct, frozen=True):
    """`seat` would give `to` one colour for the other; a price of 0 has not been named yet."""

    seat: Public[SeatId]
    to: Public[SeatId]
    gives: Public[Literal["food", "gold"]]
    number: Public[int]
    price: Public[int] = 0


class Laying(Struct, frozen=True, tag="laying"):
    """The five boards are being laid."""


class DrawingSeats(Struct, frozen=True, tag="drawing-seats"):
    """County Seats are being drawn; `left` are still to come."""

    left: Public[int]


class Naming(Struct, frozen=True, tag="naming"):
    """The table gives the Button to a random seat."""


class Opening(Struct, frozen=True, tag="opening"):
    """The starting auction waits for the bid of `seat`."""

    seat: Public[SeatId]


class Sunday(Struct, frozen=True, tag="sunday"):
    pass


class Monday(Struct, frozen=True, tag="monday"):
    """`seat` places the counters of its City cards."""

    seat: Public[SeatId]


class Dispute(Struct, frozen=True, tag="dispute"):
    """A counter of `city` jumps a claim; `roll` is the attacker's die, 0 until it falls."""

    seat: Public[SeatId]
    city: Public[PieceId]
    claim: Public[int]
    defender: Public[SeatId]
    roll: Public[int] = 0


class Tuesday(Struct, frozen=True, tag="tuesday"):
    pass


class Wednesday(Struct, frozen=True, tag="wednesday"):
    """The cities that are neither fed nor starved yet."""

    due: Public[Cards]


class Thursday(Struct, frozen=True, tag="thursday"):
    """`seat` upgrades and shoots; `shot` once it has."""

    seat: Public[SeatId]
    shot: Public[bool] = False


class Shot(Struct, frozen=True, tag="shot"):
    """A Moon Shot: how many systems have been rolled for, and how many held."""

    seat: Public[SeatId]
    rolled: Public[int] = 0
    held: Public[int] = 0


class Friday(Struct, frozen=True, tag="friday"):
    """The inactive cities that still have to give up a chip today."""

    due: Public[Cards]


class Turning(Struct, frozen=True, tag="turning"):
    """Saturday: the next City card has to be turned up."""


class Auction(Struct, frozen=True, tag="auction"):
    """`seat` may bid for `city`, or for the Button; `inside` are those who have not passed, from the Button on."""

    city: Public[PieceId]
    seat: Public[SeatId]
    inside: Public[tuple[SeatId, ...]]
    high: Public[int] = 0
    by: Public[SeatId] = TABLE


class Paying(Struct, frozen=True, tag="paying"):
    """The buyer of the Button says how many of the `left` chips are of the first of `colours`."""

    seat: Public[SeatId]
    left: Public[int]
    colours: Public[tuple[Colour, ...]]


class Giving(Struct, frozen=True, tag="giving"):
    """The buyer of the Button gives it to someone."""

    seat: Public[SeatId]


Step: TypeAlias = (
    Laying
    | DrawingSeats
    | Naming
    | Opening
    | Sunday
    | Monday
    | Dispute
    | Tuesday
    | Wednesday
    | Thursday
    | Shot
    | Friday
    | Turning
    | Auction
    | Paying
    | Giving
)


class State(Struct, frozen=True, omit_defaults=True):
    """One moment of a game. `steps` is a stack, top last, empty once the game is over.

    `claims[k]` is the owner of claim k of the map, -1 for none. `bank` is what the Bank took in minus what it paid out,
    for red, Food and Gold. `starved` are the cards each seat has set aside until Wednesday ends (F.j).
    """

    week: Public[int]
    day: Public[Day]
    button: Public[SeatId]
    red: Public[Amounts]
    food: Public[Amounts]
    gold: Public[Amounts]
    bank: Public[tuple[int, int, int]]
    levels: Public[tuple[Amounts, ...]]
    know_how: Public[tuple[SeatId, ...]]
    crew: Public[Amounts]
    laid: Public[tuple[Laid, ...]]
    claims: Public[tuple[SeatId, ...]]
    owned: Public[tuple[Holding, ...]]
    open_seats: Public[tuple[OpenSeat, ...]]
    starved: Public[tuple[Cards, ...]]
    gone: Public[Cards]
    deck: Guarded[Deck]
    offers: Public[tuple[Offer, ...]]
    winner: Public[SeatId]
    steps: Public[tuple[Step, ...]]
    setup: Static[Setup[Pack]] = NO_SETUP


def start(setup: Setup[Pack]) -> State:
    """The table before the first board is laid; the chips of F4 are ready."""
    seats = setup.seats
    if not FEWEST <= seats <= MOST:
        raise SetupError(f"One False Step seats {FEWEST} to {MOST}, not {seats}: choose another number of seats")
    if len(setup.pack.boards) < BOARDS:
        there = [board.number for board in setup.pack.boards]
        raise SetupError(f"pack {setup.pack.id!r} needs at least {BOARDS} boards, it has {there}: enter more boards")
    return State(
        week=0,
        day="setup",
        button=SeatId(0),
        red=(FIRST_RED,) * seats,
        food=(FIRST_FOOD,) * seats,
        gold=(0,) * seats,
        bank=(0, 0, 0),
        levels=((1,) * len(SYSTEMS),) * seats,
        know_how=(NOBODYS,) * len(SYSTEMS),
        crew=(0,) * seats,
        laid=(),
        claims=(),
        owned=(),
        open_seats=(),
        starved=((),) * seats,
        gone=tuple(sorted(city_cards(setup.pack))),
        deck=Deck((), ()),
        offers=(),
        winner=TABLE,
        steps=(Laying(),),
        setup=setup,
    )


def button_order(state: State) -> tuple[SeatId, ...]:
    """All seats from the Button to the left (F39)."""
    n = len(state.red)
    return tuple(SeatId((state.button + i) % n) for i in range(n))


T = TypeVar("T")


def added(amounts: Amounts, at: int, number: int) -> Amounts:
    return (*amounts[:at], amounts[at] + number, *amounts[at + 1 :])
