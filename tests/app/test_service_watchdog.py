"""As a service: it reports ready only when it is, and feeds the watchdog only while every part makes progress."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app import service
from companion.app.service import SWITCH_OFF, Watchdog, notify, way_to
from firmware_bridge.links import Links
from firmware_bridge.senses import Senses
from tests.patience import PATIENCE


class Systemd:
    """systemd's end of the socket."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))
        self._socket.settimeout(PATIENCE)

    def hears(self) -> str:
        return self._socket.recv(4096).decode()

    def hears_nothing(self) -> bool:
        self._socket.setblocking(False)
        try:
            self._socket.recv(4096)
        except BlockingIOError:
            return True
        return False

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Systemd]:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    listener = Systemd(tmp_path / "notify")
    yield listener
    listener.close()


def test_without_systemd_nothing_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    assert not notify("READY=1")
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    assert not notify("READY=1")


def test_ready_fed_and_stopping(systemd: Systemd) -> None:
    with Watchdog({"writer": lambda: True}, every=0.01):
        assert systemd.hears() == "READY=1"
        assert [systemd.hears() for _ in range(3)] == ["WATCHDOG=1"] * 3
    while (word := systemd.hears()) == "WATCHDOG=1":
        pass
    assert word == "STOPPING=1"


@pytest.mark.parametrize("hanging", ["writer", "link", "web"])
def test_one_part_that_hangs_is_enough_not_to_be_fed(
    systemd: Systemd, hanging: str, caplog: pytest.LogCaptureFixture
) -> None:
    hangs = [True]
    checks = {name: lambda name=name: name != hanging or not hangs[0] for name in ("writer", "link", "web")}
    dog = Watchdog(checks)
    assert not dog.feed()
    assert not dog.feed()
    assert systemd.hears_nothing()
    assert [record.getMessage() for record in caplog.records] == [f"hanging: {hanging}"], "named once"
    hangs.clear()
    hangs.append(False)
    systemd._socket.settimeout(PATIENCE)
    assert dog.feed()
    assert systemd.hears() == "WATCHDOG=1"


@pytest.mark.parametrize(
    ("usec", "pid", "seconds"),
    [("20000000", None, 20.0), ("20000000", "1", None), ("", None, None), ("0", None, None), ("much", None, None)],
)
def test_how_often_systemd_wants_to_be_fed(
    monkeypatch: pytest.MonkeyPatch, usec: str, pid: str | None, seconds: float | None
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", usec)
    monkeypatch.setenv("WATCHDOG_PID", pid or str(os.getpid()))
    assert service.watchdog_seconds() == seconds


def test_a_page_that_nobody_serves_is_not_served() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    assert not service.page_is_served(port)


def test_a_server_that_accepts_and_says_nothing_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "_PATIENCE", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        assert not service.page_is_served(deaf.getsockname()[1])


def test_a_link_whose_search_hangs_is_noticed() -> None:
    goes_on = threading.Event()
    begun = threading.Event()

    def hangs() -> dict[str, str]:
        begun.set()
        goes_on.wait(PATIENCE)
        return {}

    links = Links(hangs, Senses(lambda _: None), lambda _: None)
    links.start()
    assert begun.wait(PATIENCE)
    assert links.is_alive(60)
    begin = time.monotonic()
    while links.is_alive(0.05):
        assert time.monotonic() - begin < PATIENCE, "a search that hangs counts as alive"
    goes_on.set()
    links.close()
    assert not links.is_alive(60), "ended is not alive"


def test_switching_off_is_asked_through_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    assert way_to(SWITCH_OFF) is None
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    off = way_to(SWITCH_OFF)
    assert off is not None
    off()
    assert (tmp_path / "switch-off").exists()
