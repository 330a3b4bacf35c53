"""What the display shows when: the flash, the page, and how it goes to sleep."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core import (
    FLASH_SECONDS,
    NO_FACTS,
    AcceptedPage,
    Duel,
    DuelPage,
    IdlePage,
    JoinPage,
    Name,
    Refusal,
    RefusedPage,
    RuleId,
    Said,
    SeatId,
    Seq,
    Side,
    TroublePage,
    TurnPage,
    say,
)
from companion.library import TurnClock
from companion.table.outside import Seen, Ticking
from hw.display.scene import DRIFT_EVERY, IDLE_AFTER, SLEEP_AFTER, Look, Scene
from tests.hw.room import moment, turn_of

ADA, BEN = turn_of("Ada"), turn_of("Ben")
BOUGHT = AcceptedPage(Seq(7), (say("sample.bought"),))


def test_nothing_is_shown_before_the_first_snapshot() -> None:
    scene = Scene()
    assert scene.look(0.0) is None
    assert scene.due(0.0) is None


def test_the_flash_comes_first_and_then_the_page() -> None:
    scene = Scene()
    scene.news(moment(ADA, flash=BOUGHT), 10.0)
    assert scene.look(10.0) == Look(ADA, over=BOUGHT)
    assert scene.due(11.0) == FLASH_SECONDS - 1
    assert scene.look(10.0 + FLASH_SECONDS - 0.01) == Look(ADA, over=BOUGHT)
    assert scene.look(10.0 + FLASH_SECONDS) == Look(ADA)


def test_the_flash_is_there_at_once_at_any_time_of_day() -> None:
    """4.3 plus 4 seconds, minus 4.3, is slightly more than 4: for an instant it wanted one leaf too many."""
    for now in (at / 10 for at in range(10_000)):
        scene = Scene()
        scene.news(moment(ADA, flash=BOUGHT), now)
        assert scene.look(now) == Look(ADA, over=BOUGHT), now


def test_lifting_the_tapped_card_does_not_wipe_the_flash_away() -> None:
    scene = Scene()
    scene.news(moment(ADA, flash=BOUGHT), 10.0)
    scene.news(moment(ADA), 10.5)
    assert scene.look(10.6) == Look(ADA, over=BOUGHT)
    assert scene.look(10.0 + FLASH_SECONDS) == Look(ADA)


def test_the_flash_gives_way_to_a_changed_page() -> None:
    scene = Scene()
    scene.news(moment(ADA, flash=BOUGHT), 10.0)
    scene.news(moment(BEN), 10.5)
    assert scene.look(10.5) == Look(BEN)


def test_the_same_refusal_again_is_shown_for_its_full_time_again() -> None:
    scene = Scene()
    refusal = Refusal(RuleId("P1"), "sample.gold", NO_FACTS)
    scene.news(moment(ADA, flash=RefusedPage(refusal)), 10.0)
    scene.news(moment(ADA, flash=RefusedPage(refusal)), 13.0)
    assert scene.look(13.0 + FLASH_SECONDS - 0.1) == Look(RefusedPage(refusal))


def test_one_flash_in_two_snapshots_is_not_prolonged() -> None:
    scene = Scene()
    scene.news(moment(ADA, flash=BOUGHT), 10.0)
    scene.news(moment(ADA, flash=BOUGHT), 13.0)
    assert scene.look(10.0 + FLASH_SECONDS) == Look(ADA)


def test_without_news_it_idles_drifts_dims_and_sleeps() -> None:
    scene = Scene()
    scene.news(moment(ADA), 0.0)
    assert scene.look(IDLE_AFTER - 1) == Look(ADA)
    assert scene.due(IDLE_AFTER - 1) == 1.0
    assert scene.look(IDLE_AFTER) == Look(IdlePage(ADA.title, ADA.who), 0, "dim")
    assert scene.due(IDLE_AFTER) == DRIFT_EVERY
    assert scene.look(IDLE_AFTER + DRIFT_EVERY) == Look(IdlePage(ADA.title, ADA.who), 1, "dim")
    asleep = scene.look(SLEEP_AFTER)
    assert asleep is not None
    assert asleep.light == "off"
    assert scene.due(SLEEP_AFTER) is None


def test_news_wakes_it() -> None:
    scene = Scene()
    scene.news(moment(ADA), 0.0)
    scene.news(moment(ADA), SLEEP_AFTER + 5)
    assert scene.look(SLEEP_AFTER + 5) == Look(ADA)


def test_trouble_is_still_told_at_rest() -> None:
    scene = Scene()
    scene.news(moment(TroublePage(say("sample.reader"))), 0.0)
    look = scene.look(IDLE_AFTER)
    assert look is not None
    assert look.page == IdlePage(say("page.trouble"), say("sample.reader"))


def test_any_other_page_rests_as_the_box_itself() -> None:
    scene = Scene()
    scene.news(moment(JoinPage()), 0.0)
    look = scene.look(IDLE_AFTER)
    assert look is not None
    assert look.page == IdlePage(say("box.title"), say("box.nobody"))


def with_clock(*, runs: tuple[SeatId, ...] = (SeatId(0),), at: float = 0.0) -> Seen:
    return replace(moment(turn_of("Ada")), clock=Ticking(TurnClock("soft", 90), (20.0, 0.0), runs, at))


def shown(scene: Scene, now: float) -> Said:
    look = scene.look(now)
    assert look is not None
    assert isinstance(look.page, TurnPage)
    return look.page.hint


def test_the_turn_clock_counts_down_and_on_past_zero() -> None:
    scene = Scene()
    scene.news(with_clock(), 0.0)
    for now, left in ((0.0, "1:10"), (0.5, "1:10"), (9.6, "1:01"), (69.5, "0:01")):
        assert shown(scene, now) == say("page.time", time=Name(left))
    assert shown(scene, 75.0) == say("page.time-over", time=Name("0:05"))
    assert scene.due(0.25) == pytest.approx(0.75), "it is drawn again with every second"


def test_a_clock_that_stands_is_not_shown() -> None:
    scene = Scene()
    scene.news(with_clock(runs=()), 0.0)
    assert shown(scene, 1.0) == turn_of("Ada").hint
    assert scene.due(1.0) == IDLE_AFTER - 1.0


def test_a_duel_stays_until_something_is_pressed_or_done() -> None:
    sides = (Side(SeatId(0), say("sample.sum", n=9), Said("")), Side(SeatId(1), say("sample.sum", n=11), Said("")))
    duel = DuelPage(
        Duel((), sides, Said(""), outcome=say("sample.miss")), AcceptedPage(Seq(4), (say("sample.bought"),))
    )
    scene = Scene()
    scene.news(moment(turn_of("Ben"), flash=duel), 0.0)
    assert scene.look(0.0) == Look(duel)
    told = scene.look(FLASH_SECONDS + 1)
    assert told is not None
    assert told.over == duel.done, "what hands do is told, too"
    for later in (2 * FLASH_SECONDS + 1, IDLE_AFTER - 1):
        assert scene.look(later) == Look(duel)
    scene.news(moment(turn_of("Chloé")), 20.0)
    assert scene.look(20.0) == Look(turn_of("Chloé"))
