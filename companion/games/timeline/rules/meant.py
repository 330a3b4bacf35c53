"""What hands could mean, legal or not, and the drawn things that mean it; for reasons, and for what is touched."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core import UNKNOWN, Intent, PieceId, PlaceId, SeatId, Token, seats_of
from companion.games.timeline.state import (
    FINISH,
    State,
    Stopping,
    card_on,
    card_place,
    column_place,
    end_of_line,
    find,
    head_place,
    is_blank,
    market_place,
    met_in,
    numbers_of,
    pawn_of,
    place_numbers,
    spot_of,
    stop_place,
)

from .intents import (
    Drew,
    EnterMarket,
    Explore,
    Flip,
    Move,
    PawnToMarket,
    Place,
    RemoveBlank,
    RemoveCard,
    Sell,
    SetCounter,
    SetFace,
    SetPawn,
    SetTurn,
    StopOn,
    Travel,
)

NUMBERS = (1, 2, 3, 4)


def every_card(state: State) -> Iterator[PieceId]:
    """Any card that a hand may lay down: the face-up ones, and those that nobody has seen."""
    yield from (laid.card for column in state.columns for laid in column if laid.lines)
    yield from (card for card in state.deck if card != UNKNOWN)


def any_draw(state: State, actor: SeatId) -> Iterator[Drew]:
    return (Drew(actor, card) for card in every_card(state))


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


# Corrections


def every_laid(state: State) -> Iterator[PlaceId]:
    """Where cards lie, face up or not."""
    for number, column in enumerate(state.columns, 1):
        yield from (card_place(number, at) for at, _ in enumerate(column, 1))


def any_turn(state: State, actor: SeatId) -> Iterator[SetTurn]:
    return (SetTurn(actor, SeatId(seat)) for seat in seats_of(state))


def any_counter(state: State, actor: SeatId) -> Iterator[SetCounter]:
    return (SetCounter(actor, card, number) for card in every_card(state) for number in NUMBERS)


def any_pawn(state: State, actor: SeatId) -> Iterator[SetPawn]:
    for seat in seats_of(state):
        yield from (SetPawn(actor, SeatId(seat), card, number) for card in every_card(state) for number in NUMBERS)


def any_removal(state: State, actor: SeatId) -> Iterator[RemoveCard]:
    return (RemoveCard(actor, card) for card in every_card(state))


def any_blank_gone(state: State, actor: SeatId) -> Iterator[RemoveBlank]:
    return (RemoveBlank(actor, place) for place in every_laid(state))


def any_face(state: State, actor: SeatId) -> Iterator[SetFace]:
    return (SetFace(actor, place, card) for place in every_laid(state) for card in every_card(state))


# Things that mean an intent without being mentioned by it


def its_pawn(state: State, intent: SetPawn | PawnToMarket) -> tuple[Token, ...]:
    return (Token("piece", pawn_of(intent.seat)),)


def _place(place: PlaceId) -> tuple[Token, ...]:
    return (Token("place", place),)


def waypoint(state: State, intent: Place | Move) -> tuple[Token, ...]:
    found = find(state, intent.card)
    if found is None:
        return ()
    column, laid = found
    return (*_place(stop_place(column, laid.top + intent.number - 1)), *_place(head_place(column)))


def new_card(state: State, intent: StopOn) -> tuple[Token, ...]:
    """The card just laid, and the waypoint on it."""
    step = state.steps[-1]
    if not isinstance(step, Stopping):
        return ()
    laid = card_on(state.columns[step.column - 1], step.top)
    assert laid is not None, "a stop is awaited on the card laid there"
    return Token("piece", laid.card), *_place(stop_place(step.column, laid.top + intent.number - 1))


def on_the_line(state: State, intent: Travel) -> tuple[Token, ...]:
    """The waypoint where the pawn's line meets the card; off the line, any of the card's."""
    found = find(state, intent.card)
    if found is None:
        return ()
    number, laid = found
    met = met_in(state, intent.actor, number)
    lanes = (met.lane,) if met is not None and met.laid == laid else range(laid.top, laid.top + 4)
    return (*(Token("place", stop_place(number, lane)) for lane in lanes), *_place(head_place(number)))


def blank_met(state: State, intent: Explore) -> tuple[Token, ...]:
    """The blank that the pawn's line meets in that column, and the tray above it."""
    numbers = place_numbers(intent.place, "column")
    met = met_in(state, intent.actor, numbers[0]) if len(numbers) == 1 else None
    head = _place(head_place(numbers[0])) if len(numbers) == 1 else ()
    if met is None or met.laid is None or not is_blank(met.laid):
        return head
    return (*_place(card_place(met.column, state.columns[met.column - 1].index(met.laid) + 1)), *head)


def own_column(state: State, intent: Intent) -> tuple[Token, ...]:
    """The column that new cards go above and below."""
    column = spot_of(state, intent.actor).column
    return (*_place(column_place(column)), *_place(head_place(column))) if 0 < column <= len(state.columns) else ()


def head_of_blank(state: State, intent: Flip) -> tuple[Token, ...]:
    """The tray above the column of the blank."""
    return _place(head_place(numbers_of(intent.place, "card", 2)[0]))


def end_of_own_line(state: State, intent: EnterMarket) -> tuple[Token, ...]:
    spot = spot_of(state, intent.actor)
    return (*_place(market_place(end_of_line(state, spot))), *_place(FINISH)) if spot.column else ()


def own_market(state: State, intent: Sell) -> tuple[Token, ...]:
    spot = spot_of(state, intent.actor)
    return _place(market_place(spot.lane)) if spot.column > len(state.columns) else ()
