"""Facts of the table set right. Only physical rules apply."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from companion.core import (
    Basis,
    Facts,
    Piece,
    PieceId,
    PlaceId,
    Rule,
    RuleId,
    SeatId,
    Verb,
    is_seat,
    seats_of,
    top,
    unless,
)
from companion.games.one_false_step import events as e
from companion.games.one_false_step.state import (
    BUTTON,
    COLOURS,
    HIGHEST_LEVEL,
    KNOW_HOW,
    NOBODYS,
    SYSTEMS,
    Auction,
    Monday,
    State,
    Thursday,
    claim_number,
    county_of,
    held,
    holding,
    pledged,
    rocket_card,
)

from . import present
from .guards import NO_ROLL, RUNNING, SET_UP, guard
from .intents import (
    BankKnowHow,
    ClearClaim,
    DropCity,
    GiveCity,
    SetButton,
    SetChips,
    SetClaim,
    SetCounters,
    SetKnowHow,
    SetLevel,
    SetTurn,
    SetWeek,
)

MOST_CHIPS: Final = 199
MOST_COUNTERS: Final = 99
LAST_WEEK: Final = 99
WithSeat: TypeAlias = SetClaim | SetKnowHow | GiveCity | SetButton | SetTurn
OfCity: TypeAlias = GiveCity | DropCity
OfClaim: TypeAlias = SetClaim | ClearClaim
OfKnowHow: TypeAlias = SetKnowHow | BankKnowHow


def chip_places(state: State) -> tuple[PlaceId, ...]:
    own = (f"{colour}/{seat}" for colour in COLOURS for seat in seats_of(state))
    return tuple(PlaceId(place) for place in (*own, *(f"on/{held.city}" for held in state.owned)))


def counter_places(state: State) -> tuple[PlaceId, ...]:
    cities = (f"{area}/{held.city}" for held in state.owned for area in ("city", "card", "train"))
    return tuple(PlaceId(place) for place in (*(f"rocket/{seat}" for seat in seats_of(state)), *cities))


def _rockets(state: State) -> tuple[PieceId, ...]:
    return tuple(rocket_card(system, SeatId(seat)) for seat in seats_of(state) for system in range(len(SYSTEMS)))


def _no_chip_place(state: State, intent: SetChips) -> Facts | None:
    return unless(intent.place not in chip_places(state))


def least(state: State, place: PlaceId) -> int:
    """The fewest chips there can be: those bid in an auction cannot be missing."""
    area, _, whose = place.partition("/")
    if not whose.isdecimal() or not is_seat(state, SeatId(int(whose))):
        return 0
    seat, step = SeatId(int(whose)), top(state)
    if isinstance(step, Auction) and step.city != BUTTON:
        return step.high if step.by == seat and area == "red" else 0
    number, colours = pledged(state, seat)
    others = (had for colour, had in held(state, seat).items() if colour in colours and colour != area)
    return max(0, number - sum(others)) if area in colours else 0


def _sells_city(state: State) -> bool:
    step = top(state)
    return isinstance(step, Auction) and step.city != BUTTON


def _city_unpayable(state: State, intent: SetChips) -> Facts | None:
    need = least(state, intent.place) if _sells_city(state) else 0
    return unless(need > max(0, intent.number), n=need)


def _button_unpayable(state: State, intent: SetChips) -> Facts | None:
    need = 0 if _sells_city(state) else least(state, intent.place)
    return unless(need > max(0, intent.number), n=need)


def _no_counter_place(state: State, intent: SetCounters) -> Facts | None:
    return unless(intent.place not in counter_places(state))


def _no_rocket(state: State, intent: SetLevel) -> Facts | None:
    return unless(intent.card not in _rockets(state), card=Piece(intent.card))


def _no_seat(state: State, intent: WithSeat) -> Facts | None:
    return unless(not is_seat(state, intent.seat))


def _no_claim(state: State, intent: OfClaim) -> Facts | None:
    return unless(claim_number(state, intent.claim) is None)


def _no_know_how(state: State, intent: OfKnowHow) -> Facts | None:
    return unless(intent.card not in KNOW_HOW, card=Piece(intent.card))


def _on_map(state: State, city: PieceId) -> bool:
    return city in county_of(state).city_at


def _no_city(state: State, intent: OfCity) -> Facts | None:
    return unless(not _on_map(state, intent.city), city=Piece(intent.city))


def _open_seat(state: State, intent: OfCity) -> Facts | None:
    return unless(any(seat.city == intent.city for seat in state.open_seats), city=Piece(intent.city))


def _turned_up(state: State, intent: OfCity) -> Facts | None:
    step = top(state)
    return unless(isinstance(step, Auction) and step.city == intent.city, city=Piece(intent.city))


def _dropped(state: State, intent: DropCity) -> Facts | None:
    out = bool(state.claims) and intent.city in state.gone and _on_map(state, intent.city)
    return unless(out, city=Piece(intent.city))


def _no_turn(state: State, actor: SeatId) -> Facts | None:
    return unless(not state.steps or not isinstance(state.steps[0], Monday | Thursday))


def _within(rule: str, low: int, high: int) -> Rule[State, Any]:
    def broken(state: State, intent: SetChips | SetCounters | SetLevel | SetWeek) -> Facts | None:
        return unless(not low <= intent.number <= high, low=low, high=high)

    return Rule(RuleId(rule), "in-span", broken, physical=True)


def _in_sight(state: State) -> Iterator[PieceId]:
    """The cities of the map whose cards lie open; an unseen one can still be named by laying its card."""
    yield from (held.city for held in state.owned)
    yield from (city for cards in state.starved for city in cards)
    yield from (hidden.value for hidden in state.deck.top)
    here = county_of(state).city_at if state.claims else {}
    yield from (city for city in state.gone if city in here)


def _claims(state: State, actor: SeatId) -> Iterator[SetClaim]:
    places = county_of(state).claims if state.claims else ()
    return (
        SetClaim(actor, claim, SeatId(seat))
        for claim, owner in zip(places, state.claims, strict=True)
        for seat in seats_of(state)
        if seat != owner
    )


def _taken(state: State, actor: SeatId) -> Iterator[ClearClaim]:
    places = county_of(state).claims if state.claims else ()
    pairs = zip(places, state.claims, strict=True)
    return (ClearClaim(actor, claim) for claim, owner in pairs if owner != NOBODYS)


def _gifts(state: State, actor: SeatId) -> Iterator[GiveCity]:
    for city in _in_sight(state):
        held = holding(state, city)
        yield from (GiveCity(actor, city, SeatId(s)) for s in seats_of(state) if held is None or held.seat != s)


SETTLED = (RUNNING, SET_UP, NO_ROLL)
SEAT: Rule[State, Any] = Rule(RuleId("F4"), "seat-there", _no_seat, physical=True)
CLAIM: Rule[State, Any] = Rule(RuleId("F12"), "claim-there", _no_claim, physical=True)
KNOW: Rule[State, Any] = Rule(RuleId("F38"), "know-how-there", _no_know_how, physical=True)
CITY: Rule[State, Any] = Rule(RuleId("F2"), "city-on-map", _no_city, physical=True)
FREE: tuple[Rule[State, Any], ...] = (
    Rule(RuleId("F5"), "city-not-in-opening", _open_seat, physical=True, basis=Basis.SETTLING),
    Rule(RuleId("F29"), "city-not-on-offer", _turned_up, physical=True, basis=Basis.SETTLING),
)

CORRECTIONS = (
    Verb[State, SetChips](
        SetChips,
        SETTLED,
        lambda state, actor: (SetChips(actor, place, least(state, place)) for place in chip_places(state)),
        (
            Rule(RuleId("F37"), "chips-there", _no_chip_place, physical=True),
            _within("F37", 0, MOST_CHIPS),
            Rule(RuleId("F.u"), "city-bid-covered", _city_unpayable, physical=True, basis=Basis.PRICE),
            Rule(RuleId("F.v"), "bid-covered", _button_unpayable, physical=True, basis=Basis.PRICE),
        ),
        lambda s, i: (e.ChipsSet(i.place, i.number),),
        asks=True,
        span=lambda s, i: (least(s, i.place), MOST_CHIPS),
        now=present.chips,
    ),
    Verb[State, SetCounters](
        SetCounters,
        SETTLED,
        lambda state, actor: (SetCounters(actor, place, 0) for place in counter_places(state)),
        (Rule(RuleId("F37"), "counters-there", _no_counter_place, physical=True), _within("F37", 0, MOST_COUNTERS)),
        lambda s, i: (e.CountersSet(i.place, i.number),),
        asks=True,
        span=lambda s, i: (0, MOST_COUNTERS),
        now=present.counters,
    ),
    Verb[State, SetLevel](
        SetLevel,
        SETTLED,
        lambda state, actor: (SetLevel(actor, card, 1) for card in _rockets(state)),
        (Rule(RuleId("F38"), "rocket-there", _no_rocket, physical=True), _within("F23", 1, HIGHEST_LEVEL)),
        lambda s, i: (e.LevelSet(i.card, i.number),),
        asks=True,
        span=lambda s, i: (1, HIGHEST_LEVEL),
        now=present.level,
    ),
    Verb[State, SetClaim](
        SetClaim,
        SETTLED,
        _claims,
        (CLAIM, SEAT),
        lambda s, i: (e.ClaimSet(i.claim, i.seat),),
        asks=True,
        now=present.claim,
    ),
    Verb[State, ClearClaim](ClearClaim, SETTLED, _taken, (CLAIM,), lambda s, i: (e.ClaimCleared(i.claim),), asks=True),
    Verb[State, SetKnowHow](
        SetKnowHow,
        SETTLED,
        lambda state, actor: (SetKnowHow(actor, card, SeatId(s)) for card in KNOW_HOW for s in seats_of(state)),
        (KNOW, SEAT),
        lambda s, i: (e.KnowHowSet(i.card, i.seat),),
        asks=True,
        now=present.know_how,
    ),
    Verb[State, BankKnowHow](
        BankKnowHow,
        SETTLED,
        lambda state, actor: (BankKnowHow(actor, card) for card in KNOW_HOW),
        (KNOW,),
        lambda s, i: (e.KnowHowBanked(i.card),),
        asks=True,
    ),
    Verb[State, GiveCity](
        GiveCity,
        SETTLED,
        _gifts,
        (CITY, *FREE, SEAT),
        lambda s, i: (e.CityGiven(i.city, i.seat),),
        asks=True,
        now=present.owner,
    ),
    Verb[State, DropCity](
        DropCity,
        SETTLED,
        lambda state, actor: (DropCity(actor, city) for city in _in_sight(state)),
        (CITY, *FREE, Rule(RuleId("F32"), "city-in-game", _dropped, physical=True)),
        lambda s, i: (e.CityDropped(i.city),),
        asks=True,
    ),
    Verb[State, SetButton](
        SetButton,
        SETTLED,
        lambda state, actor: (SetButton(actor, SeatId(seat)) for seat in seats_of(state) if seat != state.button),
        (SEAT,),
        lambda s, i: (e.ButtonSet(i.seat),),
        asks=True,
        now=present.button,
    ),
    Verb[State, SetTurn](
        SetTurn,
        (*SETTLED, guard("F39", "turn-open", _no_turn, Basis.STEP)),
        lambda state, actor: (SetTurn(actor, SeatId(seat)) for seat in seats_of(state)),
        (SEAT,),
        lambda s, i: (e.TurnSet(i.seat),),
        asks=True,
        now=present.turn,
    ),
    Verb[State, SetWeek](
        SetWeek,
        SETTLED,
        lambda state, actor: (SetWeek(actor, 1),),
        (_within("F9", 1, LAST_WEEK),),
        lambda s, i: (e.WeekSet(i.number),),
        asks=True,
        span=lambda s, i: (1, LAST_WEEK),
        now=present.week,
    ),
)
