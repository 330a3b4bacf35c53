"""Before the first week: boards, County Seats, chips, the starting auction."""

from __future__ import annotations

from itertools import combinations
from string import ascii_lowercase

import pytest
from msgspec.structs import replace

from companion.core import TABLE, PieceId, PlaceId, SeatId, SetupError
from companion.games.one_false_step import GAME
from companion.games.one_false_step import events as e
from companion.games.one_false_step.rules.intents import (
    BidSeat,
    DrewSeat,
    LayBoard,
    LiftBoard,
    MakeMap,
    NameButton,
    SetChips,
    SetCounters,
    TurnBoard,
    UseLayout,
)
from companion.games.one_false_step.rules.laying import largest
from companion.games.one_false_step.state import SYSTEMS, DrawingSeats, Laid, Opening, OpenSeat, board_piece, city_cards
from tests.games.one_false_step.play import (
    ADA,
    BEN,
    CLEO,
    NOBODY,
    PACK,
    ROW,
    VALLEY,
    Table,
    city,
    laid,
    opened,
    own,
    setup_for,
)


def fresh(seats: int = 3, pack: object = PACK) -> Table:
    return Table(GAME.start(setup_for(seats, pack=pack)))  # type: ignore[arg-type]


def lay(number: int, x: int, y: int) -> LayBoard:
    return LayBoard(ADA, board_piece(number), PlaceId(f"at/{x}/{y}"))


@pytest.mark.rule("F1")
@pytest.mark.parametrize("seats", [2, 7])
def test_three_to_six_sit_down(seats: int) -> None:
    with pytest.raises(SetupError, match="3 to 6"):
        GAME.start(setup_for(seats))


@pytest.mark.rule("F1")
def test_five_boards_are_laid_turned_and_lifted() -> None:
    table = fresh().do(lay(1, 0, 0), lay(2, 1, 0), lay(3, 1, 1), lay(4, 2, 1))
    assert table.no(MakeMap(BEN)).key == "all-laid"
    assert table.no(lay(1, 0, 1)).key == "board-free"
    assert table.no(lay(9, 0, 1)).key == "board-free"
    table.do(lay(5, 3, 1))
    assert table.no(lay(6, 4, 1)).rule == "F1"
    table.do(TurnBoard(BEN, board_piece(5)), TurnBoard(BEN, board_piece(5)))
    assert table.now.laid[-1] == Laid(5, 3, 1, 2)
    assert table.no(TurnBoard(ADA, board_piece(6))).key == "board-lies"
    table.do(LiftBoard(CLEO, board_piece(5)))
    assert len(table.now.laid) == 4
    assert table.no(UseLayout(ADA, 99)).key == "layout-there"
    table.do(UseLayout(ADA, 2), MakeMap(ADA))
    assert table.now.laid == PACK.layouts[1].boards
    assert table.no(lay(1, 5, 5)).key == "laying"


@pytest.mark.rule("F.ax")
def test_boards_that_do_not_meet_are_refused() -> None:
    table = fresh().do(lay(1, 0, 0))
    assert table.no(lay(2, 2, 0)).rule == "F.ax"
    assert table.no(lay(2, 1, 1)).rule == "F.ax"
    table.do(lay(2, 1, 0), lay(3, 2, 0), lay(4, 3, 0), lay(5, 1, 1), LiftBoard(ADA, board_piece(2)), lay(6, 4, 0))
    refusal = table.no(MakeMap(ADA))
    assert (refusal.rule, refusal.key) == ("F.ax", "boards-meet")


@pytest.mark.rule("F.ax")
def test_fewer_county_seats_than_players_are_refused() -> None:
    tables = [Table(replace(GAME.start(setup_for(seats, pack=VALLEY)), laid=ROW)) for seats in (4, 5)]
    assert [table.may(MakeMap(ADA)) for table in tables] == [True, False]
    assert tables[1].no(MakeMap(ADA)).key == "seats-enough"


@pytest.mark.rule("F2", "F47")
def test_cities_of_unused_boards_leave_the_game() -> None:
    table = fresh().do(UseLayout(ADA, 1), MakeMap(ADA))
    used = {laid_board.board for laid_board in table.now.laid}
    cards = city_cards(PACK)
    assert {cards[c].board for c in table.now.gone} == {b.number for b in PACK.boards} - used
    assert {cards[c].board for c in table.now.deck.unseen} == used
    assert len(table.now.gone) + len(table.now.deck.unseen) == 33


@pytest.mark.rule("F3")
def test_as_many_seats_as_players_are_drawn_the_rest_stay_in_the_deck() -> None:
    table = fresh(4).do(UseLayout(ADA, 1), MakeMap(ADA))
    assert table.awaits() == ("draw-seat", (TABLE,))
    assert table.no(DrewSeat(TABLE, city("dry-ditch"))).rule == "F3"
    assert table.no(DrewSeat(ADA, city("farmington"))).rule == "F3"
    table.do(DrewSeat(TABLE, city("farmington")))
    assert table.no(DrewSeat(TABLE, city("farmington"))).key == "seat-left"
    while table.awaits()[0] == "draw-seat":
        table.do(table.legal(TABLE)[0])
    assert len(table.now.open_seats) == 4
    left = [c for c in table.now.deck.unseen if city_cards(PACK)[c].seat]
    assert len(left) == 9 - 4
    assert table.no(DrewSeat(TABLE, left[0])).key == "seat-due"


@pytest.mark.rule("F3")
def test_no_draw_is_asked_when_all_seats_are_needed() -> None:
    table = Table(replace(GAME.start(setup_for(4, pack=VALLEY)), laid=ROW)).do(MakeMap(ADA))
    assert table.awaits()[0] == "name-button"
    assert {s.city for s in table.now.open_seats} == {"alba", "brio", "cima", "dora"}


@pytest.mark.rule("F4", "F38")
def test_everyone_starts_alike_and_the_button_is_random() -> None:
    table = opened(3)
    now = table.now
    assert (now.red, now.food, now.gold) == ((20,) * 3, (4,) * 3, (0,) * 3)
    assert now.levels == ((1, 1, 1),) * 3
    assert SYSTEMS == ("guidance", "life", "fuel")
    assert now.know_how == (NOBODY,) * 3
    table = fresh(3).do(UseLayout(ADA, 1), MakeMap(ADA))
    while table.awaits()[0] == "draw-seat":
        table.do(table.legal(TABLE)[0])
    assert table.legal(TABLE) == tuple(NameButton(TABLE, SeatId(s)) for s in range(3))
    assert table.no(NameButton(TABLE, SeatId(3))).rule == "F4"
    assert table.do(NameButton(TABLE, CLEO)).now.button == CLEO
    assert table.awaits() == ("open-bid", (CLEO,))


def auction(*bids: OpenSeat, seats: int = 3, button: SeatId = ADA) -> Table:
    names = ("alba", "brio", "cima", "dora")[:seats]
    given = {bid.city: bid for bid in bids}
    red = [20] * seats
    for bid in bids:
        red[bid.seat] -= bid.number
    table = laid(steps=(Opening(button),), seats=seats, red=tuple(red), button=button, deck="dora enno fano")
    open_seats = tuple(given.get(PieceId(n), OpenSeat(PieceId(n))) for n in names)
    table.now = replace(table.now, open_seats=open_seats, bank=(0, 0, 0), week=0, day="setup")
    return table


@pytest.mark.rule("F5", "F39")
def test_without_a_bid_out_you_must_bid_with_one_out_you_pass() -> None:
    table = auction()
    assert table.no(BidSeat(BEN, city("alba"), 3)).rule == "F5"
    table.do(BidSeat(ADA, city("alba"), 3))
    assert table.awaits() == ("open-bid", (BEN,))
    table.do(BidSeat(BEN, city("alba"), 4))
    # Cleo is next although Ada is without a bid again: the turn goes to the left.
    assert table.awaits() == ("open-bid", (CLEO,))
    table.do(BidSeat(CLEO, city("brio"), 1))
    assert table.awaits() == ("open-bid", (ADA,))


@pytest.mark.rule("F.s")
def test_an_own_bid_cannot_be_raised_or_moved() -> None:
    table = auction().do(BidSeat(ADA, city("alba"), 3))
    assert table.no(BidSeat(ADA, city("alba"), 5)).rule == "F.s"
    assert table.no(BidSeat(ADA, city("brio"), 1)).rule == "F.s"


@pytest.mark.rule("F6")
def test_a_higher_bid_sends_chips_and_counter_back() -> None:
    table = auction().do(BidSeat(ADA, city("alba"), 3))
    assert table.now.red == (17, 20, 20)
    assert table.no(BidSeat(BEN, city("alba"), 3)).rule == "F6"
    table.do(BidSeat(BEN, city("alba"), 4))
    assert table.now.red == (20, 16, 20)
    assert table.happened(e.Outbid) == [e.Outbid(ADA, city("alba"), 3)]


@pytest.mark.rule("F.h")
def test_a_bid_is_at_least_one_chip() -> None:
    table = auction()
    assert table.no(BidSeat(ADA, city("alba"), 0)).rule == "F.h"
    assert table.may(BidSeat(ADA, city("alba"), 1))


@pytest.mark.rule("F.r")
def test_nobody_is_stuck_and_nobody_bids_more_than_held() -> None:
    table = auction(OpenSeat(city("alba"), BEN, 20), OpenSeat(city("brio"), CLEO, 20))
    assert table.no(BidSeat(ADA, city("cima"), 21)).rule == "F.r"
    assert table.no(BidSeat(ADA, city("enno"), 1)).rule == "F3"
    assert [i for i in table.legal(ADA) if isinstance(i, BidSeat)] == [BidSeat(ADA, city("cima"), 1)]


@pytest.mark.rule("F7", "F.as")
def test_it_ends_when_every_seat_has_a_bid_and_is_settled_in_button_order() -> None:
    table = auction(OpenSeat(city("alba"), BEN, 5), OpenSeat(city("brio"), CLEO, 2), button=ADA)
    table.do(BidSeat(ADA, city("cima"), 1))
    bought = table.happened(e.SeatBought)
    assert [b.seat for b in bought] == [ADA, BEN, CLEO]
    assert table.now.red == (19, 15, 18)
    assert table.now.bank[0] == 8
    assert all(h.counters == 1 and not h.chips for h in table.now.owned)
    assert table.now.week == 1


@pytest.mark.rule("F8", "F47")
def test_the_button_goes_to_the_most_populous_seat() -> None:
    table = auction(OpenSeat(city("alba"), BEN, 5), OpenSeat(city("brio"), CLEO, 2))
    table.do(BidSeat(ADA, city("cima"), 1))
    assert table.happened(e.ButtonMoved) == [e.ButtonMoved(ADA)]
    table = auction(OpenSeat(city("cima"), CLEO, 5), OpenSeat(city("brio"), BEN, 2))
    assert table.do(BidSeat(ADA, city("alba"), 1)).now.button == CLEO


@pytest.mark.rule("F.n")
def test_of_equal_populations_the_first_from_the_button_has_it() -> None:
    same = replace(VALLEY, boards=tuple(
        replace(b, towns=tuple(replace(t, population=5000) for t in b.towns)) for b in VALLEY.boards
    ))  # fmt: skip
    table = laid(own("alba", ADA), own("brio", BEN), own("cima", CLEO), button=CLEO)
    table.now = replace(table.now, setup=replace(table.now.setup, pack=same))
    assert largest(table.now) == CLEO
    assert largest(replace(table.now, button=BEN)) == BEN


@pytest.mark.rule("F37")
def test_chips_and_counters_do_not_run_out() -> None:
    table = laid(own("alba", middle=1), own("brio", BEN))
    table.do(SetChips(ADA, PlaceId("gold/0"), 199), SetCounters(ADA, PlaceId("city/alba"), 99))
    assert table.now.gold[0] == 199
    assert table.now.bank[2] == -199
    assert table.no(SetChips(ADA, PlaceId("gold/0"), 200)).rule == "F37"


def test_the_pack_is_complete_and_any_five_boards_seat_six() -> None:
    cards = city_cards(PACK)
    assert (len(PACK.boards), len(cards)) == (8, 33)
    assert cards[city("little-elk")].population == 2011
    assert {"farmington", "big-butte"} <= set(cards)
    for five in combinations(PACK.boards, 5):
        assert sum(t.seat for b in five for t in b.towns) >= 6
    for board in PACK.boards:
        assert sorted(j.edge for j in board.joints) == sorted(["n1", "n2", "e1", "e2", "s1", "s2", "w1", "w2"])
    assert "ours" in PACK.note.en
    assert "nôtres" in PACK.note.fr


@pytest.mark.rule("F1")
def test_with_five_boards_laid_nobody_is_told_to_lay_any() -> None:
    table = fresh(3).do(UseLayout(BEN, 1))
    assert table.awaits()[0] == "make-map"
    assert table.do(LiftBoard(ADA, PieceId("board-1"))).awaits()[0] == "lay"


def test_every_suggested_layout_makes_a_map() -> None:
    for number in range(1, len(PACK.layouts) + 1):
        table = fresh(6).do(UseLayout(ADA, number), MakeMap(ADA))
        assert isinstance(table.now.steps[-1], DrawingSeats | type(table.now.steps[0]))


def test_a_pack_that_makes_no_map_is_named() -> None:
    few = replace(PACK, boards=PACK.boards[:4])
    with pytest.raises(SetupError, match="at least 5 boards"):
        GAME.start(setup_for(3, pack=few))


def test_the_rules_are_the_numbered_ones() -> None:
    rulings = [f"F.{letter}" for letter in ascii_lowercase] + [f"F.a{letter}" for letter in ascii_lowercase] + ["F.ba"]
    assert list(GAME.rules) == [*(f"F{number}" for number in range(1, 48)), *rulings]
