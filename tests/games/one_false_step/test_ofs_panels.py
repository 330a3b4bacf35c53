"""What people read at a glance matches the books."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.core import PUBLIC, Bar, Ledger, Meter, Part, Piece, Seat, SeatId, Standing, say, seats_of
from companion.games.one_false_step import GAME
from companion.games.one_false_step.rules.intents import Bid, BidSeat, Feed
from companion.games.one_false_step.state import WINNING, Auction, State, Wednesday, bill, income, score
from companion.games.one_false_step.views.panels import FEW, WEEK
from tests.games.one_false_step.play import ADA, BEN, CLEO, Table, city, laid, opened, own, playout


def meters(table: Table, seat: SeatId = ADA) -> tuple[Meter, Meter]:
    chips, rocket = (each for each in GAME.own(table.view(seat), seat) if isinstance(each, Meter))
    return chips, rocket


def ledgers(shown: object) -> dict[str, Ledger]:
    return {each.said.key: each for each in shown if isinstance(each, Ledger)}  # type: ignore[attr-defined]


def size(parts: tuple[Part, ...], *looks: str) -> int:
    return sum(part.size for part in parts if part.look in looks)


def played() -> Iterator[State]:
    for seats in (3, 5):
        yield from (after for _, _, after in playout(seats, seats, 260))


@pytest.mark.rule("F35", "F20", "F21", "F23")
def test_the_bars_are_as_long_as_the_books_say() -> None:
    """In any game: the score and what it is made of, Food against the next meal, Gold, the levels."""
    for state in played():
        standings = [each for each in GAME.status(state).facts if isinstance(each, Standing)]
        assert [each.seat for each in standings] == list(seats_of(state))
        for seat in map(SeatId, seats_of(state)):
            chips, rocket = (each for each in GAME.own(state, seat) if isinstance(each, Meter))
            bars = {bar.said.key: bar.parts for bar in chips.bars}
            points, standing = bars["panel.score"], standings[seat]
            assert size(points, "used") == state.red[seat]
            assert size(points, "used", "plain", "extra") == score(state, seat) == int(standing.value)
            assert size(points, "left") == max(0, WINNING - score(state, seat))
            assert standing.bar is not None
            assert standing.bar.parts == points
            assert size(bars["panel.food"], "plain") == state.food[seat]
            assert size(bars["panel.gold"], "plain") == state.gold[seat]
            if state.claims and state.day != "wednesday":
                food, gold = income(state, seat)
                assert (size(bars["panel.food"], "extra"), size(bars["panel.gold"], "extra")) == (food, gold)
                assert size(bars["panel.eat"], "used", "over") == bill(state, seat)
            assert tuple(size(bar.parts, "used") for bar in rocket.bars[:3]) == state.levels[seat]


@pytest.mark.rule("F21")
def test_who_will_be_short_of_food_is_warned() -> None:
    fine = laid(own("alba"), day="monday")
    assert meters(fine)[0].warning is None
    hungry = laid(own("alba"), own("brio"), own("dora"), food=(4, 4, 4), day="monday")
    chips, _ = meters(hungry)
    assert chips.warning == say("panel.hungry", n=2)
    assert size(_bar(chips, "panel.eat").parts, "over") == 2


@pytest.mark.rule("F21")
def test_on_wednesday_the_meal_is_what_is_still_owed() -> None:
    both = Wednesday((city("alba"), city("brio")))
    table = laid(own("alba"), own("brio"), steps=(both,), day="wednesday")
    assert _bar(meters(table)[0], "panel.eat").said == say("panel.eat", n=3)
    assert [row.left.key for row in ledgers(GAME.own(table.now, ADA))["panel.own-cities"].rows] == [
        "panel.hungry-city"
    ] * 2
    standing = next(each for each in GAME.status(table.view(PUBLIC)).facts if isinstance(each, Standing))
    assert standing.alarm == say("panel.undecided", n=2)
    table.do(Feed(ADA, city("alba")))
    assert _bar(meters(table)[0], "panel.eat").said == say("panel.eat", n=2)


def _bar(meter: Meter, key: str) -> Bar:
    return next(bar for bar in meter.bars if bar.said.key == key)


@pytest.mark.rule("F28", "F31")
def test_cities_are_listed_with_what_they_wait_for_and_fold_when_many() -> None:
    table = laid(own("alba", counters=2, middle=1), own("brio", train=1), own("dora", chips=3), own("fano", BEN))
    found = ledgers(GAME.own(table.view(ADA), ADA))["panel.own-cities"]
    assert [(row.left.key, row.said.key, row.right) for row in found.rows] == [
        ("panel.counters", "panel.city-card", "1"),
        ("panel.counters", "panel.city-train", "2"),
        ("panel.fridays", "panel.city", "0"),
    ]
    assert (len(found.rows) > FEW, found.folded) == (True, True)
    few = laid(own("alba"), own("brio"))
    assert not ledgers(GAME.own(few.now, ADA))["panel.own-cities"].folded
    assert not ledgers(GAME.own(few.now, BEN))
    everyone = ledgers(GAME.status(table.view(PUBLIC)).facts)["panel.all-cities"]
    assert [row.left for row in everyone.rows] == [say("panel.who", seat=Seat(s)) for s in (ADA, ADA, ADA, BEN)]


@pytest.mark.rule("F29")
def test_the_auction_tells_who_is_in_and_the_highest_bid() -> None:
    sale = laid(own("alba"), steps=(Auction(city("dora"), ADA, (ADA, BEN, CLEO)),), day="saturday").do(Bid(ADA, 5))
    found = next(each for each in GAME.status(sale.view(PUBLIC)).facts if isinstance(each, Ledger))
    assert found in GAME.own(sale.view(BEN), BEN), "on every phone too"
    assert found.said == say("panel.for-sale", city=Piece(city("dora")), red=4, green=3)
    assert [(row.said.key, row.right) for row in found.rows] == [
        ("panel.highest", "5"),
        ("panel.now", "–"),
        ("panel.inside", "–"),
    ]


@pytest.mark.rule("F5", "F6")
def test_the_starting_auction_lists_the_county_seats_with_their_bids() -> None:
    table = opened(3)
    seats = table.now.open_seats
    table.do(next(i for i in table.legal(table.awaits()[1][0]) if isinstance(i, BidSeat)))
    found = ledgers(GAME.own(table.view(ADA), ADA))["panel.county-seats"]
    assert [row.said.facts[0] for row in found.rows] == [("city", Piece(each.city)) for each in seats]
    assert sorted(row.right for row in found.rows) == ["1", "–", "–"]


@pytest.mark.rule("F9")
def test_the_week_is_shown_with_today_and_what_is_next() -> None:
    days = set()
    for state in played():
        found = GAME.stages(state)
        if state.day == "setup" or not state.steps:
            assert found is None
            continue
        assert found is not None
        assert found.then is not None
        assert found.names[found.at] == say(f"panel.day.{state.day}")
        assert found.then == say(f"panel.then.{state.day}")
        days.add(state.day)
    assert days >= {"monday", "wednesday", "thursday", "saturday"}, "each day on which people do something"
    assert len(WEEK) == 7
