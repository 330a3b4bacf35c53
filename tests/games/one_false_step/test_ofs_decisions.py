"""What the game asks, and whom, how it ended, and where everything lies."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core import (
    EVERYONE,
    TABLE,
    Decision,
    Deck,
    Fact,
    Hidden,
    Lies,
    Piece,
    PieceId,
    Place,
    PlaceId,
    Result,
    Seat,
    SeatId,
    Word,
    say,
)
from companion.games.one_false_step import GAME
from companion.games.one_false_step.state import (
    Auction,
    Dispute,
    DrawingSeats,
    Friday,
    Giving,
    Laying,
    Naming,
    Opening,
    OpenSeat,
    Paying,
    Shot,
    Step,
    Sunday,
    Thursday,
    Turning,
    Wednesday,
)
from tests.games.one_false_step.play import ADA, BEN, CLEO, NOBODY, Table, at, city, laid, own, setup_for

HELD = (own("alba", middle=2), own("brio", BEN, counters=3, middle=1), own("cima", CLEO))


def asked(step: Step) -> Decision:
    table = laid(*HELD, steps=(step,), claims={"mine 1b": BEN}, levels=((1, 1, 1), (2, 3, 1), (1, 1, 1)))
    state = replace(table.now, open_seats=(OpenSeat(city("dora"), ADA, 3), OpenSeat(city("enno"), CLEO, 4)))
    return GAME.decisions(state)[-1]


def question(kind: str, awaited: SeatId, mark: str, /, **facts: Fact) -> Decision:
    return Decision(kind, (awaited,), mark, say("", **facts).facts)


@pytest.mark.rule("F39")
@pytest.mark.parametrize(
    ("step", "decision"),
    [
        (Laying(), Decision("make-map", (ADA, BEN, CLEO), "map", say("", n=5).facts)),
        (DrawingSeats(2), question("draw-seat", TABLE, "1.-1.2", n=2)),
        (Naming(), question("name-button", TABLE, "1.-1.0")),
        (Opening(BEN), question("open-bid", BEN, "1.1.7", seat=Seat(BEN))),
        (Sunday(), question("day", TABLE, "1.-1.0")),
        (Friday(()), question("day", TABLE, "1.-1.0")),
        (Thursday(BEN), question("rocket", BEN, "1.1.6", seat=Seat(BEN))),
        (Thursday(BEN, True), question("rocket", BEN, "1.1.106", seat=Seat(BEN))),
        (Turning(), question("turn-city", TABLE, "1.-1.0")),
        (
            Dispute(ADA, city("alba"), 1, BEN),
            question("attack", TABLE, "1.-1.2", seat=Seat(ADA), claim=Place(at("mine 1b"))),
        ),
        (
            Dispute(ADA, city("alba"), 1, BEN, 6),
            question("defence", TABLE, "1.-1.2", seat=Seat(BEN), claim=Place(at("mine 1b"))),
        ),
        (Shot(BEN), question("shot", TABLE, "1.-1.0", seat=Seat(BEN), system=Word("system.guidance"))),
        (Shot(BEN, 1), question("shot", TABLE, "1.-1.1", seat=Seat(BEN), system=Word("system.life"))),
        (Shot(BEN, 2, 1), question("shot", TABLE, "1.-1.2", seat=Seat(BEN), system=Word("system.fuel"))),
        (Shot(BEN, 3, 1), question("shot", TABLE, "1.-1.3", seat=Seat(BEN), system=Word("system.fuel"))),
        (
            Wednesday((city("alba"), city("brio"))),
            Decision("feed", (ADA, BEN), "1", say("", n=2).facts),
        ),
        (
            Auction(city("dora"), BEN, (BEN, CLEO), 3, CLEO),
            question("bid", BEN, "1.1.32", seat=Seat(BEN), city=Piece(city("dora")), high=3),
        ),
        (
            Auction(PieceId(""), BEN, (BEN, CLEO, ADA), 3, CLEO),
            question("bid-button", BEN, "1.1.33", seat=Seat(BEN), high=3),
        ),
        (
            Paying(BEN, 3, ("food", "gold")),
            question("pay", BEN, "1.1.32", seat=Seat(BEN), n=3, colour=Word("colour.food")),
        ),
        (Giving(BEN), question("give-button", BEN, "1.1.0", seat=Seat(BEN))),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, Decision) else "",
)
def test_each_step_asks_its_question(step: Step, decision: Decision) -> None:
    assert asked(step) == decision


def test_a_game_that_goes_on_has_no_result() -> None:
    assert GAME.result(laid(*HELD).now) is None


@pytest.mark.rule("F35", "F.ba")
def test_the_result_names_the_winner_the_points_and_the_week() -> None:
    over = replace(laid(*HELD, steps=(), red=(5, 27, 0)).now, week=7)
    won = Result((BEN,), say("result.won", seat=Seat(BEN), total=29, weeks=7))
    assert GAME.result(replace(over, winner=BEN)) == won
    assert GAME.result(over) == Result((), say("result.nobody", weeks=7))


@pytest.mark.rule("F.av")
def test_every_card_lies_where_the_table_sees_it() -> None:
    owned = (own("alba"), own("brio", BEN, chips=2))
    sale = Auction(city("dora"), BEN, (BEN,))
    table = laid(*owned, steps=(sale,), deck="cima", know_how=(CLEO, NOBODY, NOBODY))
    state = replace(table.now, starved=((), (city("enno"),), ()), gone=(city("fano"),))
    state = replace(state, deck=Deck((Hidden(city("zeta"), EVERYONE),), state.deck.unseen))
    lying = {lies.piece: (lies.place, lies.facing) for lies in GAME.layout(state)}
    assert [lying[city(name)] for name in ("alba", "brio", "zeta", "cima", "enno", "dora", "fano")] == [
        ("before/0", "up"),
        ("before/1", "down"),
        ("deck", "down"),
        ("deck", "down"),
        ("aside", "up"),
        ("auction", "up"),
        ("box", "down"),
    ]
    assert [lying[PieceId(f"know-{system}")] for system in ("guidance", "life", "fuel")] == [
        ("before/2", "up"),
        ("bank", "up"),
        ("bank", "up"),
    ]
    assert [lying[PieceId(f"fuel-{seat}")] for seat in (1, 3, 4, 6)] == [
        ("rocket/0", "up"),
        ("rocket/2", "up"),
        ("box", "down"),
        ("box", "down"),
    ]


def test_boards_lie_on_the_map_or_in_the_box() -> None:
    state = laid(*HELD).now
    assert Lies(PieceId("board-5"), PlaceId("map"), "up") in GAME.layout(state)
    few = replace(state, laid=state.laid[:4])
    assert Lies(PieceId("board-5"), PlaceId("box"), "down") in GAME.layout(few)


def test_the_first_moment_asks_everyone_for_boards() -> None:
    table = Table(GAME.start(setup_for(4)))
    everyone = tuple(SeatId(seat) for seat in range(4))
    assert GAME.decisions(table.now) == (Decision("lay", everyone, "map", say("", n=0).facts),)
