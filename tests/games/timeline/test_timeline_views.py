"""Prices live, what-if, the check, the board drawn: what people are told and shown."""

from __future__ import annotations

from random import Random

import pytest

from companion.core import (
    TABLE,
    Card,
    Disc,
    End,
    Fact,
    Name,
    PlaceId,
    Ready,
    Said,
    SeatId,
    Stroke,
    Token,
    Word,
    known_pieces,
    legal,
    select,
)
from companion.games.timeline import GAME
from companion.games.timeline.rules import intents as i
from companion.games.timeline.state import GOODS, State, prices
from companion.library import Names, Speaker, Texts, shelf
from tests.games.timeline.board import ADA, BEN, PACK, act, board, card, played

PRICES = "foresee.prices"
NAMES = ("Ada", "Ben", "Chloé", "Dan", "Eve")
WORKED = [("1a", 0)], [("9a", -1)], [("13a", 0)], [("23a", -2)]


def speaker(lang: str) -> Speaker:
    names = Names(NAMES, lambda piece: GAME.describe(PACK, piece), GAME.place)
    return Speaker(Texts.load(*shelf.texts_folders(GAME.id)), lang, names)  # type: ignore[arg-type]


def fact(said: Said, name: str) -> Fact:
    return dict(said.facts)[name]


def keys(saids: tuple[Said, ...]) -> list[str]:
    return [said.key for said in saids]


@pytest.mark.rule("T4")
def test_the_headline_and_the_check_tell_the_prices_and_their_markets() -> None:
    state = board(*WORKED, pawns={0: (1, 2), 1: (5, 2)}, goods={1: (0, 1, 2, 0)})
    assert [fact(GAME.headline(state), good) for good in ("oil", "milk", "beet", "nuc")] == [1, 3, 3, 4]
    lines = [speaker("en").say(said) for said in GAME.status(state).words]
    assert "Milkbread sells in the market of 3, 1 card above Start" in lines
    assert "Ben can sell 2 Beetcandy now, in the market of 3, level with Start" in lines
    assert "Counters on the card of column 2: all four counters; it’s 1 lane above Start" in lines
    assert [line.values for line in GAME.series(state)] == [(0, 0), (1,), (3,), (3,), (4,)]


@pytest.mark.rule("T16", "T19")
def test_what_if_tells_the_prices_after_the_slide_and_whose_goods_gain_or_lose() -> None:
    state = board(
        [("1a", 0)],
        [("9a", 0)],
        [("13a", 0)],
        [("23a", 0)],
        pawns={0: (2, 0), 1: (4, 0)},
        goods={0: (2, 0, 0, 0), 1: (0, 0, 3, 0)},
    )
    wish = i.Move(ADA, card("9a"), 4)
    told_lines = GAME.foresee(state, wish)
    assert prices(act(state, wish)) == (4, 3, 2, 1)
    assert keys(told_lines) == ["foresee.gets", "foresee.prices", "foresee.gains", "foresee.loses"]
    assert [fact(told_lines[1], good) for good in GOODS] == [4, 3, 2, 1]
    ways = [fact(told_lines[1], f"{good}_way") for good in GOODS]
    assert ways == [Word("way.up"), Name(""), Word("way.down"), Name("")]
    assert [fact(said, "n") for said in told_lines[2:]] == [4, 6]


@pytest.mark.parametrize("slide", ["column", "card-and-above"])
def test_what_if_is_what_then_happens(slide: str) -> None:
    for state, _, _ in played(Random(11), 4, 150, slide=slide):
        for intent in legal(GAME, state, state.turn):
            if isinstance(intent, i.Move | i.Travel | i.StopOn):
                told = [tuple(fact(s, g) for g in GOODS) for s in GAME.foresee(state, intent) if s.key == PRICES]
                after, before = prices(act(state, intent)), prices(state)
                assert told == ([after] if after != before else [])


def test_what_a_new_card_will_do_is_unknown() -> None:
    state = board([("=1a", 0)], [("=2a", 8)], pawns={0: (1, 1), 1: (4, 0)})
    assert keys(GAME.foresee(state, i.GoAbove(ADA))) == ["foresee.unknown"]
    assert keys(GAME.foresee(state, i.Explore(ADA, PlaceId("column/2")))) == ["foresee.blanks", "foresee.unknown"]


def test_a_market_says_what_it_buys_and_a_sale_what_it_brings() -> None:
    state = board(pawns={0: (1, 1), 1: (5, 1)}, goods={0: (0, 3, 0, 0), 1: (0, 2, 0, 0)}, gold=(0, 5), turn=1)
    assert dict(GAME.foresee(state, i.EnterMarket(ADA))[0].facts) == {"value": 2, "good": Word("good.milk"), "n": 3}
    assert dict(GAME.foresee(state, i.Sell(BEN, 2))[0].facts) == {"n": 4, "total": 9}


def test_the_board_is_drawn_with_all_its_lines_counters_and_pawns() -> None:
    state = board(*WORKED, pawns={0: (1, 2), 1: (5, 2)})
    picture = GAME.picture(state)
    strokes = [shape for shape in picture.shapes if isinstance(shape, Stroke)]
    assert sum(stroke.trace is None for stroke in strokes) == 16
    assert [stroke.pattern for stroke in strokes if stroke.trace] == ["solid", "dashed", "dotted", "double"]
    assert sum(isinstance(shape, Disc) and shape.seat is not None for shape in picture.shapes) == 2
    for shape in picture.shapes:
        if isinstance(shape, Card | Disc):
            assert 0 <= shape.x <= picture.width
            assert 0 <= shape.y <= picture.height
    assert len(picture.rows) == 4 + 4 * 5 + 2


def test_a_trace_ends_where_its_good_is_sold() -> None:
    for state, _, _ in played(Random(3), 5, 120):
        picture = GAME.picture(state)
        traces = [shape for shape in picture.shapes if isinstance(shape, Stroke) and shape.trace]
        ends = [stroke.points[-1][1] for stroke in traces]
        buyers = [s.y for s in picture.shapes if isinstance(s, Disc) and s.said.key == "picture.market"]
        assert sorted(ends) == sorted(buyers)


def test_six_columns_of_four_cards_fit_a_phone() -> None:
    columns = [[(f"{n}a", -6), (f"{n}b", -2), (f"{n + 6}a", 2), (f"{n + 6}b", 6)] for n in range(1, 7)]
    picture = GAME.picture(board(*columns, seats=5, pawns={s: (s + 1, 0) for s in range(5)}))
    assert picture.width <= 360
    counters = [shape for shape in picture.shapes if isinstance(shape, Disc) and not shape.hollow]
    assert min(shape.r for shape in counters) >= 7


@pytest.mark.parametrize("lane", [-9, 0, 9])
def test_a_tall_board_says_where_the_pawn_is_whose_turn_it_is(lane: int) -> None:
    column = [(f"{n}a", 4 * n - 10) for n in range(1, 6)]
    picture = GAME.picture(board(column, pawns={0: (1, lane)}))
    top, end = picture.focus
    pawn = next(shape for shape in picture.shapes if isinstance(shape, Disc) and shape.seat == ADA)
    assert 0 <= top < pawn.y - pawn.r < pawn.y + pawn.r < end <= picture.height
    assert end - top < picture.height, "a part of it"


def test_the_end_is_told() -> None:
    won = act(board(pawns={0: (5, 1), 1: (2, 0)}, goods={0: (0, 3, 0, 0)}, gold=(15, 0)), i.Sell(ADA, 3))
    result = GAME.result(won)
    assert result is not None
    assert speaker("fr").say(result.said) == "Ada gagne avec 21 Or."
    assert GAME.headline(won).key == "headline.over"


@pytest.mark.slow
def test_what_is_ringed_on_the_board_is_where_the_awaited_pawn_may_stop() -> None:
    """Words and picture agree: touching a ringed thing is always possible, touching one without a ring never is."""
    kinds = set()
    for state, _, _ in played(Random(14), 3, 70):
        if (awaited := GAME.decisions(state)[-1].seats) == (TABLE,):
            assert not any(disc.offered for disc in discs(state)), "nobody chooses while a card is drawn"
            continue
        for disc in discs(state):
            if disc.token is not None and disc.token.kind == "place":
                end = touched(state, awaited, disc.token)
                is_stop = isinstance(end, Ready) and type(end.intent) in (
                    i.Move,
                    i.Travel,
                    i.StopOn,
                    i.Place,
                    i.EnterMarket,
                )
                assert disc.offered == is_stop, (disc, end)
                kinds |= {type(end.intent)} if isinstance(end, Ready) else set()
    assert kinds >= {i.Move, i.Travel, i.StopOn, i.Place, i.EnterMarket}


def discs(state: State) -> list[Disc]:
    return [shape for shape in GAME.picture(state).shapes if isinstance(shape, Disc)]


def touched(state: State, awaited: tuple[SeatId, ...], token: Token) -> End:
    known = known_pieces(GAME, state)
    return select(GAME, state, state, awaited, (token,), known=known, verbs=GAME.verbs)


@pytest.mark.rule("T16")
def test_a_slide_is_drawn_until_somebody_moves_again() -> None:
    state = board([("1a", 0), ("2a", 4)], pawns={0: (1, 0), 1: (3, 0)})
    slid = act(state, i.Move(ADA, card("1a"), 2))
    assert slid.slid == (1, 2)
    arrows = [s for s in GAME.picture(slid).shapes if isinstance(s, Stroke) and s.ink == "brass"]
    assert len(arrows) == 1
    low, high = arrows[0].points[0][1], arrows[0].points[1][1]
    assert low - high == 8 * 24, "two cards of four lanes"
    assert GAME.picture(slid).rows[0].key == "row.slid"
    stayed = act(slid, i.Stay(BEN))
    assert stayed.slid == (0, 0)
    assert not [s for s in GAME.picture(stayed).shapes if isinstance(s, Stroke) and s.ink == "brass"]
    assert act(slid, i.SetColumn(ADA, PlaceId("column/1"), 0)).slid == (0, 0)
