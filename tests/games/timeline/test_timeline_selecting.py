"""At the table: a wand taps a card of the board, the dial gives the waypoint, OK confirms."""

from __future__ import annotations

from random import Random
from statistics import median
from typing import Any

from companion.core import Blocked, HowMany, Intent, More, PieceId, Ready, Token, known_pieces, mentions, select
from companion.games.timeline import GAME
from companion.games.timeline.rules.intents import Move, Travel
from companion.games.timeline.state import State, Turn
from tests.games.timeline.board import ADA, act, board, card, played

TWO = board([("=1a", -4), ("=2a", 0)], [("=3a", 0), ("=4a", 4)], pawns={0: (1, 1), 1: (3, 0)})


def end(state: State, *tokens: Token) -> Any:
    known = known_pieces(GAME, state)
    return select(GAME, state, state, (state.turn,), tokens, known=known, verbs=GAME.verbs)


def test_a_card_of_the_own_column_asks_for_its_waypoint() -> None:
    asked = end(TWO, Token("piece", "face-1a"))
    assert isinstance(asked, HowMany)
    assert (asked.low, asked.high) == (1, 4)
    ready = end(TWO, Token("piece", "face-1a"), Token("number", 3))
    assert ready == Ready(Move(ADA, card("1a"), 3), asks=True)


def test_a_card_on_the_line_is_ready_at_once() -> None:
    assert end(TWO, Token("piece", "face-3a")) == Ready(Travel(ADA, card("3a")), asks=True)


def test_a_card_beside_the_line_is_refused_with_its_rule() -> None:
    blocked = end(TWO, Token("piece", "face-4a"))
    assert isinstance(blocked, Blocked)
    assert blocked.refused.refusals[0].rule in ("T10", "T8")


def inputs(state: State, intent: Intent) -> int:
    """Taps, turns and presses with one wand: verbs from the list of what is open, cards tapped, numbers by dial."""
    tokens: list[Token] = [t for t in mentions(intent) if t.kind == "piece"]
    count = len(tokens)
    for _ in range(6):
        match end(state, *tokens):
            case Ready(intent=found, asks=asks):
                assert found == intent
                return count + asks
            case HowMany():
                tokens.append(next(t for t in mentions(intent) if t.kind == "number"))
                count += 2
            case More(choices=choices):
                chosen = next(c.token for c in choices if c.token in mentions(intent) and c.token not in tokens)
                tokens.append(chosen)
                count += 2
            case other:
                raise AssertionError((intent, other))
    raise AssertionError(intent)


def test_a_turn_takes_few_inputs_and_lists_stay_short() -> None:
    counts, longest = [], 0
    for state, intent, _ in played(Random(4), 4, 400):
        if isinstance(state.steps[-1], Turn) and intent.actor == state.turn:
            counts.append(inputs(state, intent))
            first = end(state)
            assert isinstance(first, More)
            longest = max(longest, len(first.choices))
    assert median(counts) <= 5
    assert max(counts) <= 6
    assert longest <= 9


def test_a_new_card_is_tapped_as_it_is_placed() -> None:
    from companion.core import TABLE
    from companion.games.timeline.rules.intents import Drew, GoAbove

    state = act(TWO, GoAbove(ADA))
    known = known_pieces(GAME, state)
    found = select(GAME, state, state, (TABLE,), (Token("piece", "face-9a"),), known=known, verbs=GAME.verbs)
    assert found == Ready(Drew(TABLE, PieceId("face-9a")), asks=False)
