"""What trades, corrections and boards change, and that they change nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.core import EVERYONE, TABLE, Deck, Event, Hidden, PieceId, PlaceId, SeatId, deck_of
from companion.games.one_false_step import GAME
from companion.games.one_false_step import events as e
from companion.games.one_false_step.state import DrawingSeats, Friday, Laid, Monday, Naming, Offer, Thursday, Wednesday
from tests.games.one_false_step.moment import (
    ALBA,
    BRIO,
    CIMA,
    DORA,
    ENNO,
    FANO,
    KNOW_LIFE,
    LEVELS,
    A,
    B,
    C,
    changed,
    moment,
)
from tests.games.one_false_step.play import ADA, BEN, CLEO, NOBODY, PACK, ROW, VALLEY, at, own, setup_for

OFFERS = (Offer(ADA, CLEO, "food", 2), Offer(BEN, ADA, "gold", 3, 1))
TRADING = moment(offers=OFFERS)


@pytest.mark.rule("F34")
@pytest.mark.parametrize(
    ("event", "changes"),
    [
        (e.FoodOffered(BEN, CLEO, 5), {"offers": (*OFFERS, Offer(BEN, CLEO, "food", 5))}),
        (e.GoldOffered(ADA, BEN, 5), {"offers": (Offer(ADA, BEN, "gold", 5), *OFFERS)}),
        (e.FoodOffered(ADA, CLEO, 9), {"offers": (Offer(ADA, CLEO, "food", 9), OFFERS[1])}),
        (e.PriceNamed(ADA, CLEO, 6), {"offers": (Offer(ADA, CLEO, "food", 2, 6), OFFERS[1])}),
        (e.OfferGone(ADA, CLEO), {"offers": OFFERS[1:]}),
        (e.OfferGone(ADA, BEN), {}),
        (e.OfferGone(BEN, ADA), {"offers": OFFERS[:1]}),
        (e.PriceNamed(BEN, ADA, 6), {"offers": (OFFERS[0], Offer(BEN, ADA, "gold", 3, 6))}),
        (e.Traded(ADA, BEN, 2, 3), {"food": (3, 8, 7), "gold": (11, 6, 4)}),
        (e.FoodBought(BEN, 2, 6), {"food": (5, 8, 7), "gold": (8, 3, 4), "bank": (1, 0, 9)}),
        (e.GoldBought(CLEO, 2, 6), {"food": (5, 6, 1), "gold": (8, 9, 6), "bank": (1, 8, 1)}),
        (e.Won(BEN, 31), {"winner": BEN, "offers": (), "steps": ()}),
        (e.AllGone(), {"offers": (), "steps": ()}),
    ],
)
def test_trade_and_the_end(event: Event, changes: dict[str, Any]) -> None:
    assert changed(TRADING, event) == changes


@pytest.mark.rule("F37")
@pytest.mark.parametrize(
    ("event", "changes"),
    [
        (e.ChipsSet(PlaceId("red/1"), 23), {"red": (10, 23, 30), "bank": (-2, 2, 3)}),
        (e.ChipsSet(PlaceId("food/2"), 1), {"food": (5, 6, 1), "bank": (1, 8, 3)}),
        (e.ChipsSet(PlaceId("gold/0"), 9), {"gold": (9, 9, 4), "bank": (1, 2, 2)}),
        (e.ChipsSet(PlaceId("on/cima"), 1), {"owned": (A, B, replace(C, chips=1)), "bank": (3, 2, 3)}),
        (e.CountersSet(PlaceId("rocket/1"), 9), {"crew": (2, 9, 4)}),
        (e.CountersSet(PlaceId("city/brio"), 9), {"owned": (A, replace(B, counters=9), C)}),
        (e.CountersSet(PlaceId("card/brio"), 9), {"owned": (A, replace(B, middle=9), C)}),
        (e.CountersSet(PlaceId("train/brio"), 9), {"owned": (A, replace(B, train=9), C)}),
        (e.LevelSet(PieceId("life-3"), 2), {"levels": (*LEVELS[:2], (7, 2, 9))}),
        (e.LevelSet(PieceId("guidance-1"), 2), {"levels": ((2, 2, 3), *LEVELS[1:])}),
        (e.ClaimSet(at("farm 1c"), CLEO), {"claims": (ADA, BEN, CLEO, *(NOBODY,) * 5)}),
        (e.ClaimCleared(at("mine 1b")), {"claims": (ADA, *(NOBODY,) * 7)}),
        (e.KnowHowSet(PieceId("know-fuel"), CLEO), {"know_how": (NOBODY, NOBODY, CLEO)}),
        (e.KnowHowSet(PieceId("know-guidance"), CLEO), {"know_how": (CLEO, NOBODY, NOBODY)}),
        (e.CityGiven(BRIO, CLEO), {"owned": (A, replace(B, seat=CLEO), C)}),
        (e.CityGiven(FANO, ADA), {"owned": (A, B, C, own("fano")), "gone": ()}),
        (e.CityGiven(DORA, ADA), {"owned": (A, B, C, own("dora")), "deck": deck_of((ENNO,))}),
        (e.CityDropped(CIMA), {"owned": (A, B), "gone": (CIMA, FANO), "bank": (4, 2, 3)}),
        (e.CityDropped(DORA), {"deck": deck_of((ENNO,)), "gone": (DORA, FANO)}),
        (e.ButtonSet(CLEO), {"button": CLEO}),
        (e.WeekSet(9), {"week": 9}),
    ],
)
def test_corrections(event: Event, changes: dict[str, Any]) -> None:
    assert changed(moment(), event) == changes


def test_a_know_how_goes_back_to_the_bank() -> None:
    held = moment(know_how=(ADA, BEN, CLEO))
    assert changed(held, e.KnowHowBanked(KNOW_LIFE)) == {"know_how": (ADA, NOBODY, CLEO)}
    assert changed(held, e.KnowHowBanked(PieceId("know-guidance"))) == {"know_how": (NOBODY, BEN, CLEO)}


def test_the_turn_is_given_on_monday_and_thursday() -> None:
    assert changed(moment(Monday(ADA)), e.TurnSet(CLEO)) == {"steps": (Monday(CLEO),)}
    assert changed(moment(Thursday(ADA)), e.TurnSet(CLEO)) == {"steps": (Thursday(CLEO),)}


def test_a_card_is_lifted_from_wherever_it_lies() -> None:
    known = Deck((Hidden(DORA, EVERYONE), Hidden(FANO, EVERYONE)), deck_of((ENNO,)).unseen)
    on_top = moment(deck=known, gone=())
    assert changed(on_top, e.CityDropped(DORA)) == {
        "deck": Deck((Hidden(FANO, EVERYONE),), known.unseen),
        "gone": (DORA,),
    }
    aside = moment(starved=((), (DORA, ENNO, FANO), ()), gone=())
    assert changed(aside, e.CityGiven(ENNO, CLEO)) == {
        "starved": ((), (DORA, FANO), ()),
        "owned": (A, B, C, own("enno", CLEO)),
    }


@pytest.mark.rule("F21", "F28")
def test_a_day_waits_only_for_what_is_still_there() -> None:
    eating = moment(Wednesday((ALBA, BRIO)))
    assert changed(eating, e.CityDropped(BRIO))["steps"] == (Wednesday((ALBA,)),)
    assert changed(eating, e.ChipsSet(PlaceId("on/brio"), 2))["steps"] == (Wednesday((ALBA,)),)
    friday = moment(Friday((CIMA,)))
    assert changed(friday, e.ChipsSet(PlaceId("on/cima"), 0))["steps"] == (Friday(()),)
    assert "steps" not in changed(friday, e.ChipsSet(PlaceId("on/cima"), 1))


@pytest.mark.rule("F1", "F2")
def test_boards_are_laid_turned_lifted_and_make_a_map() -> None:
    state = GAME.start(setup_for(3, pack=VALLEY))
    two = replace(state, laid=(Laid(1, 0, 0), Laid(2, -1, 2, 3)))
    lay = e.BoardLaid(ADA, PieceId("board-3"), PlaceId("at/-4/5"))
    assert changed(two, lay) == {"laid": (*two.laid, Laid(3, -4, 5))}
    assert changed(two, e.BoardTurned(ADA, PieceId("board-1"))) == {"laid": (Laid(1, 0, 0, 1), Laid(2, -1, 2, 3))}
    assert changed(two, e.BoardTurned(ADA, PieceId("board-2"))) == {"laid": (Laid(1, 0, 0), Laid(2, -1, 2, 0))}
    assert changed(two, e.BoardLifted(ADA, PieceId("board-1"))) == {"laid": two.laid[1:]}
    shipped = GAME.start(setup_for(3))
    assert changed(shipped, e.LayoutUsed(ADA, 2)) == {"laid": PACK.layouts[1].boards}
    made = GAME.apply(replace(state, laid=ROW[:4]), e.MapMade(ADA))
    assert made.claims == (NOBODY,) * 7
    assert (made.deck, made.gone) == (deck_of((ALBA, BRIO, CIMA, DORA, ENNO)), (FANO,))
    assert made.steps == (Naming(), DrawingSeats(3))
    assert TABLE == NOBODY == SeatId(-1)
