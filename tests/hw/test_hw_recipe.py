"""The device of the recipe: it follows a game on pretend pins, and a fault of it changes nothing."""

from __future__ import annotations

import errno
import importlib.util
import re
import threading
from types import ModuleType
from typing import Any

import pytest

from hw.errors import PinsUnusable
from hw.pretend.pins import PretendFactory, PretendPin
from tests.hw.evening import Evening
from tests.hw.room import Log
from tests.patience import PATIENCE
from tests.recipes import RECIPES

PINS = (5, 6, 13)


@pytest.fixture(scope="module")
def recipe() -> ModuleType:
    spec = importlib.util.spec_from_file_location("seat_lamps", RECIPES / "seat_lamps.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Watched(PretendPin):
    """A pin that tells when it was switched, and can be broken."""

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


def lit(factory: PretendFactory) -> tuple[int, ...]:
    return tuple(seat for seat, pin in enumerate(PINS) if factory.pin(pin).state)


def test_the_lamp_of_whoever_is_awaited_shines(recipe: ModuleType, factory: PretendFactory) -> None:
    seen = set()
    with Evening("actionworks") as evening, recipe.SeatLamps(evening.table.latest(), factory, PINS):
        for _ in evening.play(20):
            awaited = tuple(seat for seat in evening.now.awaited if seat >= 0)
            with Watched.switched:
                assert Watched.switched.wait_for(lambda wanted=awaited: lit(factory) == wanted, PATIENCE)  # type: ignore[misc]
            seen.add(awaited)
    assert len(seen) > 2


def test_lamps_that_fail_are_named_once_and_the_game_goes_on(
    recipe: ModuleType, factory: PretendFactory, heard: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Evening("actionworks") as evening, recipe.SeatLamps(evening.table.latest(), factory, PINS) as lamps:
        monkeypatch.setattr(Watched, "is_broken", True)
        for _ in evening.play(20):
            pass
        assert evening.now.seq > 20
        monkeypatch.setattr(Watched, "is_broken", False)
        lamps.close()
    assert len([line for line in heard.lines if "seat lamps could not follow" in line]) == 1


def test_they_open_and_close_twice_and_name_a_pin_that_is_taken(recipe: ModuleType, factory: PretendFactory) -> None:
    with Evening("actionworks") as evening:
        lamps, others = (recipe.SeatLamps(evening.table.latest(), factory, PINS) for _ in range(2))
        for act in (lamps.open, lamps.open):
            act()
        with pytest.raises(PinsUnusable, match="the seat lamps cannot be used on pin 5"):
            others.open()
        for act in (lamps.close, lamps.close, others.close):
            act()
    assert not [thread for thread in threading.enumerate() if thread.name == "seat lamps"]


def test_the_page_shows_what_is_in_the_file() -> None:
    page = (RECIPES / "add-a-device.md").read_text("utf-8")
    blocks = re.findall(r"`seat_lamps.py`\n\n   ```python\n(.*?)   ```", page, re.DOTALL)
    assert len(blocks) == 2
    code = (RECIPES / "seat_lamps.py").read_text("utf-8")
    assert all(block in code for block in blocks)
