"""The whole pretend box on a real table thread: press, turn, look, tear the display off."""

from __future__ import annotations

import io
import logging
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PIL import Image

from companion.core import Button, Input, Pressed, Said, Turned
from companion.library import BuzzerPin, Settings, Speaker
from companion.table import Latest, Seen
from hw.box import Hardware, PretendHardware
from hw.display.draw import draw
from hw.pretend.panel import PretendPanel
from hw.pretend.pins import PretendFactory
from tests.hw.room import Eye, Inbox, Log, moment, turn_of

ADA, BEN = turn_of("Ada"), turn_of("Ben")


class Table:
    """What devices know of a table: its inbox, its newest snapshot, and where to report troubles."""

    def __init__(self) -> None:
        self.inbox = Inbox()
        self.put: Callable[[Input], None] = self.inbox.put
        self.followers: list[Latest[Seen]] = []
        self.troubles: list[tuple[str, Said | None]] = []

    def shown(self) -> Latest[Seen]:
        self.followers.append(Latest(moment(ADA)))
        return self.followers[-1]

    def trouble(self, source: str, said: Said | None) -> None:
        self.troubles.append((source, said))

    def publish(self, told: Seen) -> None:
        for follower in self.followers:
            follower.offer(told)


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def box(table: Table, english: Speaker) -> Iterator[PretendHardware]:
    with PretendHardware(table, lambda _: english) as opened:
        yield opened


def test_hands_go_on_when_a_press_was_told(box: PretendHardware, table: Table) -> None:
    """However slow the buttons' thread is: a card tapped after OK must not be heard before it."""
    told, slow, put = list[Input](), threading.Event(), table.inbox.put

    def put_late(given: Input) -> None:
        slow.wait(0.05)
        told.append(given)
        put(given)

    box._buttons._put = put_late
    box.press("ok")
    assert told == [Pressed("ok")]
    box.turn(2)
    assert told[1:] == [Turned(1), Turned(1)]


@pytest.mark.parametrize("button", ["check", "ok", "back", "next"])
def test_a_press_and_a_hold_reach_the_inbox(box: PretendHardware, table: Table, button: Button) -> None:
    box.press(button)
    box.press(button, True)
    assert table.inbox.first(2) == [Pressed(button), Pressed(button, held=True)]


def test_the_dial_reaches_the_inbox(box: PretendHardware, table: Table) -> None:
    box.turn(-2)
    assert table.inbox.first(2) == [Turned(-1), Turned(-1)]


def test_the_screen_shows_the_newest_snapshot(box: PretendHardware, table: Table, english: Speaker) -> None:
    eye = Eye(box.watch)
    assert eye.sees(lambda: _shows(box, ADA, english))
    table.publish(moment(BEN))
    assert eye.sees(lambda: _shows(box, BEN, english))


def test_the_lamp_tells_the_signal(box: PretendHardware, table: Table) -> None:
    eye = Eye(box.watch)
    table.publish(moment(ADA, signal="trouble"))
    assert eye.sees(lambda: box.lamp().signal == "trouble")


def test_a_torn_display_is_dark_and_comes_back_by_itself(
    box: PretendHardware, table: Table, english: Speaker, heard: Log
) -> None:
    eye = Eye(box.watch)
    assert eye.sees(lambda: _shows(box, ADA, english))
    box.set_fault("display", True)
    assert box.faults() == ("display",)
    table.publish(moment(BEN))
    assert heard.line("does not answer")
    box.press("ok")
    assert table.inbox.first(1) == [Pressed("ok")]
    box.set_fault("display", False)
    assert box.faults() == ()
    assert eye.sees(lambda: _shows(box, BEN, english))
    assert heard.line("the display is back") == "the display is back"


def test_a_watcher_that_fails_is_dropped_and_the_box_goes_on(
    box: PretendHardware, table: Table, english: Speaker
) -> None:
    told: list[int] = []

    def fails() -> None:
        told.append(1)
        raise ValueError("a page that was closed")

    eye = Eye(box.watch)
    assert eye.sees(lambda: _shows(box, ADA, english))
    box.watch(fails)
    table.publish(moment(BEN))
    assert eye.sees(lambda: _shows(box, BEN, english))
    table.publish(moment(ADA))
    assert eye.sees(lambda: _shows(box, ADA, english))
    assert len(told) == 1


def test_whoever_stops_watching_is_not_told(box: PretendHardware, table: Table, english: Speaker) -> None:
    eye = Eye(box.watch)
    assert eye.sees(lambda: _shows(box, ADA, english))
    told: list[int] = []
    stop = box.watch(lambda: told.append(1))
    stop()
    stop()
    table.publish(moment(BEN))
    assert eye.sees(lambda: _shows(box, BEN, english))
    assert told == []


def test_other_faults_are_not_ours(box: PretendHardware) -> None:
    box.set_fault("cable", True)
    assert box.faults() == ()


def test_a_device_that_cannot_be_opened_is_named_and_the_others_open(
    table: Table, english: Speaker, caplog: pytest.LogCaptureFixture
) -> None:
    panel = PretendPanel()
    eye = Eye(panel.watchers.add)
    chosen = Settings(buzzer=BuzzerPin(pin=17))
    with (
        caplog.at_level(logging.WARNING),
        Hardware(table, lambda _: english, factory=PretendFactory(), opens=panel.open, chosen=chosen),
    ):
        assert eye.sees(lambda: panel.image().tobytes() == draw(ADA, english).tobytes())
    assert [record.getMessage()[:43] for record in caplog.records] == ["the buzzer cannot be used on pin 17 (pin GP"]


def test_opening_and_closing_twice_is_harmless(table: Table, english: Speaker) -> None:
    box = PretendHardware(table, lambda _: english)
    box.close()
    box.open()
    box.open()
    box.close()
    box.close()


def _shows(box: PretendHardware, page: Any, english: Speaker) -> bool:
    picture = Image.open(io.BytesIO(box.screen()))
    return picture.tobytes() == draw(page, english).tobytes()
