"""Every test that asks for a `kit` runs once per game on the shelf, or per game named in $KIT_GAMES."""

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
    """How many people sit at the tables of a proof: the fewest; all others are slow, so not for every change."""
    fewest, *more = kit.seats()
    if request.param == "fewest":
        return (fewest,)
    return tuple(more) or pytest.skip(f"{kit.game.id} is for {fewest}")
