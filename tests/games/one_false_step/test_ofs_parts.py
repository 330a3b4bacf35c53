"""What a box holds, what an id says, and the first moment of a game."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from companion.core import (
    Name,
    Piece,
    PieceId,
    PlaceId,
    Said,
    Seat,
    SeatId,
    SetupError,
    Word,
    instead,
    is_seat,
    left_of,
    popped,
    pushed,
    say,
    swapped,
    top,
)
from companion.games.one_false_step import GAME
from companion.games.one_false_step.state import (
    KNOW_HOW,
    Auction,
    Dispute,
    Holding,
    Laid,
    Laying,
    Offer,
    OpenSeat,
    Pack,
    Shot,
    Thursday,
    Town,
    added,
    board_number,
    button_order,
    pieces,
    places,
    rocket_card,
    rocket_cards,
    system_of,
)
from companion.games.one_false_step.state.parts import NoSuchPack, Same
from tests.games.one_false_step.play import ADA, BEN, CLEO, NOBODY, PACK, VALLEY, at, laid, setup_for


def test_every_piece_is_there_once() -> None:
    cards = pieces(VALLEY)
    assert cards[:6] == ("alba", "brio", "cima", "dora", "enno", "fano")
    assert cards[6:11] == tuple(f"board-{number}" for number in range(1, 6))
    assert cards[11:14] == ("guidance-1", "life-1", "fuel-1")
    assert cards[26:29] == ("guidance-6", "life-6", "fuel-6")
    assert cards[29:] == KNOW_HOW == ("know-guidance", "know-life", "know-fuel")
    assert len(set(pieces(PACK))) == len(pieces(PACK)) == 33 + 8 + 18 + 3
    assert places(VALLEY)[:5] == tuple(at(name) for name in ("farm 1a", "mine 1b", "farm 1c", "mine 2a", "farm 2b"))


@pytest.mark.parametrize(
    ("piece", "number"), [("board-1", 1), ("board-12", 12), ("board-", 0), ("board-x", 0), ("alba", 0), ("7", 0)]
)
def test_the_number_of_a_board(piece: str, number: int) -> None:
    assert board_number(PieceId(piece)) == number


def test_rocket_cards_are_found_by_system_and_seat() -> None:
    assert rocket_cards(BEN) == ("guidance-2", "life-2", "fuel-2")
    assert [rocket_card(system, CLEO) for system in range(3)] == ["guidance-3", "life-3", "fuel-3"]
    names = ("guidance-4", "life-1", "fuel-2", "know-guidance", "know-life", "know-fuel", "alba", "know-alba")
    assert [system_of(PieceId(name)) for name in names] == [0, 1, 2, 0, 1, 2, None, None]


@pytest.mark.parametrize(
    ("piece", "said"),
    [
        ("alba", say("piece.city", name=Name("Alba"))),
        ("board-5", say("piece.board", number=5)),
        ("board-6", say("piece.unknown")),
        ("life-1", say("piece.rocket", system=Word("system.life"), set=1)),
        ("life-6", say("piece.rocket", system=Word("system.life"), set=6)),
        ("life-0", say("piece.unknown")),
        ("life-7", say("piece.unknown")),
        ("life-x", say("piece.unknown")),
        ("know-fuel", say("piece.know-how", system=Word("system.fuel"))),
        ("know-alba", say("piece.unknown")),
    ],
)
def test_a_piece_is_called_by_its_id(piece: str, said: Said) -> None:
    assert GAME.describe(VALLEY, PieceId(piece)) == said


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("mine/3-b", say("place.mine", name=Name("3b"))),
        ("farm/12-c", say("place.farm", name=Name("12c"))),
        ("train/alba", say("place.train", city=Piece(PieceId("alba")))),
        ("gold/2", say("place.gold", seat=Seat(CLEO))),
        ("at/0/0", say("place.at", x=Name("0"), y=Name("0"))),
        ("at/-1/2", say("place.at", x=Name("1W"), y=Name("2S"))),
        ("at/3/-4", say("place.at", x=Name("3E"), y=Name("4N"))),
        ("deck", say("place.deck")),
    ],
)
def test_a_place_is_called_by_its_id(place: str, said: Said) -> None:
    assert GAME.place(PlaceId(place)) == said


@pytest.mark.rule("F4", "F38")
def test_the_first_moment() -> None:
    state = GAME.start(setup_for(4, pack=VALLEY))
    assert (state.week, state.day, state.button, state.winner) == (0, "setup", 0, NOBODY)
    assert (state.red, state.food, state.gold) == ((20,) * 4, (4,) * 4, (0,) * 4)
    assert (state.bank, state.crew, state.starved) == ((0, 0, 0), (0,) * 4, ((),) * 4)
    assert (state.levels, state.know_how) == (((1, 1, 1),) * 4, (NOBODY,) * 3)
    assert (state.gone, state.steps) == (("alba", "brio", "cima", "dora", "enno", "fano"), (Laying(),))
    assert GAME.version == state.setup.version


@pytest.mark.rule("F1")
@pytest.mark.parametrize("seats", [2, 7])
def test_three_to_six_sit_down(seats: int) -> None:
    with pytest.raises(SetupError, match=f"seats 3 to 6, not {seats}"):
        GAME.start(setup_for(seats))
    assert len(GAME.start(setup_for(6)).red) == 6


def with_boards(*boards: int) -> Pack:
    return replace(VALLEY, boards=tuple(VALLEY.boards[number - 1] for number in boards))


@pytest.mark.rule("F1")
def test_a_pack_of_which_no_map_can_be_made_is_refused() -> None:
    with pytest.raises(SetupError, match=r"at least 5 boards, it has \[1, 2, 3, 4\]"):
        GAME.start(setup_for(3, pack=with_boards(1, 2, 3, 4)))


def test_everything_that_is_wrong_with_the_boards_is_told_at_once() -> None:
    first, second, *rest = VALLEY.boards
    with pytest.raises(NoSuchPack) as lines:
        replace(first, links=(("alba", "z"), ("abla", "a")), joints=(replace(first.joints[0], node="q"),))
    assert [text for text, _ in lines.value.found] == [
        "a line of board 1 leads to 'z', which is not on it",
        "a line of board 1 leads to 'abla', which is not on it; did you mean 'alba'?",
        "a line of board 1 leads to 'q', which is not on it",
    ]
    twin = replace(second, number=1, towns=first.towns, links=(), joints=())
    with pytest.raises(NoSuchPack) as boards:
        replace(VALLEY, boards=(first, twin, *rest))
    assert [said for _, said in boards.value.found] == [
        say("pack.board.twice", number=1),
        say("pack.town.twice", town=Name("alba")),
        say("pack.town.twice", town=Name("brio")),
    ]


def test_seats_go_round_to_the_left() -> None:
    state = laid(button=BEN).now
    assert button_order(state) == (BEN, CLEO, ADA)
    assert [left_of(state, seat) for seat in (ADA, BEN, CLEO)] == [BEN, CLEO, ADA]
    assert [is_seat(state, SeatId(seat)) for seat in (-2, -1, 0, 2, 3, 4)] == [False, False, True, True, False, False]


def test_steps_lie_on_each_other() -> None:
    state = laid().now
    first = state.steps[0]
    two = pushed(state, Laying())
    assert (two.steps, top(two)) == ((first, Laying()), Laying())
    assert (popped(two).steps, instead(two, first).steps) == ((first,), (first, first))
    assert top(popped(state)) is None
    assert swapped((1, 2, 3, 4), 2, 9) == (1, 2, 9, 4)
    assert [added((5, 6, 7), seat, 3) for seat in range(3)] == [(8, 6, 7), (5, 9, 7), (5, 6, 10)]


def test_what_is_new_begins_with_nothing() -> None:
    """A city with its marker alone, an auction without a bid, an offer without a price, a shot before its dice."""
    city = Holding(PieceId("alba"), ADA)
    assert (city.chips, city.counters, city.middle, city.train) == (0, 1, 0, 0)
    assert OpenSeat(PieceId("alba")) == OpenSeat(PieceId("alba"), NOBODY, 0)
    assert Auction(PieceId("alba"), ADA, ()) == Auction(PieceId("alba"), ADA, (), 0, NOBODY)
    assert Offer(ADA, BEN, "food", 1).price == 0
    assert Dispute(ADA, PieceId("alba"), 0, BEN).roll == 0
    assert Shot(ADA) == Shot(ADA, 0, 0)
    assert Thursday(ADA).shot is False
    assert Laid(1, 0, 0).turn == 0


@pytest.mark.parametrize(("length", "fits"), [(1, False), (2, True), (24, True), (25, False)])
def test_the_id_of_a_town_has_two_to_twenty_four_letters(length: int, fits: bool) -> None:
    town = {"id": "a" * length, "name": "A", "x": 0, "y": 100, "population": 1, "red": 0, "green": 0}
    if fits:
        assert msgspec.convert(town, Town) == Town("a" * length, "A", 0, 100, 1, 0, 0, False)
    else:
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(town, Town)


def test_packs_are_told_apart_by_identity() -> None:
    twin = replace(VALLEY)
    assert twin == VALLEY
    assert Same(VALLEY) == Same(VALLEY)
    assert Same(VALLEY) != Same(twin)
    assert Same(VALLEY) != VALLEY


def test_a_board_that_is_not_in_the_box_is_unknown() -> None:
    assert GAME.describe(with_boards(2, 3, 4, 5), PieceId("board-1")) == say("piece.unknown")


def test_a_claim_that_no_line_reaches_does_no_harm() -> None:
    first, *rest = VALLEY.boards
    lonely = replace(first, claims=(*first.claims, replace(first.claims[0], id="w")))
    assert GAME.start(setup_for(3, pack=replace(VALLEY, boards=(lonely, *rest)))).week == 0
