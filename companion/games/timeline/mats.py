"""Where readers lie: before people, or above the columns; never under the board."""

from __future__ import annotations

from companion.core import ONE_WAND, Mat, mat

from .state import FINISH, columns_for, head_place


def mats(seats: int) -> tuple[Mat, ...]:
    """One wand; one per seat; or a tray above each column and one above Finish.

    A column slides on nearly every turn (T16), and waypoints are closer together than antennas can be: a reader under
    the board would see cards where they no longer count. A pawn that touches a column's tray on its way says where it
    is going, without any card being lifted off the board: its own line decides the waypoint (T10).
    """
    heads = (head_place(column) for column in range(1, columns_for(seats) + 1))
    return ONE_WAND, mat("seat", *(None,) * (seats - 1)), mat("turn", *heads, FINISH)
