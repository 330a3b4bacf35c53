"""The box as a person meets it: what taps and buttons mean, and the page it shows. Pure."""

from .dialog import Dialog, Then
from .first_run import BUTTONS, FirstRun, Offers
from .giving import enrol_page
from .stack import Box
from .tags import ROWS

# fmt: off
__all__ = [
    "BUTTONS", "ROWS", "Box", "Dialog", "FirstRun", "Offers", "Then", "enrol_page",
]
# fmt: on
