"""What an act leaves behind, to the last number: turns, steps, counters, blanks, cards set right."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from companion.core import TABLE, CardKind, PieceId, PlaceId, SeatId, legal
from companion.games.timeline import GAME
from companion.games.timeline import events as e
from companion.games.timeline.rules import intents as i
from companion.games.timeline.state import (
    ENDS,
    FACES,
    Drawing,
    Laid,
    Pack,
    Spot,
    Stopping,
    Turn,
    sellable,
    spot_of,
    start,
)
from companion.games.timeline.state.cards import BadFace, Ends, Face, Words
from companion.games.timeline.state.state import BESIDE
from companion.library.card_forms import read, typed
from tests.games.timeline.board import (
    ADA,
    BEN,
    CHLOE,
    PACK,
    act,
    board,
    broken,
    card,
    events,
    lay,
    offered,
    opened,
    setup_for,
)

COLUMN_3 = PlaceId("column/3")


@pytest.mark.rule("T6")
def test_turns_are_counted_one_by_one() -> None:
    """Nine turns were begun on such a board."""
    state = board(pawns={0: (1, 0), 1: (2, 0)})
    assert act(state, i.Stay(ADA)).turns == 10
    won = act(board(pawns={0: (5, 1), 1: (2, 0)}, gold=(20, 0), goods={0: (0, 1, 0, 0)}), i.Sell(ADA, 1))
    assert act(won, i.SetGold(ADA, ADA, 3)).turns == 10
    assert act(state, i.SetTurn(ADA, BEN)).turns == 10
    assert start(setup_for()).turns == 0
    placing = replace(opened(2, Random(1)), turns=9)
    assert act(placing, legal(GAME, placing, placing.turn)[0]).turns == 10


@pytest.mark.rule("T9", "T.n")
def test_a_new_card_waits_for_its_stop_only_if_somebody_moved_locally() -> None:
    state = board([("=1a", 0)], pawns={0: (1, 0), 1: (2, 0)})
    drawn = act(act(state, i.GoAbove(ADA)), i.Drew(TABLE, card("9a")))
    assert drawn.steps == (Turn(), Stopping(ADA, 1, -4))
    for come in ("left", "right"):
        drawing = replace(state, steps=(Turn(), Drawing(ADA, 2, 4, come, 4)))
        assert GAME.apply(drawing, e.CardLaid(card("9a"), 2, 4, "1234BYRG")).steps == (Turn(),)


@pytest.mark.rule("T21", "T23")
@pytest.mark.parametrize(("gold", "wins"), [(0, False), (10, False), (14, False), (15, True), (20, True)])
def test_a_sale_is_followed_by_the_next_turn_or_by_the_end(gold: int, wins: bool) -> None:
    state = board(pawns={0: (5, 1), 1: (2, 0)}, gold=(gold, 0), goods={0: (0, 3, 0, 0)})
    after = e.Won(ADA) if wins else e.TurnPassed(BEN)
    assert events(state, i.Sell(ADA, 3)) == (e.Sold(ADA, 3, "milk", 6), after)


def test_a_market_begins_after_the_last_column() -> None:
    state = board(pawns={0: (4, 1), 1: (5, 1)})
    assert sellable(state, Spot(4, 1)) is None
    assert sellable(state, Spot(5, 1)) == 1
    places = {lies.piece: lies.place for lies in GAME.layout(state)}
    assert [places[PieceId(f"pawn-{seat}")] for seat in range(3)] == ["stop/4/1", "market/1", "box"]


def test_nobodys_pawn_stands_beside_the_board_and_goes_nowhere() -> None:
    state = board(pawns={0: (1, 0), 1: (2, 0)})
    assert [spot_of(state, SeatId(seat)) for seat in (-1, 2)] == [BESIDE, BESIDE]
    beside = board(pawns={})
    assert offered(beside, ADA, i.Move) == offered(beside, ADA, i.Travel) == offered(beside, ADA, i.Flip) == []


# Set right


@pytest.mark.rule("T15")
@pytest.mark.parametrize("number", [1, 2, 3, 4])
@pytest.mark.parametrize("before", [0b0000, 0b0101, 0b1010, 0b1111])
def test_a_counter_is_put_back_or_taken_off(number: int, before: int) -> None:
    state = board([("1a", 0, before)], pawns={0: (2, 0), 1: (3, 0)})
    after = act(state, i.SetCounter(ADA, card("1a"), number))
    assert after.columns[0][0].counters == before ^ 1 << number - 1


@pytest.mark.rule("T30")
@pytest.mark.parametrize("number", [0, 2, 5, 9])
def test_goods_are_set_whatever_was_there(number: int) -> None:
    state = board(pawns={0: (1, 0), 1: (2, 0)}, goods={0: (1, 5, 2, 3)})
    assert act(state, i.SetGoods(BEN, ADA, PlaceId("milk"), number)).goods[0] == (1, number, 2, 3)


@pytest.mark.rule("T2")
def test_a_card_of_the_deck_is_put_into_its_column_and_filled() -> None:
    state = board([("1a", 0)], [("2a", 0)], [("3a", 0)], pawns={0: (1, 0), 1: (2, 0)})
    after = act(state, i.PutCard(ADA, card("9a"), COLUMN_3, -5))
    assert after.columns == (*state.columns[:2], (lay("9a", -5), lay("3a", 0)), state.columns[3])
    assert card("9a") not in after.deck


@pytest.mark.rule("T.a")
def test_a_card_that_is_moved_takes_along_its_own_pawns_and_no_others() -> None:
    """Cards 1a at -4 to -1, 2a at 0 to 3, 3a at 4 to 7: 2a goes to lane 5 of column 3."""
    first = [("1a", -4), ("2a", 0, 0b0110), ("3a", 4)]
    for lane, lands in ((-1, (1, -1)), (0, (3, 5)), (2, (3, 7)), (3, (3, 8)), (4, (1, 4))):
        state = board(first, [("4a", 0), ("5a", 4)], seats=4, pawns={0: (1, lane), 1: (2, 2), 2: (4, 3), 3: (5, 1)})
        after = act(state, i.PutCard(BEN, card("2a"), COLUMN_3, 5))
        assert (after.pawns[0].column, after.pawns[0].lane) == lands
        assert after.pawns[1:] == state.pawns[1:]
        assert after.columns[0] == (lay("1a", -4), lay("3a", 4))
        assert after.columns[2][-1] == lay("2a", 5, 0b0110)
        other = act(state, i.PutCard(BEN, card("4a"), COLUMN_3, 5))
        assert (other.pawns[0], other.pawns[1]) == (state.pawns[0], Spot(3, 7))


BLANKS = [("?", 0), ("?", 4), ("?", 8), ("1a", 12)]


@pytest.mark.rule("T.p")
@pytest.mark.parametrize(("place", "left"), [(1, (4, 8, 12)), (2, (0, 8, 12)), (3, (0, 4, 12))])
def test_one_of_several_blanks_is_taken_away(place: int, left: tuple[int, ...]) -> None:
    state = board(BLANKS, pawns={0: (2, 0), 1: (3, 0)})
    after = act(state, i.RemoveBlank(ADA, PlaceId(f"card/1/{place}")))
    assert (tuple(laid.top for laid in after.columns[0]), after.blanks) == (left, 2)
    spare = board(BLANKS, pawns={0: (2, 0), 1: (3, 0)}, blanks="stand-ins")
    assert act(spare, i.RemoveBlank(ADA, PlaceId(f"card/1/{place}"))).blanks == 0


@pytest.mark.rule("T.p")
def test_a_blank_that_is_alone_in_its_column_stays() -> None:
    state = board([("?", 0)], [("?", 0), ("1a", 4)], pawns={0: (2, 4), 1: (3, 0)})
    assert broken(state, i.RemoveBlank(ADA, PlaceId("card/1/1"))) == ["T2"]
    assert broken(state, i.RemoveBlank(ADA, PlaceId("card/2/1"))) == []


@pytest.mark.rule("T25")
@pytest.mark.parametrize("at", [1, 2, 3])
@pytest.mark.parametrize("blanks", ["deck", "stand-ins"])
def test_a_card_is_named_where_it_lies(at: int, blanks: str) -> None:
    column = [("2a", 0, 0b0011), ("?", 4), ("3a", 8, 0b0101)]
    state = board([("1a", 0)], [("4a", 0)], column, pawns={0: (1, 0), 1: (2, 0)}, blanks=blanks)
    after = act(state, i.SetFace(ADA, PlaceId(f"card/3/{at}"), card("9a")))
    named = lay("9a", 4 * (at - 1), {1: 0b0011, 2: 0b1111, 3: 0b0101}[at])
    assert after.columns == (
        *state.columns[:2],
        (*state.columns[2][: at - 1], named, *state.columns[2][at:]),
        state.columns[3],
    )
    assert (card("9a") in after.deck, {1: card("2a"), 3: card("3a")}.get(at, card("5a")) in after.deck) == (False, True)
    assert after.blanks == (state.blanks - (at == 2) if blanks == "deck" else 0)


@pytest.mark.rule("T.p", "T.q")
def test_only_a_stand_in_needs_a_card_of_the_deck_for_its_face() -> None:
    column = [("1a", 0), ("?", 4)]
    for deck in (1, 2):
        spare = board(column, pawns={0: (2, 0), 1: (3, 0)}, blanks="stand-ins", deck=deck)
        for place in ("card/1/1", "card/1/2"):
            assert broken(spare, i.SetFace(ADA, PlaceId(place), spare.deck[0])) == []
    empty = board(column, pawns={0: (2, 0), 1: (3, 0)}, blanks="stand-ins", deck=0)
    assert broken(empty, i.SetFace(ADA, PlaceId("card/1/2"), card("9a"))) == ["T.p"]
    under = board(column, pawns={0: (2, 0), 1: (3, 0)}, deck=0)
    assert broken(under, i.SetFace(ADA, PlaceId("card/1/2"), under.deck[0])) == []


@pytest.mark.rule("T.j")
def test_a_second_copy_is_set_turned_where_that_is_played() -> None:
    """Face 4 is 1342 YGBR, turned 2314 BGRY."""
    for choice, lines in (("as-drawn", "1342YGBR"), ("turned", "2314BGRY")):
        state = board([("1a", 0)], pawns={0: (2, 0), 1: (3, 0)}, second_copies=choice)
        put = act(state, i.PutCard(ADA, card("4b"), PlaceId("column/1"), 4))
        assert put.columns[0][1] == Laid(card("4b"), 4, lines)
        assert act(state, i.SetFace(ADA, PlaceId("card/1/1"), card("4b"))).columns[0][0].lines == lines
        assert act(state, i.SetFace(ADA, PlaceId("card/1/1"), card("4a"))).columns[0][0].lines == "1342YGBR"


@pytest.mark.rule("T.a")
@pytest.mark.parametrize(("lane", "stands"), [(3, False), (4, True), (7, True), (8, False)])
def test_a_card_is_taken_off_only_without_a_pawn_on_it(lane: int, stands: bool) -> None:
    state = board([("1a", 0), ("2a", 4), ("3a", 8)], pawns={0: (1, lane), 1: (3, 5)})
    assert broken(state, i.RemoveCard(ADA, card("2a"))) == (["T.a"] if stands else [])


@pytest.mark.rule("T.o")
def test_no_two_blanks_share_a_lane() -> None:
    state = board([("1a", 0), ("?", 4)], pawns={0: (1, 0), 1: (3, 0)})
    assert broken(state, i.PutBlank(ADA, PlaceId("column/1"), 7)) == ["T.o"]
    assert broken(state, i.PutBlank(ADA, PlaceId("column/1"), 8)) == []
    assert broken(state, i.PutCard(ADA, card("9a"), PlaceId("column/0"), 1)) == ["T1"]


@pytest.mark.rule("T6")
def test_the_turn_may_go_to_anyone_else_and_every_column_may_be_set() -> None:
    state = board(seats=4, pawns={0: (1, 0), 1: (2, 0)}, turn=1)
    verbs = {verb.intent: verb for verb in GAME.corrections}
    assert [intent.seat for intent in verbs[i.SetTurn].arguments(state, ADA)] == [0, 2, 3]
    places = [intent.place for intent in verbs[i.SetColumn].arguments(state, ADA)]
    assert places == [f"column/{number}" for number in range(1, 6)]


# Only one thing is wrong


@pytest.mark.parametrize(("column", "other"), [(1, "2a"), (2, "1a")])
@pytest.mark.rule("T8", "T.u")
def test_a_waypoint_of_another_column_is_not_the_own_one(column: int, other: str) -> None:
    state = board([("=1a", 0)], [("=2a", 0)], pawns={0: (column, 2), 1: (3, 0)})
    assert broken(state, i.Move(ADA, card(other), 3)) == ["T8"]


@pytest.mark.rule("T18")
def test_whoever_holds_a_waypoint_is_named() -> None:
    state = board([("=1a", 0)], pawns={0: (1, 2), 1: (1, 0), 2: (1, 3)}, seats=3, turn=1)
    assert broken(state, i.Move(BEN, card("1a"), 3)) == broken(state, i.Move(BEN, card("1a"), 4)) == ["T18"]


@pytest.mark.rule("T.f")
def test_a_blank_of_an_earlier_column_is_not_flipped() -> None:
    state = board([("=1a", 0), ("?", 4)], [("=2a", 0), ("?", 4)], pawns={0: (2, 0), 1: (3, 0)})
    assert broken(state, i.Flip(ADA, PlaceId("card/1/2"))) == ["T8"]


@pytest.mark.rule("T14", "T25", "T30")
def test_what_is_no_column_no_table_and_no_seat() -> None:
    state = board([("=1a", 0)], [("=2a", 4)], pawns={0: (1, 0), 1: (3, 0)})
    assert broken(state, i.Explore(ADA, PlaceId("column/2/1"))) == ["T14"]
    drawing = act(state, i.GoAbove(ADA))
    assert broken(drawing, i.Drew(SeatId(-2), card("9a"))) == ["T25"]
    assert broken(state, i.SetGold(ADA, SeatId(3), 1)) == ["T30"]
    assert broken(state, i.Sell(CHLOE, 1))[0] == "T30"


# Cards of one's own


@pytest.mark.parametrize(
    ("kind", "field", "low", "high"), [(FACES, "count", 1, 26), (ENDS, "first", 0, 9), (ENDS, "fourth", 0, 9)]
)
def test_a_number_of_a_form_has_its_bounds(
    kind: CardKind[Pack, Face] | CardKind[Pack, Ends], field: str, low: int, high: int
) -> None:
    filled = kind.read(PACK)[0]
    for number, fits in ((low - 1, False), (low, True), (high, True), (high + 1, False)):
        _, wrongs = read(kind, typed(kind, filled) | {field: str(number)}, filled)
        assert (field not in [wrong.field for wrong in wrongs]) == fits, number


@pytest.mark.parametrize("start", ["YYRG", "BBRG", "BYR", "BYRGB"])
def test_start_has_each_good_once(start: str) -> None:
    with pytest.raises(BadFace, match="each of B, Y, R, G once"):
        Pack("mine", Words("", ""), Words("", ""), (), start)


@pytest.mark.rule("T1")
def test_as_many_cards_as_columns_are_enough() -> None:
    few = Pack("few", Words("", ""), Words("", ""), (Face("2134", "BRYG"), Face("1243", "RBYG")))
    assert len(start(replace(setup_for(), pack=few)).deck) == 4
