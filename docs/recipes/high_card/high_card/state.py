"""What lies where, what became true, and what the game waits for."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from companion.core import (
    TABLE,
    Decision,
    Deck,
    GameId,
    Guarded,
    Hidden,
    Lies,
    Line,
    PieceId,
    PlaceId,
    Public,
    Result,
    Seat,
    SeatId,
    Setup,
    Static,
    deck_of,
    including,
    rules,
    say,
    without,
)

Cards = tuple[PieceId, ...]
HAND: Final = 3


class Pack(Struct, frozen=True):
    highest: int


NO_SETUP: Final[Setup[Pack]] = Setup(GameId("high-card"), 1, 0, (), Pack(0))


class State(Struct, frozen=True, omit_defaults=True):
    """`lead` began the round; `laid` has its cards in the order of play, `gone` those of earlier rounds."""

    lead: Public[SeatId]
    deck: Guarded[Deck]
    hands: Guarded[tuple[Hidden[Cards], ...]]
    won: Public[tuple[int, ...]]
    to_deal: Public[int]
    laid: Public[Cards] = ()
    gone: Public[Cards] = ()
    setup: Static[Setup[Pack]] = NO_SETUP


class Dealt(rules.Event, frozen=True):
    seat: Public[SeatId]
    card: Guarded[Hidden[PieceId]]
    reveals = True
    concerns = "hands"


class Laid(rules.Event, frozen=True):
    seat: Public[SeatId]
    card: Public[PieceId]
    concerns = "hands"


class RoundWon(rules.Event, frozen=True):
    seat: Public[SeatId]
    concerns = "hands"


class RoundsSet(rules.Event, frozen=True):
    seat: Public[SeatId]
    number: Public[int]


Event = Dealt | Laid | RoundWon | RoundsSet


def cards(pack: Pack) -> Cards:
    return tuple(PieceId(f"card-{n:02}") for n in range(1, pack.highest + 1))


def value(card: PieceId) -> int:
    return int(card[-2:]) if card[-2:].isdecimal() else 0


def start(setup: Setup[Pack]) -> State:
    nothing = tuple(Hidden[Cards]((), (seat,)) for seat in setup.everyone())
    deck = deck_of(cards(setup.pack))
    return State(SeatId(0), deck, nothing, (0,) * setup.seats, HAND * setup.seats, setup=setup)


def turn(state: State) -> SeatId:
    """Who lays the next card, or is dealt it."""
    return SeatId((state.lead + len(state.laid) - state.to_deal) % len(state.won))


def decisions(state: State) -> tuple[Decision, ...]:
    if state.to_deal:
        return (Decision("deal", (TABLE,), str(state.to_deal)),)
    now = turn(state)
    done = len(state.gone) + len(state.laid)
    return (Decision("turn", (now,), str(done)),) if state.hands[now].value else ()


def forced(state: State) -> tuple[Event, ...]:
    """H3."""
    if len(state.laid) < len(state.won):
        return ()
    best = state.laid.index(max(state.laid, key=value))
    return (RoundWon(SeatId((state.lead + best) % len(state.won))),)


def apply(state: State, event: Event) -> State:
    match event:
        case Dealt(seat, card):
            dealt = with_hand(state, seat, including(state.hands[seat].value, card.value))
            return replace(dealt, deck=state.deck.without(card.value), to_deal=max(state.to_deal - 1, 0))
        case Laid(seat, card):
            return replace(with_hand(state, seat, without(state.hands[seat].value, card)), laid=(*state.laid, card))
        case RoundWon(seat):
            won = with_won(state, seat, state.won[seat] + 1)
            return replace(won, lead=seat, laid=(), gone=(*state.gone, *state.laid))
        case RoundsSet(seat, number):
            return with_won(state, seat, number)


def with_hand(state: State, seat: SeatId, held: Cards) -> State:
    return replace(state, hands=(*state.hands[:seat], Hidden(held, (seat,)), *state.hands[seat + 1 :]))


def with_won(state: State, seat: SeatId, number: int) -> State:
    return replace(state, won=(*state.won[:seat], number, *state.won[seat + 1 :]))


def result(state: State) -> Result | None:
    """H4."""
    if decisions(state):
        return None
    best = tuple(SeatId(seat) for seat, n in enumerate(state.won) if n == max(state.won))
    return Result(best, say("result.won", seat=Seat(best[0])) if len(best) == 1 else say("result.shared"))


def layout(state: State) -> tuple[Lies, ...]:
    held = [(card, f"hand/{seat}") for seat, hand in enumerate(state.hands) for card in hand.value]
    down = [*held, *((card, "deck") for card in (*(h.value for h in state.deck.top), *state.deck.unseen))]
    up = [*((card, "table") for card in state.laid), *((card, "discard") for card in state.gone)]
    lying = [Lies(card, PlaceId(place), "down") for card, place in down]
    return (*lying, *(Lies(card, PlaceId(place), "up") for card, place in up))


def series(state: State) -> tuple[Line, ...]:
    return (Line("series.rounds", state.won),)
