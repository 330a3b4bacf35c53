"""Selling, staying, agreeing to stop (T7, T21–T23, T29, T.b, T.y, T.af)."""

from __future__ import annotations

from companion.core import Basis, Event, Facts, Rule, RuleId, Seat, SeatId, Verb, alone, left_of, unless
from companion.games.timeline import events as e
from companion.games.timeline.state import GOODS, WINNING, State, good_word, sellable, spot_of, worth

from .guards import BETWEEN_MOVES, ENTERED, MAY_SELL, ON_TURN, guard
from .intents import AgreeToStop, KeepGoods, Sell, Stay
from .meant import own_market


def _unconnected(state: State, intent: Sell) -> Facts | None:
    spot = spot_of(state, intent.actor)
    return unless(spot.column > len(state.columns) and sellable(state, spot) is None)


def stock(state: State, seat: SeatId) -> int:
    """How many counters of the connected good a seat in a market has."""
    good = sellable(state, spot_of(state, seat))
    return 0 if good is None else state.goods[seat][good]


def _none_held(state: State, intent: Sell) -> Facts | None:
    good = sellable(state, spot_of(state, intent.actor))
    return unless(True, good=good_word(good)) if good is not None and not stock(state, intent.actor) else None


def _too_many(state: State, intent: Sell) -> Facts | None:
    held = stock(state, intent.actor)
    return unless(held > 0 and not 1 <= intent.number <= held, high=held)


def _sales(state: State, actor: SeatId) -> tuple[Sell, ...]:
    return (Sell(actor, 1),)


def _sold(state: State, intent: Sell) -> tuple[Event, ...]:
    spot = spot_of(state, intent.actor)
    good = sellable(state, spot)
    assert good is not None
    gold = intent.number * worth(state.setup.pack, spot.lane)
    sold = e.Sold(intent.actor, intent.number, GOODS[good], gold)
    if state.gold[intent.actor] + gold >= WINNING:
        return sold, e.Won(intent.actor)
    return sold, e.TurnPassed(left_of(state, intent.actor))


def _agreed(state: State, actor: SeatId) -> Facts | None:
    return None if actor not in state.agreed else unless(True, seat=Seat(actor))


def _stop(state: State, intent: AgreeToStop) -> tuple[Event, ...]:
    last = len(state.agreed) + 1 == len(state.gold)
    return (e.AgreedToStop(intent.actor), e.Stopped()) if last else (e.AgreedToStop(intent.actor),)


MARKET = (
    Verb[State, Sell](
        Sell,
        MAY_SELL,
        _sales,
        (
            Rule(RuleId("T22"), "connected", _unconnected, physical=True),
            Rule(RuleId("T21"), "has-good", _none_held, physical=True),
            Rule(RuleId("T.y"), "in-stock", _too_many, physical=True, basis=Basis.PRICE),
        ),
        _sold,
        asks=True,
        span=lambda state, intent: (1, max(1, stock(state, intent.actor))),
        also=own_market,
    ),
    Verb[State, KeepGoods](
        KeepGoods,
        ENTERED,
        alone(KeepGoods),
        (),
        lambda state, intent: (e.KeptGoods(intent.actor), e.TurnPassed(left_of(state, intent.actor))),
        listed=False,
        sure=True,
    ),
    Verb[State, Stay](
        Stay,
        ON_TURN,
        alone(Stay),
        (),
        lambda state, intent: (e.Stayed(intent.actor), e.TurnPassed(left_of(state, intent.actor))),
        asks=True,
        sure=True,
    ),
)

STOP = (
    Verb[State, AgreeToStop](
        AgreeToStop,
        (
            *BETWEEN_MOVES,
            guard("T.af", "not-agreed", _agreed, Basis.THING),
        ),
        alone(AgreeToStop),
        (),
        _stop,
        asks=True,
        sure=True,
    ),
)
