"""Values become HTML and SVG: pens, panels, pictures, letters, codes. Knows no table."""

from .assets import Assets
from .board import Board, Touch, board
from .charts import Bar, Chart, bars, chart
from .drawing import Detail, Drawing, Emblem, Mark, Plate, detail, draw
from .lettering import Words, width_of
from .pen import Pen
from .qr import Code, code_of

# fmt: off
__all__ = [
    "Assets", "Bar", "Board", "Chart", "Code", "Detail", "Drawing", "Emblem", "Mark", "Pen", "Plate", "Touch",
    "Words", "bars", "board", "chart", "code_of", "detail", "draw", "width_of",
]
# fmt: on
