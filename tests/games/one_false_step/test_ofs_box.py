"""The box alone: who is acting when several are awaited, trades of others, everything by taps and buttons."""

from __future__ import annotations

import pytest

from companion.app.script import read, run
from companion.games.one_false_step import GAME
from tests.games.one_false_step.play import FOLDER, PACK

WEEK = """
game one-false-step
seats Ada, Ben, Chloé
chance scripted

phone Ada does use-layout 1
phone Ada does make-map
draw farmington, big-butte, bonanza
table does name-button Ada
phone Ada does bid-seat farmington 1
phone Ben does bid-seat big-butte 1
phone Chloé does bid-seat bonanza 1
phone Ben does set-chips gold/Ben 4
"""

WEDNESDAY = """
phone Chloé does stake bonanza farm/5-b
phone Ada does strengthen farmington
phone Ben does strengthen big-butte
"""


def plays(*parts: str) -> None:
    differences = run(read("\n".join(parts))).differences
    assert not differences, "\n".join(difference.told() for difference in differences)


@pytest.mark.rule("F39", "F21")
def test_on_wednesday_a_seat_tag_says_who_feeds_though_trades_are_about_that_seat_too() -> None:
    plays(
        WEEK,
        WEDNESDAY,
        "tap seat Ada",
        "expect oled choose",
        "press ok",
        "expect accepted",
        "expect awaited Ben, Chloé",
    )


@pytest.mark.rule("F39")
def test_without_a_tag_the_list_asks_who_once() -> None:
    asks_who = ["press next", 'expect oled text "Ada"', "press ok", 'expect oled text "Feed"', "press ok"]
    plays(WEEK, WEDNESDAY, *asks_who, "expect accepted", "expect awaited Ben, Chloé")


@pytest.mark.rule("F34", "F.y")
def test_someone_who_is_not_awaited_trades_at_the_box_too() -> None:
    """Chloé places; Ben's tag offers what she may offer him, and what he may offer himself."""
    by_ben = ["tap seat Ben", 'expect oled text "Chloé"', 'expect oled text "Ben"', "press next", "press ok"]
    plays(WEEK, "expect awaited Chloé", *by_ben, 'expect oled text "Gold"')


@pytest.mark.rule("F11")
def test_ones_own_tag_while_one_is_awaited_only_says_who_it_is() -> None:
    plays(WEEK, "tap seat Chloé", "expect oled choose", "tap bonanza", 'expect oled text "Fly Bonanza"')


@pytest.mark.rule("F12")
def test_a_wand_on_a_place_of_the_map_stakes_it() -> None:
    """Only Bonanza is Chloé's, so its counter is meant; a place that no string leads to is refused."""
    plays(
        WEEK,
        "tap place farm/1-k",
        "expect oled refused F13",
        "tap place farm/5-b",
        "expect accepted",
        "expect awaited Ada",
    )


@pytest.mark.rule("F17", "F43")
@pytest.mark.parametrize(
    ("hands", "owned"),
    [
        (["tap bonanza", "turn 2", "press ok", "tap bonanza"], "owned.2.train = 1"),
        (["tap bonanza", "turn 2", "press ok", "tap cloverdale"], "owned.3.train = 1"),
        (["tap bonanza", "turn 2", "press ok", "press next", "press ok"], "owned.3.train = 1"),
    ],
    ids=["to the same city", "to another", "by the list"],
)
def test_a_train_goes_from_the_first_city_to_the_second(hands: list[str], owned: str) -> None:
    second = ["phone Ada does give-city cloverdale Chloé", "phone Ada does set-counters card/cloverdale 1"]
    plays(WEEK, *second, *hands, f"expect public {owned}              # F17")


def test_every_claim_may_carry_a_tag() -> None:
    places = GAME.places(PACK)
    assert len(places) == len(set(places)) == sum(len(board.claims) for board in PACK.boards)
    assert "farm/5-b" in places


def test_a_whole_game_by_hands_alone_and_one_by_phones_alone() -> None:
    def kinds(name: str) -> set[str]:
        lines = (FOLDER / "playthroughs" / name).read_text(encoding="utf-8").splitlines()
        return {line.split()[0] for line in lines if line[:1].islower()} - {
            "game",
            "seats",
            "option",
            "chance",
            "expect",
        }

    assert kinds("taps-and-buttons.txt") <= {"tap", "press", "hold", "turn"}
    assert kinds("six-phones.txt") == {"phone", "draw", "roll", "table"}


BY_BEN = ("tap seat Ben", 'expect oled text "Who?"', "press next", "press ok", 'expect oled text "0 · Ben"')


@pytest.mark.rule("F34")
def test_who_is_not_awaited_is_named_on_every_page_until_it_is_done() -> None:
    """It is Chloé's Monday, but Ben pays, so Ben's name is shown."""
    asks = ["turn 2", "press ok", "expect oled number", 'expect oled text "· Ben"', "press ok"]
    done = ['expect oled text "Bank: 1 Gold · Ben"', 'expect oled then text "Chloé"']
    plays(WEEK, "expect awaited Chloé", *BY_BEN, *asks, *done)


@pytest.mark.rule("F34")
def test_whose_wish_was_refused_is_named_if_it_was_not_the_one_awaited() -> None:
    """Ben offers Chloé five of his four Gold: that is refused, not reinterpreted as a wish of Chloé's."""
    plays(WEEK, *BY_BEN, "tap seat Chloé", "tap number 5", "expect oled refused F34", 'expect oled text "· Ben"')


@pytest.mark.rule("F34")
def test_whose_turn_is_over_is_named_where_the_next_one_is_read_above() -> None:
    plays(WEEK, "tap place farm/5-b", 'expect oled text "F5b Chloé · Chloé"', 'expect oled then text "Ada"')
