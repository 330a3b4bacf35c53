"""CHECK, OK, BACK, NEXT and the push of the dial: edges of their pins become inputs."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from typing import Any, Final, Self, TypeAlias

from gpiozero.input_devices import InputDevice

from companion.core import Button, Input, Pressed
from companion.library import ButtonPins, DialPins
from hw.errors import naming_failures, naming_pins

from .filter import HOLD, SETTLE, Filter, Told
from .jobs import Key, keys_of, pin_of

log = logging.getLogger(__name__)

WIRED: Final = ButtonPins()
NO_DIAL: Final = DialPins()
LOOK_AGAIN: Final = 1.0
"""Seconds after which a button that seems to be down is read again: its release may have been lost."""
_FAR_OFF: Final = 1.0


class Buttons:
    """The four buttons. `put` is the inbox; `factory` is gpiozero's pin factory, real or pretend, always explicit.

    A button without a pin is absent: another one, held longer, does its job. One that stays down or flaps is named
    once and ignored until it is let go.
    """

    def __init__(
        self,
        put: Callable[[Input], None],
        factory: Any,
        pins: ButtonPins = WIRED,
        dial: DialPins = NO_DIAL,
    ) -> None:
        self._put = put
        self._factory = factory
        self._wanted = keys_of(pins, dial)
        self._edges: queue.SimpleQueue[_Edge | None] = queue.SimpleQueue()
        self._later: list[Input] = []
        self._keys: tuple[_Key, ...] = ()
        self._thread: threading.Thread | None = None
        self._failed = False

    def open(self) -> None:
        """Raises PinsUnusable."""
        if self._thread is not None:
            return
        try:
            for key in self._wanted:
                with naming_pins(_name(key), key.pin):
                    self._keys = (*self._keys, _Key(key, self._factory, self._edges))
        except OSError:
            self._let_pins_go()
            raise
        for key in self._wanted:
            if key.also is not None:
                log.info("button %s is absent; hold %s for two seconds instead", key.also.upper(), key.name.upper())
        self._thread = threading.Thread(target=self._run, name="buttons", daemon=True)
        self._thread.start()

    def close(self) -> None:
        if self._thread is not None and self._thread.is_alive():
            self._edges.put(None)
            self._thread.join()
            self._let_pins_go()

    def in_turn(self, given: Input) -> None:
        """Report something else that hands did, after every press that came before it; at once if no button is
        wired.
        """
        if self._thread is not None and self._thread.is_alive():
            self._edges.put((given, True, self._factory.ticks()))
        else:
            self._put(given)

    def wait(self, seconds: float) -> None:
        """Wait until everything that hands did before this was reported, at most this long."""
        done = threading.Event()
        if self._thread is not None and self._thread.is_alive():
            self._edges.put((done, True, self._factory.ticks()))
            done.wait(seconds)

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _let_pins_go(self) -> None:
        keys, self._keys = self._keys, ()
        for key in keys:
            with naming_failures(_name(key.key)):
                key.close()

    def _run(self) -> None:
        while True:
            try:
                edge = self._edges.get(timeout=self._pause())
            except queue.Empty:
                self._look_safely()
                continue
            if edge is None:
                self._tell_later()
                return
            what, down, at = edge
            if isinstance(what, _Key):
                self._tick(at)
                what.filter.edge(down, at)
            elif isinstance(what, threading.Event):
                self._tick(at)
                what.set()
            else:
                self._later.append(what)
                self._tick(at)

    def _look_safely(self) -> None:
        """A level that can't be read now is read again soon; meanwhile edges still count."""
        try:
            self._look()
            self._failed = False
        except Exception as error:  # noqa: BLE001 - whatever a pin does, the other buttons must work
            if not self._failed:
                log.warning("the buttons could not be read (%r) and are tried again; look at their wires", error)
            self._failed = True
            self._tick(self._factory.ticks())

    def _look(self) -> None:
        """Time has passed: read each level in case an edge was lost, and settle what is due."""
        levels = [key.is_down() for key in self._keys]
        now = self._factory.ticks()
        # Edges that came while we looked are older than `now` and must be handled first.
        if self._edges.empty():
            self._tick(now)
            for key, down in zip(self._keys, levels, strict=True):
                key.filter.edge(down, now)

    def _tick(self, now: float) -> None:
        """All buttons, in the order in which something happened to them; then what waits until none was just let go."""
        for key in sorted(self._keys, key=lambda key: key.filter.due() or now):
            self._tell(key, key.filter.tick(now))
        if not any(key.filter.is_let_go for key in self._keys):
            self._tell_later()

    def _tell_later(self) -> None:
        later, self._later = self._later, []
        for given in later:
            self._put(given)

    def _pause(self) -> float | None:
        now = self._factory.ticks()
        dues = [due for key in self._keys if (due := key.filter.due()) is not None]
        if any(key.filter.is_down for key in self._keys):
            dues.append(now + LOOK_AGAIN)
        return max(min(dues) - now, 0.0) if dues else None

    def _tell(self, key: _Key, told: tuple[Told, ...]) -> None:
        does, also = key.key.does, key.key.also
        for word in told:
            match word:
                case "pressed" | "repeated":
                    self._put(Pressed(does))
                case "held":
                    self._put(Pressed(does, held=True))
                case "longer" if also is not None:
                    self._put(Pressed(also))
                case "longest" if also is not None:
                    self._put(Pressed(also, held=True))
                case "stuck":
                    log.warning("%s is stuck and ignored until it is let go", _name(key.key))
                case "freed":
                    log.warning("%s works again", _name(key.key))
                case _:
                    pass  # held longer than any meaning it has


def _name(key: Key) -> str:
    return "the push of the dial" if key.name == "push" else f"button {key.name.upper()}"


_Edge: TypeAlias = "tuple[_Key | Input | threading.Event, bool, float]"
"""A key that went down or up, something else that hands did, or somebody who waits; and when."""


class _Key:
    """One button's pin; passes on its edges with the pin library's time stamps, which are better than ours."""

    def __init__(self, key: Key, factory: Any, edges: queue.SimpleQueue[_Edge | None]) -> None:
        self.key = key
        self._factory = factory
        self._edges = edges
        # An InputDevice, not a Button: gpiozero's bounce_time loses edges, so we take them unfiltered.
        self._device = InputDevice(key.pin, pull_up=True, pin_factory=factory)  # type: ignore[no-untyped-call]
        try:
            stands_in = key.also is not None
            self.filter = Filter(self.is_down(), factory.ticks(), repeats=key.does == "next", stands_in=stands_in)
            self._device.pin.edges = "both"
            self._device.pin.when_changed = self._changed
        except BaseException:
            self._device.close()  # type: ignore[no-untyped-call]
            raise

    def is_down(self) -> bool:
        return bool(self._device.is_active)

    def close(self) -> None:
        self._device.pin.when_changed = None
        self._device.close()  # type: ignore[no-untyped-call]

    def _changed(self, ticks: float, state: float) -> None:
        now = self._factory.ticks()
        # Old kernels stamp edges by the wall clock; such a stamp can't be compared with ours.
        at = ticks if abs(self._factory.ticks_diff(now, ticks)) < _FAR_OFF else now
        self._edges.put((self, not state, at))


class PretendFinger:
    """Presses the buttons of a pretend factory. Its presses take no time: it advances the factory's clock."""

    def __init__(self, factory: Any, pins: ButtonPins = WIRED) -> None:
        self._factory = factory
        self._pins = pins
        self._lock = threading.Lock()

    def press(self, button: Button, held: bool = False, bounces: int = 0, seconds: float | None = None) -> None:
        """One press or hold with this many bounces at each end, or one that lasts this many seconds."""
        with self._lock:
            self._move(button, True, bounces)
            self._factory.skip((HOLD + SETTLE if held else 4 * SETTLE) if seconds is None else seconds)
            self._move(button, False, bounces)
            self._factory.skip(2 * SETTLE)

    def stick(self, button: Button, down: bool) -> None:
        """Jam a button, or free it."""
        with self._lock:
            self._move(button, down, 0)
            self._factory.skip(2 * SETTLE)

    def _move(self, button: Button, down: bool, bounces: int) -> None:
        pin = self._factory.pin(pin_of(button, self._pins))
        for _ in range(bounces):
            pin.touch(down)
            self._factory.skip(0.0001)
            pin.touch(not down)
            self._factory.skip(0.0001)
        pin.touch(down)
