"""What people are told and shown."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

from companion.core import (
    PUBLIC,
    TABLE,
    Card,
    Disc,
    Piece,
    PieceId,
    Place,
    PlaceId,
    Seat,
    SeatId,
    Stroke,
    Word,
    Zone,
    say,
)
from companion.games.one_false_step import GAME
from companion.games.one_false_step.rules.intents import (
    AcceptTrade,
    Bid,
    BidSeat,
    BoardRocket,
    BuyFood,
    BuyGold,
    DrewCity,
    Feed,
    FeedAll,
    Jump,
    MakeMap,
    MoonShot,
    NamePrice,
    OfferFood,
    PayRed,
    SendByTrain,
    Stake,
    Starve,
    Strengthen,
    Upgrade,
    UseLayout,
)
from companion.games.one_false_step.state import (
    Auction,
    Monday,
    Thursday,
    Tuesday,
    Wednesday,
    county,
    rocket_card,
    strands,
)
from companion.games.one_false_step.views import odds
from tests.games.one_false_step.play import (
    ADA,
    BEN,
    CLEO,
    PACK,
    ROW,
    VALLEY,
    Table,
    at,
    city,
    laid,
    opened,
    own,
    setup_for,
)


def test_the_odds_of_a_dispute_are_counted_over_all_dice() -> None:
    for attack, defence in product(range(8), range(8)):
        wins = sum(a + attack > b + defence for a in range(1, 7) for b in range(1, 7))
        assert odds.dispute(attack, defence) == wins
    assert odds.dispute(1, 1) == 15


def test_the_odds_of_a_shot_are_counted_over_all_dice() -> None:
    sums = [a + b for a in range(1, 7) for b in range(1, 7)]
    for targets in ((12, 12, 12), (7, 5, 9), (3, 3, 3), (13, 2, 7)):
        counted = [0, 0, 0, 0]
        for rolls in product(sums, repeat=3):
            counted[sum(roll >= target for roll, target in zip(rolls, targets, strict=True))] += 1
        assert odds.successes(targets) == tuple(counted)
    assert [odds.reaches(t) for t in (2, 7, 12, 13)] == [36, 21, 1, 0]


def test_a_jump_shows_its_exact_odds_or_that_the_claim_falls() -> None:
    table = laid(
        own("alba", middle=1, counters=3), own("brio", BEN, counters=2), claims={"farm 1a": BEN, "mine 1b": BEN}
    )
    lines = GAME.foresee(table.view(ADA), Jump(ADA, city("alba"), at("farm 1a")))
    assert lines[0] == say("foresee.dispute", cases=odds.dispute(3, 2), of=36, percent=round(100 * 21 / 36))
    assert lines[1] == say("foresee.sums", attack=3, defence=2, seat=Seat(BEN))
    alone = laid(own("alba", middle=1), claims={"farm 1a": BEN})
    assert GAME.foresee(alone.view(ADA), Jump(ADA, city("alba"), at("farm 1a"))) == (
        say("foresee.falls", seat=Seat(BEN)),
    )


def test_a_shot_shows_the_chance_of_each_number_of_successes() -> None:
    table = laid(own("alba"), levels=((6, 6, 6),) * 3, crew=(2, 0, 0), steps=(Thursday(ADA),), day="thursday")
    lines = GAME.foresee(table.view(ADA), MoonShot(ADA))
    assert lines[0] == say("foresee.party", n=4)
    cases = [dict(line.facts)["cases"] for line in lines[1:5]]
    assert cases == list(odds.successes((7, 7, 7)))
    assert sum(c for c in cases if isinstance(c, int)) == 36**3
    assert lines[5] == say("foresee.moon", n=2)


def test_placing_shows_what_it_brings() -> None:
    table = laid(own("alba", middle=1), claims={"mine 2a": ADA})
    view = table.view(ADA)
    assert GAME.foresee(view, Stake(ADA, city("alba"), at("farm 1a"))) == (say("foresee.income", food=1, gold=1),)
    assert GAME.foresee(view, Strengthen(ADA, city("alba"))) == (say("foresee.strength", n=2),)
    assert GAME.foresee(view, BoardRocket(ADA, city("alba"))) == (say("foresee.crew", n=1),)
    arrives = say("foresee.arrives", city=Piece(city("alba")))
    assert GAME.foresee(view, SendByTrain(ADA, city("alba"), city("alba"))) == (arrives,)
    assert GAME.foresee(view, Stake(TABLE, city("alba"), at("farm 1a"))) == ()


def test_an_upgrade_shows_price_fee_and_know_how() -> None:
    table = laid(own("alba"), gold=(9, 0, 0), levels=((1, 1, 1), (2, 1, 1), (1, 1, 1)), know_how=(BEN, TABLE, TABLE),
                 steps=(Thursday(ADA),), day="thursday")  # fmt: skip
    view = table.view(ADA)
    assert GAME.foresee(view, Upgrade(ADA, rocket_card(0, ADA))) == (
        say("foresee.upgrade", level=2, gold=1, target=11),
        say("foresee.fee", bank=0, seat=Seat(BEN)),
    )
    assert GAME.foresee(view, Upgrade(ADA, rocket_card(1, ADA)))[1] == say("foresee.know-how", points=15)


def test_a_bid_shows_split_fridays_and_score() -> None:
    table = laid(own("alba"), steps=(Auction(city("dora"), ADA, (ADA, BEN, CLEO)),), day="saturday")
    assert GAME.foresee(table.view(ADA), Bid(ADA, 7)) == (
        say("foresee.split", bank=3, chips=4),
        say("foresee.fridays", n=4),
        say("foresee.later", points=6, later=10),
    )
    assert GAME.foresee(table.view(ADA), PayRed(ADA, 2)) == (say("foresee.score", points=11),)
    start = opened(3)
    name = start.now.open_seats[0].city
    assert GAME.foresee(start.view(ADA), BidSeat(ADA, name, 4)) == (say("foresee.score", points=19),)


def test_meals_and_trades_show_what_is_left() -> None:
    table = laid(own("alba", counters=2, train=1), own("brio"), food=(5, 0, 3), gold=(3, 3, 0), day="wednesday",
                 steps=(Wednesday((city("alba"), city("brio"))),))  # fmt: skip
    view = table.view(ADA)
    assert GAME.foresee(view, Feed(ADA, city("brio"))) == (say("foresee.food-left", n=3),)
    assert GAME.foresee(view, FeedAll(ADA)) == (say("foresee.food-left", n=2),)
    assert GAME.foresee(view, Starve(ADA, city("alba"))) == (say("foresee.starves", points=3, counters=3),)
    assert GAME.foresee(view, BuyFood(ADA, 1)) == (say("foresee.then", food=6, gold=0),)
    assert GAME.foresee(view, BuyGold(ADA, 1)) == (say("foresee.then", food=2, gold=4),)
    table.do(OfferFood(ADA, BEN, 2), NamePrice(ADA, BEN, 3))
    assert GAME.foresee(table.view(BEN), AcceptTrade(BEN, ADA)) == (say("foresee.then", food=2, gold=0),)
    assert say("own.trade-in-food", seat=Seat(ADA), number=2, price=3) in GAME.own(table.view(BEN), BEN)
    assert say("own.trade-out-food", seat=Seat(BEN), number=2, price=3) in GAME.own(table.view(ADA), ADA)


def test_the_check_keeps_the_books_of_all_and_the_bank() -> None:
    table = laid(
        own("alba", middle=2), own("dora", BEN, chips=3), claims={"farm 1a": ADA}, know_how=(BEN, TABLE, TABLE)
    )
    status = GAME.status(table.view(PUBLIC))
    assert status.findings == ()
    assert say("status.score", seat=Seat(ADA), points=13, goal=30) in status.words
    assert say("status.chips", seat=Seat(BEN), red=10, food=4, gold=0) in status.words
    assert say("status.inactive", city=Piece(city("dora")), seat=Seat(BEN), n=3) in status.words
    assert say("status.claims", seat=Seat(ADA), n=1, food=1, gold=0, bill=1) in status.words
    assert say("status.bank", red=27, food=0, gold=0) in status.words
    assert say("status.know-how", card=Piece(PieceId("know-guidance")), seat=Seat(BEN)) in status.words
    assert say("status.awaited", seat=Seat(ADA), what=Word("awaited.place")) in status.words


def test_the_check_names_who_still_owes_and_how_the_auction_stands() -> None:
    table = laid(own("alba"), own("brio", BEN), steps=(Wednesday((city("alba"), city("brio"))),), day="wednesday")
    facts = GAME.status(table.view(PUBLIC)).words
    assert say("status.owes", seat=Seat(BEN), city=Piece(city("brio"))) in facts
    assert sum(said.key == "status.awaited" for said in facts) == 2
    sale = laid(own("alba"), steps=(Auction(city("dora"), ADA, (ADA, BEN, CLEO)),), day="saturday").do(Bid(ADA, 5))
    facts = GAME.status(sale.view(PUBLIC)).words
    assert say("status.high", seat=Seat(ADA), number=5) in facts
    assert say("status.split", bank=2, chips=3) in facts
    assert [s for s in facts if s.key == "status.inside"] == [
        say("status.inside", seat=Seat(SeatId(s))) for s in range(3)
    ]


def test_the_check_finds_what_is_wrong() -> None:
    from msgspec.structs import replace

    table = laid(own("brio", counters=9), population="on")
    assert [f.rule for f in GAME.status(table.now).findings] == ["F36"]
    short = replace(laid(own("alba")).now, red=(9, 10, 10), day="saturday")
    assert [f.rule for f in GAME.status(short).findings] == ["F37"]
    late = replace(laid(own("alba", middle=1)).now, day="friday")
    assert [f.rule for f in GAME.status(late).findings] == ["F.e"]
    lost = replace(laid(own("alba")).now, gone=())
    assert not GAME.status(lost).findings
    assert [f.rule for f in GAME.status(replace(lost, owned=())).findings] == ["F2"]


def test_the_map_is_drawn_within_its_frame_and_apart() -> None:
    for layout in range(1, len(PACK.layouts) + 1):
        table = Table(GAME.start(setup_for(3))).do(UseLayout(ADA, layout), MakeMap(ADA))
        picture = GAME.picture(table.view(PUBLIC))
        cards = [s for s in picture.shapes if isinstance(s, Card)]
        discs = [s for s in picture.shapes if isinstance(s, Disc)]
        assert (len(cards), len(cards) + len(discs)) == (len({c.token for c in cards}), 16 * 5)
        for card in cards:
            assert 0 <= card.x <= picture.width - card.w
            assert 0 <= card.y <= picture.height - card.h
            for disc in discs:
                apart_x = disc.x + disc.r <= card.x or card.x + card.w <= disc.x - disc.r
                assert apart_x or disc.y + disc.r <= card.y or card.y + card.h <= disc.y - disc.r, (card, disc)


def test_the_map_shows_owners_strings_and_what_is_in_reach() -> None:
    table = laid(own("alba", middle=1), own("brio", BEN), claims={"farm 1a": ADA, "mine 1b": BEN, "farm 1c": ADA})
    picture = GAME.picture(table.view(ADA))
    assert sum(s.ink == "ink" for s in picture.shapes if isinstance(s, Stroke)) == 2
    rings = [s for s in picture.shapes if isinstance(s, Disc) and s.ink == "stop"]
    assert [ring.said for ring in rings] == [say("picture.jump", claim=Place(at("mine 1b")))]
    assert say("picture.held", claim=Place(at("farm 1c")), seat=Seat(ADA)) in picture.rows
    assert say("picture.city-held", city=Piece(city("alba")), seat=Seat(ADA), n=1) in picture.rows
    assert len([s for s in picture.shapes if isinstance(s, Zone)]) == 5 + 3
    free = GAME.picture(laid(own("alba", middle=1)).view(ADA))
    assert say("picture.open", claim=Place(at("farm 1a"))) in free.rows


@pytest.mark.parametrize(
    ("steps", "key"),
    [
        ((Monday(ADA),), "headline.place"),
        ((Thursday(BEN),), "headline.rocket"),
        ((Wednesday((PieceId("alba"),)),), "headline.feed"),
        ((Auction(PieceId("dora"), ADA, (ADA,)),), "headline.auction"),
        ((Auction(PieceId(""), ADA, (ADA,)),), "headline.button"),
        ((), "headline.over"),
    ],
)
def test_the_headline_follows_the_game(steps: tuple[Monday, ...], key: str) -> None:
    assert GAME.headline(laid(own("alba"), steps=steps).now).key == key


def test_places_and_pieces_have_names() -> None:
    assert GAME.describe(PACK, PieceId("board-3")) == say("piece.board", number=3)
    assert GAME.describe(PACK, PieceId("fuel-6")) == say("piece.rocket", system=Word("system.fuel"), set=6)
    assert GAME.describe(PACK, PieceId("know-life")) == say("piece.know-how", system=Word("system.life"))
    for nonsense in ("board-9", "fuel-7", "nonsense", "?"):
        assert GAME.describe(PACK, PieceId(nonsense)) == say("piece.unknown")
    assert GAME.place(PlaceId("mine/3-b")).key == "place.mine"
    assert dict(GAME.place(PlaceId("at/-1/2")).facts)["x"] != dict(GAME.place(PlaceId("at/1/2")).facts)["x"]
    assert {line.key for line in GAME.series(laid(own("alba")).now)} >= {"series.score"}


def test_swapping_unseen_cards_changes_nothing_that_anyone_is_sent() -> None:
    """Non-interference: the deck is the only secret, and it has no order."""
    import msgspec

    from companion.core import mask

    one = laid(own("alba"), deck="brio cima dora")
    other = laid(own("alba"), deck="brio cima enno")
    for audience in (PUBLIC, ADA, BEN):
        seen = [
            msgspec.json.encode([GAME.status(v), GAME.picture(v), GAME.own(v, ADA), v.deck])
            for v in (mask(one.now, audience), mask(other.now, audience))
        ]
        assert seen[0] == seen[1]
    turned = Table(one.now)
    assert all(not isinstance(i, DrewCity) for i in turned.legal(ADA))


def test_a_chosen_city_shows_all_that_is_connected_to_it_and_nothing_else() -> None:
    """Ada's farm 1a and Ben's mine 1b: from Alba the string ends at Ben's; the pen never leaves the lines."""
    table = laid(own("alba", middle=1), own("brio", BEN), claims={"farm 1a": ADA, "mine 1b": BEN})
    where = county(VALLEY, ROW)
    walk = strands(where, where.city_at[city("alba")], 1 << where.claim_at[at("farm 1a")])
    spots = dict(zip(where.spots, (*where.cities, *where.claims), strict=True))
    assert {spots[point] for point in walk} == {"alba", at("farm 1a"), at("mine 1b")}
    lines = {frozenset(line) for line in where.lines}
    assert all(frozenset(pair) in lines for pair in pairwise(walk))
    traces = [s for s in GAME.picture(table.view(ADA)).shapes if isinstance(s, Stroke) and s.trace]
    assert [s.trace for s in traces] == [say("picture.trace", city=Piece(city("alba")), n=2)]


def test_claims_show_their_owners_and_free_ones_are_hollow() -> None:
    picture = GAME.picture(laid(own("alba"), claims={"farm 1a": ADA}, steps=(Tuesday(),)).view(PUBLIC))
    claims = {s.said: s for s in picture.shapes if isinstance(s, Disc) and s.token and s.token.kind == "place"}
    held = claims[say("picture.held", claim=Place(at("farm 1a")), seat=Seat(ADA))]
    assert (held.seat, held.hollow) == (ADA, False)
    free = claims[say("picture.claim", claim=Place(at("mine 1b")))]
    assert (free.seat, free.hollow) == (None, True)
