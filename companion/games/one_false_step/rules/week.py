"""Wednesday's bills and Thursday's rockets (F21–F27)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.core import (
    Basis,
    Event,
    Facts,
    Piece,
    PieceId,
    Rule,
    RuleId,
    SeatId,
    Verb,
    alone,
    is_seat,
    left_of,
    seats_of,
    top,
    unless,
)
from companion.games.one_false_step import events as e
from companion.games.one_false_step.state import (
    HIGHEST_LEVEL,
    KNOW_HOW,
    NOBODYS,
    PARTY,
    ROCKET_SYSTEM,
    Cards,
    Shot,
    State,
    Thursday,
    Wednesday,
    active_one,
    card_of,
    city_cards,
    price,
    prices,
    rocket_card,
    rocket_cards,
    system_of,
    target,
)

from .guards import THURSDAY, WEDNESDAY, guard, of_table
from .intents import EndThursday, Feed, FeedAll, MoonShot, ShotRolled, Starve, Upgrade

TWO_DICE = range(2, 13)


def green(state: State, city: PieceId) -> int:
    card = card_of(state, city)
    return card.green if card else 0


def owed(state: State, seat: SeatId) -> Cards:
    """A seat's cities that are neither fed nor starved yet."""
    step = top(state)
    due = step.due if isinstance(step, Wednesday) else ()
    return tuple([city for city in due if active_one(state, seat, city)])


def _not_due(state: State, intent: Feed | Starve) -> Facts | None:
    step = top(state)
    if isinstance(step, Wednesday) and intent.city in step.due and active_one(state, intent.actor, intent.city):
        return None
    return unless(True, city=Piece(intent.city))


def _eats_nothing(state: State, intent: Feed | Starve) -> Facts | None:
    if green(state, intent.city) or active_one(state, intent.actor, intent.city) is None:
        return None
    return unless(True, city=Piece(intent.city))


def _hungry(state: State, intent: Feed) -> Facts | None:
    need, have = green(state, intent.city), state.food[intent.actor] if is_seat(state, intent.actor) else 0
    return unless(True, need=need, have=have) if have < need else None


def _owes_nothing(state: State, actor: SeatId) -> Facts | None:
    return unless(not owed(state, actor))


def _too_hungry(state: State, actor: SeatId) -> Facts | None:
    need = sum(green(state, city) for city in owed(state, actor))
    have = state.food[actor] if is_seat(state, actor) else 0
    return unless(have < need, need=need, have=have)


def _fed(state: State, actor: SeatId, cities: Cards) -> tuple[Event, ...]:
    return tuple(e.Fed(actor, city, green(state, city)) for city in cities)


DUE: Rule[State, Any] = Rule(RuleId("F21"), "city-due", _not_due, physical=True)
EATS: Rule[State, Any] = Rule(RuleId("F.ak"), "eats", _eats_nothing, physical=True)

MEALS = (
    Verb[State, FeedAll](
        FeedAll,
        (
            *WEDNESDAY,
            guard("F21", "owes", _owes_nothing, Basis.THING),
            guard("F21", "food-for-all", _too_hungry, Basis.PRICE),
        ),
        alone(FeedAll),
        (),
        lambda s, i: _fed(s, i.actor, owed(s, i.actor)),
        asks=True,
    ),
    Verb[State, Feed](
        Feed,
        WEDNESDAY,
        lambda state, actor: (Feed(actor, city) for city in owed(state, actor)),
        (EATS, DUE, Rule(RuleId("F21"), "food-enough", _hungry, physical=True, basis=Basis.PRICE)),
        lambda s, i: _fed(s, i.actor, (i.city,)),
        asks=True,
        thinkable=lambda state, actor: (Feed(actor, city) for city in city_cards(state.setup.pack)),
    ),
    Verb[State, Starve](
        Starve,
        WEDNESDAY,
        lambda state, actor: (Starve(actor, city) for city in owed(state, actor)),
        (EATS, DUE),
        lambda s, i: (e.Starved(i.actor, i.city),),
        asks=True,
        thinkable=lambda state, actor: (Starve(actor, city) for city in city_cards(state.setup.pack)),
    ),
)


def own_system(state: State, actor: SeatId, card: PieceId) -> int | None:
    """The system of a Rocket card, if the card is the actor's."""
    return ROCKET_SYSTEM.get((actor, card)) if is_seat(state, actor) else None


def _not_own(state: State, intent: Upgrade) -> Facts | None:
    return unless(own_system(state, intent.actor, intent.card) is None, card=Piece(intent.card))


def _highest(state: State, intent: Upgrade) -> Facts | None:
    system = own_system(state, intent.actor, intent.card)
    return unless(system is not None and state.levels[intent.actor][system] >= HIGHEST_LEVEL, n=HIGHEST_LEVEL)


def _too_dear(state: State, intent: Upgrade) -> Facts | None:
    system = own_system(state, intent.actor, intent.card)
    if system is None:
        return None
    need, have = price(state, state.levels[intent.actor][system] + 1), state.gold[intent.actor]
    return (("need", need), ("have", have)) if have < need else None


def fee_goes_to(state: State, seat: SeatId, system: int, level: int) -> SeatId:
    """F25: the holder of the Know-how gets 1 Gold for a level up to their own; else nobody does."""
    holder = state.know_how[system]
    owes = holder not in (NOBODYS, seat) and level <= state.levels[holder][system]
    return holder if owes else NOBODYS


def takes_know_how(state: State, seat: SeatId, system: int, level: int) -> bool:
    """F24, F.ao, F.ap: the first at a level that nobody had; the holder already has the card."""
    return state.know_how[system] != seat and level > max(levels[system] for levels in state.levels)


def _upgraded(state: State, intent: Upgrade) -> tuple[Event, ...]:
    seat, card = intent.actor, intent.card
    system = system_of(card)
    assert system is not None
    level = state.levels[seat][system] + 1
    gold, holder = price(state, level), fee_goes_to(state, seat, system, level)
    if holder != NOBODYS:
        return (e.UpgradedForFee(seat, card, level, gold - 1, holder),)
    taken = (e.KnowHowTaken(seat, KNOW_HOW[system]),) if takes_know_how(state, seat, system, level) else ()
    return (e.Upgraded(seat, card, level, gold), *taken)


def _shot_before(state: State, actor: SeatId) -> Facts | None:
    step = top(state)
    return unless(isinstance(step, Thursday) and step.shot and step.seat == actor)


def _no_party(state: State, actor: SeatId) -> Facts | None:
    have = state.food[actor] if is_seat(state, actor) else 0
    return unless(have < PARTY, need=PARTY, have=have)


def thursday_over(state: State, seat: SeatId) -> tuple[Event, ...]:
    last = left_of(state, seat) == state.button
    return (e.ThursdayDone(seat), *((e.DayCame("friday", state.week),) if last else ()))


def _rockets(state: State, actor: SeatId) -> Iterator[Upgrade]:
    return (Upgrade(actor, card) for card in rocket_cards(actor))


def _rockets_kept(state: State, actor: SeatId) -> list[Upgrade]:
    table, gold, levels = prices(state), state.gold[actor], state.levels[actor]
    return [
        Upgrade(actor, card)
        for card, level in zip(rocket_cards(actor), levels, strict=True)
        if level < HIGHEST_LEVEL and table[level] <= gold
    ]


def _any_rocket(state: State, actor: SeatId) -> Iterator[Upgrade]:
    return (Upgrade(actor, card) for seat in seats_of(state) for card in rocket_cards(SeatId(seat)))


ROCKETS = (
    Verb[State, Upgrade](
        Upgrade,
        THURSDAY,
        _rockets,
        (
            Rule(RuleId("F23"), "gold-enough", _too_dear, physical=True, basis=Basis.PRICE),
            Rule(RuleId("F38"), "own-rocket", _not_own, physical=True),
            Rule(RuleId("F23"), "level-there", _highest, physical=True),
        ),
        _upgraded,
        asks=True,
        thinkable=_any_rocket,
        kept=_rockets_kept,
    ),
    Verb[State, MoonShot](
        MoonShot,
        (
            *THURSDAY,
            guard("F22", "one-shot", _shot_before, Basis.STEP),
            guard("F.az", "party", _no_party, Basis.PRICE),
        ),
        alone(MoonShot),
        (),
        lambda s, i: (e.ShotTaken(i.actor, PARTY),),
        asks=True,
    ),
    Verb[State, EndThursday](EndThursday, THURSDAY, alone(EndThursday), (), lambda s, i: thursday_over(s, i.actor)),
)


def _no_sum(state: State, intent: ShotRolled) -> Facts | None:
    return unless(intent.number not in TWO_DICE, low=TWO_DICE[0], high=TWO_DICE[-1])


def _rolled(state: State, intent: ShotRolled) -> tuple[Event, ...]:
    step = top(state)
    assert isinstance(step, Shot)
    goal = target(state, state.levels[step.seat][step.rolled])
    card = rocket_card(step.rolled, step.seat)
    kind = e.SystemHeld if intent.number >= goal else e.SystemFailed
    return (kind(step.seat, card, intent.number, goal),)


SHOTS = (
    Verb[State, ShotRolled](
        ShotRolled,
        of_table("F26", "shot-due", lambda state: isinstance(top(state), Shot)),
        lambda state, actor: (ShotRolled(actor, n) for n in TWO_DICE),
        (Rule(RuleId("F26"), "two-dice", _no_sum, physical=True),),
        _rolled,
        chance=True,
    ),
)
