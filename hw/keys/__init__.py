"""Buttons and dial: edges become inputs."""

from .buttons import Buttons, PretendFinger
from .dial import Dial, PretendKnob
from .jobs import keys_of, renamed, undone

__all__ = ["Buttons", "Dial", "PretendFinger", "PretendKnob", "keys_of", "renamed", "undone"]
