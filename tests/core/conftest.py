from __future__ import annotations

import pytest

from companion.core import Game
from tests.pick import GAME, Pack, State
from tests.pick import two_seats as start


@pytest.fixture(scope="session")
def pick() -> Game[State, Pack]:
    return GAME


@pytest.fixture(scope="session")
def two_seats() -> State:
    """Ada (0) holds a and b, Ben (1) holds c and d; e, f and g are in the deck."""
    return start()
