"""The reason that people are given: true, the most basic one, and of what they meant.

Ada stands on column 1 with a straight line; column 2 lies two lanes lower, so that its lower card is off her line.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core import (
    PUBLIC,
    TABLE,
    Basis,
    Blocked,
    HowMany,
    Idle,
    Intent,
    More,
    PlaceId,
    Ready,
    Refused,
    SeatId,
    Token,
    explain,
    judge,
    known_pieces,
    mask,
    select,
    verb_of,
)
from companion.games.timeline import GAME
from companion.games.timeline.rules import intents as i
from companion.games.timeline.state import Over, State, Stopping
from tests.games.timeline.board import ADA, BEN, act, board, card, opened

TURN = board(
    [("=1a", 0), ("?", 4)],
    [("=2a", -2), ("=3a", 2)],
    [("=4a", 0)],
    pawns={0: (1, 1), 1: (3, 2)},
    goods={0: (1, 1, 1, 1)},
)
DRAWING = act(TURN, i.GoAbove(ADA))
STOPPING = act(DRAWING, i.Drew(TABLE, card("9a")))
SELLING = act(TURN, i.EnterMarket(ADA))
OVER = replace(TURN, steps=(Over(),), gold=(0, 21))
STOPPED = replace(TURN, steps=(Over(),))
DEALING = GAME.start(TURN.setup)
PLACING = opened(2, Random(1))
FIRST = PLACING.turn
SECOND = SeatId(1 - FIRST)


def end(state: State, *tokens: Token, actors: tuple[SeatId, ...] = ()) -> Any:
    known = known_pieces(GAME, state)
    decisions = GAME.decisions(state)
    awaited = actors or (decisions[-1].seats if decisions else (ADA,))
    return select(GAME, state, state, awaited, tokens, known=known, verbs=GAME.verbs)


def tapped(name: str) -> Token:
    return Token("piece", card(name))


def touched(place: str) -> Token:
    return Token("place", PlaceId(place))


def told(state: State, *tokens: Token, actors: tuple[SeatId, ...] = ()) -> tuple[str, str]:
    reached = end(state, *tokens, actors=actors)
    assert isinstance(reached, Blocked), reached
    first = reached.refused.refusals[0]
    return first.rule, first.key


def why(state: State, intent: Intent) -> tuple[str, str]:
    verdict = judge(GAME, state, intent)
    assert isinstance(verdict, Refused), verdict
    return verdict.refusals[0].rule, verdict.refusals[0].key


@pytest.mark.rule("T8", "T10")
def test_a_card_that_cannot_be_reached_says_why_and_not_that_nobody_places() -> None:
    assert told(TURN, tapped("3a")) == ("T10", "on-line")
    assert told(TURN, tapped("9a")) == ("T8", "on-board"), "a card of the deck"
    assert told(TURN, Token("verb", "move"), tapped("3a")) == ("T8", "own-column")
    assert told(TURN, Token("verb", "travel"), tapped("9a")) == ("T10", "on-board")
    assert told(TURN, tapped("1a"), Token("number", 2)) == ("T.u", "elsewhere")
    market = board([("=1a", 0)], pawns={0: (5, 9), 1: (2, 0)})
    assert told(market, tapped("1a")) == ("T10", "on-line"), "from a market one travels"


@pytest.mark.rule("T.x", "T9")
def test_while_a_new_card_awaits_a_stop_it_is_said_who_stops_where() -> None:
    assert told(STOPPING, tapped("2a")) == ("T.x", "stop-first")
    assert why(STOPPING, i.Stay(ADA)) == ("T.x", "stop-first")
    refused = judge(GAME, STOPPING, i.Move(ADA, card("1a"), 3))
    assert isinstance(refused, Refused)
    assert dict(refused.refusals[0].facts)["column"] == 1
    assert isinstance(end(STOPPING, tapped("9a")), HowMany), "its own card asks for the waypoint"


@pytest.mark.rule("T.x", "T25")
def test_while_a_card_is_to_be_drawn_it_is_said_where_it_goes() -> None:
    assert told(DRAWING, Token("verb", "travel"), tapped("2a"), actors=(ADA,)) == ("T.x", "card-first")
    assert why(DRAWING, i.Stay(ADA)) == ("T.x", "card-first")
    assert told(DRAWING, tapped("2a")) == ("T25", "unseen-card"), "who taps now has drawn"


@pytest.mark.rule("T.b")
def test_a_sale_that_is_open_is_settled_before_anything_else() -> None:
    assert told(SELLING, tapped("2a")) == ("T.b", "sale-first")
    assert why(SELLING, i.Stay(ADA)) == ("T.b", "sale-first")
    assert why(SELLING, i.AgreeToStop(BEN)) == ("T.b", "sale-first")


@pytest.mark.rule("T5", "T6", "T.aa")
def test_while_pawns_are_placed_it_is_said_who_is_next() -> None:
    there = PLACING.columns[0][0].card
    assert why(PLACING, i.Move(FIRST, there, 1)) == ("T5", "pawns-placed")
    assert why(PLACING, i.Move(SECOND, there, 1)) == ("T5", "your-placing"), "there are no turns yet"
    assert why(PLACING, i.Place(SECOND, there, 1)) == ("T5", "your-placing")
    assert told(PLACING, Token("piece", PLACING.columns[1][0].card)) == ("T.aa", "your-card")
    assert told(PLACING, Token("piece", PLACING.deck[0])) == ("T5", "on-board")


@pytest.mark.rule("T5")
def test_before_the_board_is_dealt_nothing_is_anybodys_turn() -> None:
    for seat in (ADA, BEN):
        assert why(DEALING, i.Stay(seat)) == ("T5", "begun")
        assert why(DEALING, i.Place(seat, card("1a"), 1)) == ("T5", "begun")


@pytest.mark.rule("T23")
def test_once_it_is_over_that_is_all_that_is_said() -> None:
    for wish in (
        i.Stay(BEN), i.Sell(ADA, 9), i.Move(BEN, card("9a"), 7), i.StopOn(ADA, 1), i.KeepGoods(BEN), i.AgreeToStop(ADA),
        i.Place(ADA, card("1a"), 1), i.Drew(TABLE, card("9a")), i.NameFirst(TABLE, ADA), i.Explore(BEN, PlaceId("")),
        i.SetColumn(ADA, PlaceId("column/1"), 0), i.SetTurn(ADA, BEN), i.SetPawn(ADA, ADA, card("1a"), 1),
    ):  # fmt: skip
        assert why(OVER, wish) == ("T23", "running"), wish
    assert told(OVER, tapped("2a")) == ("T23", "running")


@pytest.mark.rule("T.af")
def test_a_game_that_all_agreed_to_stop_was_not_won() -> None:
    for wish in (i.Stay(BEN), i.Move(BEN, card("9a"), 7), i.SetTurn(ADA, BEN), i.Drew(TABLE, card("9a"))):
        assert why(STOPPED, wish) == ("T.af", "not-stopped"), wish
    assert told(STOPPED, tapped("2a")) == ("T.af", "not-stopped")


@pytest.mark.rule("T21", "T.d")
def test_a_market_is_left_along_its_line_and_is_where_goods_are_sold() -> None:
    market = board([("=1a", 0)], pawns={0: (5, 9), 1: (2, 0)})
    for wish in (i.Move(ADA, card("1a"), 1), i.GoAbove(ADA), i.Flip(ADA, PlaceId("card/1/1"))):
        assert why(market, wish) == ("T.d", "in-zone"), wish
    assert why(TURN, i.Sell(ADA, 1)) == ("T21", "in-market")


@pytest.mark.rule("T2")
def test_nobody_is_first_before_the_board_is_laid() -> None:
    assert why(DEALING, i.NameFirst(TABLE, ADA)) == ("T2", "board-laid")
    assert told(DEALING, Token("seat", ADA)) == ("T2", "board-laid")


def rules_told(state: State, intent: Intent) -> list[str]:
    return [check.key for check in explain(GAME, state, intent) if check.broken is not None]


@pytest.mark.rule("T18", "T.u")
def test_of_a_waypoint_that_no_card_has_nothing_else_is_said() -> None:
    """Waypoint 5 of a card would be the first of the card below, where pawns may stand."""
    below = board([("=1a", 0), ("=2a", 4)], pawns={0: (1, 5), 1: (1, 4)})
    assert rules_told(below, i.Move(ADA, card("1a"), 5)) == ["waypoint"]
    assert rules_told(below, i.Move(ADA, card("1a"), 6)) == ["waypoint"]
    assert rules_told(below, i.SetCounter(ADA, card("1a"), 5)) == ["waypoint"]
    assert rules_told(below, i.SetPawn(ADA, ADA, card("1a"), 5)) == ["waypoint"]
    stopping = replace(below, steps=(*below.steps, Stopping(ADA, 1, 0)))
    assert rules_told(stopping, i.StopOn(ADA, 5)) == ["waypoint"]


def test_what_is_told_is_true_by_itself() -> None:
    """Neither Finish nor nowhere is your own column, after the end it is nobody's turn, and a swap needs a blank."""
    market = board([("=1a", 0)], pawns={0: (5, 9), 1: (2, 0)})
    assert rules_told(market, i.Explore(ADA, PlaceId("column/5"))) == ["column-there"]
    assert rules_told(PLACING, i.Explore(FIRST, PlaceId(""))) == ["pawns-placed", "column-there"]
    assert rules_told(OVER, i.Stay(BEN)) == ["running"]
    spare = board([("=1a", 0), ("?", 4)], pawns={0: (1, 0), 1: (2, 0)}, blanks="stand-ins", deck=0)
    assert rules_told(spare, i.Flip(ADA, PlaceId("card/1/1"))) == ["blank-there"]
    assert rules_told(spare, i.Flip(ADA, PlaceId("card/1/2"))) == ["stand-in-swapped"]


WISHES = (
    i.Place(BEN, card("3a"), 9),
    i.Move(BEN, card("9a"), 9),
    i.GoAbove(BEN),
    i.GoBelow(BEN),
    i.Flip(BEN, PlaceId("card/1/1")),
    i.Travel(BEN, card("3a")),
    i.Explore(BEN, PlaceId("column/9")),
    i.EnterMarket(BEN),
    i.StopOn(BEN, 9),
    i.Sell(BEN, 9),
    i.KeepGoods(BEN),
    i.Stay(BEN),
)


@pytest.mark.rule("T6")
@pytest.mark.parametrize("wish", WISHES, ids=lambda wish: type(wish).__name__)
@pytest.mark.parametrize("state", [TURN, DRAWING, STOPPING, SELLING], ids=["turn", "drawing", "stopping", "selling"])
def test_on_another_seats_turn_that_is_the_reason_whatever_else_is_wrong(state: State, wish: Intent) -> None:
    assert why(state, wish) == ("T6", "your-turn")


def test_every_seats_verb_asks_for_the_end_and_the_beginning_first() -> None:
    for verb in GAME.verbs:
        if not verb.chance:
            keys = [guard.key for guard in verb.guards if guard.basis <= Basis.TURN]
            assert keys[:4] == ["running", "not-stopped", "begun", "seat-there"], verb.name
            checked = [check.key for check in explain(GAME, TURN, next(iter(verb.arguments(TURN, ADA)), i.Stay(ADA)))]
            assert checked[0] == "running"


# What is touched on the drawn board


def test_a_waypoint_touched_means_a_stop_right_there() -> None:
    assert end(TURN, touched("stop/1/3")) == Ready(i.Move(ADA, card("1a"), 4), asks=True)
    assert end(TURN, touched("stop/2/1")) == Ready(i.Travel(ADA, card("2a")), asks=True)
    assert end(STOPPING, touched("stop/1/-3")) == Ready(i.StopOn(ADA, 2), asks=False)
    there = PLACING.columns[0][0].card
    assert end(PLACING, touched("stop/1/2")) == Ready(i.Place(FIRST, there, 3), asks=True)
    assert told(TURN, touched("stop/1/1")) == ("T.u", "elsewhere")
    assert told(TURN, touched("stop/2/4")) == ("T10", "on-line")


def test_columns_blanks_and_markets_can_be_touched() -> None:
    above_or_below = end(TURN, touched("column/1"))
    assert isinstance(above_or_below, More)
    assert [choice.token.value for choice in above_or_below.choices] == ["go-above", "go-below"]
    assert end(TURN, touched("card/1/2")) == Ready(i.Flip(ADA, PlaceId("card/1/2")), asks=True)
    assert end(TURN, touched("market/1")) == Ready(i.EnterMarket(ADA), asks=True)
    assert isinstance(end(TURN, touched("market/2")), Idle), "not the end of her line"
    sale = end(SELLING, touched("market/1"))
    assert isinstance(sale, HowMany)
    assert type(sale.intent) is i.Sell
    blank = board([("=1a", 0)], [("?", 0)], pawns={0: (1, 1), 1: (3, 2)})
    assert end(blank, touched("card/2/1")) == Ready(i.Explore(ADA, PlaceId("column/2")), asks=True)
    assert told(TURN, touched("column/2")) == ("T11", "open-there")


@pytest.mark.rule("T16")
def test_what_is_meant_is_never_more_than_hands_could_do() -> None:
    """A card twice, a pawn and a card: nothing means both, so nothing is refused on that account."""
    assert isinstance(end(TURN, tapped("2a"), tapped("3a")), Idle)
    assert isinstance(end(TURN, Token("piece", "pawn-1")), Idle)
    assert verb_of(GAME, i.Stay(ADA)).thinkable is None
    assert isinstance(end(DRAWING, Token("piece", "pawn-1"), actors=(TABLE,)), Idle), "a pawn is never drawn"


# What is touched to be fixed


def fixed(state: State, *tokens: Token) -> Any:
    view = mask(state, PUBLIC)
    return select(GAME, state, view, (TABLE,), tokens, known=known_pieces(GAME, view), verbs=GAME.corrections)


def test_what_is_no_such_thing_is_not_fixed() -> None:
    """The deck isn't a good, a market isn't a column, a pawn isn't a card: nothing is refused on that account."""
    assert isinstance(fixed(TURN, touched("deck")), Idle)
    assert isinstance(fixed(TURN, Token("verb", "set-column"), touched("market/1")), Idle)
    assert isinstance(fixed(TURN, Token("verb", "put-blank"), touched("lane/1/0")), Idle)
    assert isinstance(fixed(TURN, Token("verb", "remove-card"), Token("piece", "pawn-1")), Idle)
    assert isinstance(fixed(TURN, Token("verb", "set-face"), touched("box"), tapped("9a")), Idle)


def test_a_pawn_that_is_tapped_is_fixed() -> None:
    asked = fixed(TURN, Token("piece", "pawn-1"))
    assert isinstance(asked, More)
    assert [choice.token.value for choice in asked.choices] == ["set-pawn", "pawn-to-market"]
    ready = fixed(TURN, Token("piece", "pawn-1"), tapped("2a"), Token("number", 3))
    assert ready == Ready(i.SetPawn(TABLE, BEN, card("2a"), 3), asks=True)


def test_a_card_of_the_deck_is_fixed_where_it_lies_and_how_high() -> None:
    asked = fixed(TURN, tapped("9a"))
    assert isinstance(asked, More)
    assert [choice.token.value for choice in asked.choices] == ["put-card", "set-face"]
    high = fixed(TURN, Token("verb", "put-card"), tapped("9a"), touched("column/1"))
    assert (type(high), high.low, high.high) == (HowMany, -99, 99)
    put = fixed(TURN, Token("verb", "put-card"), tapped("9a"), touched("column/1"), Token("number", -4))
    assert put == Ready(i.PutCard(TABLE, card("9a"), PlaceId("column/1"), -4), asks=True)


@pytest.mark.rule("T.ab")
def test_no_unseen_card_is_named_before_it_is_tapped() -> None:
    where = fixed(TURN, Token("verb", "set-face"))
    assert isinstance(where, More)
    assert {choice.token.kind for choice in where.choices} == {"place"}
    assert fixed(TURN, Token("verb", "set-face"), touched("card/2/1")) == More((), hides=True)


@pytest.mark.rule("T.x", "T3", "T25")
def test_a_fix_that_cannot_be_made_says_why() -> None:
    def reason(state: State, *tokens: Token) -> tuple[str, str]:
        blocked = fixed(state, *tokens)
        assert isinstance(blocked, Blocked), blocked
        return blocked.refused.refusals[0].rule, blocked.refused.refusals[0].key

    assert reason(DRAWING, Token("verb", "set-column"), touched("column/1"), Token("number", 3)) == (
        "T.x",
        "card-first",
    )
    assert reason(TURN, Token("verb", "set-counter"), tapped("9a")) == ("T3", "on-board")
    assert reason(TURN, Token("verb", "remove-card"), tapped("9a")) == ("T25", "on-board")
    assert reason(TURN, Token("verb", "remove-blank"), touched("card/2/1")) == ("T.p", "blank-known")
