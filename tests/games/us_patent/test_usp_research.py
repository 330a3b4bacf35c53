"""The researched card: it goes to its own board; if nobody has entered that, its finder is asked (P18)."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from companion.core import (
    NOBODY,
    PUBLIC,
    TABLE,
    UNKNOWN,
    ChoosePage,
    Hidden,
    NumberPage,
    Place,
    PlaceId,
    Pressed,
    Refusal,
    RefusedPage,
    RuleId,
    Turned,
    TurnPage,
    fold,
    legal,
    mask,
)
from companion.games.us_patent import GAME
from companion.games.us_patent import events as e
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.rules.describe import describing
from companion.games.us_patent.state import Pack, known, turn_steps
from companion.library import shelf
from companion.table import state_hash
from tests.games.us_patent.play import ADA, BEN, Table, drawn, in_lab, in_market, laid, machine, piece
from tests.games.us_patent.test_usp_laying import evening, shown

ROOMS = (PlaceId("1/lab"), PlaceId("1/market"))
BLANK: Pack = shelf.pack(GAME, "blank", Path())


@pytest.mark.rule("P18", "P45")
def test_everyone_is_told_the_board_of_a_researched_card_and_nothing_else_of_it() -> None:
    """Lab or Market: either answer shows its board. So the box may say it, and refuse another."""
    table = laid(machine(), steps=turn_steps(ADA)).do(i.Drew(TABLE, piece("thunder-jar")))
    for audience in (ADA, BEN, PUBLIC):
        assert legal(GAME, table.view(audience), ADA) == (in_lab(ADA, 4), in_market(ADA, 4))
    assert UNKNOWN in repr(table.view(BEN).steps[-1])
    assert table.do(in_market(ADA, 4)).now.due == 0


@pytest.mark.rule("P18")
def test_another_board_is_refused_and_the_right_one_named() -> None:
    table = laid(machine(), steps=turn_steps(ADA)).do(i.Drew(TABLE, piece("thunder-jar")))
    for wrong in (in_lab(ADA, 3), in_market(ADA, 5)):
        assert table.no(wrong) == Refusal(RuleId("P18"), "own-board", (("board", 4),))
    for nowhere in ("4/market", "4/library", "deck", ""):
        assert table.why(i.PlaceInLab(ADA, PlaceId(nowhere))) == ("P18", "room-there")


@pytest.mark.rule("P18")
def test_where_the_table_only_advises_it_lies_where_hands_laid_it() -> None:
    table = laid(machine(), steps=turn_steps(ADA), advise=True).do(i.Drew(TABLE, piece("thunder-jar")))
    assert table.do(in_market(ADA, 3)).now.markets[3] == ("thunder-jar",)


@pytest.mark.rule("P18")
def test_a_record_that_does_not_tell_the_board_of_a_researched_card_goes_on() -> None:
    """Before boards were recorded, a card went to its own, wherever the tag was."""
    table = laid(machine(), steps=turn_steps(ADA))
    table.now = GAME.apply(table.now, e.CardResearched(ADA, Hidden(piece("thunder-jar"), NOBODY)))
    assert state_hash(table.now) == "3d4c59660a41f28f9fe4d8f9c00b2a20"
    assert table.do(in_lab(ADA, 6)).now.labs[4] == (Hidden(piece("thunder-jar"), NOBODY),)
    old = msgspec.json.decode(b'{"verb":"place-in-lab","actor":0}', type=i.PlaceInLab)
    assert old == i.PlaceInLab(ADA)


@pytest.mark.rule("P18")
@pytest.mark.parametrize("tag", ["3/lab", "3/market"])
def test_the_tag_of_another_board_is_refused_on_the_box_and_the_right_one_told(tag: str) -> None:
    with evening("water-wheel") as (now, tap):
        tap(tag, kind="place")
        page = shown(now)
        assert isinstance(page, RefusedPage)
        assert page.refusal == Refusal(RuleId("P18"), "own-board", (("board", 1),))
        assert now.now.decisions[-1].kind == "place"
        tap(tag.replace("3", "1"), kind="place")
        assert now.now.decisions[-1].kind == "move"


@pytest.mark.rule("P18")
def test_the_choice_on_the_box_names_the_board() -> None:
    with evening("water-wheel") as (now, _):
        now.give(Pressed("next"))
        page = now.now.page
        assert isinstance(page, ChoosePage)
        assert [str(dict(item.facts)["place"]) for item in page.items] == [str(Place(at)) for at in ROOMS]


def researched() -> Table:
    """Ada has drawn a card of a pack in which nobody has entered anything."""
    table = drawn(3, "quill-1814", "lampwright-1857", "velocipedist-1889", pack=BLANK)
    return table.do(i.Drew(TABLE, piece("weapon-3")))


@pytest.mark.rule("P18")
def test_a_card_of_which_nobody_has_told_the_board_is_asked_about_before_it_is_laid() -> None:
    table = researched()
    assert table.awaits() == ("date", (ADA,))
    for board in range(1, 9):
        assert table.why(in_lab(ADA, board)) == table.why(in_market(ADA, board)) == ("P18", "dated")
    assert GAME.undescribed(table.view(ADA), ADA) == "weapon-3"
    assert GAME.undescribed(table.view(BEN), BEN) is None
    assert table.may(i.TellPeriod) == [i.TellPeriod(ADA, board) for board in range(1, 9)]
    for board in (0, 9):
        assert table.why(i.TellPeriod(ADA, board)) == ("P18", "in-span")
    told = Table(table.now).do(i.TellPeriod(ADA, 7))
    assert told.legal(ADA) == (in_lab(ADA, 7), in_market(ADA, 7))
    assert told.why(i.TellPeriod(ADA, 6)) == ("P18", "not-dated")
    assert GAME.undescribed(told.view(ADA), ADA) is None
    assert told.do(in_market(ADA, 7)).now.markets[7] == ("weapon-3",)


@pytest.mark.rule("P18", "P6")
def test_a_description_tells_the_board_and_must() -> None:
    card = next(up for up in BLANK.upgrades if up.id == "weapon-3")
    table = researched()
    assert table.why(describing(ADA, piece("weapon-3"), card)) == ("P18", "date-told")
    table.do(describing(ADA, piece("weapon-3"), replace(card, period=5, rank=4)))
    assert table.awaits() == ("place", (ADA,))
    assert table.legal(ADA) == (in_lab(ADA, 5), in_market(ADA, 5))


@pytest.mark.rule("P45")
def test_who_says_the_board_of_a_card_tells_everyone_that_and_no_more() -> None:
    table = researched()
    for audience in (BEN, PUBLIC):
        then = Table(table.now)
        view = then.view(audience)
        then.do(i.TellPeriod(ADA, 7))
        assert fold(GAME, view, tuple(mask(event, audience) for event in then.events)) == then.view(audience)
        assert "weapon-3" not in repr(then.view(audience).described)


@pytest.mark.rule("P28")
def test_a_card_without_a_board_cannot_be_patented_before_it_is_described() -> None:
    table = drawn(3, "quill-1814", "lampwright-1857", "velocipedist-1889", pack=BLANK)
    slot, space = PlaceId("slot/0/weapon"), PlaceId("0/office")
    table.do(i.MoveCard(ADA, piece("weapon-3"), slot), i.SetPawn(ADA, ADA, PlaceId("board/0"), space))
    table.do(i.Drew(TABLE, piece("weapon-4")), i.TellPeriod(ADA, 2), in_lab(ADA, 2), i.Stay(ADA))
    assert table.why(i.Patent(ADA, piece("weapon-3"))) == ("P28", "market-known")
    card = next(up for up in BLANK.upgrades if up.id == "weapon-3")
    table.do(describing(BEN, piece("weapon-3"), replace(card, period=6)), i.Patent(ADA, piece("weapon-3")))
    assert table.now.markets[6] == ("weapon-3",)


def test_a_blank_pack_invents_no_periods() -> None:
    assert {card.period for card in BLANK.upgrades} == {0}
    assert known(researched().now).undated


@pytest.mark.rule("P18")
def test_with_blank_cards_the_box_asks_for_the_board_and_goes_on_without_a_phone() -> None:
    with evening("weapon-3", pack=BLANK) as (now, tap):
        page = now.now.page
        assert isinstance(page, TurnPage)
        assert page.what.key == "decide.date"
        tap("3/lab", kind="place")
        refused = shown(now)
        assert isinstance(refused, RefusedPage)
        assert refused.refusal.key == "dated"
        now.give(Pressed("next"))
        assert isinstance(shown(now), NumberPage)
        now.give(Turned(2))
        now.give(Pressed("ok"))
        assert now.now.state.due == 3
        tap("3/lab", kind="place")
        assert [hidden.value for hidden in now.now.state.labs[3]] == ["weapon-3"]
