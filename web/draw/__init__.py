"""Turns values into HTML and SVG: pens, panels, pictures, letters, codes. Knows no table."""

from .assets import Assets
from .board import ROOM, Board, Cut, Touch, board, cut
from .charts import Bar, Chart, bars, chart
from .drawing import Detail, Drawing, Emblem, Mark, Plate, detail, draw
from .folding import Leaves, leaves_from_afar, leaves_in
from .lettering import Words, width_of
from .pen import Pen
from .qr import Code, code_of

# fmt: off
__all__ = [
    "ROOM",
    "Assets", "Bar", "Board", "Chart", "Code", "Cut", "Detail", "Drawing", "Emblem", "Leaves", "Mark", "Pen", "Plate",
    "Touch", "Words", "bars", "board", "chart", "code_of", "cut", "detail", "draw", "leaves_from_afar", "leaves_in",
    "width_of",
]
# fmt: on
