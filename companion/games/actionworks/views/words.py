"""The game in words: the headline, a seat's own things, the referee check, the numbers of the report."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from companion.core import (
    UNKNOWN,
    Finding,
    Line,
    Piece,
    RuleId,
    Said,
    Seat,
    SeatId,
    Shown,
    Status,
    Word,
    knows,
    say,
    seats_of,
    top,
)
from companion.games.actionworks.rules.forced import COURSE
from companion.games.actionworks.state import (
    Between,
    Clearing,
    Dealing,
    DealingDemands,
    Flipping,
    Naming,
    State,
    limit,
    parts_in,
    turn_is_on,
    types_in_use,
    wanted_by,
)

from .panels import bench_panel, hand_panel, score_meter, standing
from .worth import worth


def headline(view: State) -> Said:
    """Where the game stands, in one line."""
    match top(view):
        case None:
            return say("headline.over", round=view.round)
        case Naming() | DealingDemands() | Dealing():
            return say("headline.setup", round=view.round)
        case Flipping() if not turn_is_on(view):
            return say("headline.setup", round=view.round)
        case Clearing():
            return say("headline.clear", round=view.round, n=len(view.bench))
        case Between():
            return say("headline.between", round=view.round)
        case _:
            return say("headline.turn", round=view.round, seat=Seat(view.turn), deck=len(view.deck))


def own(view: State, seat: SeatId) -> tuple[Shown, ...]:
    """One seat's Demands, pile, hand with the worth of each card, total, and the deck cards it knows."""
    demands = (say("own.demand", type=Word(f"type.{each}")) for each in wanted_by(view, seat))
    hand = (say("own.card", card=Piece(card), points=worth(view, seat, card)) for card in view.hands[seat].value)
    known = (
        say("own.deck-card", at=at, card=Piece(hidden.value))
        for at, hidden in enumerate(view.deck.top, 1)
        if knows(hidden, seat) and hidden.value != UNKNOWN
    )
    total = say("own.total", n=view.totals[seat], limit=limit(len(view.totals)))
    return (
        *demands,
        say("own.pile", n=len(view.piles[seat].value)),
        *hand_panel(view, seat, tuple(hand)),
        score_meter(view, seat, (total,)),
        *known,
    )


def status(view: State) -> Status:
    """The referee check: round and types, whose act is awaited, what lies where, totals, and what is wrong."""
    bench = (say("status.bench-card", card=Piece(card)) for card in view.bench)
    facts: Iterator[Shown] = chain(
        (
            say("status.round", round=view.round, types=Word(f"types.{view.types}")),
            _awaited(view),
            say("status.deck", n=len(view.deck)),
            say("status.bench", n=len(view.bench)),
        ),
        bench_panel(view, tuple(bench)),
        _heap(view),
        (standing(view, SeatId(seat), tuple(_seat(view, SeatId(seat)))) for seat in seats_of(view)),
        (say("status.limit", n=limit(len(view.totals))) for _ in view.steps[:1]),
    )
    return Status(tuple(facts), tuple(_findings(view)))


def _awaited(view: State) -> Said:
    asked = COURSE.decisions(view)
    if not asked:
        return say("status.over")
    kind = Word(f"awaited.{asked[-1].kind}")
    return (
        say("status.awaited-all", what=kind)
        if len(asked[-1].seats) > 1
        else say("status.awaited", seat=Seat(asked[-1].seats[0]), what=kind)
    )


def _heap(view: State) -> Iterator[Said]:
    for card in view.heap:
        yield say("status.heap", n=len(view.under) + 1, card=Piece(card))


def _seat(view: State, seat: SeatId) -> Iterator[Said]:
    who = Seat(seat)
    yield say("status.seat", seat=who, hand=len(view.hands[seat].value), pile=len(view.piles[seat].value))
    yield from (say("status.demand", seat=who, card=Piece(card)) for card in view.demands[seat])
    yield say("status.total", seat=who, n=view.totals[seat])


def _findings(view: State) -> Iterator[Finding]:
    zones = (*view.hands, *view.piles)
    lying = sum(len(zone.value) for zone in zones) + len(view.deck) + len(view.bench) + len(view.heap) + len(view.under)
    due = len(parts_in(view.setup.pack, types_in_use(view)))
    if lying != due:
        yield Finding(RuleId("A4"), say("finding.parts", n=lying, due=due))
    dealing = any(isinstance(step, Naming | DealingDemands) for step in view.steps)
    if not dealing and len({len(cards) for cards in view.demands}) > 1:
        yield Finding(RuleId("A3"), say("finding.demands"))


def series(state: State) -> tuple[Line, ...]:
    """The totals, for the report."""
    return (Line("series.totals", state.totals),)
