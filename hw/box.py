"""The whole box: its devices opened together, on real pins or on explicitly chosen pretend ones."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Final, Protocol, Self

from companion.core import Button, Input, Said
from companion.library import DialPins, Lamps, NightHours, Settings, Speaker
from companion.table.outside import Fault, Latest, Seen
from companion.table.outside import Lamp as LampNow

from .display import Display
from .display.oled import Oled
from .errors import PinsUnusable, naming_failures, naming_pins
from .keys import Buttons, Dial, PretendFinger, PretendKnob, renamed
from .pretend.pins import PretendFactory
from .signals import Buzzer, Lamp, SeatLamps
from .starting import FirstLight, first_light
from .voice import Espeak, Mouth, PretendMouth, Voice

log = logging.getLogger(__name__)

HEARD: Final = 2.0
"""Seconds within which a press is reported, however busy the machine is."""
_AS_WIRED: Final = Settings(
    dial=DialPins(a=23, b=24, push=25),
    lamps=Lamps((12, 16, 20, 21, 26, 4, 7, 8)),
    night=NightHours("00:00", "00:00"),
)


class AnyTable(Protocol):
    """As much of the table as devices need."""

    def shown(self) -> Latest[Seen]: ...

    def put(self, given: Input) -> None: ...

    def trouble(self, source: str, said: Said | None) -> None: ...


class Hardware:
    """All devices except the readers. A device that can't be opened is named, and the others open."""

    def __init__(
        self,
        table: AnyTable,
        speaks: Callable[[Seen], Speaker],
        *,
        factory: Any,
        opens: Callable[[], Display],
        chosen: Settings,
        address: Callable[[], str] = str,
        mouth: Mouth | None = None,
    ) -> None:
        self._factory = factory
        self._lamp = Lamp(table.shown(), factory, chosen.lamp, chosen.night)
        self._seats = SeatLamps(
            table.shown(), factory, chosen.lamps.pins, lambda said: table.trouble("seat lamps", said)
        )
        self._buttons = buttons = Buttons(table.put, factory, chosen.buttons, chosen.dial)
        self._devices = (
            Oled(opens, table.shown(), speaks, address=address, renamed=renamed(chosen.buttons, chosen.dial)),
            self._lamp,
            self._seats,
            Buzzer(table.shown(), factory, chosen.buzzer, chosen.night),
            buttons,
            Dial(buttons.in_turn, factory, chosen.dial),
            Voice(table.shown(), speaks, mouth, lambda said: table.trouble("voice", said)),
        )
        self._opened: ExitStack | None = None

    def open(self) -> None:
        if self._opened is None:
            self._opened = ExitStack()
            for device in self._devices:
                self._opened.callback(device.close)
                _open(device)

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()
            with naming_failures("pins"):
                self._factory.close()

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _open(device: Oled | Lamp | SeatLamps | Buzzer | Buttons | Dial | Voice) -> None:
    """Open a device; if it fails, try once more, then name it and carry on with the others."""
    for is_last in (False, True):
        try:
            device.open()
        except PinsUnusable as error:
            if is_last:
                log.warning("%s", error)
        else:
            return


def real_hardware(
    table: AnyTable,
    speaks: Callable[[Seen], Speaker],
    chosen: Settings,
    *,
    address: Callable[[], str] = str,
    light: FirstLight | None = None,
) -> Hardware:
    """The devices of a Raspberry Pi, as chosen in the settings. Raises PinsUnusable if there are no pins at all."""
    with naming_pins("box"):
        from gpiozero.pins.lgpio import LGPIOFactory

        factory = LGPIOFactory()  # type: ignore[no-untyped-call]
    opens = (light or first_light(chosen.oled)).open
    mouth = Espeak(chosen.voice) if chosen.voice.on else None
    return Hardware(table, speaks, factory=factory, opens=opens, chosen=chosen, address=address, mouth=mouth)


class PretendHardware(Hardware):
    """All devices except the readers, for the pretend table. Thread-safe."""

    def __init__(
        self,
        table: AnyTable,
        speaks: Callable[[Seen], Speaker],
        *,
        address: Callable[[], str] = str,
        light: FirstLight | None = None,
        has_voice: bool = False,
    ) -> None:
        factory = PretendFactory()
        self.mouth = PretendMouth()
        light = light or first_light(_AS_WIRED.oled, pretend=True)
        assert light.panel is not None, "a real display is no part of a pretend table"
        self._panel = light.panel
        self._finger = PretendFinger(factory, _AS_WIRED.buttons)
        self._knob = PretendKnob(factory, _AS_WIRED.dial)
        mouth = self.mouth if has_voice else None
        super().__init__(
            table, speaks, factory=factory, opens=light.open, chosen=_AS_WIRED, address=address, mouth=mouth
        )

    def press(self, button: Button, held: bool = False, bounces: int = 0) -> None:
        """Returns once the press was reported: hands go on by what they see."""
        self._finger.press(button, held, bounces)
        self._buttons.wait(HEARD)

    def jam(self, button: Button, down: bool) -> None:
        """Let a button hang, or free it."""
        self._finger.stick(button, down)

    def turn(self, steps: int) -> None:
        self._knob.turn(steps)
        self._buttons.wait(HEARD)

    def screen(self) -> bytes:
        """The display as a PNG, 128×64, 1 bit."""
        return self._panel.png()

    def lamp(self) -> LampNow:
        return self._lamp.now

    def seat_lamps(self) -> tuple[bool, ...]:
        """Which seats' lamps are lit."""
        return self._seats.now

    def set_fault(self, fault: Fault, on: bool) -> None:
        """Only "display" is ours; the others are the readers' and harmless here."""
        if fault == "display":
            self._panel.set_fault(on)

    def faults(self) -> tuple[Fault, ...]:
        return ("display",) if self._panel.has_fault else ()

    def watch(self, fn: Callable[[], None]) -> Callable[[], None]:
        """Call `fn`, from any thread, whenever display or lamps change; returns the function that stops this."""
        ends = (self._panel.watchers.add(fn), self._lamp.watchers.add(fn), self._seats.watchers.add(fn))

        def end() -> None:
            for stop in ends:
                stop()

        return end
