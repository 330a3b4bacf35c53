"""The Actions of a turn, except for taking cards, attacks and repairs (P20, P21, P28–P30)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from companion.core import (
    NO_FACTS,
    Basis,
    Event,
    Facts,
    Piece,
    Rule,
    RuleId,
    SeatId,
    Token,
    Verb,
    Word,
    alone,
    is_seat,
    unless,
)
from companion.games.us_patent import events as e
from companion.games.us_patent.state import (
    BANK,
    CALLED,
    NO_NUMBER,
    UNDATED,
    ByText,
    Following,
    Kind,
    Leap,
    State,
    board_place,
    card,
    effects,
    known,
    machine_of,
    set_needed,
    texts,
    wins_by_action,
    workings_of,
)

from .guards import ACT, at_step, guard, on, there_is
from .intents import ClaimPatent, FinishText, FollowText, LeapTo, MoveAgain, Patent, ResearchAgain, TakeGold, TakeNumber
from .taking import TAKING, underfoot
from .turn import SPACE_THERE, rolled_for


def _all_own(state: State, actor: SeatId) -> list[Patent]:
    return [Patent(actor, piece) for piece in machine_of(state, actor).attached()]


def _not_own(state: State, intent: Patent) -> Facts | None:
    machine = machine_of(state, intent.actor)
    return unless(not intent.card or intent.card not in machine.cards, card=Piece(intent.card))


def _not_working(state: State, intent: Patent) -> Facts | None:
    return unless(machine_of(state, intent.actor).is_off(intent.card), card=Piece(intent.card))


def _no_market(state: State, intent: Patent) -> Facts | None:
    """Nobody knows yet which Market it would go to."""
    found = card(state, intent.card)
    return unless(found is not None and found.period == UNDATED)


def _patented(state: State, intent: Patent) -> tuple[Event, ...]:
    found = card(state, intent.card)
    assert found is not None
    return (e.Patented(intent.actor, intent.card, found.rank, known(state).market[found.period]),)


def leaps(state: State, seat: SeatId) -> tuple[str, ...]:
    """The kinds of space that the seat's Upgrades leap to."""
    goals = tuple([effect.to for _, effect in effects(known(state), machine_of(state, seat), Leap)])
    return get_args(Kind) if "any" in goals else goals


def _landings(state: State, actor: SeatId) -> Iterator[LeapTo]:
    tables, goals = known(state), leaps(state, actor)
    spaces = (space for space, kind in tables.kinds.items() if kind in goals)
    return (LeapTo(actor, board_place(tables.boards[space]), space) for space in spaces)


def _leaps_anywhere(state: State, actor: SeatId) -> list[LeapTo]:
    """Nobody has leaping in mind without a card that could."""
    tables = known(state)
    could = texts(tables, machine_of(state, actor), Leap)
    return [LeapTo(actor, board_place(board), space) for space, board in tables.boards.items()] if could else []


def _not_leapt_to(state: State, intent: LeapTo) -> Facts | None:
    kind, goals = known(state).kinds.get(intent.space), leaps(state, intent.actor)
    return unless(bool(goals) and kind is not None and kind not in goals, kind=Word(f"kind-of-space.{kind}"))


def _no_leap(state: State, actor: SeatId) -> Facts | None:
    return unless(Leap not in workings_of(state, actor).effects)


def _told_actions(state: State, actor: SeatId) -> list[FollowText]:
    """The cards whose free text is an Action."""
    return [FollowText(actor, source.id) for source, _ in texts(known(state), machine_of(state, actor), ByText)]


def _no_text(state: State, intent: FollowText) -> Facts | None:
    return unless(intent not in _told_actions(state, intent.actor), card=Piece(intent.card))


def _text_off(state: State, intent: FollowText) -> Facts | None:
    return unless(machine_of(state, intent.actor).is_off(intent.card), card=Piece(intent.card))


def _by_itself(state: State, actor: SeatId) -> Facts | None:
    return unless(not wins_by_action(state))


def _no_number(state: State, actor: SeatId) -> Facts | None:
    return unless(machine_of(state, actor).number == NO_NUMBER)


def _not_called(state: State, actor: SeatId) -> Facts | None:
    return None if is_seat(state, actor) and machine_of(state, actor).number in (CALLED, NO_NUMBER) else NO_FACTS


def _set_missing(state: State, actor: SeatId) -> Facts | None:
    have, need = len(machine_of(state, actor).working()), set_needed(state)
    return unless(have < need, have=have, need=need)


DECK_LEFT = there_is("P21", "deck-left", lambda state, seat: len(state.deck) > 0)
WIN = (
    guard("P.a", "win-by-action", _by_itself, Basis.STEP, physical=True),
    *ACT,
    guard("P44", "has-number", _no_number, Basis.THING, physical=True),
    guard("P30", "called", _not_called, Basis.THING, physical=True),
    guard("P30", "on-office", on("office", "P30").broken, Basis.PLACE, physical=True),
    guard("P30", "full-set", _set_missing, Basis.THING, physical=True),
)

ACTIONS = (
    Verb[State, ClaimPatent](
        ClaimPatent, WIN, alone(ClaimPatent), (), lambda s, i: (e.Won(i.actor),), asks=True, listed=False
    ),
    *TAKING,
    Verb[State, TakeNumber](
        TakeNumber,
        (*ACT, on("office", "P29")),
        alone(TakeNumber),
        (),
        lambda s, i: (e.NumberWanted(i.actor),),
        asks=True,
        also=underfoot("office"),
        also_by=("place",),
    ),
    Verb[State, Patent](
        Patent,
        (
            *ACT,
            on("office", "P28"),
            there_is("P.aa", "something-works", lambda s, seat: any(s.machines[seat].works)),
        ),
        _all_own,
        (
            Rule(RuleId("P28"), "own-card", _not_own, physical=True),
            Rule(RuleId("P28"), "works", _not_working),
            Rule(RuleId("P28"), "market-known", _no_market, physical=True),
        ),
        _patented,
        asks=True,
        also=underfoot("office"),
        also_by=("place",),
        thinkable=_all_own,
    ),
    Verb[State, LeapTo](
        LeapTo,
        (*ACT, guard("P32", "has-leap", _no_leap, Basis.THING)),
        _landings,
        (
            SPACE_THERE,
            Rule(RuleId("P32"), "leaps-there", _not_leapt_to, basis=Basis.PLACE),
        ),
        lambda s, i: (e.Leapt(i.actor, i.space),),
        asks=True,
        listed=False,
        thinkable=_leaps_anywhere,
    ),
    Verb[State, FollowText](
        FollowText,
        ACT,
        _told_actions,
        (
            Rule(RuleId("P32"), "own-text", _no_text, physical=True),
            Rule(RuleId("P.an"), "source-works", _text_off),
        ),
        lambda s, i: (e.TextFollowed(i.actor, i.card),),
        asks=True,
        listed=False,
        thinkable=_told_actions,
    ),
    Verb[State, TakeGold](
        TakeGold,
        ACT,
        alone(TakeGold),
        (),
        lambda s, i: (e.Earned(i.actor, 1),),
        also=lambda _state, _intent: (Token("place", BANK),),
        also_by=("place",),
    ),
    Verb[State, MoveAgain](
        MoveAgain,
        ACT,
        alone(MoveAgain),
        (),
        lambda s, i: (e.MovedAgain(i.actor), *rolled_for(s, i.actor)),
        asks=True,
    ),
    Verb[State, ResearchAgain](
        ResearchAgain,
        (*ACT, DECK_LEFT),
        alone(ResearchAgain),
        (),
        lambda s, i: (e.ResearchedAgain(i.actor),),
        asks=True,
    ),
)

FINISH = (
    Verb[State, FinishText](
        FinishText,
        at_step("P32", "text-open", Following),
        alone(FinishText),
        (),
        lambda s, i: (e.TextDone(i.actor),),
        listed=False,
    ),
)
