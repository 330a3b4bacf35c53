"""What every screen is made of: the dashboard, one phone's visit, rendering to HTML, what pages can be sent."""

from web.door import LARGEST_BODY, LONGEST_NAME, CommandId, body_as, clean_name

from .dashboard import AnyTable, Dashboard, Extras, TextsOf
from .guide import STEPS
from .rendering import render_fragments, render_page, render_part, render_report, render_sheet
from .screen import STILL, WORDS, Page, Screen
from .timing import as_time
from .visit import Query, Visit, visit_of

# fmt: off
__all__ = [
    "LARGEST_BODY", "LONGEST_NAME", "STEPS", "STILL", "WORDS", "AnyTable", "CommandId", "Dashboard", "Extras",
    "Page", "Query", "Screen", "TextsOf", "Visit", "as_time", "body_as", "clean_name", "render_fragments",
    "render_page", "render_part", "render_report", "render_sheet", "visit_of",
]
# fmt: on
