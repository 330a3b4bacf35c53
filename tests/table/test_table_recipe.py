"""The recipe for a dialog, run: it opens, walks and closes like every other."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import pytest

from companion.box.join import Join
from companion.core import ChoosePage, JoinPage, Page, Seat, SeatId, TurnPage
from tests.recipes import RECIPES

from .conftest import Evening, is_a


@pytest.fixture
def recipe() -> ModuleType:
    spec = importlib.util.spec_from_file_location("who_sits", RECIPES / "who_sits.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def opened(evening: Evening) -> Page:
    evening.press("next", held=True)
    assert isinstance(evening.now.page, JoinPage)
    evening.press("ok")
    return evening.now.page


def marked(evening: Evening) -> object:
    page = is_a(ChoosePage, evening.now.page)
    return dict(page.items[page.at].facts)["item"]


def test_the_recipe_opens_walks_and_is_left(
    evening: Evening, recipe: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Join, "ok", lambda _self, scene, held: recipe.ok_in_join(scene, held))
    assert isinstance(opened(evening), ChoosePage)
    seen = [marked(evening)]
    for _ in evening.now.chairs[1:]:
        evening.press("next")
        seen.append(marked(evening))
    assert seen == [Seat(SeatId(seat)) for seat in range(len(evening.now.chairs))]
    evening.press("check")
    evening.press("check")
    assert isinstance(evening.now.page, TurnPage), "what a key does everywhere it does here, too"


def test_without_it_ok_leaves_the_code(evening: Evening) -> None:
    """The control."""
    assert isinstance(opened(evening), TurnPage)
