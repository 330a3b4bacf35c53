"""Monday: each counter claims, jumps, strengthens, boards the train or the rocket (F11–F19)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias, TypeVar

from companion.core import Basis, Event, Facts, Piece, Place, Rule, RuleId, Seat, SeatId, Verb, is_seat, top, unless
from companion.games.one_false_step import events as e
from companion.games.one_false_step.state import (
    NOBODYS,
    Dispute,
    Holding,
    State,
    active,
    active_one,
    bits,
    capacity,
    city_cards,
    claim_number,
    claims_of,
    county_of,
    holding,
    support,
    within_reach,
)

from .guards import MONDAY, of_table
from .intents import AttackRolled, BoardRocket, DefenceRolled, Jump, SendByTrain, Stake, Strengthen

Placing: TypeAlias = Stake | Jump | Strengthen | SendByTrain | BoardRocket
OnClaim: TypeAlias = Stake | Jump
C = TypeVar("C", Stake, Jump)
A = TypeVar("A", Strengthen, BoardRocket)
DIE = range(1, 7)


def ready(state: State, seat: SeatId) -> tuple[Holding, ...]:
    """A seat's Active cities with a counter in the middle of the card."""
    return tuple(held for held in active(state, seat) if held.middle) if is_seat(state, seat) else ()


def _no_counter(state: State, intent: Placing) -> Facts | None:
    held = active_one(state, intent.actor, intent.city)
    return unless(held is None or not held.middle, city=Piece(intent.city))


def _no_claim(state: State, intent: OnClaim) -> Facts | None:
    return unless(claim_number(state, intent.claim) is None)


def _occupied(state: State, intent: Stake) -> Facts | None:
    at = claim_number(state, intent.claim)
    owner = NOBODYS if at is None else state.claims[at]
    return unless(owner != NOBODYS, claim=Place(intent.claim), seat=Seat(owner))


def _unconnected(state: State, intent: OnClaim) -> Facts | None:
    at = claim_number(state, intent.claim)
    apart = at is not None and not within_reach(state, intent.actor, intent.city) >> at & 1
    return unless(apart, claim=Place(intent.claim), city=Piece(intent.city))


def _nobodys(state: State, intent: Jump) -> Facts | None:
    at = claim_number(state, intent.claim)
    return unless(at is not None and state.claims[at] == NOBODYS, claim=Place(intent.claim))


def _own(state: State, intent: Jump) -> Facts | None:
    at = claim_number(state, intent.claim)
    return unless(at is not None and state.claims[at] == intent.actor, claim=Place(intent.claim))


def _full(state: State, intent: Strengthen) -> Facts | None:
    most, held = capacity(state, intent.city), holding(state, intent.city)
    full = most is not None and held is not None and held.counters >= most
    return unless(full, city=Piece(intent.city), n=most or 0)


def _no_station(state: State, intent: SendByTrain) -> Facts | None:
    return unless(active_one(state, intent.actor, intent.to) is None, city=Piece(intent.to))


def _stakes(state: State, actor: SeatId) -> Iterator[Stake]:
    claims, owners = county_of(state).claims, state.claims
    for held in ready(state, actor):
        for at in bits(within_reach(state, actor, held.city)):
            if owners[at] == NOBODYS:
                yield Stake(actor, held.city, claims[at])


def _jumps(state: State, actor: SeatId) -> Iterator[Jump]:
    claims, owners, mine = county_of(state).claims, state.claims, claims_of(state, actor)
    for held in ready(state, actor):
        for at in bits(within_reach(state, actor, held.city) & ~mine):
            if owners[at] != NOBODYS:
                yield Jump(actor, held.city, claims[at])


def _trains(state: State, actor: SeatId) -> Iterator[SendByTrain]:
    return (SendByTrain(actor, held.city, to.city) for held in ready(state, actor) for to in active(state, actor))


def _jumped(state: State, intent: Jump) -> tuple[Event, ...]:
    at = claim_number(state, intent.claim)
    assert at is not None
    defender = state.claims[at]
    jumped = e.Jumped(intent.actor, intent.city, intent.claim, defender)
    if support(state, at) is None:
        return (jumped, e.ClaimFell(intent.actor, intent.claim, defender))
    return (jumped,)


def _by_nearness(state: State, actor: SeatId) -> list[Holding]:
    """All cities, starting with those the actor most likely means."""
    return sorted(state.owned, key=lambda held: (held.seat != actor, bool(held.chips), not held.middle))


def _anywhere(cls: type[C]) -> Callable[[State, SeatId], Iterator[C]]:
    """A counter of any city, laid on any claim."""
    return lambda state, actor: (
        cls(actor, held.city, claim) for held in _by_nearness(state, actor) for claim in county_of(state).claims
    )


def _any_city(cls: type[A]) -> Callable[[State, SeatId], Iterator[A]]:
    return lambda state, actor: (cls(actor, city) for city in city_cards(state.setup.pack))


def _any_train(state: State, actor: SeatId) -> Iterator[SendByTrain]:
    cities = _by_nearness(state, actor)
    return (SendByTrain(actor, held.city, to.city) for held in cities for to in cities)


COUNTER: Rule[State, Any] = Rule(RuleId("F11"), "counter-there", _no_counter, physical=True, basis=Basis.PLACE)
CLAIM: Rule[State, Any] = Rule(RuleId("F12"), "claim-there", _no_claim, physical=True)
CONNECTED: Rule[State, Any] = Rule(RuleId("F13"), "connected", _unconnected, basis=Basis.PLACE)

PLACING = (
    Verb[State, Stake](
        Stake,
        MONDAY,
        _stakes,
        (COUNTER, CLAIM, Rule(RuleId("F12"), "unoccupied", _occupied, physical=True), CONNECTED),
        lambda s, i: (e.Staked(i.actor, i.city, i.claim),),
        thinkable=_anywhere(Stake),
    ),
    Verb[State, Jump](
        Jump,
        MONDAY,
        _jumps,
        (
            COUNTER,
            CLAIM,
            Rule(RuleId("F14"), "occupied", _nobodys, physical=True),
            Rule(RuleId("F.ag"), "not-own", _own, physical=True),
            CONNECTED,
        ),
        _jumped,
        asks=True,
        thinkable=_anywhere(Jump),
    ),
    Verb[State, Strengthen](
        Strengthen,
        MONDAY,
        lambda state, actor: (Strengthen(actor, held.city) for held in ready(state, actor)),
        (COUNTER, Rule(RuleId("F36"), "room", _full)),
        lambda s, i: (e.Strengthened(i.actor, i.city),),
        thinkable=_any_city(Strengthen),
    ),
    Verb[State, SendByTrain](
        SendByTrain,
        MONDAY,
        _trains,
        (COUNTER, Rule(RuleId("F17"), "station", _no_station, physical=True, basis=Basis.PLACE)),
        lambda s, i: (e.SentByTrain(i.actor, i.city, i.to),),
        thinkable=_any_train,
    ),
    Verb[State, BoardRocket](
        BoardRocket,
        MONDAY,
        lambda state, actor: (BoardRocket(actor, held.city) for held in ready(state, actor)),
        (COUNTER,),
        lambda s, i: (e.RocketBoarded(i.actor, i.city),),
        thinkable=_any_city(BoardRocket),
    ),
)


def _dispute(state: State) -> Dispute | None:
    step = top(state)
    return step if isinstance(step, Dispute) else None


def _attack_due(state: State) -> bool:
    step = _dispute(state)
    return step is not None and not step.roll


def _defence_due(state: State) -> bool:
    step = _dispute(state)
    return step is not None and step.roll > 0


def _no_die(state: State, intent: AttackRolled | DefenceRolled) -> Facts | None:
    return unless(intent.number not in DIE, low=DIE[0], high=DIE[-1])


def strength(state: State, step: Dispute) -> int:
    """What the attacker adds: the counters in the city that the jumping counter came from (F.ab)."""
    held = holding(state, step.city)
    return held.counters if held else 0


def _attacked(state: State, intent: AttackRolled) -> tuple[Event, ...]:
    step = _dispute(state)
    assert step is not None
    return (e.AttackFell(step.seat, intent.number, intent.number + strength(state, step)),)


def _defended(state: State, intent: DefenceRolled) -> tuple[Event, ...]:
    """F14: the higher sum wins, ties go to the defender."""
    step = _dispute(state)
    assert step is not None
    claim = county_of(state).claims[step.claim]
    total = intent.number + (support(state, step.claim) or 0)
    fell = e.DefenceFell(step.defender, intent.number, total)
    if step.roll + strength(state, step) > total:
        return (fell, e.DisputeWon(step.seat, claim, step.defender))
    return (fell, e.DisputeLost(step.seat, claim, step.defender))


DIE_THERE: Rule[State, Any] = Rule(RuleId("F14"), "die", _no_die, physical=True)
DICE = (
    Verb[State, AttackRolled](
        AttackRolled,
        of_table("F14", "attack-due", _attack_due),
        lambda state, actor: (AttackRolled(actor, n) for n in DIE),
        (DIE_THERE,),
        _attacked,
        chance=True,
    ),
    Verb[State, DefenceRolled](
        DefenceRolled,
        of_table("F14", "defence-due", _defence_due),
        lambda state, actor: (DefenceRolled(actor, n) for n in DIE),
        (DIE_THERE,),
        _defended,
        chance=True,
    ),
)
