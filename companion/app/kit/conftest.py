"""Every test that asks for a `kit` runs once for each game on the shelf, or for those that $KIT_GAMES names."""

from __future__ import annotations

import os

import pytest

from companion.app.kit.kit import GAMES, Kit, kit_of
from companion.library import shelf


@pytest.fixture(params=os.environ.get(GAMES, "").split() or shelf.games())
def kit(request: pytest.FixtureRequest) -> Kit:
    return kit_of(request.param)


@pytest.fixture(params=["fewest", pytest.param("more", marks=pytest.mark.slow)])
def sizes(request: pytest.FixtureRequest, kit: Kit) -> tuple[int, ...]:
    """How many sit at the tables of a proof: the fewest; slow, and so not at each change, are the others."""
    fewest, *more = kit.seats()
    if request.param == "fewest":
        return (fewest,)
    return tuple(more) or pytest.skip(f"{kit.game.id} is for {fewest}")
