"""Where everything lies, and what the game waits for.

A view is a `State` too, with `?` in place of what its audience may not know; everything here works on both.
"""

from __future__ import annotations

from functools import cache
from typing import Final, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core import (
    TABLE,
    Deck,
    GameId,
    Guarded,
    Hidden,
    PieceId,
    Public,
    SeatId,
    Setup,
    SetupError,
    Static,
    deck_of,
    swapped,
)

from .cards import BOARDS, SEATS_AT_MOST, UNDATED, Card, Kind, Pack, Tables, Words, tables
from .described import pack_with
from .machine import NOTHING, Machine, Workings, is_short, workings
from .steps import Acting, Dealing, Drawing, Ending, Moving, Placing, Short, Step

GAME_ID: Final = GameId("us-patent")
VERSION: Final = 1
FEWEST, MOST = 3, SEATS_AT_MOST
EXTRA_GOLD: Final = 4
Cards: TypeAlias = tuple[PieceId, ...]
Lab: TypeAlias = tuple[Hidden[PieceId], ...]

NO_MACHINE: Final = Machine()

NO_SETUP: Final[Setup[Pack]] = Setup(
    GAME_ID, VERSION, 0, (), Pack("", Words("", ""), Words("", ""), (), (), (), (), ())
)
"""Stands in where a state is stored or sent without its setup."""


class State(Struct, frozen=True, omit_defaults=True):
    """One moment of a game. `steps` is a stack, top last, empty once the game is over.

    `markets` and `labs` are by board. `looks` are the Lab cards before each seat's eyes now. In this turn, the cards in
    `used` repaired others and those in `revived` repaired themselves: a card may do both. `short` are the seats whose
    machine lacks power; `described` the cards entered since the game began. `due` is the board of the researched card,
    which either answer reveals (P18); 0 until someone has told it. `barred` may not strike back after the last attack
    (P.l).
    """

    machines: Public[tuple[Machine, ...]]
    deck: Guarded[Deck]
    markets: Public[tuple[Cards, ...]]
    labs: Guarded[tuple[Lab, ...]]
    junkyard: Public[Cards]
    looks: Guarded[tuple[Hidden[Cards], ...]]
    turn: Public[SeatId]
    first: Public[SeatId]
    round: Public[int]
    turns: Public[int]
    used: Public[Cards]
    short: Public[tuple[SeatId, ...]]
    winner: Public[SeatId]
    steps: Guarded[tuple[Step, ...]]
    described: Guarded[tuple[Hidden[str], ...]] = ()
    revived: Public[Cards] = ()
    due: Public[int] = 0
    barred: Public[SeatId] = TABLE
    setup: Static[Setup[Pack]] = NO_SETUP


def start(setup: Setup[Pack]) -> State:
    """The table before the Time Machines are drawn (P1–P4, P40)."""
    if not FEWEST <= setup.seats <= MOST:
        raise SetupError(f"U.S. Patent seats {FEWEST} to {MOST}, not {setup.seats}: choose another number of seats")
    if len(setup.pack.inventors) < setup.seats:
        raise SetupError(
            f"pack {setup.pack.id!r} has {len(setup.pack.inventors)} Time Machines for {setup.seats} seats: add more"
        )
    spaces = {space.id for space in setup.pack.spaces}
    for machine in setup.pack.inventors:
        if machine.start not in spaces:
            raise SetupError(
                f"the Time Machine {machine.id} starts at {machine.start}, which is not on the map of pack "
                f"{setup.pack.id!r}: enter that space, or another start"
            )
    everyone = range(setup.seats)
    return State(
        machines=tuple(Machine() for _ in everyone),
        deck=deck_of(tuple(PieceId(card.id) for card in setup.pack.upgrades)),
        markets=((),) * BOARDS,
        labs=((),) * BOARDS,
        junkyard=(),
        looks=tuple(Hidden((), (SeatId(seat),)) for seat in everyone),
        turn=SeatId(0),
        first=SeatId(0),
        round=0,
        turns=0,
        used=(),
        short=(),
        winner=TABLE,
        steps=(Dealing(),),
        setup=setup,
    )


def pack_now(state: State) -> Pack:
    """The pack with the cards described since the game began, as far as a view knows them."""
    if not state.described:
        return state.setup.pack
    return pack_with(state.setup.pack, tuple(hidden.value for hidden in state.described))


def known(state: State) -> Tables:
    """The look-ups of this game's pack."""
    return tables(pack_now(state) if state.described else state.setup.pack)


def card(state: State, piece: PieceId) -> Card | None:
    return known(state).cards.get(piece)


def machine_of(state: State, seat: SeatId) -> Machine:
    """The machine of a seat; an empty one for a seat that does not exist, as phones may claim."""
    return state.machines[seat] if 0 <= seat < len(state.machines) else NO_MACHINE


def workings_of(state: State, seat: SeatId) -> Workings:
    """What the cards of a seat's machine add up to now."""
    return workings(known(state), machine_of(state, seat))


def look_of(state: State, seat: SeatId) -> Cards:
    """The Lab cards before a seat's eyes."""
    return state.looks[seat].value if 0 <= seat < len(state.looks) else ()


def top(state: State) -> Step | None:
    """What the game waits for now: a lack of power before anything else (P10); None once it is over."""
    if not state.steps:
        return None
    return Short(state.short[0]) if state.short else state.steps[-1]


def kind_at(state: State, seat: SeatId) -> Kind:
    """The kind of space a pawn stands on."""
    return known(state).kinds.get(machine_of(state, seat).at, "plain")


def board_at(state: State, seat: SeatId) -> int:
    """The board a pawn stands on."""
    return known(state).boards.get(machine_of(state, seat).at, 0)


def is_easier(state: State) -> bool:
    """P39, P.af: by choice, or else with seven or eight seats."""
    chosen = state.setup.option("easier")
    return chosen == "on" or (chosen == "by-seats" and len(state.machines) > 6)


def is_undated(state: State) -> bool:
    """Whether the period of the researched card was never entered; records of old packs know all of theirs."""
    held = bool(state.steps) and isinstance(state.steps[-1], Placing)
    return held and state.due == UNDATED and known(state).undated


def wins_by_action(state: State) -> bool:
    """P.a, P.ac: by an Action in the Office, rather than at the end of a turn."""
    return state.setup.option("win") == "action"


def has_action(state: State, seat: SeatId) -> bool:
    """Whether the seat still has its one Action of this turn (P20)."""
    return any(isinstance(step, Acting) and step.seat == seat for step in state.steps)


def set_needed(state: State) -> int:
    """How many working Upgrades win (P30, P39)."""
    return 3 if is_easier(state) else 4


@cache
def turn_steps(seat: SeatId) -> tuple[Step, ...]:
    """A whole turn, Research on top (P17–P20)."""
    return Ending(seat), Acting(seat), Moving(seat), Drawing(seat)


def with_machine(state: State, seat: SeatId, machine: Machine) -> State:
    """The state with that machine; this is the only place that works out whether it lacks power."""
    short = state.short
    if is_short(known(state), machine) != (seat in short):
        short = tuple(s for s in short if s != seat) if seat in short else tuple(sorted((*short, seat)))
    return replace(state, machines=swapped(state.machines, seat, machine), short=short)


T = TypeVar("T")


def owner_of(state: State, piece: PieceId) -> SeatId:
    """The seat whose machine an Upgrade is on; the table's if it is on none."""
    for seat, machine in enumerate(state.machines):
        if piece != NOTHING and piece in machine.cards:
            return SeatId(seat)
    return TABLE
