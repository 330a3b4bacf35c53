"""The display: pages become pictures, pictures become bytes on a wire.

What follows the table, `oled` and `scene`, stays outside: the first page is shown before the table is loaded.
"""

from .chips import STRIPS, Chip, chip
from .draw import draw
from .faces import NBSP, spleen
from .panel import BRIGHT, Display, open_display
from .sheet import HEIGHT, WIDTH

# fmt: off
__all__ = [
    "BRIGHT", "HEIGHT", "NBSP", "STRIPS", "WIDTH", "Chip", "Display", "chip", "draw", "open_display", "spleen",
]
# fmt: on
