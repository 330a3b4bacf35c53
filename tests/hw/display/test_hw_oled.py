"""The display and its faults: whatever it does, the game goes on and people are told once."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from itertools import pairwise

import luma.core.error
import pytest
from PIL import Image

from companion.core import FLASH_SECONDS, AcceptedPage, JoinPage, Seq, UnplugPage, say
from companion.library import Speaker
from companion.table import Latest, Seen
from hw.display.draw import Around, draw
from hw.display.oled import Oled
from hw.display.panel import BRIGHT, DIM, RENEW_AFTER, RETRY_FIRST, RETRY_MOST, Display, Panel
from hw.display.scene import IDLE_AFTER, SLEEP_AFTER
from hw.display.sheet import HEIGHT, WIDTH
from hw.errors import DisplayLost
from hw.pretend.panel import PretendPanel
from tests.hw.room import Clock, Eye, Log, moment, turn_of
from tests.patience import PATIENCE

ADA, BEN = turn_of("Ada"), turn_of("Ben")
BOUGHT = AcceptedPage(Seq(7), (say("sample.bought"),))


class Shown:
    """A display on pretend glass, stepped by hand: no thread, no waiting."""

    def __init__(self, english: Speaker) -> None:
        self.clock, self.panel, self.english = Clock(), PretendPanel(), english
        self.oled = Oled(
            self.panel.open,
            Latest(moment()),
            lambda _: english,
            address=lambda: "HTTP://10.42.0.1/J",
            clock=self.clock,
        )

    def news(self, told: Seen) -> None:
        self.oled._turn(told)

    def later(self, seconds: float) -> None:
        self.clock.now += seconds
        self.oled._turn(None)

    def shows(self, page: object, over: AcceptedPage | None = None) -> bool:
        picture = draw(page, self.english, Around("HTTP://10.42.0.1/J"), over)  # type: ignore[arg-type]
        return self.panel.image().tobytes() == picture.tobytes()

    def is_dark(self) -> bool:
        return self.panel.image().getbbox() is None


@pytest.fixture
def shown(english: Speaker) -> Shown:
    return Shown(english)


def test_it_draws_the_flash_then_the_page(shown: Shown) -> None:
    shown.news(moment(ADA, flash=BOUGHT))
    assert shown.shows(ADA, over=BOUGHT)
    assert shown.oled._pause() == FLASH_SECONDS
    shown.later(FLASH_SECONDS)
    assert shown.shows(ADA)


def test_a_frame_is_sent_only_when_the_picture_changed(shown: Shown) -> None:
    for _ in range(5):
        shown.news(moment(ADA))
        shown.later(0.1)
    assert shown.panel.frames == 1
    shown.news(moment(BEN))
    assert shown.panel.frames == 2


def test_the_join_page_has_the_address_of_the_moment(shown: Shown) -> None:
    shown.news(moment(JoinPage()))
    assert shown.shows(JoinPage())


def test_it_dims_sleeps_and_wakes(shown: Shown) -> None:
    shown.news(moment(ADA))
    shown.later(IDLE_AFTER)
    assert shown.panel.level == DIM
    assert not shown.is_dark()
    shown.later(SLEEP_AFTER)
    assert shown.is_dark()
    shown.news(moment(ADA))
    assert shown.panel.level == BRIGHT
    assert shown.shows(ADA)


def test_a_lost_display_is_named_once_and_its_return_once(shown: Shown, caplog: pytest.LogCaptureFixture) -> None:
    shown.news(moment(ADA))
    shown.panel.set_fault(True)
    for _ in range(6):
        shown.news(moment(BEN))
        shown.news(moment(ADA))
        shown.later(RETRY_MOST)
    assert shown.is_dark()
    assert len(caplog.records) == 1
    assert "0x3C" in caplog.text
    shown.panel.set_fault(False)
    shown.later(RETRY_MOST)
    assert shown.shows(ADA)
    assert [record.getMessage() for record in caplog.records][1:] == ["the display is back"]


def test_a_chip_that_lost_its_power_unnoticed_is_set_up_again(shown: Shown) -> None:
    shown.news(moment(ADA))
    shown.panel.chip.lose_power()
    shown.news(moment(BEN))
    assert shown.is_dark(), "nothing has told us yet"
    shown.clock.now += RENEW_AFTER
    shown.news(moment(ADA))
    assert shown.shows(ADA)
    assert shown.panel.level == BRIGHT


def test_a_display_that_is_missing_at_the_start_comes_in_later(shown: Shown) -> None:
    shown.panel.set_fault(True)
    shown.news(moment(ADA))
    shown.panel.set_fault(False)
    shown.later(RETRY_FIRST)
    assert shown.shows(ADA)


def test_retries_grow_apart_and_never_busy() -> None:
    clock, tries = Clock(), []

    def opens() -> Display:
        tries.append(clock.now)
        raise luma.core.error.DeviceNotFoundError("none")

    panel = Panel(opens, clock)
    image = Image.new("1", (WIDTH, HEIGHT))
    for _ in range(2000):
        panel.show(image, "full")
        clock.now += 0.1
    gaps = [b - a for a, b in pairwise(tries)]
    assert gaps[0] == pytest.approx(RETRY_FIRST, abs=0.2)
    assert gaps[-1] == pytest.approx(RETRY_MOST, abs=0.2)
    assert [round(gap) for gap in gaps] == sorted(round(gap) for gap in gaps)


@pytest.mark.parametrize(
    "error", [OSError(121, "Remote I/O error"), RuntimeError("?"), AssertionError(), ImportError("smbus2")]
)
@pytest.mark.parametrize("call", range(5))
def test_a_fault_at_any_call_of_any_kind_heals(english: Speaker, error: Exception, call: int) -> None:
    """open, contrast, display, hide, show: each fails once; in the end the right page is there."""
    clock, panel = Clock(), PretendPanel()
    calls = iter(range(100))

    def faulty(act: Callable[..., object]) -> Callable[..., object]:
        def run(*given: object) -> object:
            if next(calls) == call:
                raise error
            return act(*given)

        return run

    def opens() -> Display:
        display = faulty(panel.open)()
        for name in ("display", "contrast", "hide", "show"):
            setattr(display, name, faulty(getattr(display, name)))
        return display  # type: ignore[return-value]

    oled = Oled(opens, Latest(moment()), lambda _: english, clock=clock)
    for pause in (0.0, SLEEP_AFTER, RETRY_MOST, RETRY_MOST):
        clock.now += pause
        oled._turn(moment(BEN) if pause == 0.0 else None)
    oled._turn(moment(ADA))
    clock.now += RETRY_MOST
    oled._turn(None)
    assert panel.image().tobytes() == draw(ADA, english).tobytes()


def test_the_error_has_two_parents_and_says_what_to_do() -> None:
    from companion.core import CompanionError

    assert issubclass(DisplayLost, CompanionError)
    assert issubclass(DisplayLost, OSError)


def test_a_page_that_cannot_be_said_leaves_the_one_before_and_is_named_once(english: Speaker, heard: Log) -> None:
    panel, latest = PretendPanel(), Latest(moment(ADA))
    mute = threading.Event()

    def speaks(told: Seen) -> Speaker:
        if mute.is_set():
            raise KeyError("no such seat")
        return english

    eye = Eye(panel.watchers.add)
    with Oled(panel.open, latest, speaks):
        assert eye.sees(lambda: panel.image().tobytes() == draw(ADA, english).tobytes())
        mute.set()
        latest.offer(moment(JoinPage()))
        assert heard.line("no such seat")
        mute.clear()
        latest.offer(moment(BEN))
        assert eye.sees(lambda: panel.image().tobytes() == draw(BEN, english).tobytes())
    assert len(heard.lines) == 1


def test_the_thread_follows_the_newest_snapshot_and_leaves_word_that_it_may_be_unplugged(english: Speaker) -> None:
    panel, latest = PretendPanel(), Latest(moment(ADA))
    eye = Eye(panel.watchers.add)
    oled = Oled(panel.open, latest, lambda _: english)
    oled.open()
    oled.open()
    assert eye.sees(lambda: panel.image().tobytes() == draw(ADA, english).tobytes())
    latest.offer(moment(BEN))
    assert eye.sees(lambda: panel.image().tobytes() == draw(BEN, english).tobytes())
    oled.close()
    oled.close()
    assert panel.image().tobytes() == draw(UnplugPage(), english).tobytes()
    assert panel.level == DIM
    assert not any(thread.name == "display" for thread in threading.enumerate())


def test_a_display_that_was_never_opened_closes(english: Speaker) -> None:
    Oled(PretendPanel().open, Latest(moment()), lambda _: english).close()


def test_a_hanging_display_is_named_and_left_behind(english: Speaker, caplog: pytest.LogCaptureFixture) -> None:
    called, let_go = threading.Event(), threading.Event()

    def hangs() -> Display:
        called.set()
        let_go.wait()
        raise OSError("let go")

    oled = Oled(hangs, Latest(moment()), lambda _: english)
    oled.open()
    assert called.wait(PATIENCE)
    oled.close(timeout=0.01)
    assert "hangs" in caplog.text
    let_go.set()


def test_the_png_is_what_an_eye_sees(shown: Shown) -> None:
    shown.news(moment(ADA))
    picture = Image.open(io.BytesIO(shown.panel.png()))
    assert (picture.size, picture.mode) == ((WIDTH, HEIGHT), "1")
    assert picture.tobytes() == draw(ADA, shown.english).tobytes()
