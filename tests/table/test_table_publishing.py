"""Devices are told after phones, once of a burst, and by one thread."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from companion.table import publishing
from companion.table.publishing import Herald, Latest
from tests.patience import PATIENCE


class Device:
    def __init__(self) -> None:
        self.heard: Latest[Any] = Latest("")


@pytest.fixture
def news() -> Latest[Any]:
    return Latest("the game begins")


@pytest.fixture
def herald(news: Latest[Any]) -> Iterator[Herald]:
    herald = Herald(news)
    yield herald
    herald.stop()


def follows(herald: Herald) -> Device:
    device = Device()
    device.heard.wait(0)
    herald.subscribers.add(device.heard.offer)
    return device


def test_every_device_hears_the_newest_of_a_burst(
    news: Latest[Any], herald: Herald, monkeypatch: pytest.MonkeyPatch
) -> None:
    devices = follows(herald), follows(herald)

    def meanwhile(_seconds: float) -> bool:
        monkeypatch.undo()
        news.offer("Ada draws")
        news.offer("Ada ends her turn")
        return False

    monkeypatch.setattr(herald._closing, "wait", meanwhile)
    herald.start()
    assert [device.heard.wait(PATIENCE) for device in devices] == ["Ada ends her turn"] * 2
    news.offer("Ben draws")
    assert [device.heard.wait(PATIENCE) for device in devices] == ["Ben draws"] * 2


def test_a_device_that_fails_does_not_hold_up_the_others(news: Latest[Any], herald: Herald) -> None:
    device = follows(herald)

    def fails(_newest: Any) -> None:
        raise OSError("no such pin")

    herald.subscribers.add(fails)
    herald.start()
    assert device.heard.wait(PATIENCE) == "the game begins"
    news.offer("Ada draws")
    assert device.heard.wait(PATIENCE) == "Ada draws"


def test_it_stops_at_once_and_says_nothing_more(news: Latest[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publishing, "AFTER", PATIENCE)
    herald = Herald(news)
    device = follows(herald)
    herald.start()
    herald.stop()
    assert device.heard.wait(0) is None
