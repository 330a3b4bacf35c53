"""What people are told and shown."""

from __future__ import annotations

from companion.core import PUBLIC, Card, Piece, PieceId, Said, Seat, SeatId, Word, Zone, say, words_of
from companion.games.actionworks import GAME
from companion.games.actionworks.rules.intents import (
    ActAs,
    ClearTake,
    EndTurn,
    FromHeap,
    PlanDeck,
    PlanHand,
    Play,
    Ship,
    Take,
)
from companion.games.actionworks.views.picture import WIDTH
from tests.games.actionworks.play import ADA, BEN, Table, card, laid


def foreseen(table: Table, intent: Play | Ship | Take) -> tuple[Said, ...]:
    return GAME.foresee(table.view(intent.actor), intent)


def test_the_check_tells_what_lies_where_and_who_is_awaited() -> None:
    table = laid("make-4 take-4", "borrow-5", bench="plan-5", heap="take-5 take-6", totals=(7, -2), types=5)
    facts = GAME.status(table.view(PUBLIC)).words
    assert say("status.round", round=3, types=Word("types.5")) in facts
    assert say("status.awaited", seat=Seat(ADA), what=Word("awaited.turn")) in facts
    assert say("status.deck", n=len(table.now.deck)) in facts
    assert say("status.bench-card", card=Piece(PieceId("plan-5"))) in facts
    assert say("status.heap", n=2, card=Piece(PieceId("take-6"))) in facts
    assert say("status.seat", seat=Seat(BEN), hand=1, pile=0) in facts
    assert say("status.total", seat=Seat(BEN), n=-2) in facts


def test_the_check_finds_a_missing_part() -> None:
    table = laid("make-4", "borrow-5", deck="take-4")
    assert [finding.rule for finding in GAME.status(table.view(PUBLIC)).findings] == ["A4"]


def test_a_seat_is_told_its_own_cards_and_what_they_are_worth() -> None:
    table = laid("make-4 take-4", "borrow-5", demands=("make", "take"), known=(("plan-5", ADA), ("plan-6", BEN)))
    own = words_of(GAME.own(table.view(ADA), ADA))
    assert say("own.card", card=Piece(PieceId("make-4")), points=4) in own
    assert say("own.card", card=Piece(PieceId("take-4")), points=-1) in own
    assert say("own.deck-card", at=1, card=Piece(PieceId("plan-5"))) in own
    assert not [said for said in own if said.key == "own.deck-card" and "plan-6" in repr(said)]


def test_every_choice_shows_its_effect_before_it_is_made() -> None:
    table = laid("make-4 take-4 scrap-6 copy-5", "borrow-5 borrow-6", bench="plan-5 plan-6", demands=("make", "take"))
    assert foreseen(table, Play(ADA, card("make-4"))) == (say("foresee.flips", n=2),)
    assert foreseen(table, Play(ADA, card("take-4"))) == (say("foresee.take", n=2),)
    assert foreseen(table, Play(ADA, card("copy-5"))) == (say("foresee.copy", card=Piece(PieceId("demand-make"))),)
    assert foreseen(table, Ship(ADA, card("make-4")))[0] == say("foresee.scores", points=4)
    assert foreseen(table, Ship(ADA, card("take-4")))[0] == say("foresee.scores", points=-1)
    view = table.view(ADA)
    assert GAME.foresee(view, EndTurn(ADA)) == (say("foresee.clears", n=2), say("foresee.next", seat=Seat(BEN)))
    assert GAME.foresee(view, PlanHand(ADA, BEN)) == (say("foresee.shows", seat=Seat(BEN), n=2),)
    assert GAME.foresee(view, FromHeap(ADA)) == (say("foresee.nothing"),)
    assert GAME.foresee(view, ClearTake(BEN, card("plan-5"))) == (say("foresee.scores", points=-1),)


def test_what_would_have_no_effect_says_so() -> None:
    table = laid("make-4 take-4 scrap-6", "borrow-5", deck="")
    for name in ("make-4", "take-4", "scrap-6"):
        assert foreseen(table, Play(ADA, card(name))) == (say("foresee.nothing"),)
    view = table.view(ADA)
    assert GAME.foresee(view, PlanDeck(ADA)) == (say("foresee.nothing"),)
    assert GAME.foresee(view, EndTurn(ADA)) == (say("foresee.round-ends"),)
    copying = laid("copy-5 make-4", "take-4", demands=("take copy", "make")).plays(ADA, "copy-5")
    assert GAME.foresee(copying.view(ADA), ActAs(ADA, card("demand-copy"))) == (say("foresee.nothing"),)


def test_the_picture_keeps_cards_inside_their_zones_and_apart() -> None:
    table = laid(
        "make-4 take-4 take-5 take-6 take-7 make-5 make-6", "borrow-5", "plan-5",
        bench="plan-6 plan-8 make-7 borrow-6 borrow-7 borrow-8 scrap-6", heap="scrap-7",
    )  # fmt: skip
    picture = GAME.picture(table.view(ADA))
    zones = [shape for shape in picture.shapes if isinstance(shape, Zone)]
    cards = [shape for shape in picture.shapes if isinstance(shape, Card)]
    assert picture.width == WIDTH
    assert max(zone.y + zone.h for zone in zones) <= picture.height
    for shape in cards:
        assert any(_holds(zone, shape) for zone in zones), shape
        assert not any(_overlap(shape, other) for other in cards if other is not shape), shape
    assert not any(_overlap(zone, other) for zone in zones for other in zones if other is not zone)


def _holds(zone: Zone, shape: Card) -> bool:
    inside_x = zone.x <= shape.x and shape.x + shape.w <= zone.x + zone.w
    return inside_x and zone.y <= shape.y and shape.y + shape.h <= zone.y + zone.h


def _overlap(one: Card | Zone, other: Card | Zone) -> bool:
    apart_x = one.x + one.w <= other.x or other.x + other.w <= one.x
    return not apart_x and not (one.y + one.h <= other.y or other.y + other.h <= one.y)


def test_the_picture_names_own_cards_only_and_says_the_same_in_rows() -> None:
    table = laid("make-4 take-4", "borrow-5", bench="plan-5")
    ada, public = GAME.picture(table.view(ADA)), GAME.picture(table.view(PUBLIC))
    assert "make-4" in repr(ada.shapes)
    assert "make-4" in repr(ada.rows)
    assert "borrow-5" not in repr(ada)
    assert "make-4" not in repr(public)
    assert say("picture.bench-card", card=Piece(PieceId("plan-5"))) in public.rows


def test_the_headline_follows_the_game() -> None:
    table = laid("make-4", "borrow-5", bench="plan-5 plan-6")
    assert GAME.headline(table.now) == say("headline.turn", round=4, seat=Seat(ADA), deck=len(table.now.deck))
    assert GAME.headline(table.ends(ADA).now).key == "headline.clear"
    over = laid("make-4", "", deck="", totals=(150, 0)).ends(ADA)
    assert GAME.headline(over.now).key == "headline.over"
    assert GAME.series(over.now)[0].values == (154, 0)


def test_places_and_pieces_have_names() -> None:
    pack = laid("make-4", "take-4").now.setup.pack
    assert GAME.describe(pack, PieceId("make-4")) == say("piece.part", type=Word("type.make"), value=4)
    assert GAME.describe(pack, PieceId("make-1b")).key == "piece.part-marked"
    assert GAME.describe(pack, PieceId("demand-copy")) == say("piece.demand", type=Word("type.copy"))
    assert GAME.describe(pack, PieceId("nonsense")) == say("piece.unknown")
    assert {GAME.place(lies.place).key for lies in GAME.layout(laid("make-4", "").now)} <= {
        f"place.{area}" for area in ("deck", "bench", "heap", "box", "hand", "pile", "demand")
    }
    assert GAME.place(GAME.layout(laid("make-4", "", deck="").now)[0].place).facts == (("seat", Seat(SeatId(0))),)
