"""The display: pages become pictures, pictures become bytes on a wire."""

from .chips import STRIPS, Chip, chip
from .draw import draw
from .faces import NBSP, spleen
from .oled import Oled
from .panel import BRIGHT, Display, open_display
from .scene import SLEEP_AFTER
from .sheet import HEIGHT, WIDTH

# fmt: off
__all__ = [
    "BRIGHT", "HEIGHT", "NBSP", "SLEEP_AFTER", "STRIPS", "WIDTH", "Chip", "Display", "Oled", "chip", "draw",
    "open_display", "spleen",
]
# fmt: on
