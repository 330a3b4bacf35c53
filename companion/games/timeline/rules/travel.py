"""Time travel: along the pawn's line to cards, into open space, onto blanks, into a market (T10–T14, T20, T.d, T.w)."""

from __future__ import annotations

from companion.core import NO_FACTS, Basis, Event, Facts, Place, Rule, RuleId, Seat, SeatId, Verb, alone, unless
from companion.games.timeline import events as e
from companion.games.timeline.state import (
    Met,
    State,
    blanks_before,
    column_place,
    end_of_line,
    find,
    held_by,
    in_deck,
    met,
    met_in,
    new_top,
    numbers_of,
    option,
    spot_of,
    where,
    worth,
)

from . import meant
from .guards import NOT_IN_MARKET, ON_TURN
from .intents import EnterMarket, Explore, Travel
from .local import no_stand_in, not_on_board
from .stops import stopped


def _travels(state: State, actor: SeatId) -> list[Travel]:
    """Every card on the pawn's line whose waypoint there is free."""
    held = {(spot.column, spot.lane) for spot in state.pawns}
    return [
        Travel(actor, m.laid.card)
        for m in met(state, actor)
        if m.laid is not None and m.laid.lines and (m.column, m.lane) not in held
    ]


def reached(state: State, seat: SeatId, travel: Travel) -> Met | None:
    """The waypoint where the pawn's line meets the named card."""
    card = travel.card
    for there in met(state, seat):
        if there.laid is not None and there.laid.card == card and there.laid.lines:
            return there
    return None


def _stays(state: State, intent: Travel) -> Facts | None:
    """T10: a card in the pawn's own column cannot be a traveller's goal."""
    found = find(state, intent.card)
    return None if found is None or found[0] != spot_of(state, intent.actor).column else NO_FACTS


def _off_line(state: State, intent: Travel) -> Facts | None:
    """For cards of other columns; a pawn beside the board has no line."""
    found, column = find(state, intent.card), spot_of(state, intent.actor).column
    if found is None or found[0] == column or not column or reached(state, intent.actor, intent) is not None:
        return None
    return unless(True, card=where(state, intent.card))


def _held(state: State, intent: Travel) -> Facts | None:
    there = reached(state, intent.actor, intent)
    if there is None:
        return None
    seat = held_by(state, there.column, there.lane)
    return None if seat is None else unless(True, seat=Seat(seat), card=where(state, intent.card))


def _travelled(state: State, intent: Travel) -> tuple[Event, ...]:
    there = reached(state, intent.actor, intent)
    assert there is not None
    assert there.laid is not None
    return stopped(state, intent.actor, there.column, there.laid, there.lane)


def _explorations(state: State, actor: SeatId) -> list[Explore]:
    return [Explore(actor, column_place(m.column)) for m in _open_space(state, actor)]


def _open_space(state: State, actor: SeatId) -> list[Met]:
    """Open space and blanks on the pawn's line."""
    return [m for m in met(state, actor) if m.laid is None or not m.laid.lines]


def _explorations_kept(state: State, actor: SeatId) -> list[Explore]:
    left, swaps = in_deck(state), no_stand_in(state, None) is None
    return [
        Explore(actor, column_place(m.column))
        for m in _open_space(state, actor)
        if (swaps if m.laid is not None else needed(state, m) <= left and not is_gap(state, m))
    ]


def _column(intent: Explore) -> int:
    return numbers_of(intent.place, "column", 1)[0]


def explored(state: State, intent: Explore) -> Met | None:
    """What the pawn's line meets in the named column."""
    return met_in(state, intent.actor, _column(intent))


def _no_column(state: State, intent: Explore) -> Facts | None:
    """T14: neither Start nor anything beyond Finish is a column."""
    return unless(not 1 <= _column(intent) <= len(state.columns))


def _same_column(state: State, intent: Explore) -> Facts | None:
    own = spot_of(state, intent.actor).column
    return unless(_column(intent) == own and 0 < own <= len(state.columns))


def _card_there(state: State, intent: Explore) -> Facts | None:
    there = explored(state, intent)
    met_card = there is not None and there.laid is not None and bool(there.laid.lines)
    return unless(met_card, place=Place(intent.place))


def is_gap(state: State, there: Met) -> bool:
    """Whether it is open space between two cards of a column (T.ac)."""
    column = state.columns[there.column - 1]
    return there.laid is None and bool(column) and column[0].top < there.lane < column[-1].top


def _gap(state: State, intent: Explore) -> Facts | None:
    there = explored(state, intent)
    return unless(there is not None and is_gap(state, there), place=Place(intent.place))


def needed(state: State, there: Met) -> int:
    """T12, T.p, T.q: how many deck cards a stop in open space takes, including blanks; a blank takes none."""
    if there.laid is not None or is_gap(state, there):
        return 0
    blanks = blanks_before(state.columns[there.column - 1], there.lane)
    return 1 if option(state, "blanks") == "stand-ins" else blanks + 1


def _deck_short(state: State, intent: Explore) -> Facts | None:
    there = explored(state, intent)
    if there is None:
        return None
    due, left = needed(state, there), in_deck(state)
    return unless(left < due, due=due, left=left)


def _stand_in(state: State, intent: Explore) -> Facts | None:
    there = explored(state, intent)
    return no_stand_in(state, intent) if there is not None and there.laid is not None else None


def _explored(state: State, intent: Explore) -> tuple[Event, ...]:
    there = explored(state, intent)
    assert there is not None
    seat, column = intent.actor, there.column
    if there.laid is not None:
        return (_set_out(state, seat, there, there.laid.top),)
    cards = state.columns[column - 1]
    top = new_top(cards, there.lane)
    # The blanks lie between the column and the new card, starting next to the column.
    step = 4 if top < cards[0].top else -4
    tops = range(top + step, cards[0].top if step > 0 else cards[-1].top, step)
    return (*(e.BlankLaid(column, blank) for blank in reversed(tops)), _set_out(state, seat, there, top))


def _set_out(state: State, seat: SeatId, there: Met, top: int) -> Event:
    from_left = there.column > spot_of(state, seat).column
    return e.SetOut(seat, there.column, top, "left" if from_left else "right", there.lane)


def _entered(state: State, intent: EnterMarket) -> tuple[Event, ...]:
    lane = end_of_line(state, spot_of(state, intent.actor))
    return (e.EnteredMarket(intent.actor, lane, worth(state.setup.pack, lane)),)


TRAVEL = (
    Verb[State, Travel](
        Travel,
        ON_TURN,
        _travels,
        (
            Rule(RuleId("T10"), "on-board", not_on_board, physical=True),
            Rule(RuleId("T10"), "other-column", _stays, physical=True, basis=Basis.PLACE),
            Rule(RuleId("T10"), "on-line", _off_line, physical=True),
            Rule(RuleId("T.w"), "stop-free", _held),
        ),
        _travelled,
        asks=True,
        sure=True,
        also=meant.on_the_line,
        also_by=("place",),
        thinkable=meant.any_travel,
    ),
    Verb[State, Explore](
        Explore,
        ON_TURN,
        _explorations,
        (
            Rule(RuleId("T14"), "column-there", _no_column, physical=True, basis=Basis.PLACE),
            Rule(RuleId("T10"), "other-column", _same_column, physical=True, basis=Basis.PLACE),
            Rule(RuleId("T11"), "open-there", _card_there, physical=True),
            Rule(RuleId("T.ac"), "no-gap", _gap, physical=True),
            Rule(RuleId("T.q"), "deck-enough", _deck_short, physical=True, basis=Basis.PRICE),
            Rule(RuleId("T.p"), "stand-in-swapped", _stand_in, physical=True, basis=Basis.PRICE),
        ),
        _explored,
        asks=True,
        also=meant.blank_met,
        also_by=("place",),
        thinkable=meant.any_exploration,
        kept=_explorations_kept,
    ),
    Verb[State, EnterMarket](
        EnterMarket,
        (*ON_TURN, NOT_IN_MARKET),
        alone(EnterMarket),
        (),
        _entered,
        asks=True,
        sure=True,
        also=meant.end_of_own_line,
        also_by=("place",),
    ),
)
