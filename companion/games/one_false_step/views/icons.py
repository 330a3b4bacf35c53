"""The drawings of what is printed: mines and farms, towns and County Seats, rockets and Know-how."""

from __future__ import annotations

from typing import Final

from companion.core import Icon

_LEAVES: Final = "c-4 0-5-2-5-5 4 0 5 2 5 5zM12 {y}c4 0 5-2 5-5-4 0-5 2-5 5z"

ICONS: Final[dict[Icon, str]] = {
    "mine": '<path d="M5 21L15 9M4 9c4-5 11-6 16-1-4-1-6 0-7 1l3 3c1-1 2-3 1-7"/>',
    "farm": (
        f'<path d="M12 22V8M12 12{_LEAVES.format(y=12)}M12 18{_LEAVES.format(y=18)}M12 8c-2-2-2-4 0-6 2 2 2 4 0 6z"/>'
    ),
    "town": '<path d="M3 21h18M5 21V11l5-4 5 4v10M15 13h4v8M8 21v-5h4v5M10 3v4"/>',
    "county-seat": '<path d="M12 3l2.7 5.8 6.3.8-4.6 4.4 1.2 6.3L12 17.2l-5.6 3.1 1.2-6.3L3 9.6l6.3-.8z"/>',
    "rocket": (
        '<path d="M12 2c4 3 5 7 5 10v5H7v-5c0-3 1-7 5-10zM7 13l-3 4v3l3-2M17 13l3 4v3l-3-2M10 17v4M14 17v4"/>'
        '<circle cx="12" cy="10" r="2"/>'
    ),
    "know-how": '<path d="M9 18h6M10 21h4M9 18c0-3-3-4-3-8a6 6 0 0 1 12 0c0 4-3 5-3 8M12 18v-6M9.5 10L12 12l2.5-2"/>',
}
