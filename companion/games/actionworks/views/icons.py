"""The drawings of the six types."""

from __future__ import annotations

from typing import Final

from companion.core import Icon

ICONS: Final[dict[Icon, str]] = {
    "make": (
        '<path transform="translate(1 1)" d="M14.5 9.500a5 5 0 0 1-6.5-6L11 6l3-3a5 5 0 0 1 4 7l-8.5 9.500a2.2 '
        '2.2 0 0 1-3.2-3.200z"/>'
    ),
    "take": '<path d="M12 3v11M7.500 9.500L12 14l4.500-4.500M4 14v6h16v-6"/>',
    "borrow": '<path d="M4 8h15M15 4l4 4-4 4M20 16H5M9 12l-4 4 4 4"/>',
    "plan": '<path d="M2 12c5-8 15-8 20 0-5 8-15 8-20 0z"/><circle cx="12" cy="12" r="3"/>',
    "scrap": '<path d="M5 8h14l-1.5 13h-11zM3 8h18M9 8V4h6v4M10 12v5M14 12v5"/>',
    "copy": '<path d="M8 8h12v13H8zM8 17H4V4h12v4"/>',
}
