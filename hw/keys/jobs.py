"""Which key of this box does what: another button stands in for one that isn't there. Pure."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, assert_never, get_args

from msgspec import Struct

from companion.core import Button
from companion.library import ButtonPins, DialPins
from hw.display import NBSP

from .filter import LONGER

BUTTONS: Final[tuple[Button, ...]] = get_args(Button)
KeyName: TypeAlias = Button | Literal["push"]

_HEIRS: Final[dict[Button, tuple[Button, ...]]] = {
    "check": ("back", "next", "ok"),
    "ok": ("next", "check", "back"),
    "back": ("check", "next", "ok"),
    "next": ("ok", "check", "back"),
}
"""Which buttons can stand in for a missing one, most natural first."""


class Key(Struct, frozen=True):
    """Something to press: what it does, and which missing button it stands in for when held longer."""

    name: KeyName
    pin: int
    does: Button
    also: Button | None = None


def keys_of(buttons: ButtonPins, dial: DialPins = DialPins()) -> tuple[Key, ...]:  # noqa: B008 - frozen
    """The keys of a box with these pins. Pushing the dial is OK."""
    wired = {button: pin for button in BUTTONS if (pin := pin_of(button, buttons)) is not None}
    also: dict[Button, Button] = {}
    for missing in BUTTONS:
        if missing not in wired and not (missing == "ok" and dial.push is not None):
            heir = next((button for button in _HEIRS[missing] if button in wired and button not in also), None)
            if heir is not None:
                also[heir] = missing
    keys = tuple(Key(button, pin, button, also.get(button)) for button, pin in wired.items())
    return keys if dial.push is None else (*keys, Key("push", dial.push, "ok"))


def undone(buttons: ButtonPins, dial: DialPins) -> tuple[Button, ...]:
    """The buttons whose job nobody does: then the box can't be played by hands alone."""
    keys = keys_of(buttons, dial)
    done = {key.does for key in keys} | {key.also for key in keys}
    return tuple(button for button in BUTTONS if button not in done)


def renamed(buttons: ButtonPins, dial: DialPins) -> tuple[tuple[str, str], ...]:
    """What the display calls missing buttons: the key to hold instead, and for how long."""
    keys = keys_of(buttons, dial)
    held = tuple((key.also.upper(), f"{key.name.upper()}{NBSP}{LONGER:g}s") for key in keys if key.also is not None)
    is_pushed = buttons.ok is None and dial.push is not None
    return (*held, ("OK", "PUSH")) if is_pushed else held


def pin_of(button: Button, pins: ButtonPins) -> int | None:
    match button:
        case "check":
            return pins.check
        case "ok":
            return pins.ok
        case "back":
            return pins.back
        case "next":
            return pins.next
        case _:
            assert_never(button)
