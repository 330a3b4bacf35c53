"""The drawings on cards and spaces: the slots of a machine, the places of the map."""

from __future__ import annotations

from typing import Final

from companion.core import Icon

ICONS: Final[dict[Icon, str]] = {
    "weapon": '<path d="M20 3l1 1-1 4-9 9-4-4 9-9zM5 13l6 6M8 16l-5 5"/>',
    "shield": '<path d="M12 2.5l8 3v6c0 5-3.5 8.2-8 10-4.5-1.8-8-5-8-10v-6zM12 6v12M7.5 10h9"/>',
    "chassis": (
        '<circle cx="12" cy="12" r="9"/><circle cx="12" cy="12" r="2.2"/><path d="M12 3v7M12 14v7M3 12h7M14 12h7"/>'
    ),
    "plant": '<path d="M13.5 2L5 13.500h6L9.5 22 19 10h-6.200z"/>',
    "market": '<path d="M4 9h16v11H4zM3 9l2-5h14l2 5M9.5 20v-6h5v6"/>',
    "lab": '<path d="M9 3h6M10 3v6l-5.5 10c-.6 1.2.2 2 1.3 2h12.400c1.1 0 1.9-.8 1.3-2L14 9V3M7.5 15h9"/>',
    "library": '<path d="M12 6c-2-2-5-2-8-1.500v14c3-.5 6-.5 8 1.5 2-2 5-2 8-1.500v-14C17 4 14 4 12 6zM12 6v14"/>',
    "office": '<path d="M3 21h18M4 18h16M12 3l9 5H3zM6 8v10M10 8v10M14 8v10M18 8v10"/>',
    "mechanic": (
        '<path transform="translate(1 1)" d="M14.5 9.500a5 5 0 0 1-6.5-6L11 6l3-3a5 5 0 0 1 4 7l-8.5 9.500a2.2 '
        '2.2 0 0 1-3.2-3.200z"/>'
    ),
    "junkyard": '<path d="M5 8h14l-1.5 13h-11zM3 8h18M9 8V4h6v4M10 12v5M14 12v5"/>',
}
