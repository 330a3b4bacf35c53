"""Markets, prices, selling, winning, stopping: T4, T19–T23, T26, T28, T29 and their rulings."""

from __future__ import annotations

import pytest

from companion.core import SeatId, legal
from companion.games.timeline import GAME
from companion.games.timeline.rules.intents import (
    AgreeToStop,
    EnterMarket,
    GoAbove,
    KeepGoods,
    Move,
    Sell,
    SetGold,
    Stay,
    Travel,
)
from companion.games.timeline.state import Selling, Turn, connected, markets, prices, worth
from tests.games.timeline.board import ADA, BEN, act, at, board, broken, card, names, offered

STRAIGHT_TO = {0: (1, 1), 1: (2, 0)}
"""All columns straight: Ada is on the line of Milkbread, worth 2."""
WORKED = [("1a", 0)], [("9a", 0)], [("13a", 0)], [("23a", 0)]


@pytest.mark.rule("T4")
def test_prices_are_traced_from_start_to_finish() -> None:
    assert (markets(board(*WORKED)), prices(board(*WORKED))) == ((1, 2, 3, 0), (2, 3, 4, 1))
    once = board([("1a", 0)], [("9a", -1)], [("13a", 0)], [("23a", 0)])
    assert (markets(once), prices(once)) == ((-1, 2, 1, 0), (4, 3, 2, 1))
    twice = board([("1a", 0)], [("9a", -1)], [("13a", 0)], [("23a", -2)])
    assert (markets(twice), prices(twice)) == ((0, -2, 2, 3), (1, 3, 3, 4))


@pytest.mark.rule("T19")
def test_start_and_finish_never_slide() -> None:
    state = board(pawns=STRAIGHT_TO)
    after = act(state, Move(ADA, card("23b"), 1))
    assert prices(after) == prices(state) == (1, 2, 3, 4)
    assert markets(after) == (0, 1, 2, 3)


@pytest.mark.rule("T20", "T21", "T.d")
def test_a_market_is_entered_along_the_line_and_never_locally() -> None:
    state = board(pawns=STRAIGHT_TO)
    assert at(act(state, EnterMarket(ADA)), ADA) == (5, 1)
    inside = board(pawns={0: (5, 1), 1: (2, 0)})
    assert broken(inside, Move(ADA, card("20b"), 1))[0] == "T.d"
    assert broken(inside, GoAbove(ADA)) == ["T.d"]
    assert broken(state, Sell(ADA, 1)) == ["T21"]


@pytest.mark.rule("T21")
def test_any_number_of_the_connected_good_is_sold_for_the_value_each() -> None:
    state = act(board(pawns=STRAIGHT_TO, goods={0: (5, 3, 0, 0)}), EnterMarket(ADA))
    assert state.steps[-1] == Selling()
    for number in (1, 2, 3):
        sold = act(state, Sell(ADA, number))
        assert sold.gold == (2 * number, 0)
        assert sold.goods[0] == (5, 3 - number, 0, 0)
        assert sold.turn == BEN


@pytest.mark.rule("T21")
def test_another_market_of_the_same_value_buys_nothing_of_it() -> None:
    # The last row of the worked traces: Milkbread on lane −2 and Beetcandy on lane 2 are both worth 3.
    columns = [("1a", 0)], [("9a", -1)], [("13a", 0)], [("23a", -2)]
    for lane, good in ((-2, 1), (2, 2)):
        goods = (0, 4, 4, 0)
        state = board(*columns, pawns={0: (5, lane), 1: (2, 0)}, goods={0: goods})
        assert act(state, Sell(ADA, 4)).goods[0][good] == 0
    only_milk = board(*columns, pawns={0: (5, 2), 1: (2, 0)}, goods={0: (0, 4, 0, 0)})
    assert broken(only_milk, Sell(ADA, 1)) == ["T21"]


@pytest.mark.rule("T22")
def test_a_market_without_a_good_buys_nothing() -> None:
    state = board([("=1a", -4), ("=2a", 0)], pawns={0: (1, -4), 1: (2, 0)}, goods={0: (9, 9, 9, 9)})
    entered = act(state, EnterMarket(ADA))
    assert entered.turn == BEN, "nothing to sell, nothing to ask"
    inside = board(pawns={0: (5, 9), 1: (2, 0)}, goods={0: (9, 9, 9, 9)})
    assert broken(inside, Sell(ADA, 1)) == ["T22"]
    assert connected(inside, 9) is None


@pytest.mark.rule("T22")
def test_selling_is_optional_slides_nothing_and_may_wait() -> None:
    state = act(board(pawns=STRAIGHT_TO, goods={0: (0, 3, 0, 0)}), EnterMarket(ADA))
    kept = act(state, KeepGoods(ADA))
    assert (kept.goods, kept.gold, kept.turn) == (state.goods, (0, 0), BEN)
    later = act(kept, Stay(BEN))
    sold = act(later, Sell(ADA, 3))
    assert sold.gold == (6, 0)
    assert sold.columns == state.columns


@pytest.mark.rule("T23")
def test_21_gold_win_at_once_and_20_do_not() -> None:
    for gold, over in ((14, False), (15, True), (30, True)):
        state = board(pawns={0: (5, 1), 1: (2, 0)}, goods={0: (0, 3, 0, 0)}, gold=(gold, 0))
        if gold > 20:
            continue
        after = act(state, Sell(ADA, 3))
        assert (GAME.result(after) is not None) == over
        if over:
            result = GAME.result(after)
            assert result is not None
            assert result.winners == (ADA,)
            assert GAME.decisions(after) == ()
            assert legal(GAME, after, BEN) == ()
            assert broken(after, Stay(BEN))[0] == "T23"


@pytest.mark.rule("T23")
def test_a_win_by_mistake_can_be_corrected() -> None:
    won = act(board(pawns={0: (5, 1), 1: (2, 0)}, goods={0: (0, 3, 0, 0)}, gold=(15, 0)), Sell(ADA, 3))
    on = act(won, SetGold(ADA, ADA, 19))
    assert GAME.result(on) is None
    assert (on.turn, on.steps) == (BEN, (Turn(),))
    again = act(on, SetGold(BEN, BEN, 22))
    result = GAME.result(again)
    assert result is not None
    assert result.winners == (BEN,)


@pytest.mark.rule("T26", "T.r")
@pytest.mark.parametrize("lane", [-13, -4, -1, 0, 3, 4, 17, 50])
def test_finish_repeats_without_end_and_each_lane_is_its_own_market(lane: int) -> None:
    state = board([("=1a", lane), ("=2a", lane + 4)], pawns={0: (1, lane), 1: (2, 0)})
    entered = act(state, EnterMarket(ADA))
    assert at(entered, ADA) == (5, lane)
    assert names(state, EnterMarket(ADA))[0] == "EnteredMarket"
    assert worth(state.setup.pack, lane) == {0: 1, 1: 2, 2: 3, 3: 4}[lane % 4]


@pytest.mark.rule("T28")
def test_a_market_may_be_kept_connected_or_not() -> None:
    for lane in (1, 9):
        state = board(pawns={0: (5, lane), 1: (2, 0)}, goods={0: (0, 2, 0, 0)})
        stayed = act(state, Stay(ADA))
        assert at(stayed, ADA) == (5, lane)
        assert stayed.goods == state.goods


@pytest.mark.rule("T29")
def test_a_sale_pays_what_holds_now() -> None:
    # Face 23 turns the order round; at top 0, market lane 1 is connected to lane 2, Beetcandy.
    state = board([("=1a", 0)], [("23a", 0)], pawns={0: (5, 1), 1: (2, 0)}, goods={0: (0, 2, 2, 0)}, turn=1)
    assert connected(state, 1) == 2
    slid = act(state, Move(BEN, card("23a"), 3))
    assert connected(slid, 1) == 0
    assert broken(slid, Sell(ADA, 1)) == ["T21"]


@pytest.mark.rule("T.b", "T.z")
def test_first_move_then_sell_and_no_leaving_after_a_sale() -> None:
    state = board(pawns={0: (5, 1), 1: (2, 0)}, goods={0: (0, 3, 0, 0)})
    sold = act(state, Sell(ADA, 1))
    assert sold.turn == BEN
    assert broken(sold, Travel(ADA, card("20b"))) == ["T6"]
    entered = act(board(pawns=STRAIGHT_TO, goods={0: (0, 3, 0, 0)}), EnterMarket(ADA))
    assert broken(entered, Travel(ADA, card("20b"))) == ["T.b"]
    assert broken(entered, Stay(ADA)) == ["T.b"]
    assert broken(state, KeepGoods(ADA)) == ["T.b"]
    drawing = act(board(pawns=STRAIGHT_TO, goods={0: (0, 3, 0, 0)}), GoAbove(ADA))
    assert broken(drawing, Sell(ADA, 1))[0] == "T.x"


@pytest.mark.rule("T.c")
def test_there_is_no_way_from_market_to_market() -> None:
    assert broken(board(pawns={0: (5, 1), 1: (2, 0)}), EnterMarket(ADA)) == ["T.c"]


@pytest.mark.rule("T.h")
def test_two_goods_never_share_a_market() -> None:
    state = board([("9a", -2)], [("23a", 1)], [("13a", -1)], [("17a", 2)])
    lanes = markets(state)
    assert len(set(lanes)) == 4
    assert [connected(state, lane) for lane in lanes] == [0, 1, 2, 3]


@pytest.mark.rule("T.y")
def test_a_sale_is_one_to_all_and_once_a_turn() -> None:
    state = board(pawns={0: (5, 1), 1: (2, 0)}, goods={0: (0, 3, 0, 0)})
    assert broken(state, Sell(ADA, 4)) == ["T.y"]
    assert broken(state, Sell(ADA, 0)) == ["T.y"]
    assert broken(state, Sell(ADA, -1)) == ["T.y"]
    (verb,) = [verb for verb in GAME.verbs if verb.intent is Sell]
    assert verb.span is not None
    assert verb.span(state, Sell(ADA, 1)) == (1, 3)
    assert broken(act(state, Sell(ADA, 1)), Sell(ADA, 1)) == ["T6"]


@pytest.mark.rule("T.ad")
def test_there_are_no_trades_and_no_gifts() -> None:
    state = board(pawns={0: (5, 1), 1: (2, 0)}, goods={0: (0, 3, 0, 0)})
    for intent in legal(GAME, state, ADA):
        after = act(state, intent)
        assert after.goods[1] == state.goods[1]
        assert after.gold[1] == state.gold[1]
    assert offered(state, BEN, Sell) == []


@pytest.mark.rule("T.k", "T.af")
def test_staying_is_always_legal() -> None:
    state = board(pawns={0: (1, 0), 1: (2, 0)}, deck=0)
    for _ in range(50):
        assert offered(state, state.turn, Stay)
        state = act(state, Stay(state.turn))
    assert GAME.result(state) is None


@pytest.mark.rule("T.af")
def test_all_may_agree_to_stop_and_then_nobody_has_won() -> None:
    state = act(board(pawns={0: (1, 0), 1: (2, 0)}, seats=3), AgreeToStop(SeatId(2)))
    assert broken(state, AgreeToStop(SeatId(2))) == ["T.af"]
    lapsed = act(state, Stay(ADA))
    assert lapsed.agreed == ()
    for seat in (0, 1):
        state = act(state, AgreeToStop(SeatId(seat)))
    result = GAME.result(state)
    assert result is not None
    assert result.winners == ()
    assert GAME.decisions(state) == ()
