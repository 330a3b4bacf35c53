"""Which readers the Picos say they have, for anyone who asks before a game is played. It uses their ports."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from typing import Final

from companion.core import ReaderId

from .greeting import LinkState, Up
from .link import Link
from .presence import Sensed

PATIENCE: Final = 5.0
"""Seconds in which a Pico that has just been powered up says its first word."""


def announced(ports: Mapping[str, str], seconds: float = PATIENCE) -> tuple[ReaderId, ...]:
    """The readers of the Picos at these ports; one that says nothing in time counts as having none."""
    heard = threading.Condition()
    said: dict[str, LinkState] = {}

    def told(board: str, state: LinkState) -> None:
        with heard:
            said[board] = state
            heard.notify_all()

    with ExitStack() as stack:
        for board, port in ports.items():
            link = Link(partial(str, port), _unheeded, partial(told, board))
            link.start()
            stack.callback(link.close)
        with heard:
            heard.wait_for(lambda: all(isinstance(said.get(board), Up) for board in ports), seconds)
    return tuple(reader for state in said.values() if isinstance(state, Up) for reader in state.readers)


def _unheeded(_sensed: Sensed) -> None:
    """Nobody is playing, so it does not matter what lies on readers."""
