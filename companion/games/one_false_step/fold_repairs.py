"""The state after a fact of the table was set right."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from companion.core import Deck, PieceId, PlaceId, SeatId, swapped, top, with_steps, without

from . import events as e
from .fold_money import paid
from .state import (
    COLOURS,
    NOBODYS,
    Friday,
    Holding,
    Monday,
    State,
    Step,
    Thursday,
    Wednesday,
    added,
    county_of,
    holding,
    system_of,
)


def corrected(state: State, event: e.Repairs) -> State:
    match event:
        case e.ChipsSet(place=place, number=number):
            return _chips_set(state, place, number)
        case e.CountersSet(place=place, number=number):
            return _counters_set(state, place, number)
        case e.LevelSet(card=card, number=number):
            seat, system = int(card.partition("-")[2]) - 1, system_of(card) or 0
            return replace(state, levels=swapped(state.levels, seat, swapped(state.levels[seat], system, number)))
        case e.ClaimSet(claim=claim, seat=seat):
            return replace(state, claims=swapped(state.claims, county_of(state).claim_at[claim], seat))
        case e.ClaimCleared(claim=claim):
            return replace(state, claims=swapped(state.claims, county_of(state).claim_at[claim], NOBODYS))
        case e.KnowHowSet(card=card, seat=seat):
            return replace(state, know_how=swapped(state.know_how, system_of(card) or 0, seat))
        case e.KnowHowBanked(card=card):
            return replace(state, know_how=swapped(state.know_how, system_of(card) or 0, NOBODYS))
        case _:
            assert_never(event)


def _chips_set(state: State, place: PlaceId, number: int) -> State:
    """What was too many or too few goes to or comes from the Bank."""
    area, _, whose = place.partition("/")
    if area == "on":
        held = holding(state, PieceId(whose))
        assert held is not None
        bank = added(state.bank, 0, held.chips - number)
        return _still_due(replace(state, bank=bank, owned=_with(state, replace(held, chips=number))))
    at = SeatId(int(whose))
    for colour, amounts in zip(COLOURS, (state.red, state.food, state.gold), strict=True):
        if colour == area:
            return paid(state, at, colour, amounts[at] - number)
    return state


def _counters_set(state: State, place: PlaceId, number: int) -> State:
    area, _, whose = place.partition("/")
    if area == "rocket":
        return replace(state, crew=swapped(state.crew, int(whose), number))
    held = holding(state, PieceId(whose))
    assert held is not None
    match area:
        case "city":
            held = replace(held, counters=number)
        case "card":
            held = replace(held, middle=number)
        case _:
            held = replace(held, train=number)
    return replace(state, owned=_with(state, held))


def _with(state: State, held: Holding) -> tuple[Holding, ...]:
    return tuple(held if h.city == held.city else h for h in state.owned)


def moved(state: State, event: e.Moves) -> State:
    match event:
        case e.CityGiven(city=city, seat=seat):
            held = holding(state, city)
            if held is not None:
                return replace(state, owned=_with(state, replace(held, seat=seat)))
            lifted = _lifted(state, city)
            return replace(lifted, owned=(*state.owned, Holding(city, seat)))
        case e.CityDropped(city=city):
            held = holding(state, city)
            back = added(state.bank, 0, held.chips if held else 0)
            lifted = replace(_lifted(state, city), bank=back)
            return _still_due(replace(lifted, gone=tuple(sorted((*lifted.gone, city)))))
        case e.ButtonSet(seat=seat):
            return replace(state, button=seat)
        case e.TurnSet(seat=seat):
            return with_steps(state, Monday(seat) if isinstance(top(state), Monday) else Thursday(seat))
        case e.WeekSet(number=number):
            return replace(state, week=number)
        case _:
            assert_never(event)


def _lifted(state: State, city: PieceId) -> State:
    """The City card taken from wherever it lies."""
    if city in state.gone:
        return replace(state, gone=tuple(c for c in state.gone if c != city))
    if any(h.city == city for h in state.owned):
        return replace(state, owned=tuple(h for h in state.owned if h.city != city))
    if any(city in cards for cards in state.starved):
        return replace(state, starved=tuple(tuple(c for c in cards if c != city) for cards in state.starved))
    known = tuple(hidden for hidden in state.deck.top if hidden.value != city)
    if len(known) < len(state.deck.top):
        return replace(state, deck=Deck(known, state.deck.unseen))
    return replace(state, deck=Deck(known, without(state.deck.unseen, city)))


def _still_due(state: State) -> State:
    """A day waits only for cities that are still there and as they were."""
    step: Step | None = top(state)
    here = {h.city: h.chips for h in state.owned}
    match step:
        case Wednesday(due=due):
            return with_steps(state, Wednesday(tuple(c for c in due if here.get(c) == 0)))
        case Friday(due=due):
            return with_steps(state, Friday(tuple(c for c in due if here.get(c))))
        case _:
            return state
