"""Corrections of facts at the table."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from companion.core import TABLE, Accepted, PieceId, PlaceId, SeatId, allowed, judge, mask
from companion.games.one_false_step import GAME
from companion.games.one_false_step.rules.intents import (
    BankKnowHow,
    Bid,
    ClearClaim,
    DropCity,
    Feed,
    GiveCity,
    Jump,
    SetButton,
    SetChips,
    SetClaim,
    SetCounters,
    SetKnowHow,
    SetLevel,
    SetTurn,
    SetWeek,
)
from companion.games.one_false_step.state import KNOW_HOW, Auction, Thursday, Wednesday, rocket_card
from tests.games.one_false_step.play import (
    ADA,
    BEN,
    CLEO,
    NOBODY,
    Table,
    at,
    chips_in,
    city,
    everywhere,
    laid,
    own,
    playout,
    setup_for,
)


def week() -> Table:
    return laid(own("alba", middle=1), own("brio", BEN), own("dora", BEN, chips=3), claims={"mine 1b": BEN})


@pytest.mark.parametrize(("place", "number"), [("red/1", 3), ("food/0", 9), ("gold/2", 7), ("on/dora", 1)])
def test_chips_are_set_and_the_bank_balances(place: str, number: int) -> None:
    table = week()
    before = chips_in(table.now)
    table.do(SetChips(ADA, PlaceId(place), number))
    area, _, whose = place.partition("/")
    there = table.held("dora").chips if area == "on" else getattr(table.now, area)[int(whose)]
    assert (there, chips_in(table.now)) == (number, before)
    assert table.no(SetChips(ADA, PlaceId(place), 200)).key == "in-span"
    assert table.no(SetChips(ADA, PlaceId("red/9"), 1)).key == "chips-there"


def test_a_city_without_chips_is_active() -> None:
    table = week().do(SetChips(ADA, PlaceId("on/dora"), 0))
    assert table.score(BEN) == 10 + 2 + 4


@pytest.mark.parametrize(
    ("place", "field"), [("city/brio", "counters"), ("card/brio", "middle"), ("train/brio", "train")]
)
def test_counters_are_set(place: str, field: str) -> None:
    table = week().do(SetCounters(BEN, PlaceId(place), 5))
    assert getattr(table.held("brio"), field) == 5
    assert table.do(SetCounters(BEN, PlaceId("rocket/1"), 6)).now.crew == (0, 6, 0)
    assert table.no(SetCounters(BEN, PlaceId("city/enno"), 1)).key == "counters-there"


def test_levels_claims_and_know_how_are_set() -> None:
    table = week().do(SetLevel(ADA, rocket_card(2, BEN), 7), SetClaim(ADA, at("farm 1a"), CLEO))
    assert table.now.levels[BEN] == (1, 1, 7)
    assert table.owner("farm 1a") == CLEO
    table.do(ClearClaim(ADA, at("mine 1b")), SetKnowHow(ADA, KNOW_HOW[1], CLEO))
    assert (table.owner("mine 1b"), table.now.know_how) == (NOBODY, (NOBODY, CLEO, NOBODY))
    assert table.do(BankKnowHow(ADA, KNOW_HOW[1])).now.know_how == (NOBODY,) * 3
    assert table.no(SetLevel(ADA, rocket_card(2, SeatId(5)), 7)).key == "rocket-there"
    assert table.no(SetClaim(ADA, PlaceId("farm/8-k"), BEN)).key == "claim-there"
    assert table.no(SetClaim(ADA, at("farm 1a"), SeatId(3))).key == "seat-there"
    assert table.no(SetKnowHow(ADA, rocket_card(0, ADA), BEN)).key == "know-how-there"


@pytest.mark.parametrize("name", ["brio", "dora", "enno", "fano"])
def test_a_city_goes_to_whoever_has_it_and_out_of_the_game(name: str) -> None:
    table = week()
    before = sorted(everywhere(table.now)), chips_in(table.now)
    table.do(GiveCity(ADA, city(name), ADA))
    assert table.held(name).seat == ADA
    assert (sorted(everywhere(table.now)), chips_in(table.now)) == before
    table.do(DropCity(ADA, city(name)))
    assert name in table.now.gone
    assert (sorted(everywhere(table.now)), chips_in(table.now)) == before
    assert table.no(DropCity(ADA, city(name))).key == "city-in-game"
    assert table.no(GiveCity(ADA, city("nowhere"), ADA)).key == "city-on-map"


def test_button_turn_and_week_are_set() -> None:
    table = week().do(SetButton(ADA, CLEO), SetWeek(ADA, 6), SetTurn(ADA, ADA))
    assert (table.now.button, table.now.week) == (CLEO, 6)
    assert table.awaits() == ("place", (ADA,))
    thursday = laid(own("alba"), steps=(Thursday(ADA),), day="thursday").do(SetTurn(ADA, CLEO))
    assert thursday.awaits() == ("rocket", (CLEO,))
    sale = laid(own("alba"), steps=(Auction(city("dora"), ADA, (ADA, BEN, CLEO)),))
    assert sale.no(SetTurn(ADA, BEN)).key == "turn-open"
    assert sale.no(GiveCity(ADA, city("dora"), BEN)).key == "city-not-on-offer"


def test_wednesday_waits_only_for_cities_that_are_there() -> None:
    table = laid(own("alba"), own("brio", BEN), steps=(Wednesday((city("alba"), city("brio"))),), day="wednesday")
    table.do(DropCity(ADA, city("brio")))
    assert table.awaits() == ("feed", (ADA,))
    assert table.do(Feed(ADA, city("alba"))).now.day == "thursday"


def test_nothing_is_corrected_before_the_set_up_or_during_a_roll() -> None:
    early = Table(GAME.start(setup_for(3)))
    assert early.no(SetChips(ADA, PlaceId("red/0"), 3)).rule == "F4"
    table = laid(own("alba", middle=1), own("brio", BEN), claims={"farm 1a": BEN, "mine 1b": BEN})
    table.do(Jump(ADA, city("alba"), at("farm 1a")))
    assert table.no(ClearClaim(ADA, at("farm 1a"))).rule == "F.y"


def test_a_correction_to_thirty_wins() -> None:
    table = week().do(SetChips(ADA, PlaceId("red/0"), 27))
    result = GAME.result(table.now)
    assert result is not None
    assert result.winners == (ADA,)


def test_unseen_cards_of_the_deck_are_not_told_by_corrections() -> None:
    table = week()
    verbs = [v for v in GAME.corrections if v.intent in (GiveCity, DropCity)]
    for verb in verbs:
        listed = {getattr(i, "city", "") for i in allowed(verb, table.now, ADA)}
        assert not listed & set(table.now.deck.unseen)
        assert list(allowed(verb, mask(table.now, ADA), ADA)) == list(allowed(verb, table.now, ADA))
    after = GAME.apply(mask(table.now, ADA), judge_events(table, GiveCity(ADA, city("enno"), BEN)))
    assert len(after.deck.unseen) == len(table.now.deck.unseen) - 1


def judge_events(table: Table, intent: GiveCity):  # type: ignore[no-untyped-def]
    verdict = judge(GAME, table.now, intent)
    assert isinstance(verdict, Accepted)
    return verdict.events[0]


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 4))])
def test_corrections_at_any_moment_keep_the_books_and_the_game_going(seed: int) -> None:
    chance = random.Random(seed)
    for before, _, _ in playout(3, seed, 500):
        verb = chance.choice(GAME.corrections)
        intents = list(allowed(verb, before, SeatId(chance.randrange(3))))
        if not intents:
            continue
        intent = chance.choice(intents)
        if verb.span:
            low, high = verb.span(before, intent)
            intent = replace(intent, number=chance.randint(low, min(high, low + 12)))
        verdict = judge(GAME, before, intent)
        assert isinstance(verdict, Accepted), verdict
        assert chips_in(verdict.after) == chips_in(before)
        assert sorted(everywhere(verdict.after)) == sorted(everywhere(before))
        for _, _, _ in playout(3, seed, 25, start=verdict.after):
            pass


def test_a_bid_can_still_be_paid_after_any_correction() -> None:
    table = laid(own("alba"), steps=(Auction(PieceId(""), ADA, (ADA, BEN, CLEO)),), food=(5, 0, 0)).do(Bid(ADA, 12))
    assert table.no(SetChips(ADA, PlaceId("red/0"), 6)).rule == "F.v"
    table.do(SetChips(ADA, PlaceId("red/0"), 7))
    assert TABLE == NOBODY
