"""What the table does: deal the first board, name the first player, draw new cards (T2, T5, T25)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from companion.core import Event, Facts, Rule, RuleId, SeatId, Verb, is_seat, seats_of, unless
from companion.games.timeline import events as e
from companion.games.timeline.state import Dealing, Drawing, Laid, State, entries, lines_laid

from . import meant
from .guards import BOARD_LAID, is_naming, of_table
from .intents import Drew, NameFirst
from .stops import stopped


def _firsts(state: State, actor: SeatId) -> Iterator[NameFirst]:
    return (NameFirst(actor, SeatId(seat)) for seat in seats_of(state))


def _no_such_seat(state: State, intent: NameFirst) -> Facts | None:
    return unless(not is_seat(state, intent.seat))


def _draws(state: State, actor: SeatId) -> list[Drew]:
    return [Drew(actor, card) for card in state.deck]


def _not_unseen(state: State, intent: Drew) -> Facts | None:
    return None if intent.card in state.deck else unless(True)


def _drawn(state: State, intent: Drew) -> tuple[Event, ...]:
    step, card = state.steps[-1], intent.card
    lines = lines_laid(state, card)
    match step:
        case Dealing(left=left):
            return (e.Dealt(len(state.columns) - left + 1, card, lines),)
        case Drawing(seat=seat, column=column, top=top, come=come, lane=lane):
            laid = e.CardLaid(card, column, top, lines)
            new = Laid(card, top, lines)
            match come:
                case "local":
                    return (laid,)
                case "left":
                    return (laid, *stopped(state, seat, column, new, lane))
                case "right":
                    # T.l: the line continues from the card's right edge, so the waypoint is where that line enters the
                    # card.
                    return (laid, *stopped(state, seat, column, new, top + entries(lines)[lane - top]))
                case _:
                    assert_never(come)
        case _:
            return ()


CHANCE = (
    Verb[State, NameFirst](
        NameFirst,
        (BOARD_LAID, *of_table("T5", "naming", is_naming)),
        _firsts,
        (Rule(RuleId("T5"), "seat-there", _no_such_seat, physical=True),),
        lambda state, intent: (e.FirstNamed(intent.seat),),
        chance=True,
        sure=True,
    ),
    Verb[State, Drew](
        Drew,
        of_table("T25", "draw-due", lambda step: isinstance(step, Drawing | Dealing)),
        _draws,
        # The refusal reads the same for every card.
        (Rule(RuleId("T25"), "unseen-card", _not_unseen, physical=True),),
        _drawn,
        chance=True,
        sure=True,
        thinkable=meant.any_draw,
    ),
)
