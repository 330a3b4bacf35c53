"""What people are told and shown. Everything here reads a view: it can tell no more than its audience knows."""

from .foresight import foresee
from .icons import ICONS
from .panels import stages
from .picture import picture
from .words import headline, own, series, status

__all__ = ["ICONS", "foresee", "headline", "own", "picture", "series", "stages", "status"]
