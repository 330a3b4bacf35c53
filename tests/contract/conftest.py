"""Every test that asks for a `kit` runs once for each game on the shelf."""

from __future__ import annotations

import pytest

from companion.library import shelf
from tests.contract.kit import Kit, kit_of


@pytest.fixture(params=shelf.games())
def kit(request: pytest.FixtureRequest) -> Kit:
    return kit_of(request.param)
