"""The game in words: the headline, a seat's own things, the referee check, the numbers of the report."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from companion.core import (
    UNKNOWN,
    Finding,
    Line,
    Piece,
    PieceId,
    Place,
    RuleId,
    Said,
    Seat,
    SeatId,
    Shown,
    Standing,
    Status,
    Word,
    knows,
    say,
    seats_of,
)
from companion.games.us_patent.rules.forced import COURSE
from companion.games.us_patent.state import (
    CALLED,
    NO_NUMBER,
    UNDATED,
    Dealing,
    Dice,
    Loot,
    Placing,
    State,
    capacity,
    draw,
    is_undated,
    known,
    set_needed,
    top,
)

from .books import alarm, junk, missing, number, texts
from .panels import duels, effect_lines, number_line, power_meter, price_list, slot_panel, standing, to_win


def headline(view: State) -> Said:
    """Where the game stands, in one line."""
    step = top(view)
    if step is None:
        return say("headline.over", seat=Seat(view.winner))
    if isinstance(step, Dealing):
        return say("headline.setup")
    key = "headline.called" if view.machines[view.turn].number == CALLED else "headline.turn"
    return say(key, seat=Seat(view.turn), round=view.round, deck=len(view.deck))


def own(view: State, seat: SeatId) -> tuple[Shown, ...]:
    """A seat's machine with its power, its number, what it lacks to win, and what only it may see."""
    machine = view.machines[seat]
    if not machine.card:
        return (say("own.no-machine"),)
    return (
        *(duels(view) if any(isinstance(step, Dice) for step in view.steps) else ()),
        *_in_hand(view, seat),
        *_looked_at(view, seat),
        say("own.place", place=Place(machine.at), gold=machine.gold),
        slot_panel(view, seat),
        power_meter(view, seat),
        number_line(view, seat),
        *to_win(view, seat),
        *effect_lines(view, seat),
        *_remembered(view, seat),
    )


def _in_hand(view: State, seat: SeatId) -> Iterator[Said]:
    for step in view.steps:
        if isinstance(step, Placing) and step.seat == seat and step.card.value != UNKNOWN:
            card = known(view).cards[step.card.value]
            if card.period == UNDATED:
                yield say("own.undated", card=Piece(card.id))
            else:
                yield say("own.researched", card=Piece(card.id), board=card.period)
            yield from texts(view, card.id)


def undescribed(view: State, seat: SeatId) -> PieceId | None:
    """This seat's researched card, until somebody has told its board (P18)."""
    step = view.steps[-1] if view.steps else None
    return step.card.value if isinstance(step, Placing) and step.seat == seat and is_undated(view) else None


def _looked_at(view: State, seat: SeatId) -> Iterator[Said]:
    for piece in view.looks[seat].value:
        if piece != UNKNOWN:
            yield say("own.looked", card=Piece(piece), board=known(view).cards[piece].period)
            yield from texts(view, piece)


def _remembered(view: State, seat: SeatId) -> Iterator[Said]:
    """With `lab_memory`, what the seat knows about the Labs (P.ai)."""
    for board, lab in enumerate(view.labs):
        for hidden in lab:
            if knows(hidden, seat) and hidden.value != UNKNOWN:
                yield say("own.remembered", card=Piece(hidden.value), board=board)


def status(view: State) -> Status:
    """The referee check: what is awaited, each machine with what it lacks to win, all prices, deck and Labs."""
    facts: Iterator[Shown] = chain(
        (_awaited(view), *((say("status.set", n=set_needed(view)),) if view.steps else ())),
        (_seat(view, SeatId(seat)) for seat in seats_of(view) if view.machines[seat].card),
        price_list(view),
        junk(view),
        (say("status.deck", n=len(view.deck)),),
        (say("status.lab", board=board, n=len(lab)) for board, lab in enumerate(view.labs) if lab),
    )
    return Status(tuple(facts), tuple(_findings(view)))


def _awaited(view: State) -> Said:
    asked = COURSE.decisions(view)
    if not asked:
        return say("status.over", seat=Seat(view.winner))
    return say("status.awaited", seat=Seat(asked[-1].seats[0]), what=Word(f"awaited.{asked[-1].kind}"))


def _seat(view: State, seat: SeatId) -> Standing:
    machine, who, tables = view.machines[seat], Seat(seat), known(view)
    warned = alarm(view, seat)
    words = (
        say("status.seat", seat=who, place=Place(machine.at), gold=machine.gold, n=len(machine.working())),
        say("status.power", seat=who, draw=draw(tables, machine), capacity=capacity(tables, machine)),
        number(view, seat),
        *((warned,) if warned else ()),
        *(m.said for m in missing(view, seat)),
    )
    return standing(view, seat, words, warned)


def _findings(view: State) -> Iterator[Finding]:
    tables = known(view)
    for seat in view.short:
        machine = view.machines[seat]
        have, need = capacity(tables, machine), draw(tables, machine)
        yield Finding(RuleId("P10"), say("finding.short", seat=Seat(seat), draw=need, capacity=have))
    for piece in (card for machine in view.machines for card in machine.cards if card):
        if sum(piece in machine.cards for machine in view.machines) > 1:
            yield Finding(RuleId("P5"), say("finding.twice", card=Piece(piece)))
    attached = sum(len(machine.attached()) for machine in view.machines)
    laid = sum(map(len, view.markets)) + sum(map(len, view.labs)) + len(view.junkyard)
    held = sum(isinstance(step, Placing | Loot) for step in view.steps)
    found, due = attached + laid + held + len(view.deck), len(tables.cards)
    if found != due:
        yield Finding(RuleId("P4"), say("finding.cards", n=found, due=due))


def series(state: State) -> tuple[Line, ...]:
    """Gold, working Upgrades and the numbers, for the report."""
    return (
        Line("series.gold", tuple(machine.gold for machine in state.machines)),
        Line("series.working", tuple(len(machine.working()) for machine in state.machines)),
        Line("series.number", tuple(None if m.number == NO_NUMBER else m.number for m in state.machines)),
    )
