"""Where readers lie: before people, never under the board."""

from __future__ import annotations

from companion.core import ONE_WAND, Mat, mat


def mats(seats: int) -> tuple[Mat, ...]:
    """One wand, or one before each seat.

    A column slides with nearly every turn (T16), and the waypoints of a card are closer than antennas can be: a reader
    under the board would see cards where they no longer count.
    """
    return ONE_WAND, mat("seat", *(None,) * (seats - 1))
