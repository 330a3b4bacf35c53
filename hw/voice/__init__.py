"""The voice: reads the display aloud, for people who can't see it."""

from .mouth import Espeak, Mouth, PretendMouth
from .voice import Voice

__all__ = ["Espeak", "Mouth", "PretendMouth", "Voice"]
