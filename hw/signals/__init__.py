"""Light and sound: lamps and buzzer."""

from .buzzer import Buzzer
from .lamp import Lamp
from .seats import SeatLamps

__all__ = ["Buzzer", "Lamp", "SeatLamps"]
