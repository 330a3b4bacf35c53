"""The voice: what the display says, said aloud, for people who do not see it."""

from .mouth import Espeak, Mouth, PretendMouth
from .voice import Voice

__all__ = ["Espeak", "Mouth", "PretendMouth", "Voice"]
