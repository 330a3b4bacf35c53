"""Who may know what: views are made of the marks alone."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from companion.core import (
    EVERYONE,
    NOBODY,
    PUBLIC,
    REFEREE,
    TABLE,
    UNKNOWN,
    Deck,
    Guarded,
    Hidden,
    PieceId,
    Public,
    Sealed,
    SeatId,
    deck_of,
    including,
    mask,
    without,
)
from companion.core.secrets import classify
from companion.table.record import bare

ADA, BEN = SeatId(0), SeatId(1)
ids = st.text("abcdefgh", min_size=1, max_size=3).map(PieceId)


def test_ada_sees_her_hand_and_only_the_size_of_bens(two_seats: Any) -> None:
    view = mask(two_seats, ADA)
    assert view.hands[ADA].value == ("a", "b")
    assert view.hands[BEN].value == (UNKNOWN, UNKNOWN)


def test_the_public_sees_no_hand_and_no_deck(two_seats: Any) -> None:
    seen = msgspec.json.encode(bare(mask(two_seats, PUBLIC)))
    assert not any(f'"{card}"'.encode() in seen for card in "abcdefg")


def test_a_view_keeps_the_setup_without_copying_it(two_seats: Any) -> None:
    assert mask(two_seats, ADA).setup is two_seats.setup


def test_who_acts_for_nobody_is_not_who_looks_on() -> None:
    assert len({TABLE, REFEREE, PUBLIC}) == 3
    assert EVERYONE == (TABLE,)  # journals contain it; with PUBLIC in the state its hash would differ


def test_what_everyone_may_know_is_known_to_the_public_too() -> None:
    assert mask(Deck((Hidden(PieceId("a"), EVERYONE),), ()), PUBLIC).top[0].value == "a"


def test_a_known_top_is_shown_to_those_who_know_it_and_its_place_to_all() -> None:
    deck = Deck((Hidden(PieceId("a"), (ADA,)),), (PieceId("b"), PieceId("c")))
    assert mask(deck, ADA).top[0].value == "a"
    assert mask(deck, BEN) == Deck((Hidden(UNKNOWN, (ADA,)),), (UNKNOWN, UNKNOWN))
    assert len(mask(deck, BEN)) == 3


def test_a_draw_turns_up_the_known_top_before_any_unseen_card() -> None:
    deck = Deck((Hidden(PieceId("a"), NOBODY),), (PieceId("b"),))
    assert deck.next() == ("a",)
    assert deck.without(PieceId("a")).next() == ("b",)


@given(st.sets(ids, min_size=1))
def test_a_deck_has_no_order_that_could_leak(cards: set[PieceId]) -> None:
    assert deck_of(tuple(cards)) == deck_of(tuple(reversed(tuple(cards))))


@given(st.sets(ids, min_size=1), st.data())
def test_taking_out_and_putting_in_are_inverse(cards: set[PieceId], data: st.DataObject) -> None:
    held = tuple(sorted(cards))
    card = data.draw(st.sampled_from(held))
    assert including(without(held, card), card) == held


def test_a_view_loses_an_unknown_card_where_the_state_loses_a_known_one() -> None:
    assert without((UNKNOWN, UNKNOWN), PieceId("a")) == (UNKNOWN,)


def test_an_unmarked_field_is_an_error_that_names_it() -> None:
    class Careless(Struct):
        chips: Public[int]
        plan: str

    with pytest.raises(TypeError, match=r"Careless\.plan does not say who may see it"):
        mask(Careless(1, "attack"), ADA)


def test_a_guarded_field_with_nothing_to_guard_is_an_error() -> None:
    class Pointless(Struct):
        chips: Guarded[int]

    with pytest.raises(TypeError, match="nothing to guard"):
        mask(Pointless(1), ADA)


def test_a_secret_that_has_no_blank_is_an_error_not_a_leak() -> None:
    class Number(Struct):
        bid: Guarded[Hidden[int]]

    with pytest.raises(TypeError, match="no blank stands for 7"):
        mask(Number(Hidden(7, (BEN,))), ADA)


def test_classify_names_every_mark() -> None:
    class Marked(Struct):
        chips: Public[int]
        under: Sealed[tuple[PieceId, ...]]

    assert classify(Marked) == {"chips": "public", "under": "sealed"}


class Look(Struct, tag="look"):
    card: Guarded[Hidden[PieceId]]


class Rest(Struct, tag="rest"):
    pass


class Holder(Struct):
    step: Guarded[Look | Rest]


def test_structs_inside_guarded_unions_are_masked() -> None:
    assert mask(Holder(Look(Hidden(PieceId("a"), (ADA,)))), BEN).step == Look(Hidden(UNKNOWN, (ADA,)))
    assert mask(Holder(Rest()), BEN).step == Rest()


def test_what_an_act_leaves_as_it_was_is_not_masked_again_and_what_it_changed_is() -> None:
    deck = Deck((Hidden(PieceId("a"), (SeatId(0),)),), (PieceId("b"),))
    first = mask(deck, SeatId(1))
    again = mask(msgspec.structs.replace(deck, unseen=(PieceId("b"), PieceId("c"))), SeatId(1))
    assert again.top is first.top
    assert again.unseen == (UNKNOWN, UNKNOWN)
    assert mask(deck, SeatId(0)).top == deck.top, "what one seat was shown is not what another is"
