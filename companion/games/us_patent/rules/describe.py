"""A card that nobody has described yet, or described wrongly, described by whoever sees it, even mid-game (P6, P45)."""

from __future__ import annotations

from typing import Any

from companion.core import EVERYONE, Facts, Hidden, Piece, PieceId, Rule, RuleId, SeatId, Verb, knows, unless
from companion.games.us_patent import events as e
from companion.games.us_patent.state import (
    SLOTS,
    UNDATED,
    Placing,
    State,
    Upgrade,
    card,
    in_sight,
    look_of,
    owner_of,
    text_of,
    upgrade_of,
)

from .guards import RUNNING
from .intents import Describe


def _is_held(state: State, seat: SeatId, piece: PieceId) -> bool:
    return any(isinstance(step, Placing) and step.seat == seat and step.card.value == piece for step in state.steps)


def _sees(state: State, seat: SeatId, piece: PieceId) -> bool:
    """In everybody's sight, in the seat's hand or before its eyes; with `lab_memory` also what it remembers."""
    held = _is_held(state, seat, piece)
    kept = any(hidden.value == piece and knows(hidden, seat) for lab in state.labs for hidden in lab)
    return piece in in_sight(state) or held or kept or piece in look_of(state, seat)


def _no_upgrade(state: State, intent: Describe) -> Facts | None:
    return unless(card(state, intent.card) is None)


def _unseen(state: State, intent: Describe) -> Facts | None:
    """The same words wherever the card is: a refusal must not give it away."""
    return unless(not _sees(state, intent.actor, intent.card))


def _unreadable(state: State, intent: Describe) -> Facts | None:
    told = upgrade_of(intent.upgrade)
    return unless(told is None or told.id != intent.card)


def _not_dated(state: State, intent: Describe) -> Facts | None:
    told = upgrade_of(intent.upgrade)
    return unless(told is not None and told.period == UNDATED)


def _in_another_slot(state: State, intent: Describe) -> Facts | None:
    told, found = upgrade_of(intent.upgrade), card(state, intent.card)
    if told is None or found is None or owner_of(state, intent.card) < 0:
        return None
    return unless(told.slot != SLOTS[found.slot], card=Piece(intent.card))


def describing(seat: SeatId, piece: PieceId, told: Upgrade) -> Describe:
    """The wish to describe a card like this."""
    return Describe(seat, piece, text_of(told))


def _described(state: State, intent: Describe) -> tuple[e.CardDescribed]:
    told = upgrade_of(intent.upgrade)
    assert told is not None
    knowers = EVERYONE if intent.card in in_sight(state) else (intent.actor,)
    board = told.period if _is_held(state, intent.actor, intent.card) else 0
    return (e.CardDescribed(intent.actor, Hidden(intent.card, knowers), Hidden(text_of(told), knowers), board),)


RULES: tuple[Rule[State, Any], ...] = (
    Rule(RuleId("P4"), "an-upgrade-of-the-pack", _no_upgrade, physical=True),
    Rule(RuleId("P45"), "card-seen", _unseen, physical=True),
    Rule(RuleId("P6"), "readable", _unreadable, physical=True),
    Rule(RuleId("P18"), "date-told", _not_dated, physical=True),
    Rule(RuleId("P5"), "slot-stays", _in_another_slot, physical=True),
)
DESCRIBE = Verb[State, Describe](
    Describe,
    (RUNNING,),
    # What is printed on a card is typed into a form; there is nothing to choose from.
    lambda _state, _actor: (),
    RULES,
    _described,
    asks=True,
    listed=False,
)
