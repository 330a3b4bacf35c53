"""The drawings of the four goods."""

from __future__ import annotations

from typing import Final

from companion.core import Icon

ICONS: Final[dict[Icon, str]] = {
    "oil": '<path d="M12 3c4 5.500 6 8.500 6 11.500a6 6 0 0 1-12 0C6 11.500 8 8.500 12 3z"/>',
    "milk": '<path d="M10 3h4v4l3 4v10H7V11l3-4zM7 14h10"/>',
    "beet": '<circle cx="12" cy="12" r="4.500"/><path d="M7.500 12L3 8v8zM16.500 12L21 8v8z"/>',
    "nuc": (
        '<circle cx="12" cy="12" r="2"/>'
        '<ellipse cx="12" cy="12" rx="10" ry="4" transform="rotate(45 12 12)"/>'
        '<ellipse cx="12" cy="12" rx="10" ry="4" transform="rotate(-45 12 12)"/>'
    ),
}
