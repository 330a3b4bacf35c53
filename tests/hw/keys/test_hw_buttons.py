"""Fingers on the box: pretend pins, the product's own thread and filter, inputs in the inbox."""

from __future__ import annotations

import logging

import pytest

from companion.core import Button, CompanionError, Pressed, Turned
from companion.library import settings
from hw.errors import PinsUnusable
from hw.keys.buttons import Buttons, PretendFinger
from hw.keys.dial import Dial, PretendKnob
from hw.keys.filter import HOLD, LONGER, LONGEST, MANY, REPEAT, STUCK
from hw.keys.jobs import BUTTONS, keys_of, undone
from hw.pretend.pins import PretendFactory
from tests.hw.room import Inbox, Log

DIAL = settings.DialPins(a=23, b=24)


@pytest.fixture
def factory() -> PretendFactory:
    return PretendFactory()


@pytest.fixture
def finger(factory: PretendFactory) -> PretendFinger:
    return PretendFinger(factory)


@pytest.mark.parametrize("button", BUTTONS)
def test_each_button_presses_and_holds(
    inbox: Inbox, factory: PretendFactory, finger: PretendFinger, button: Button
) -> None:
    with Buttons(inbox.put, factory):
        finger.press(button)
        finger.press(button, held=True)
        finger.press(button)
        assert inbox.first(3) == [Pressed(button), Pressed(button, held=True), Pressed(button)]
    assert len(inbox.inputs) == 3


def test_bouncing_presses_arrive_once_each_and_in_order(
    inbox: Inbox, factory: PretendFactory, finger: PretendFinger
) -> None:
    pressed = [(button, n % 3 == 0) for n in range(40) for button in BUTTONS]
    with Buttons(inbox.put, factory):
        for n, (button, held) in enumerate(pressed):
            finger.press(button, held, bounces=n % 10)
        assert inbox.first(len(pressed)) == [Pressed(button, held) for button, held in pressed]
    assert len(inbox.inputs) == len(pressed)


def test_a_stuck_button_is_named_once_and_the_others_work(
    inbox: Inbox, factory: PretendFactory, finger: PretendFinger, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING), Buttons(inbox.put, factory):
        finger.stick("next", down=True)
        factory.skip(STUCK + 1)
        finger.press("ok")
        heard = inbox.until(Pressed("ok"))
        steps = len(heard) - 2
        assert heard == [Pressed("next", held=True), *[Pressed("next")] * steps, Pressed("ok")]
        assert steps <= round((STUCK - HOLD) / REPEAT)
        factory.skip(STUCK + 1)
        finger.press("ok")
        assert inbox.until(Pressed("ok"), 2)[len(heard) :] == [Pressed("ok")]
        finger.stick("next", down=False)
        finger.press("next")
        assert inbox.first(len(heard) + 2)[-1] == Pressed("next")
    assert [record.getMessage() for record in caplog.records] == [
        "button NEXT is stuck and ignored until it is let go",
        "button NEXT works again",
    ]


def test_a_button_held_while_the_box_starts_is_no_press(
    inbox: Inbox, factory: PretendFactory, finger: PretendFinger
) -> None:
    finger.stick("ok", down=True)
    with Buttons(inbox.put, factory):
        factory.skip(2.0)
        finger.press("back")
        finger.stick("ok", down=False)
        finger.press("back")
        assert inbox.first(2) == [Pressed("back"), Pressed("back")]


def test_a_lost_release_is_healed_by_looking_at_the_level(inbox: Inbox, factory: PretendFactory) -> None:
    pin = factory.pin(settings.ButtonPins().ok)
    with Buttons(inbox.put, factory):
        pin.touch(True)
        pin.edges = "falling"
        factory.skip(0.1)
        pin.touch(False)
        pin.edges = "both"
        assert inbox.first(1)[0] in (Pressed("ok"), Pressed("ok", held=True))
        PretendFinger(factory).press("ok")
        assert inbox.first(2)[1] == Pressed("ok")


def test_an_absent_button_is_simply_absent(inbox: Inbox, factory: PretendFactory) -> None:
    wired = settings.ButtonPins(check=None)
    with Buttons(inbox.put, factory, wired):
        PretendFinger(factory, wired).press("ok")
        assert inbox.first(1) == [Pressed("ok")]


def test_a_pin_in_use_is_named_with_its_button_and_number(inbox: Inbox, factory: PretendFactory) -> None:
    with Buttons(inbox.put, factory), pytest.raises(PinsUnusable, match="button CHECK cannot be used on pin 5"):
        Buttons(inbox.put, factory).open()
    with pytest.raises(OSError, match="pin 26, 26"):
        Dial(inbox.put, factory, settings.DialPins(a=26, b=26)).open()
    assert issubclass(PinsUnusable, CompanionError)


def test_buttons_that_failed_to_open_give_their_pins_back(inbox: Inbox, factory: PretendFactory) -> None:
    with pytest.raises(PinsUnusable):
        Buttons(inbox.put, factory, settings.ButtonPins(check=5, ok=5)).open()
    with Buttons(inbox.put, factory):
        PretendFinger(factory).press("check")
        assert inbox.first(1) == [Pressed("check")]


def test_opening_and_closing_twice_is_harmless(inbox: Inbox, factory: PretendFactory) -> None:
    for device in (Buttons(inbox.put, factory), Dial(inbox.put, factory, DIAL)):
        device.close()
        device.open()
        device.open()
        device.close()
        device.close()


def test_the_dial_turns_both_ways(inbox: Inbox, factory: PretendFactory) -> None:
    with Dial(inbox.put, factory, DIAL):
        knob = PretendKnob(factory, DIAL)
        knob.turn(3)
        knob.turn(-2)
        knob.turn(0)
    assert inbox.inputs == [Turned(1), Turned(1), Turned(1), Turned(-1), Turned(-1)]


def test_presses_and_turns_arrive_in_their_order(inbox: Inbox, factory: PretendFactory, finger: PretendFinger) -> None:
    """A press is reported when its button has settled; a later turn waits for it, however late the thread is."""
    with Buttons(inbox.put, factory) as buttons, Dial(buttons.in_turn, factory, DIAL):
        knob = PretendKnob(factory, DIAL)
        for _ in range(50):
            finger.press("ok")
            knob.turn(2)
        assert inbox.first(150) == [Pressed("ok"), Turned(1), Turned(1)] * 50


def test_a_turn_does_not_wait_for_a_button_that_is_down(
    inbox: Inbox, factory: PretendFactory, finger: PretendFinger
) -> None:
    with Buttons(inbox.put, factory) as buttons, Dial(buttons.in_turn, factory, DIAL):
        finger.stick("ok", down=True)
        PretendKnob(factory, DIAL).turn(1)
        assert inbox.first(1) == [Turned(1)]


def test_the_dial_works_without_buttons(inbox: Inbox, factory: PretendFactory) -> None:
    with Dial(Buttons(inbox.put, factory).in_turn, factory, DIAL):
        PretendKnob(factory, DIAL).turn(1)
    assert inbox.inputs == [Turned(1)]


def test_a_dial_that_shivers_on_the_spot_says_nothing(inbox: Inbox, factory: PretendFactory) -> None:
    with Dial(inbox.put, factory, DIAL):
        pin = factory.pin(DIAL.a)
        for _ in range(20):
            pin.touch(True)
            pin.touch(False)
    assert inbox.inputs == []


def test_a_box_without_a_dial_has_none(inbox: Inbox, factory: PretendFactory) -> None:
    with Dial(inbox.put, factory, settings.DialPins()):
        assert factory.pins == {}


def test_next_goes_on_while_it_is_held(inbox: Inbox, factory: PretendFactory, finger: PretendFinger) -> None:
    with Buttons(inbox.put, factory):
        finger.press("next", seconds=HOLD + 5 * REPEAT + 0.01)
        finger.press("ok")
        assert inbox.first(7) == [Pressed("next", held=True), *[Pressed("next")] * 5, Pressed("ok")]
    assert len(inbox.inputs) == 7


def test_a_lost_release_of_a_stuck_button_is_found_by_looking(
    inbox: Inbox, factory: PretendFactory, finger: PretendFinger, heard: Log
) -> None:
    """The edge of its release never comes, and nothing else happens on the box."""
    pin = factory.pin(settings.ButtonPins().ok)
    with Buttons(inbox.put, factory):
        finger.stick("ok", down=True)
        factory.skip(STUCK + 1)
        assert heard.line("button OK is stuck")
        pin.edges = "falling"
        pin.touch(False)
        pin.edges = "both"
        assert heard.line("button OK works again") == "button OK works again"


def test_a_flapping_button_is_named_and_does_not_flood_the_table(
    inbox: Inbox, factory: PretendFactory, finger: PretendFinger, heard: Log
) -> None:
    with Buttons(inbox.put, factory):
        for _ in range(500):
            finger.press("next", seconds=0.025)
        assert heard.line("button NEXT is stuck")
        factory.skip(5.0)
        finger.press("ok")
        assert Pressed("ok") in inbox.first(MANY)
        finger.press("next")
        assert inbox.first(MANY + 1)[-1] == Pressed("next")
    assert len(inbox.inputs) <= MANY + 1
    assert len(heard.lines) == 2


def test_the_push_of_the_dial_is_ok(inbox: Inbox, factory: PretendFactory) -> None:
    dial = settings.DialPins(a=23, b=24, push=25)
    with Buttons(inbox.put, factory, settings.ButtonPins(ok=None), dial):
        PretendFinger(factory, settings.ButtonPins(ok=25)).press("ok")
        PretendFinger(factory, settings.ButtonPins(ok=25)).press("ok", held=True)
        assert inbox.first(2) == [Pressed("ok"), Pressed("ok", held=True)]


@pytest.mark.parametrize("missing", BUTTONS)
def test_the_job_of_a_missing_button_moves_to_another(
    inbox: Inbox, factory: PretendFactory, missing: Button, heard: Log
) -> None:
    logging.getLogger("hw").setLevel(logging.INFO)
    wired = settings.ButtonPins(**{missing: None})
    (heir,) = (key for key in keys_of(wired) if key.also == missing)
    finger = PretendFinger(factory, wired)
    with Buttons(inbox.put, factory, wired):
        assert heard.first(1) == [
            f"button {missing.upper()} is absent; hold {heir.name.upper()} for two seconds instead"
        ]
        for seconds in (0.1, HOLD + 0.1, LONGER + 0.1, LONGEST + 0.1):
            finger.press(heir.does, seconds=seconds)
        own = [Pressed(heir.does), Pressed(heir.does, held=True)]
        assert inbox.first(4) == [*own, Pressed(missing), Pressed(missing, held=True)]
    assert undone(wired, settings.DialPins()) == ()
    logging.getLogger("hw").setLevel(logging.NOTSET)


def test_with_two_buttons_everything_can_still_be_done_and_with_one_it_is_said_what_cannot() -> None:
    assert undone(settings.ButtonPins(check=None, back=None), settings.DialPins()) == ()
    assert undone(settings.ButtonPins(check=None, back=None, next=None), settings.DialPins()) == ("back", "next")
    assert undone(settings.ButtonPins(ok=None, check=None), settings.DialPins(a=1, b=4, push=7)) == ()
