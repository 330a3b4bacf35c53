"""Why a Wi-Fi failed, in terms useful to people at a table; NetworkManager's own words are for the log."""

from __future__ import annotations

from typing import Final

from companion.core import Phrase, phrase

_SIGNS: Final = (
    ("secrets were required", "wifi.why.password"),
    ("network could not be found", "wifi.why.out-of-reach"),
    ("no suitable device", "wifi.why.no-device"),
    ("ip configuration could not be reserved", "wifi.why.no-address"),
    ("timeout expired", "wifi.why.late"),
    ("no other wi-fi is known", "wifi.why.none-known"),
)
_OTHER: Final = "wifi.why.other"


def reason(said: str) -> Phrase:
    """What these words of NetworkManager's mean; unknown ones refer to the log."""
    words = said.lower()
    return phrase(next((key for sign, key in _SIGNS if sign in words), _OTHER))
