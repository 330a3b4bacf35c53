"""What can break between us and a wire, by name."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from companion.core import CompanionError

log = logging.getLogger(__name__)


class DisplayLost(CompanionError, OSError):
    """The display doesn't answer; the game goes on without it."""


class PinsUnusable(CompanionError, OSError):
    """A button, dial, lamp or buzzer can't be opened on its pins; the others can."""


class VoiceLost(CompanionError, OSError):
    """Something was not heard; the game goes on, and everybody can still read it."""


@contextmanager
def naming_failures(device: str) -> Iterator[None]:
    """Names whatever goes wrong while closing a device, and stops it there: the others must close, too."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - see above
        log.warning("the %s did not close well: %r; unplug it and plug it in again if it stays on", device, error)


@contextmanager
def naming_pins(device: str, *pins: int | None) -> Iterator[None]:
    """Turns whatever a pin library raises into PinsUnusable, with the device and its pins."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - pin libraries raise what they like
        where = f"pin {', '.join(map(str, pins))}" if pins else "the pins of this computer"
        raise PinsUnusable(
            f"the {device} cannot be used on {where} ({str(error) or type(error).__name__}); "
            "look at its wires and at the pins in settings.toml, and whether another program uses them"
        ) from error.with_traceback(None)  # a half-made device must not keep its pins because a traceback refers to it
