"""What hands cannot do: the conditions of corrections. None of them is a rule of play."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from companion.core import Facts, Rule, RuleId, is_seat, unless
from companion.games.timeline.state import (
    GOODS,
    State,
    card_at,
    find,
    in_deck,
    is_blank,
    level,
    lies,
    lines_of,
    numbers_of,
    option,
    waypoint_of,
    where,
)

from .guards import BEGUN, BOARD_LAID, DRAWN, RUNNING, SETTLED, SOLD, STOPPED
from .intents import (
    PawnToMarket,
    PutBlank,
    PutCard,
    RemoveBlank,
    RemoveCard,
    SetColumn,
    SetCounter,
    SetFace,
    SetGold,
    SetGoods,
    SetPawn,
    SetTurn,
)
from .local import no_waypoint, not_on_board

MOST_GOLD: Final = 99
MOST_GOODS: Final = 60
FAR: Final = 99
"""No lane is ever this far from Start: 46 cards make at most 184 lanes, both sides together."""


def _no_such_seat(state: State, intent: SetGold | SetGoods | SetTurn | SetPawn | PawnToMarket) -> Facts | None:
    return unless(not is_seat(state, intent.seat))


def _no_good(state: State, intent: SetGoods) -> Facts | None:
    return unless(intent.good not in GOODS)


def _no_column(state: State, intent: SetColumn | PutCard | PutBlank) -> Facts | None:
    return unless(not 1 <= numbers_of(intent.place, "column", 1)[0] <= len(state.columns))


def _no_such_card(state: State, intent: PutCard | SetFace) -> Facts | None:
    return unless(intent.card not in lines_of(state.setup.pack, False), card=where(state, intent.card))


def _held(state: State, intent: SetPawn) -> Facts | None:
    there = waypoint_of(state, intent.card, intent.number)
    return unless(any(spot == there for seat, spot in enumerate(state.pawns) if seat != intent.seat))


def _on_pawn(state: State, intent: SetCounter) -> Facts | None:
    """A counter cannot lie where a pawn stands."""
    return unless(waypoint_of(state, intent.card, intent.number) in state.pawns)


def _overlap(state: State, intent: PutCard | PutBlank) -> Facts | None:
    column = numbers_of(intent.place, "column", 1)[0]
    cards = state.columns[column - 1] if 1 <= column <= len(state.columns) else ()
    card = getattr(intent, "card", None)
    others = (laid for laid in cards if laid.card != card)
    return unless(any(abs(laid.top - intent.number) < 4 for laid in others), at=level(intent.number))


def _last_of_column(state: State, intent: PutCard | RemoveCard) -> Facts | None:
    """T2: a column never runs out of cards."""
    found = find(state, intent.card)
    if found is None or len(state.columns[found[0] - 1]) > 1:
        return None
    same = isinstance(intent, PutCard) and numbers_of(intent.place, "column", 1)[0] == found[0]
    return unless(not same, card=where(state, intent.card))


def _pawn_on_card(state: State, intent: RemoveCard) -> Facts | None:
    found = find(state, intent.card)
    if found is None:
        return None
    return unless(any(s.column == found[0] and 0 <= s.lane - found[1].top <= 3 for s in state.pawns))


def _no_blank(state: State, intent: RemoveBlank) -> Facts | None:
    laid = card_at(state, intent.place)
    return unless(laid is None or not is_blank(laid))


def _last_blank(state: State, intent: RemoveBlank) -> Facts | None:
    """T2, for a blank."""
    if _no_blank(state, intent) is not None:
        return None
    column = numbers_of(intent.place, "card", 2)[0]
    return unless(len(state.columns[column - 1]) == 1, card=lies(column, 1, 1))


def _no_place(state: State, intent: SetFace) -> Facts | None:
    return unless(card_at(state, intent.place) is None)


def _on_board_already(state: State, intent: SetFace) -> Facts | None:
    return unless(find(state, intent.card) is not None, card=where(state, intent.card))


def _no_deck_card(state: State, intent: PutCard) -> Facts | None:
    """T25: a card that is not on the board yet comes from the deck."""
    return unless(find(state, intent.card) is None and in_deck(state) < 1)


def _no_card_for_blank(state: State, intent: PutBlank) -> Facts | None:
    return unless(option(state, "blanks") != "stand-ins" and in_deck(state) < 1)


def _face_unseen(state: State, intent: SetFace) -> Facts | None:
    """Under a stand-in there is nothing: a face there comes from the deck."""
    laid = card_at(state, intent.place)
    spare = laid is not None and is_blank(laid) and option(state, "blanks") == "stand-ins"
    return unless(spare and in_deck(state) < 1)


def _within(low: int, high: int) -> Callable[[State, Any], Facts | None]:
    def broken(state: State, intent: Any) -> Facts | None:
        return unless(not low <= intent.number <= high, low=low, high=high)

    return broken


Physical = Rule[State, Any]
SEAT = Physical(RuleId("T30"), "seat-there", _no_such_seat, physical=True)
COLUMN = Physical(RuleId("T1"), "column-known", _no_column, physical=True)
COUNTERS_CARD = Physical(RuleId("T3"), "on-board", not_on_board, physical=True)
COUNTERS_WAYPOINT = Physical(RuleId("T3"), "waypoint", no_waypoint, physical=True)
PAWNS_CARD = Physical(RuleId("T8"), "on-board", not_on_board, physical=True)
PAWNS_WAYPOINT = Physical(RuleId("T8"), "waypoint", no_waypoint, physical=True)
REMOVED = Physical(RuleId("T25"), "on-board", not_on_board, physical=True)
KNOWN = Physical(RuleId("T25"), "card-known", _no_such_card, physical=True)
LANE = Physical(RuleId("T26"), "in-span", _within(-FAR, FAR), physical=True)
OVERLAP = Physical(RuleId("T.o"), "no-overlap", _overlap, physical=True)
LAST = Physical(RuleId("T2"), "not-last", _last_of_column, physical=True)
LAST_BLANK = Physical(RuleId("T2"), "not-last", _last_blank, physical=True)
FROM_DECK = Physical(RuleId("T25"), "deck-has", _no_deck_card, physical=True)
BLANKS_CARD = Physical(RuleId("T.q"), "deck-has", _no_card_for_blank, physical=True)
DEALT = (BOARD_LAID,)
CARDS = (*DEALT, *RUNNING, DRAWN, STOPPED, SOLD)
"""While a card has to be laid, its place is taken; corrections of cards wait for it."""
TURN_OPEN = (*RUNNING, BEGUN, *SETTLED)
GOLD_SPAN = Physical(RuleId("T30"), "in-span", _within(0, MOST_GOLD), physical=True)
GOODS_SPAN = Physical(RuleId("T30"), "in-span", _within(0, MOST_GOODS), physical=True)
GOOD = Physical(RuleId("T30"), "good-known", _no_good, physical=True)
NO_PAWN_THERE = Physical(RuleId("T15"), "pawn-there", _on_pawn, physical=True)
SPOT_FREE = Physical(RuleId("T18"), "spot-free", _held, physical=True)
NO_PAWN_ON_IT = Physical(RuleId("T.a"), "no-pawn", _pawn_on_card, physical=True)
BLANK_KNOWN = Physical(RuleId("T.p"), "blank-known", _no_blank, physical=True)
PLACE_KNOWN = Physical(RuleId("T2"), "place-known", _no_place, physical=True)
NOT_TWICE = Physical(RuleId("T25"), "not-twice", _on_board_already, physical=True)
SWAPPED = Physical(RuleId("T.p"), "stand-in-swapped", _face_unseen, physical=True)
