"""`apply` for corrections: a fact of the table as it really is."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from companion.core import (
    EVERYONE,
    NOBODY,
    Deck,
    Hidden,
    PieceId,
    PlaceId,
    SeatId,
    including,
    instead,
    seats_of,
    swapped,
)

from . import events as e
from .state import (
    NO_NUMBER,
    SLOTS,
    Dice,
    Going,
    Hit,
    State,
    board_of,
    drive,
    in_sight,
    into_market,
    known,
    off_machine,
    onto_junkyard,
    owner_of,
    turn_steps,
    turned,
    upgrade_of,
    with_card,
    with_machine,
)


def corrected(state: State, event: e.Correcting) -> State:
    match event:
        case e.GoldSet(seat=seat, number=number):
            return with_machine(state, seat, replace(state.machines[seat], gold=number))
        case e.NumberSet(seat=seat, number=number):
            return with_machine(state, seat, replace(state.machines[seat], number=number))
        case e.NumberRemoved(seat=seat):
            return with_machine(state, seat, replace(state.machines[seat], number=NO_NUMBER))
        case e.PawnSet(seat=seat, place=place):
            return with_machine(state, seat, replace(state.machines[seat], at=place))
        case e.TurnSet(seat=seat):
            return replace(state, turn=seat, turns=state.turns + 1, used=(), revived=(), steps=turn_steps(seat))
        case e.DieSet(number=number):
            return _die(state, number)
        case e.CardTurned(seat=seat, card=card):
            machine = state.machines[seat]
            return with_machine(state, seat, turned(machine, card, not machine.is_on(card)))
        case e.CardMoved(card=card, place=place):
            return _laid(lifted(state, card), card, place)
        case e.CardDescribed(upgrade=upgrade, board=board):
            return _described(replace(state, due=board or state.due), upgrade)
        case _:
            assert_never(event)


def _described(state: State, fresh: Hidden[str]) -> State:
    """A later description replaces an earlier one; ranks may have changed, and power with them."""
    told = upgrade_of(fresh.value)
    rest = tuple(old for old in state.described if told is None or not _is_of(old, told.id))
    state = replace(state, described=(*rest, fresh))
    for seat in seats_of(state):
        state = with_machine(state, SeatId(seat), state.machines[seat])
    return state


def _is_of(description: Hidden[str], card: str) -> bool:
    told = upgrade_of(description.value)
    return told is not None and told.id == card


def shown(state: State) -> State:
    """A description is as public as its card has become."""
    seen = in_sight(state)
    told = ((hidden, upgrade_of(hidden.value)) for hidden in state.described)
    return replace(
        state,
        described=tuple(Hidden(h.value, EVERYONE) if up is not None and up.id in seen else h for h, up in told),
    )


def _die(state: State, number: int) -> State:
    """The last dice reported: of a move, of the attacker, of the defender."""
    step = state.steps[-1] if state.steps else None
    match step:
        case Going(seat=seat):
            plus = drive(known(state), state.machines[seat])[1]
            return instead(state, replace(step, reach=max(0, number + plus)))
        case Dice(fight=fight):
            return instead(state, replace(step, attack=number + fight.attack_plus))
        case Hit(fight=fight):
            return instead(state, Dice(fight, step.attack, number + fight.defence_plus))
        case _:
            return state


def lifted(state: State, card: PieceId) -> State:
    """The card taken from wherever it lies, and out of everybody's look."""
    looks = tuple(Hidden(tuple(c for c in look.value if c != card), look.known_by) for look in state.looks)
    state = replace(state, looks=looks)
    seat = owner_of(state, card)
    if seat >= 0:
        return off_machine(state, seat, card)
    labs = tuple(tuple(hidden for hidden in lab if hidden.value != card) for lab in state.labs)
    return replace(
        state,
        labs=labs,
        markets=tuple(tuple(c for c in cards if c != card) for cards in state.markets),
        junkyard=tuple(c for c in state.junkyard if c != card),
        deck=Deck(state.deck.top, tuple(c for c in state.deck.unseen if c != card)),
    )


def _laid(state: State, card: PieceId, place: PlaceId) -> State:
    """The card where it is said to lie; in the deck it is shuffled in."""
    if place == "deck":
        return replace(state, deck=Deck(state.deck.top, including(state.deck.unseen, card)))
    if place == "0/junkyard":
        return onto_junkyard(state, card)
    if place.startswith("slot/"):
        _, number, slot = place.split("/")
        seat = SeatId(int(number))
        return with_machine(state, seat, with_card(state.machines[seat], SLOTS.index(slot), card, True))
    if place.endswith("/lab"):
        board = board_of(place)
        return replace(state, labs=swapped(state.labs, board, (*state.labs[board], Hidden(card, NOBODY))))
    return into_market(state, card, place)
