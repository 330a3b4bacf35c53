"""What happens before anything heavy is loaded: is this a real table, and a first word on its display."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from companion.core import CompanionError, StartingStep
from companion.library import Settings, load_settings

if TYPE_CHECKING:
    from hw.starting import FirstLight


def light_up(data: Path, asked: bool | None) -> FirstLight | None:
    """Show on the display that the box is starting; None if the settings cannot be read, which is reported later."""
    try:
        chosen = load_settings(data)
    except CompanionError:
        return None
    from hw.starting import first_light

    light = first_light(chosen.oled, pretend=is_pretend(asked, chosen))
    light.show(chosen.language)
    return light


def now(light: FirstLight | None, chosen: Settings, step: StartingStep) -> None:
    """Say on the display what the box is doing, if it was lit."""
    if light is not None:
        light.tell(chosen.language, step)


def is_pretend(asked: bool | None, chosen: Settings) -> bool:
    """Whether pretend was asked for or there is no Raspberry Pi; either way the first line says so."""
    if asked is not None:
        return asked
    if chosen.hardware != "auto":
        return chosen.hardware == "pretend"
    return not is_raspberry_pi()


def is_raspberry_pi() -> bool:
    model = Path("/proc/device-tree/model")
    return model.exists() and b"Raspberry Pi" in model.read_bytes()
