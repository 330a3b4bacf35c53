"""Several phones at the door: nobody is forgotten, and nobody gets in by somebody else's OK."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.box.door import Door
from companion.core import REFEREE, AdmitPage, Button, ChoosePage, Claim, Join, SeatId, TroublePage, TurnPage
from companion.table import LetIn, No, door
from companion.table.snapshot import Joining
from companion.table.wishes import Done
from tests.table.conftest import Evening

ADA, BEN = SeatId(0), SeatId(1)


def waiting(evening: Evening) -> list[str]:
    """The codes on the display, and which of them is marked."""
    page = evening.now.page
    if not isinstance(page, AdmitPage):
        return []
    return [("*" if at == page.at else "") + waits.code for at, waits in enumerate(page.waiting)]


@pytest.fixture
def two(evening: Evening) -> Evening:
    """Ada's phone asks, then Ben's."""
    evening.ask(ADA, Join(ADA, "Ada", "AAA"))
    evening.ask(BEN, Join(BEN, "Ben", "BBB"))
    return evening


def test_a_second_phone_that_asks_waits_behind_the_first(two: Evening) -> None:
    assert waiting(two) == ["AAA", "BBB"]


def test_one_hold_of_ok_lets_everybody_in(two: Evening) -> None:
    assert isinstance(two.press("ok", held=True).page, TurnPage)
    assert isinstance(two.ask(BEN, Claim("BBB", "ben's")), Done)
    assert isinstance(two.ask(ADA, Claim("AAA", "ada's")), Done)
    assert [chair.key for chair in two.now.chairs] == ["ada's", "ben's"]
    assert two.now.joining == ()


def test_next_marks_and_ok_lets_in_that_one_only(two: Evening) -> None:
    two.press("next")
    two.press("next")
    assert waiting(two) == ["AAA", "*BBB"]
    two.press("ok")
    assert waiting(two) == ["AAA"]
    assert isinstance(two.ask(BEN, Claim("BBB", "ben's")), Done)
    assert isinstance(two.ask(ADA, Claim("AAA", "ada's")), No)


def test_an_ok_that_was_meant_for_the_game_lets_nobody_in(two: Evening) -> None:
    """The page may come up just as somebody presses OK: until NEXT was pressed at the door, OK does nothing."""
    for _ in range(3):
        two.press("ok")
    assert waiting(two) == ["AAA", "BBB"]
    assert isinstance(two.ask(ADA, Claim("AAA", "ada's")), No)


def test_a_mark_stays_with_its_phone_whoever_comes_and_goes(two: Evening) -> None:
    two.turn(2)
    assert waiting(two) == ["AAA", "*BBB"]
    two.ask(REFEREE, Join(REFEREE, "Chloé", "CCC"))
    assert waiting(two) == ["AAA", "*BBB", "CCC"]
    two.ask(BEN, Join(BEN, "Ben", "DDD", instead="BBB"))
    assert waiting(two) == ["AAA", "CCC", "DDD"], "who asks anew goes to the end, and nobody else is marked instead"


def test_back_sends_away_the_one_that_is_marked_or_else_the_first(two: Evening) -> None:
    two.press("next")
    two.press("next")
    two.press("back")
    assert waiting(two) == ["AAA"]
    assert isinstance(two.press("back").page, TurnPage)


def test_back_held_sends_all_away(two: Evening) -> None:
    assert isinstance(two.press("back", held=True).page, TurnPage)
    assert two.now.joining == ()


def test_of_two_for_one_chair_a_hold_lets_in_who_came_first(evening: Evening) -> None:
    evening.ask(ADA, Join(ADA, "Ada", "AAA"))
    evening.ask(ADA, Join(ADA, "Mallory", "MMM"))
    evening.press("ok", held=True)
    assert waiting(evening) == ["MMM"]


def test_a_command_sent_again_asks_once(evening: Evening) -> None:
    evening.ask(ADA, Join(ADA, "Ada", "AAA"), command="same")
    evening.ask(ADA, Join(ADA, "Ada", "QQQ"), command="same")
    assert waiting(evening) == ["QQQ"]


def test_what_was_open_on_the_box_is_open_again_afterwards(evening: Evening) -> None:
    assert isinstance(evening.press("next").page, ChoosePage)
    evening.ask(ADA, Join(ADA, "Ada", "AAA"))
    evening.press("ok", held=True)
    assert isinstance(evening.now.page, ChoosePage)


def test_more_than_all_chairs_cannot_ask_at_once(evening: Evening) -> None:
    for at in range(door.MOST):
        assert isinstance(evening.ask(ADA, Join(ADA, "x", f"X{at}")), Done)
    full = evening.ask(BEN, Join(BEN, "Ben", "BBB"))
    assert isinstance(full, No)
    assert (full.refusal.rule, full.refusal.key) == ("C8", "door-full")
    assert len(waiting(evening)) == door.MOST
    evening.press("back")
    assert isinstance(evening.ask(BEN, Join(BEN, "Ben", "BBB")), Done)


def test_two_phones_never_show_the_same_code(evening: Evening) -> None:
    evening.ask(ADA, Join(ADA, "Ada", "AAA"))
    assert isinstance(evening.ask(BEN, Join(BEN, "Mallory", "AAA")), No)


@pytest.mark.parametrize("button", ["check", "ok", "back", "next"])
@pytest.mark.parametrize("held", [False, True])
def test_only_ok_lets_anybody_in(evening: Evening, button: Button, held: bool) -> None:
    queue = (Joining(ADA, "Ada", "AAA"), Joining(BEN, "Ben", "BBB"))
    for marked in ("", "AAA", "BBB", "gone"):
        _, answer = Door(marked).press(replace(evening.now, joining=queue), button, held)
        lets_in = isinstance(answer, LetIn)
        assert lets_in == (button == "ok" and (held or marked in ("AAA", "BBB")))


def test_the_game_is_played_on_by_taps_while_phones_wait(two: Evening) -> None:
    """A tap that does something sends the box to rest; what lies at the bottom of the stack stays there."""
    before = two.now.seq
    two.tap("c")
    assert two.now.seq > before
    two.turn(1)
    two.press("ok", held=True)
    assert isinstance(two.tap("c").page, TurnPage)
    assert not isinstance(two.now.flash, TroublePage)
