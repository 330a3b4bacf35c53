"""Lamp and buzzer: each signal differs in colour, sound and rhythm; lifting a card cuts none short."""

from __future__ import annotations

import threading
from itertools import combinations
from typing import get_args

import pytest

from companion.core import AcceptedPage, CheckPage, Seq, Signal, say
from companion.library import settings
from companion.table import Latest, ports
from hw.errors import PinsUnusable
from hw.pretend.pins import PretendFactory
from hw.signals.buzzer import Buzzer
from hw.signals.lamp import Lamp
from hw.signals.night import is_night
from hw.signals.patterns import DARK, SILENT, Performance, Shine, light_at_rest, lights, sound_at_rest, tones
from tests.hw.room import Clock, Eye, moment, turn_of
from tests.patience import PATIENCE

SIGNALS: tuple[Signal, ...] = get_args(Signal)
TOLD = tuple(signal for signal in SIGNALS if signal != "quiet")
ADA = turn_of("Ada")
BOUGHT = AcceptedPage(Seq(7), ())
LAMP, BUZZER = settings.LampPins(), settings.BuzzerPin()


@pytest.mark.parametrize(("one", "other"), list(combinations(TOLD, 2)))
def test_no_two_signals_are_alike(one: Signal, other: Signal) -> None:
    assert _colours(lights(one)) != _colours(lights(other))
    assert _rhythm(lights(one)) != _rhythm(lights(other)), "nothing by colour alone"
    assert tones(one) != tones(other)
    assert [tone.seconds for tone in tones(one)] != [tone.seconds for tone in tones(other)]


@pytest.mark.parametrize("signal", SIGNALS)
def test_every_signal_ends_within_three_seconds(signal: Signal) -> None:
    assert sum(shine.seconds for shine in lights(signal)) <= 3
    assert sum(tone.seconds for tone in tones(signal)) <= 1


def test_quiet_is_dark_and_silent() -> None:
    assert Performance(lights, light_at_rest).step(5.0) == DARK
    assert Performance(tones, sound_at_rest).step(5.0) == SILENT


def test_a_signal_plays_through_and_ends_in_rest() -> None:
    playing = Performance(tones, sound_at_rest)
    playing.news(moment(ADA, flash=BOUGHT, signal="accepted"), 10.0)
    first, second = tones("accepted")
    assert playing.step(10.0) == first
    assert playing.due(10.0) == pytest.approx(first.seconds)
    assert playing.step(10.0 + first.seconds) == second
    assert playing.step(11.0) == SILENT
    assert playing.due(11.0) is None


def test_lifting_the_card_does_not_cut_the_signal_short() -> None:
    playing = Performance(lights, light_at_rest)
    playing.news(moment(ADA, flash=BOUGHT, signal="accepted"), 10.0)
    playing.news(moment(ADA), 10.1)
    assert (playing.signal, playing.step(10.2)) == ("accepted", lights("accepted")[0])


def test_the_same_check_page_published_again_does_not_beep_again() -> None:
    page = CheckPage(say("sample.title"), 1, 2, is_problem=False)
    playing = Performance(tones, sound_at_rest)
    playing.news(moment(page, signal="check-fine"), 10.0)
    playing.news(moment(page, signal="check-fine"), 20.0)
    assert playing.step(20.0) == SILENT
    playing.news(moment(CheckPage(say("sample.title"), 2, 2, is_problem=False), signal="check-fine"), 30.0)
    assert playing.step(30.0) == tones("check-fine")[0]


def test_a_second_refusal_is_told_like_the_first() -> None:
    playing = Performance(tones, sound_at_rest)
    for now in (10.0, 20.0):
        playing.news(moment(ADA, flash=BOUGHT, signal="refused"), now)
        assert playing.step(now) == tones("refused")[0]


def test_lasting_trouble_breathes_until_it_is_over() -> None:
    playing = Performance(lights, light_at_rest)
    playing.news(moment(ADA, troubles=(say("sample.reader"),)), 10.0)
    seen = {playing.step(10.0 + n / 2) for n in range(40)}
    assert seen == set(light_at_rest(True))
    assert playing.signal == "trouble"
    playing.news(moment(ADA), 40.0)
    assert (playing.signal, playing.step(40.0)) == ("quiet", DARK)


def test_the_lamp_shines_on_its_three_pins(clock: Clock) -> None:
    factory, latest = PretendFactory(), Latest(moment())
    lamp = Lamp(latest, factory, LAMP, clock=clock, wall=lambda: "20:15")
    eye = Eye(lamp.watchers.add)
    with lamp:
        latest.offer(moment(ADA, flash=BOUGHT, signal="accepted"))
        assert eye.sees(lambda: lamp.now == ports.Lamp("accepted", 0, 200, 60))
        levels = [round(255 * factory.pin(pin).state) for pin in (LAMP.red, LAMP.green, LAMP.blue)]
        assert levels == [0, 200, 60]
        clock.now += 60
        latest.offer(moment(ADA))
        assert eye.sees(lambda: lamp.now == ports.Lamp("quiet", 0, 0, 0))
    lamp.close()


def test_the_buzzer_sounds_and_falls_silent(clock: Clock) -> None:
    factory, latest = PretendFactory(), Latest(moment())
    sounded, fell_silent = threading.Event(), threading.Event()

    class Heard(Buzzer):
        def _turn(self, snapshot: object) -> None:
            super()._turn(snapshot)  # type: ignore[arg-type]
            (sounded if self._tone.hertz else fell_silent).set()

    with Heard(latest, factory, BUZZER, clock=clock, wall=lambda: "20:15"):
        latest.offer(moment(ADA, flash=BOUGHT, signal="refused"))
        assert sounded.wait(PATIENCE)
        assert factory.pin(BUZZER.pin).frequency == pytest.approx(220, abs=2)
        fell_silent.clear()
        clock.now += 60
        latest.offer(moment(ADA))
        assert fell_silent.wait(PATIENCE)
        assert factory.pin(BUZZER.pin).state == 0


@pytest.mark.parametrize("signal", TOLD)
def test_every_tone_is_within_the_buzzers_range(signal: Signal) -> None:
    assert all(tone.hertz == 0 or 220 <= tone.hertz <= 880 for tone in tones(signal))


def test_a_silenced_buzzer_and_an_absent_lamp_touch_no_pin() -> None:
    factory = PretendFactory()
    with (
        Buzzer(Latest(moment(signal="trouble")), factory, settings.BuzzerPin(volume=0)),
        Lamp(Latest(moment(signal="trouble")), factory, settings.LampPins(red=None, green=None, blue=None)),
    ):
        assert factory.pins == {}


def test_pins_in_use_are_named() -> None:
    factory = PretendFactory()
    with Lamp(Latest(moment()), factory, LAMP):
        with pytest.raises(PinsUnusable, match="buzzer cannot be used on pin 17"):
            Buzzer(Latest(moment()), factory, settings.BuzzerPin(pin=17)).open()
        with pytest.raises(PinsUnusable, match="lamp cannot be used on pin 17, 27, 22"):
            Lamp(Latest(moment()), factory, LAMP).open()


def test_opening_and_closing_twice_is_harmless() -> None:
    for device in (
        Lamp(Latest(moment()), PretendFactory(), LAMP),
        Buzzer(Latest(moment()), PretendFactory(), BUZZER),
    ):
        device.open()
        device.open()
        device.close()
        device.close()


def _colours(steps: tuple[Shine, ...]) -> list[tuple[int, int, int]]:
    return [(step.red, step.green, step.blue) for step in steps]


def _rhythm(steps: tuple[Shine, ...]) -> list[float]:
    return [step.seconds for step in steps]


@pytest.mark.parametrize(
    ("begins", "ends", "now", "night"),
    [
        ("22:30", "07:00", "22:29", False),
        ("22:30", "07:00", "22:30", True),
        ("22:30", "07:00", "00:00", True),
        ("22:30", "07:00", "06:59", True),
        ("22:30", "07:00", "07:00", False),
        ("01:00", "05:00", "00:59", False),
        ("01:00", "05:00", "03:00", True),
        ("01:00", "05:00", "23:00", False),
        ("12:00", "12:00", "12:00", False),
    ],
)
def test_the_night_goes_past_midnight(begins: str, ends: str, now: str, night: bool) -> None:
    assert is_night(now, settings.NightHours(begins, ends)) is night


def test_at_night_the_lamp_is_dim_and_the_buzzer_silent(clock: Clock) -> None:
    factory, told = PretendFactory(), moment(ADA, flash=BOUGHT, signal="accepted")
    lamp = Lamp(Latest(told), factory, LAMP, clock=clock, wall=lambda: "23:00")
    eye = Eye(lamp.watchers.add)
    with lamp:
        assert eye.sees(lambda: lamp.now == ports.Lamp("accepted", 0, 25, 8))
    buzzer = Buzzer(Latest(told), factory, BUZZER, clock=clock, wall=lambda: "23:00")
    buzzer.open()
    buzzer._turn(told)
    assert factory.pin(BUZZER.pin).state == 0
    buzzer.close()


@pytest.mark.parametrize("signal", TOLD)
def test_every_light_can_still_be_told_apart_at_night(signal: Signal) -> None:
    assert any(round(part / 8) > 0 for shine in lights(signal) for part in (shine.red, shine.green, shine.blue))


def test_the_volume_is_heard(clock: Clock) -> None:
    states = []
    for volume in (2, 6, 10):
        factory, told = PretendFactory(), moment(ADA, flash=BOUGHT, signal="refused")
        buzzer = Buzzer(Latest(told), factory, settings.BuzzerPin(volume=volume), clock=clock, wall=lambda: "12:00")
        buzzer.open()
        buzzer._turn(told)
        states.append(factory.pin(BUZZER.pin).state)
        buzzer.close()
    assert states == sorted(states)
    assert len(set(states)) == 3
    assert states[-1] == 0.5
