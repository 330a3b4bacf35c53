"""What hands could mean, legal or not, and the drawn things that mean it; asked for a reason, or of what is touched."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.ids import UNKNOWN, PieceId, PlaceId, SeatId
from companion.core.rules import Intent, Token
from companion.games.timeline.lanes import end_of_line, met_in
from companion.games.timeline.places import card_place, column_place, market_place, place_numbers, stop_place
from companion.games.timeline.state import State, Stopping, card_on, find, is_blank, spot_of

from .intents import EnterMarket, Explore, Flip, Move, Place, Sell, StopOn, Travel

NUMBERS = (1, 2, 3, 4)


def every_card(state: State) -> Iterator[PieceId]:
    """Any card that a hand may lay down: those that lie face up, and those that nobody has seen."""
    yield from (laid.card for column in state.columns for laid in column if laid.lines)
    yield from (card for card in state.deck if card != UNKNOWN)


def any_place(state: State, actor: SeatId) -> Iterator[Place]:
    return (Place(actor, card, number) for card in every_card(state) for number in NUMBERS)


def any_move(state: State, actor: SeatId) -> Iterator[Move]:
    return (Move(actor, card, number) for card in every_card(state) for number in NUMBERS)


def any_stop(state: State, actor: SeatId) -> Iterator[StopOn]:
    return (StopOn(actor, number) for number in NUMBERS)


def any_travel(state: State, actor: SeatId) -> Iterator[Travel]:
    return (Travel(actor, card) for card in every_card(state))


def any_exploration(state: State, actor: SeatId) -> Iterator[Explore]:
    return (Explore(actor, column_place(number)) for number, _ in enumerate(state.columns, 1))


def any_flip(state: State, actor: SeatId) -> Iterator[Flip]:
    for number, column in enumerate(state.columns, 1):
        yield from (Flip(actor, card_place(number, at)) for at, laid in enumerate(column, 1) if is_blank(laid))


def _place(place: PlaceId) -> tuple[Token, ...]:
    return (Token("place", place),)


def waypoint(state: State, intent: Place | Move) -> tuple[Token, ...]:
    found = find(state, intent.card)
    return () if found is None else _place(stop_place(found[0], found[1].top + intent.number - 1))


def new_card(state: State, intent: StopOn) -> tuple[Token, ...]:
    """The card just laid, and the waypoint on it."""
    step = state.steps[-1]
    if not isinstance(step, Stopping):
        return ()
    laid = card_on(state.columns[step.column - 1], step.top)
    assert laid is not None, "a stop is awaited on the card laid there"
    return Token("piece", laid.card), *_place(stop_place(step.column, laid.top + intent.number - 1))


def on_the_line(state: State, intent: Travel) -> tuple[Token, ...]:
    """The waypoint where the own line meets the card; off the line, any of the card."""
    found = find(state, intent.card)
    if found is None:
        return ()
    number, laid = found
    met = met_in(state, intent.actor, number)
    lanes = (met.lane,) if met is not None and met.laid == laid else range(laid.top, laid.top + 4)
    return tuple(Token("place", stop_place(number, lane)) for lane in lanes)


def blank_met(state: State, intent: Explore) -> tuple[Token, ...]:
    """The blank that the own line meets in that column."""
    numbers = place_numbers(intent.place, "column")
    met = met_in(state, intent.actor, numbers[0]) if len(numbers) == 1 else None
    if met is None or met.laid is None or not is_blank(met.laid):
        return ()
    return _place(card_place(met.column, state.columns[met.column - 1].index(met.laid) + 1))


def own_column(state: State, intent: Intent) -> tuple[Token, ...]:
    """The column above and below which new cards go."""
    column = spot_of(state, intent.actor).column
    return _place(column_place(column)) if 0 < column <= len(state.columns) else ()


def end_of_own_line(state: State, intent: EnterMarket) -> tuple[Token, ...]:
    spot = spot_of(state, intent.actor)
    return _place(market_place(end_of_line(state, spot))) if spot.column else ()


def own_market(state: State, intent: Sell) -> tuple[Token, ...]:
    spot = spot_of(state, intent.actor)
    return _place(market_place(spot.lane)) if spot.column > len(state.columns) else ()
