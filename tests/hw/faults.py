"""Devices that fail at one chosen call, and an evening on a box made of them."""

from __future__ import annotations

import errno
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from companion.core import Input, Pressed, Turned
from companion.library import DialPins, Lamps, Lang, NightHours, Settings
from companion.table import state_hash
from hw.box import Hardware
from hw.keys.buttons import PretendFinger
from hw.keys.dial import PretendKnob
from hw.pretend.panel import PretendPanel
from hw.pretend.pins import PretendFactory, PretendPin
from hw.voice.mouth import PretendMouth
from tests.hw.evening import Evening

LAMPS = (12, 16, 20)
CHOSEN = Settings(dial=DialPins(a=23, b=24, push=25), lamps=Lamps(LAMPS), night=NightHours("00:00", "00:00"))
PINS_OF = {"buttons": (5, 6, 13, 19, 25), "dial": (23, 24), "lamp": (17, 27, 22), "seat lamps": LAMPS, "buzzer": (18,)}
DEVICES = ("display", *PINS_OF, "voice")


class Faults:
    """Counts the calls of one device and makes one of them fail, or all from that one on."""

    def __init__(self, at: int | None = None, *, for_ever: bool = False) -> None:
        self.at, self.for_ever = at, for_ever
        self.calls = 0
        self._lock = threading.Lock()

    def call(self) -> None:
        with self._lock:
            self.calls += 1
            fails = self.at is not None and (self.calls == self.at or (self.for_ever and self.calls > self.at))
        if fails:
            raise OSError(errno.EIO, "Input/output error")


class FaultyPin(PretendPin):
    """Every call that the pin library makes for a device may fail; fingers aren't devices."""

    def _call(self) -> None:
        self.factory.faults_at(self.info.name).call()

    def _get_state(self) -> Any:
        self._call()
        return super()._get_state()

    def _set_state(self, value: Any) -> None:
        self._call()
        super()._set_state(value)

    def _set_function(self, value: Any) -> None:
        self._call()
        super()._set_function(value)

    def _set_pull(self, value: Any) -> None:
        self._call()
        super()._set_pull(value)

    def _set_edges(self, value: Any) -> None:
        self._call()
        super()._set_edges(value)

    def _set_frequency(self, value: Any) -> None:
        self._call()
        super()._set_frequency(value)


class FaultyFactory(PretendFactory):
    def __init__(self, faults: Faults, device: str) -> None:
        super().__init__(FaultyPin)
        names = {f"GPIO{pin}" for pin in PINS_OF.get(device, ())}
        self._faults, self._names, self._none = faults, names, Faults()

    def faults_at(self, name: str) -> Faults:
        return self._faults if name in self._names else self._none


class FaultyPanel(PretendPanel):
    """The display's wire fails."""

    def __init__(self, faults: Faults) -> None:
        super().__init__()
        self._faults = faults

    def _take(self, message: bytes) -> None:
        self._faults.call()
        super()._take(message)


class FaultyMouth(PretendMouth):
    """The speaker fails."""

    def __init__(self, faults: Faults) -> None:
        super().__init__()
        self._faults = faults

    def say(self, words: str, lang: Lang) -> None:
        self._faults.call()
        super().say(words, lang)


@contextmanager
def box_with(evening: Evening, device: str, faults: Faults) -> Iterator[PretendPanel]:
    """The box around a table, with one failing device; fingers and knob bring the inputs."""
    factory = FaultyFactory(faults, device)
    panel = FaultyPanel(faults if device == "display" else Faults())
    finger, knob = PretendFinger(factory, CHOSEN.buttons), PretendKnob(factory, CHOSEN.dial)

    def gives(given: Input) -> None:
        match given:
            case Pressed(button=button, held=held):
                finger.press(button, held)
            case Turned(steps=steps) if abs(steps) == 1:
                knob.turn(steps)
            case _:
                evening.table.put(given)

    evening.gives = gives
    speaks = lambda _: evening.speaker()  # noqa: E731
    mouth = FaultyMouth(faults if device == "voice" else Faults())
    with Hardware(evening.table, speaks, factory=factory, opens=panel.open, chosen=CHOSEN, mouth=mouth):
        yield panel


def played(game_id: str, device: str, faults: Faults, acts: int) -> tuple[int, str, int]:
    """The result of an evening: the last entry, the state, and how many inputs it took."""
    with Evening(game_id) as evening, box_with(evening, device, faults):
        for _ in evening.play(acts):
            pass
        return evening.now.seq, state_hash(evening.now.state), evening.inputs
