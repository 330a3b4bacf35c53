"""The map that boards make, worked out by hand on the valley: alba - a - b - brio, c on b, and c meets board 2."""

from __future__ import annotations

import pytest

from companion.core import SeatId
from companion.games.one_false_step.state import (
    JOINTS,
    Laid,
    Point,
    all_meet,
    bits,
    county,
    reach,
    squares_beside,
    strands,
)
from companion.games.one_false_step.state.map import backing, holdings, turned
from tests.games.one_false_step.play import ROW, VALLEY, at, city

WHERE = county(VALLEY, ROW)
ALBA, BRIO, CIMA = (WHERE.city_at[city(name)] for name in ("alba", "brio", "cima"))
CLAIMS = ("farm 1a", "mine 1b", "farm 1c", "mine 2a", "farm 2b", "farm 3a", "farm 4a", "farm 5a")
A, B, C, A2, B2 = (1 << number for number in range(5))


@pytest.mark.parametrize(("turn", "point"), [(0, (10, 20)), (1, (80, 10)), (2, (90, 80)), (3, (20, 90)), (4, (10, 20))])
def test_a_point_turns_clockwise_with_its_board(turn: int, point: Point) -> None:
    assert turned((10, 20), Laid(1, 0, 0, turn)) == point
    x, y = point
    assert turned((10, 20), Laid(1, 2, -3, turn)) == (x + 200, y - 300)


def test_a_map_knows_its_cities_claims_and_spots() -> None:
    assert WHERE.cities == ("alba", "brio", "cima", "dora", "enno", "fano")
    assert WHERE.claims == tuple(at(name) for name in CLAIMS)
    assert WHERE.mines == B | A2
    towns = ((10, 50), (90, 50), (150, 20), (250, 50), (350, 50), (450, 50))
    claims = ((30, 50), (60, 50), (60, 80), (150, 50), (150, 80), (250, 80), (350, 80), (450, 80))
    assert WHERE.spots == (*towns, *claims)
    assert [WHERE.city_at[name] for name in WHERE.cities] == [0, 1, 2, 3, 4, 5]
    assert [WHERE.claim_at[name] for name in WHERE.claims] == [0, 1, 2, 3, 4, 5, 6, 7]


def test_a_map_knows_what_is_beside_what() -> None:
    assert WHERE.city_near == (A, B, A2, 1 << 5, 1 << 6, 1 << 7)
    assert WHERE.near == (B, A | C, B | A2, C | B2, A2, 0, 0, 0)
    assert WHERE.towns_near == (0b1, 0b10, 0, 0b100, 0, 1 << 3, 1 << 4, 1 << 5)
    assert WHERE.lines[:4] == (((10, 50), (30, 50)), ((30, 50), (60, 50)), ((60, 50), (90, 50)), ((60, 50), (60, 80)))
    assert WHERE.lines[-1] == ((60, 80), (150, 50)), "from board 1 to board 2"
    assert len(WHERE.lines) == 4 + 2 + 3 + 1


@pytest.mark.parametrize(("turn", "meets"), [(0, False), (1, True), (2, False), (3, False)])
def test_lines_of_two_boards_meet_only_where_both_leave_at_one_spot(turn: int, meets: bool) -> None:
    """Board 1, turned once, lets the line of c out below; board 2 below it must be turned as well."""
    where = county(VALLEY, (Laid(1, 0, 0, 1), Laid(2, 0, 1, turn)))
    near_c = where.near[where.claim_at[at("farm 1c")]]
    assert bool(near_c >> where.claim_at[at("mine 2a")] & 1) == meets


@pytest.mark.rule("F13")
@pytest.mark.parametrize(
    ("town", "held", "found"),
    [
        (ALBA, 0, A),
        (ALBA, A, A | B),
        (ALBA, A | C, A | B),
        (ALBA, A | B, A | B | C),
        (ALBA, A | B | C, A | B | C | A2),
        (ALBA, A | B | C | A2, A | B | C | A2 | B2),
        (BRIO, 0, B),
        (BRIO, B, A | B | C),
        (CIMA, A2, A2 | B2 | C),
    ],
)
def test_a_city_reaches_along_own_claims_and_one_further(town: int, held: int, found: int) -> None:
    assert reach(WHERE, town, held) == found


@pytest.mark.rule("F.ac")
@pytest.mark.parametrize(
    ("claim", "held", "towns"),
    [(0, 0, 0b1), (2, C, 0), (2, B | C, 0b10), (2, A | C, 0), (2, A | B, 0b11), (4, A | B | C | A2 | B2, 0b111)],
)
def test_a_claim_is_backed_through_own_claims_only(claim: int, held: int, towns: int) -> None:
    assert backing(WHERE, claim, held) == towns


@pytest.mark.parametrize(
    ("town", "held", "walk"),
    [
        (ALBA, 0, [(10, 50), (30, 50), (10, 50)]),
        (ALBA, A, [(10, 50), (30, 50), (60, 50), (30, 50), (10, 50)]),
        (ALBA, A | B, [(10, 50), (30, 50), (60, 50), (60, 80), (60, 50), (30, 50), (10, 50)]),
        (ALBA, C, [(10, 50), (30, 50), (10, 50)]),
        (BRIO, 0, [(90, 50), (60, 50), (90, 50)]),
        (CIMA, A2, [(150, 20), (150, 50), (60, 80), (150, 50), (150, 80), (150, 50), (150, 20)]),
        (
            ALBA,
            A | B | C | A2 | B2,
            [
                *((10, 50), (30, 50), (60, 50), (60, 80), (150, 50), (150, 80)),
                *((150, 50), (60, 80), (60, 50), (30, 50), (10, 50)),
            ],
        ),
        (BRIO, B, [(90, 50), (60, 50), (30, 50), (60, 50), (60, 80), (60, 50), (90, 50)]),
    ],
)
def test_the_pen_walks_there_and_back(town: int, held: int, walk: list[Point]) -> None:
    assert list(strands(WHERE, town, held)) == walk


def test_sets_are_bits() -> None:
    assert list(bits(0)) == []
    assert list(bits(0b1011001)) == [0, 3, 4, 6]
    assert holdings((SeatId(0), SeatId(-1), SeatId(1), SeatId(0)), 3) == (0b1001, 0b100, 0)
    assert holdings((SeatId(-1), SeatId(2)), 3) == (0, 0, 0b10)


@pytest.mark.rule("F.ax")
@pytest.mark.parametrize(
    ("squares", "meet"),
    [
        ([], False),
        ([(0, 0)], True),
        ([(0, 0), (1, 0)], True),
        ([(0, 0), (0, 1), (0, 2)], True),
        ([(0, 0), (-1, 0), (-1, -1)], True),
        ([(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)], True),
        ([(2, 3), (3, 3), (1, 3), (2, 4), (2, 2)], True),
        ([(0, 0), (1, 1)], False),
        ([(0, 0), (2, 0)], False),
        ([(0, 0), (0, 2)], False),
        ([(0, 0), (1, 0), (3, 0), (4, 0)], False),
    ],
)
def test_boards_meet_across_edges(squares: list[Point], meet: bool) -> None:
    laid = tuple(Laid(number, x, y) for number, (x, y) in enumerate(squares, 1))
    assert all_meet(laid) == meet
    assert all_meet(tuple(reversed(laid))) == meet


def test_the_next_board_goes_beside_one_that_lies() -> None:
    assert squares_beside(()) == ((0, 0),)
    assert squares_beside((Laid(1, 0, 0),)) == ((-1, 0), (0, -1), (0, 1), (1, 0))
    assert squares_beside((Laid(1, 3, 5),)) == ((2, 5), (3, 4), (3, 6), (4, 5))
    two = (Laid(1, 0, 0), Laid(2, 1, 0))
    assert squares_beside(two) == ((-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (2, 0))


def test_any_boards_fit_however_they_are_turned() -> None:
    spots = set(JOINTS.values())
    for turn in (1, 2, 3):
        assert {turned(spot, Laid(1, 0, 0, turn)) for spot in spots} == spots
    east, west = ({y for x, y in spots if x == side} for side in (100, 0))
    assert east == west == {33, 67}
    assert len(spots) == len(JOINTS) == 8
    assert [JOINTS[edge][1] for edge in ("n1", "n2")] == [0, 0]
    assert JOINTS["e1"][1] < JOINTS["e2"][1], "1 is the upper or left one"
    assert JOINTS["s1"][0] < JOINTS["s2"][0]
