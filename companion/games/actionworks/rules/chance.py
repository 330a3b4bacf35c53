"""What the table does: name the first player, deal Demands, draw Parts (A3–A5, A9, A12)."""

from __future__ import annotations

from companion.core import Event, Facts, Hidden, Rule, RuleId, SeatId, Verb, is_seat, seats_of, top, unless
from companion.games.actionworks import events as e
from companion.games.actionworks.state import (
    Cards,
    Dealing,
    DealingDemands,
    Effects,
    Flipping,
    Looking,
    Naming,
    State,
    demands_left,
)

from .guards import of_table
from .intents import Dealt, Drew, NameFirst


def demand_goes_to(state: State, left: int) -> SeatId:
    """Demands go round the table evenly from the first player, so the last goes to the seat on that player's right."""
    return SeatId((state.first - left) % len(state.totals))


def hand_dealt(state: State, left: int) -> SeatId:
    """Two Parts per hand, from the first player round; the last two go to the seat on that player's right."""
    return SeatId((state.first - (left + 1) // 2) % len(state.totals))


def candidates(state: State) -> Cards:
    """The Parts that the awaited draw may turn up."""
    match top(state):
        case Looking():
            return state.deck.unseen
        case Flipping() | Dealing():
            return state.deck.next()
        case _:
            return ()


def _draw_due(state: State) -> bool:
    return isinstance(top(state), Flipping | Dealing | Looking)


def _firsts(state: State, actor: SeatId) -> list[NameFirst]:
    return [NameFirst(actor, SeatId(seat)) for seat in seats_of(state)]


def _no_such_seat(state: State, intent: NameFirst) -> Facts | None:
    return unless(not is_seat(state, intent.seat))


def _not_left(state: State, intent: Dealt) -> Facts | None:
    return unless(intent.card not in demands_left(state))


def _not_next(state: State, intent: Drew) -> Facts | None:
    return unless(_draw_due(state) and intent.card not in candidates(state))


def _named(state: State, intent: NameFirst) -> tuple[Event, ...]:
    return (e.FirstNamed(intent.seat),)


def _dealt(state: State, intent: Dealt) -> tuple[Event, ...]:
    step = top(state)
    assert isinstance(step, DealingDemands)
    return (e.DemandDealt(demand_goes_to(state, step.left), intent.card),)


def _drawn(state: State, intent: Drew) -> tuple[Event, ...]:
    match top(state):
        case Dealing(left=left):
            seat = hand_dealt(state, left)
            return (e.Drawn(seat, Hidden(intent.card, (seat,))),)
        case Looking(seat=seat):
            return (e.LookedAtDeck(seat, Hidden(intent.card, (seat,))),)
        case _:
            return (e.Flipped(intent.card),)


def look_again(state: State, seat: SeatId) -> tuple[Event, ...]:
    """The event of looking at a card that someone knows already; () if the next card is unseen (A.w)."""
    plan = state.steps[-2]
    assert isinstance(plan, Effects)
    if plan.looked == len(state.deck.top):
        return ()
    hidden = state.deck.top[plan.looked]
    knowers = tuple(sorted({*hidden.known_by, seat}))
    return (e.LookedAtDeck(seat, Hidden(hidden.value, knowers)),)


CHANCE = (
    Verb[State, NameFirst](
        NameFirst,
        of_table("A.af", "naming", lambda state: isinstance(top(state), Naming)),
        _firsts,
        (Rule(RuleId("A5"), "seat-there", _no_such_seat, physical=True),),
        _named,
        chance=True,
        sure=True,
    ),
    Verb[State, Dealt](
        Dealt,
        of_table("A3", "demand-due", lambda state: isinstance(top(state), DealingDemands)),
        lambda state, actor: [Dealt(actor, card) for card in demands_left(state)],
        (Rule(RuleId("A3"), "demand-left", _not_left, physical=True),),
        _dealt,
        chance=True,
        sure=True,
    ),
    Verb[State, Drew](
        Drew,
        of_table("A4", "draw-due", _draw_due),
        lambda state, actor: [Drew(actor, card) for card in candidates(state)],
        # The refusal reads the same for every card: a draw reveals nothing before it is accepted.
        (Rule(RuleId("A4"), "next-card", _not_next, physical=True),),
        _drawn,
        chance=True,
        sure=True,
    ),
)
