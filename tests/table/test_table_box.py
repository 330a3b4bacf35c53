"""Taps and buttons: the five outcomes of a selection, and what the box shows."""

from __future__ import annotations

from companion.core import (
    UNKNOWN,
    AcceptedPage,
    CheckPage,
    ChoosePage,
    ConfirmPage,
    JoinPage,
    NumberPage,
    Piece,
    PieceId,
    PiecePage,
    ReaderId,
    RefusedPage,
    Said,
    SeatId,
    Seq,
    Tapped,
    TroublePage,
    TurnPage,
    Uid,
    say,
)

from .conftest import Evening, Open, is_a

ADA, BEN = SeatId(0), SeatId(1)


def test_an_unknown_tag_is_named_and_plays_nothing(evening: Evening) -> None:
    now = evening.put(Tapped(Uid("04AABBCCDDEEFF"), ReaderId("left")))
    assert isinstance(now.flash, TroublePage)
    assert now.flash.said.key == "tap.unknown-tag"
    assert now.seq == 1


def test_a_tapped_card_with_two_uses_asks_which_without_naming_it(evening: Evening) -> None:
    page = evening.tap("a").page
    assert isinstance(page, ChoosePage)
    assert [item.key for item in page.items] == ["intent.lay", "intent.seal"]
    assert dict(page.items[0].facts)["card"] == Piece(UNKNOWN)


def test_next_and_ok_choose_and_do(evening: Evening) -> None:
    evening.tap("a")
    evening.press("next")
    now = evening.press("ok")
    assert isinstance(now.flash, AcceptedPage)
    assert now.flash.lines[0].key == "event.was-sealed"
    assert now.state.sealed.value == ("a",)


def test_a_card_of_another_hand_is_refused_with_its_rule_and_not_its_name(evening: Evening) -> None:
    now = evening.tap("c")
    assert isinstance(now.flash, RefusedPage)
    assert now.flash.refusal.rule == "X2"
    assert now.signal == "refused"
    assert now.state == evening.referee.states[Seq(1)]


def test_a_thing_without_use_is_just_told(evening: Evening) -> None:
    now = evening.tap_seat(1)
    assert isinstance(now.flash, PiecePage)
    assert now.flash.where.key == "tap.nothing"


def test_buttons_alone_reach_every_verb(evening: Evening) -> None:
    page = evening.press("next").page
    assert isinstance(page, ChoosePage)
    assert [item.key for item in page.items] == ["verb.lay", "verb.seal", "intent.bet", "intent.pass"]
    for _ in range(3):
        evening.press("next")
    now = evening.press("ok")
    assert now.state.turn == BEN


def test_a_secret_choice_is_reached_by_laying_the_card_only(evening: Evening) -> None:
    evening.press("next")
    page = is_a(ChoosePage, evening.press("ok").page)
    assert page.title.key == "choose.lay-only"
    assert page.items == (Said("choose.lay-item"),)
    now = evening.tap("b")
    assert isinstance(now.page, ConfirmPage)
    assert evening.press("ok").state.open == ("b",)


def test_a_number_is_set_by_dial_or_by_next_or_by_a_tag(evening: Evening) -> None:
    evening.press("next")
    evening.turn(2)
    page = evening.press("ok").page
    assert isinstance(page, NumberPage)
    assert (page.low, page.high, page.at) == (1, 5, 1)
    page = is_a(NumberPage, evening.turn(2).page)
    assert page.at == 3
    assert dict(page.title.facts)["number"] == 3, "the title names the number that OK would take"
    assert is_a(NumberPage, evening.press("next").page).at == 4
    assert evening.press("ok").state.chips[0] == 1


def test_a_number_tag_types_the_number(evening: Evening) -> None:
    evening.press("next")
    evening.turn(2)
    evening.press("ok")
    assert isinstance(evening.tap_number(3).page, ConfirmPage)
    assert evening.press("ok").state.chips[0] == 2


def test_a_number_out_of_bounds_is_refused(evening: Evening) -> None:
    evening.press("next")
    evening.turn(2)
    evening.press("ok")
    now = evening.tap_number(6)
    assert isinstance(now.flash, RefusedPage)
    assert now.flash.refusal.rule == "X3"


def test_back_drops_what_was_pointed_at(evening: Evening) -> None:
    evening.tap("a")
    assert isinstance(evening.press("back").page, TurnPage)


def test_check_shows_the_referee_check_and_then_speaks_about_a_tapped_piece(evening: Evening) -> None:
    now = evening.press("check")
    assert isinstance(now.page, CheckPage)
    assert now.signal == "check-fine"
    about = evening.tap("c").flash
    assert isinstance(about, PiecePage)
    assert about.said.key == "piece.unknown"
    assert evening.now.seq == 1


def test_holding_next_shows_the_join_page(evening: Evening) -> None:
    assert isinstance(evening.press("next", held=True).page, JoinPage)


def test_a_real_draw_is_tapped(evening: Evening) -> None:
    evening.tap("a")
    evening.press("ok")
    assert evening.now.decisions[-1].kind == "draw"
    now = evening.tap("f")
    assert now.state.hands[ADA].value == ("b", "f")


def test_a_draw_that_cannot_be_is_refused_in_words_equal_for_every_card(evening: Evening) -> None:
    evening.tap("a")
    evening.press("ok")
    refusals = [is_a(RefusedPage, evening.tap(card).flash).refusal for card in "abc"]
    assert {(r.rule, r.facts) for r in refusals} == {("X5", ())}


def test_public_facts_are_corrected_on_the_box_in_at_most_six_inputs(evening: Evening) -> None:
    evening.press("check", held=True)
    assert isinstance(evening.press("ok").page, NumberPage)
    evening.turn(3)
    now = evening.press("ok")
    assert now.state.chips[0] == 8
    assert evening.did.correction


def hers(evening: Evening) -> NumberPage:
    """Go to Ada's number of chips: the page where it is corrected."""
    evening.press("check", held=True)
    return is_a(NumberPage, evening.press("ok").page)


def test_a_number_is_set_right_from_what_it_is_and_says_from_what_to_what(evening: Evening) -> None:
    page = hers(evening)
    assert (page.low, page.high, page.at) == (0, 9, 5)
    assert page.foreseen == (say("fix.more"),), "how to go on, as nothing would change yet"
    page = is_a(NumberPage, evening.press("next").page)
    assert (page.at, page.foreseen) == (6, (say("fix.change", was=5, will=6),))
    assert is_a(NumberPage, evening.turn(-3).page).at == 3
    assert is_a(NumberPage, evening.turn(-4).page).at == 9, "below the least comes the most"


def test_ok_on_a_number_as_it_stands_turns_next_round_instead_of_setting_it(evening: Evening) -> None:
    hers(evening)
    page = is_a(NumberPage, evening.press("ok").page)
    assert (page.at, page.foreseen) == (5, (say("fix.less"),))
    assert evening.now.seq == 1
    assert is_a(NumberPage, evening.press("next").page).at == 4
    assert is_a(NumberPage, evening.press("next", held=True).page).at == 3
    assert evening.press("ok").state.chips[0] == 3


def test_back_from_a_number_that_was_laid_returns_to_it_and_then_leaves(evening: Evening) -> None:
    hers(evening)
    confirm = evening.tap_number(2).page
    assert isinstance(confirm, ConfirmPage)
    assert confirm.foreseen == (say("fix.change", was=5, will=2),)
    page = evening.press("back").page
    assert isinstance(page, NumberPage)
    assert page.at == 2
    assert isinstance(evening.press("back").page, ChoosePage)
    assert isinstance(evening.press("back").page, TurnPage)


def test_back_returns_to_the_row_that_was_taken(evening: Evening) -> None:
    evening.press("next")
    evening.turn(2)
    assert isinstance(evening.press("ok").page, NumberPage)
    page = evening.press("back").page
    assert isinstance(page, ChoosePage)
    assert page.at == 2


def test_in_advise_a_physical_act_against_a_rule_stands_after_ok_with_a_mark(open_evening: Open) -> None:
    evening = open_evening(mode="advise")
    evening.press("next")
    evening.turn(2)
    evening.press("ok")
    page = evening.tap_number(6).page
    assert isinstance(page, ConfirmPage)
    assert page.foreseen[0].key == "advise.mark"
    now = evening.press("ok")
    assert now.state.chips[0] == -1
    assert evening.did.marks == ("X3",)


def test_the_piece_page_names_what_lies_open(evening: Evening) -> None:
    evening.tap("a")
    evening.press("ok")
    evening.tap("e")
    evening.press("check")
    about = is_a(PiecePage, evening.tap("a").flash)
    assert dict(about.said.facts)["item"] == Piece(PieceId("a"))
