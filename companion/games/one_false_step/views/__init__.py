"""What people are told and shown. Everything here reads a view: it can tell no more than its audience knows."""

from .foresight import foresee
from .icons import ICONS
from .panels import stages
from .picture import landscape, picture
from .showdown import showdown
from .status import status
from .words import headline, own, series

__all__ = ["ICONS", "foresee", "headline", "landscape", "own", "picture", "series", "showdown", "stages", "status"]
