"""The recipe's device: it follows a game on pretend pins, and a fault changes nothing."""

from __future__ import annotations

import errno
import importlib.util
import re
import threading
from types import ModuleType
from typing import Any

import pytest

from companion.core import TABLE
from hw.errors import PinsUnusable
from hw.pretend.pins import PretendFactory, PretendPin
from tests.hw.evening import Evening
from tests.hw.room import Log
from tests.patience import PATIENCE
from tests.recipes import RECIPES

PIN = 5


@pytest.fixture(scope="module")
def recipe() -> ModuleType:
    spec = importlib.util.spec_from_file_location("deck_lamp", RECIPES / "deck_lamp.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Watched(PretendPin):
    """A pin that notes when it was switched, and can be broken."""

    switched = threading.Condition()
    is_broken = False

    def _set_state(self, value: Any) -> None:
        if Watched.is_broken:
            raise OSError(errno.EIO, "Input/output error")
        with Watched.switched:
            super()._set_state(value)
            Watched.switched.notify_all()


@pytest.fixture
def factory(monkeypatch: pytest.MonkeyPatch) -> PretendFactory:
    monkeypatch.setattr(Watched, "is_broken", False)
    return PretendFactory(Watched)


def test_the_lamp_shines_while_a_card_is_to_be_drawn(recipe: ModuleType, factory: PretendFactory) -> None:
    seen = set()
    with Evening("actionworks") as evening, recipe.DeckLamp(evening.table.shown(), factory, PIN):
        for _ in evening.play(20):
            waits = evening.now.awaited == (TABLE,)
            with Watched.switched:
                is_so = lambda wanted=waits: bool(factory.pin(PIN).state) == wanted  # noqa: E731
                assert Watched.switched.wait_for(is_so, PATIENCE)
            seen.add(waits)
    assert seen == {True, False}


def test_a_lamp_that_fails_is_named_once_and_the_game_goes_on(
    recipe: ModuleType, factory: PretendFactory, heard: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Evening("actionworks") as evening, recipe.DeckLamp(evening.table.shown(), factory, PIN) as lamp:
        monkeypatch.setattr(Watched, "is_broken", True)
        for _ in evening.play(20):
            pass
        assert evening.now.seq > 20
        monkeypatch.setattr(Watched, "is_broken", False)
        lamp.close()
    assert len([line for line in heard.lines if "deck lamp could not follow" in line]) == 1


def test_it_opens_and_closes_twice_and_names_a_pin_that_is_taken(recipe: ModuleType, factory: PretendFactory) -> None:
    with Evening("actionworks") as evening:
        lamp, other = (recipe.DeckLamp(evening.table.shown(), factory, PIN) for _ in range(2))
        for act in (lamp.open, lamp.open):
            act()
        with pytest.raises(PinsUnusable, match="the deck lamp cannot be used on pin 5"):
            other.open()
        for act in (lamp.close, lamp.close, other.close):
            act()
    assert not [thread for thread in threading.enumerate() if thread.name == "deck lamp"]


def test_the_page_shows_what_is_in_the_file() -> None:
    page = (RECIPES / "add-a-device.md").read_text("utf-8")
    blocks = re.findall(r"`deck_lamp.py`\n\n   ```python\n(.*?)   ```", page, re.DOTALL)
    assert len(blocks) == 2
    code = (RECIPES / "deck_lamp.py").read_text("utf-8")
    assert all(block in code for block in blocks)
