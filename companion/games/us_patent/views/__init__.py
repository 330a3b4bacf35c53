"""What people are told and shown. Everything here reads a view: it can tell no more than its audience knows."""

from .foresight import about, badge, foresee
from .icons import ICONS
from .landscape import landscape
from .panels import stages
from .picture import picture
from .showdown import showdown
from .words import headline, own, series, status, undescribed

__all__ = [
    "ICONS", "about", "badge", "foresee", "headline", "landscape", "own", "picture", "series", "showdown", "stages",
    "status", "undescribed",
]  # fmt: skip
