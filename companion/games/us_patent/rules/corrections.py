"""Facts of the table set right. Only physical rules apply; none reveals where a hidden card lies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final

from companion.core import Basis, Facts, Piece, PlaceId, Rule, RuleId, SeatId, Verb, is_seat, seats_of, unless
from companion.games.us_patent import events as e
from companion.games.us_patent.state import (
    BOARDS,
    NEVER,
    NO_NUMBER,
    SLOTS,
    Acting,
    Dice,
    Drawing,
    Ending,
    Going,
    Hit,
    Inventing,
    Loot,
    Moving,
    Placing,
    State,
    Step,
    card,
    drive,
    in_sight,
    known,
    owner_of,
)

from . import present
from .describe import DESCRIBE
from .guards import DEALT, RUNNING, guard
from .intents import DropNumber, MoveCard, SetDie, SetGold, SetNumber, SetPawn, SetTurn, TurnCard
from .turn import SPACE_THERE

MOST_GOLD: Final = 199
HIGHEST: Final = 6


_ROOMS: Final = tuple(f"{board}/{room}" for board in range(1, BOARDS) for room in ("market", "lab"))
PLACES: Final = tuple(PlaceId(place) for place in ("deck", "0/junkyard", *_ROOMS))
"""Where an Upgrade may lie, apart from slots."""


def slots(state: State) -> tuple[PlaceId, ...]:
    return _slots(len(state.machines))


@cache
def _slots(seats: int) -> tuple[PlaceId, ...]:
    """Needed for every card that may be moved anywhere, so cached."""
    return tuple(PlaceId(f"slot/{seat}/{slot}") for seat in range(seats) for slot in SLOTS)


def _card_in_hand(state: State, actor: SeatId) -> Facts | None:
    return unless(any(isinstance(step, Placing | Inventing | Loot) for step in state.steps))


def _in_between(state: State, actor: SeatId) -> Facts | None:
    calm = bool(state.steps) and isinstance(state.steps[-1], Moving | Acting | Ending | Drawing)
    return unless(not calm or len(state.steps) > 4)


def die_span(state: State) -> tuple[int, int]:
    """The sums that the last dice could have shown; empty if there are none to correct."""
    step = state.steps[-1] if state.steps else None
    match step:
        case Going(seat=seat):
            dice = drive(known(state), state.machines[seat])[0]
        case Dice(fight=fight, attack=attack) if attack != NEVER:
            dice = fight.attack_dice
        case Hit(fight=fight):
            dice = fight.defence_dice
        case _:
            dice = 0
    return dice, 6 * dice


def _no_die(state: State, actor: SeatId) -> Facts | None:
    return unless(die_span(state)[0] == 0)


def _no_such_seat(state: State, intent: SetGold | SetNumber | DropNumber | SetPawn | SetTurn) -> Facts | None:
    return unless(not is_seat(state, intent.seat))


def _out_of(low: int, high: int) -> Any:
    def broken(state: State, intent: SetGold | SetNumber) -> Facts | None:
        return unless(not low <= intent.number <= high, low=low, high=high)

    return broken


def _no_such_sum(*rolled: type[Step]) -> Callable[[State, SetDie], Facts | None]:
    """For the dice of such a step."""

    def broken(state: State, intent: SetDie) -> Facts | None:
        low, high = die_span(state)
        told = low > 0 and isinstance(state.steps[-1], rolled)
        return unless(told and not low <= intent.number <= high, low=low, high=high)

    return broken


def _numberless(state: State, intent: DropNumber) -> Facts | None:
    return unless(is_seat(state, intent.seat) and state.machines[intent.seat].number == NO_NUMBER)


def _loose(state: State, intent: TurnCard) -> Facts | None:
    return unless(owner_of(state, intent.card) < 0, card=Piece(intent.card))


def _no_upgrade(state: State, intent: MoveCard) -> Facts | None:
    return unless(card(state, intent.card) is None, card=Piece(intent.card))


def _no_such_place(state: State, intent: MoveCard) -> Facts | None:
    return unless(intent.place not in PLACES and intent.place not in slots(state))


def _wrong_slot(state: State, intent: MoveCard) -> Facts | None:
    if intent.place not in slots(state):
        return None
    found = card(state, intent.card)
    return unless(found is None or not intent.place.endswith("/" + SLOTS[found.slot]), card=Piece(intent.card))


def _slot_full(state: State, intent: MoveCard) -> Facts | None:
    if intent.place not in slots(state):
        return None
    _, seat, slot = intent.place.split("/")
    there = state.machines[int(seat)].cards[SLOTS.index(slot)]
    return unless(there not in ("", intent.card))


def _pawns(state: State, actor: SeatId) -> Iterator[SetPawn]:
    spaces = known(state).boards.items()
    for seat in seats_of(state):
        yield from (SetPawn(actor, SeatId(seat), PlaceId(f"board/{board}"), space) for space, board in spaces)


def _moves(state: State, actor: SeatId) -> Iterator[MoveCard]:
    anywhere = (*PLACES, *slots(state))
    return (MoveCard(actor, piece, place) for piece in in_sight(state) for place in anywhere)


SEAT_THERE: Rule[State, Any] = Rule(RuleId("P40"), "seat-there", _no_such_seat, physical=True)

CORRECTIONS = (
    Verb[State, SetGold](
        SetGold,
        (DEALT,),
        lambda s, actor: (SetGold(actor, SeatId(seat), 0) for seat in seats_of(s)),
        (SEAT_THERE, Rule(RuleId("P.o"), "in-span", _out_of(0, MOST_GOLD), physical=True)),
        lambda s, i: (e.GoldSet(i.seat, i.number),),
        asks=True,
        span=lambda s, i: (0, MOST_GOLD),
        now=present.gold,
    ),
    Verb[State, SetNumber](
        SetNumber,
        (RUNNING, DEALT),
        lambda s, actor: (SetNumber(actor, SeatId(seat), 0) for seat in seats_of(s)),
        (SEAT_THERE, Rule(RuleId("P42"), "in-span", _out_of(0, HIGHEST), physical=True)),
        lambda s, i: (e.NumberSet(i.seat, i.number),),
        asks=True,
        span=lambda s, i: (0, HIGHEST),
        now=present.number,
    ),
    Verb[State, DropNumber](
        DropNumber,
        (RUNNING, DEALT),
        lambda s, actor: (DropNumber(actor, SeatId(seat)) for seat in seats_of(s)),
        (SEAT_THERE, Rule(RuleId("P42"), "number-there", _numberless, physical=True)),
        lambda s, i: (e.NumberRemoved(i.seat),),
        asks=True,
    ),
    Verb[State, SetPawn](
        SetPawn,
        (RUNNING, DEALT),
        _pawns,
        (SEAT_THERE, SPACE_THERE),
        lambda s, i: (e.PawnSet(i.seat, i.space),),
        asks=True,
        now=present.pawn,
    ),
    Verb[State, SetTurn](
        SetTurn,
        (RUNNING, DEALT, guard("P20", "between-acts", _in_between, Basis.SETTLING, physical=True)),
        lambda s, actor: (SetTurn(actor, SeatId(seat)) for seat in seats_of(s)),
        (SEAT_THERE,),
        lambda s, i: (e.TurnSet(i.seat),),
        asks=True,
        now=present.turn,
    ),
    Verb[State, SetDie](
        SetDie,
        (RUNNING, guard("P27", "die-there", _no_die, Basis.STEP, physical=True)),
        lambda s, actor: (SetDie(actor, die_span(s)[0]),),
        (
            Rule(RuleId("P19"), "dice-sum", _no_such_sum(Going), physical=True),
            Rule(RuleId("P27"), "dice-sum", _no_such_sum(Dice, Hit), physical=True),
        ),
        lambda s, i: (e.DieSet(i.number),),
        asks=True,
        span=lambda s, i: die_span(s),
        now=present.die,
    ),
    Verb[State, TurnCard](
        TurnCard,
        (RUNNING,),
        lambda s, actor: (TurnCard(actor, piece) for machine in s.machines for piece in machine.attached()),
        (Rule(RuleId("P13"), "attached", _loose, physical=True),),
        lambda s, i: (e.CardTurned(owner_of(s, i.card), i.card),),
        asks=True,
    ),
    Verb[State, MoveCard](
        MoveCard,
        (RUNNING, DEALT, guard("P46", "no-card-in-hand", _card_in_hand, Basis.SETTLING, physical=True)),
        _moves,
        (
            Rule(RuleId("P4"), "an-upgrade", _no_upgrade, physical=True),
            Rule(RuleId("P46"), "place-there", _no_such_place, physical=True),
            Rule(RuleId("P5"), "own-slot", _wrong_slot, physical=True),
            Rule(RuleId("P5"), "slot-free", _slot_full, physical=True),
        ),
        lambda s, i: (e.CardMoved(i.card, i.place),),
        asks=True,
    ),
    DESCRIBE,
)
