"""The answer to a photo that shows nothing, or nobody's card."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from companion.core import Said, say
from companion.phones import Laying
from companion.phones.photo.spotting import Unfit
from web.screen import Screen

STATUS: Final = {"busy": 429, "large": 413, "rubbish": 415, "slow": 503, "absent": 503}


class PhotoScreen(Struct, frozen=True):
    """What a photo shows, or why it shows nothing, and what to try."""

    said: Said
    tries: tuple[Said, ...] = ()
    laying: Laying | None = None


def unfit_screen(why: Unfit) -> Screen:
    """Why a photo was not read."""
    return told(Said(f"web.photo.{why}"), f"web.photo.{why}.try")


def told(said: Said, *tries: str, laying: Laying | None = None) -> Screen:
    return Screen("photo", say("web.title.photo"), "seat", PhotoScreen(said, tuple(map(Said, tries)), laying))
