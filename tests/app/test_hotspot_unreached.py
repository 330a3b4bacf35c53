"""A box that was told of no network has a Wi-Fi of its own, opens it, and stays silent if there is another."""

from __future__ import annotations

import queue
import threading
from pathlib import Path

import pytest

from companion.app import hotspot, unreached
from companion.app.hotspot import CONNECTION, Hotspot
from companion.app.network import Doing
from companion.app.service import OPEN_WIFI
from companion.app.unreached import Unreached
from tests.app.test_hotspot_network import Radio
from tests.patience import PATIENCE

OWN = Hotspot("companion-K7QX", "M9PABQR2ST")


@pytest.fixture
def has_nmcli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with NetworkManager, whatever is installed here."""
    program = tmp_path / "bin/nmcli"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))


@pytest.mark.usefixtures("has_nmcli")
def test_a_box_names_its_own_wifi_once(tmp_path: Path) -> None:
    unreached.provide(tmp_path)
    first = hotspot.load(tmp_path)
    assert first is not None
    unreached.provide(tmp_path)
    assert hotspot.load(tmp_path) == first, "phones know it by now"
    (tmp_path / "other").mkdir()
    unreached.provide(tmp_path / "other")
    other = hotspot.load(tmp_path / "other")
    assert other is not None
    assert (other.name, other.password) != (first.name, first.password)


def test_without_network_manager_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    unreached.provide(tmp_path)
    assert hotspot.load(tmp_path) is None


def test_on_no_network_it_opens_once() -> None:
    opened: queue.SimpleQueue[bool] = queue.SimpleQueue()
    watching = Unreached(lambda: False, lambda: opened.put(True), wait=0)
    watching.start()
    assert opened.get(timeout=PATIENCE)
    watching.close()
    assert opened.empty()


def test_on_a_network_it_opens_nothing() -> None:
    asked, opened = threading.Event(), threading.Event()

    def is_reachable() -> bool:
        asked.set()
        return True

    watching = Unreached(is_reachable, opened.set, wait=0)
    watching.start()
    assert asked.wait(PATIENCE)
    watching.close()
    assert not opened.is_set()


def test_it_ends_at_once_when_the_program_does() -> None:
    asked, opened = threading.Event(), threading.Event()

    def is_reachable() -> bool:
        asked.set()
        return False

    watching = Unreached(is_reachable, opened.set)
    watching.start()
    assert asked.wait(PATIENCE)
    watching.close()
    assert not opened.is_set()


class Opened:
    """The unit, asked to open the box's own Wi-Fi, with a NetworkManager that has never heard of it."""

    def __init__(self, path: Path) -> None:
        self.folder, self.connections = path / "run", path / "system-connections"
        self.folder.mkdir()
        self.connections.mkdir()
        self.radio = Radio(self.connections)

    def __call__(self, own: Hotspot | None) -> list[str]:
        (self.folder / OPEN_WIFI).touch()
        self.radio.asked.clear()
        assert Doing(self.folder, self.connections, self.radio, own).answer() == ""
        return self.radio.asked

    @property
    def profile(self) -> Path:
        return self.connections / f"{CONNECTION}.nmconnection"


def test_network_manager_learns_of_it_when_it_is_first_opened(tmp_path: Path) -> None:
    opened = Opened(tmp_path)
    asked = opened(OWN)
    assert opened.profile.read_text() == OWN.profile()
    assert opened.profile.stat().st_mode & 0o777 == 0o600
    load, up = asked.index(f"connection load {opened.profile}"), asked.index(f"--wait 20 connection up {CONNECTION}")
    assert load < up
    assert asked.index("radio wifi on") < load, "a Raspberry Pi OS that nobody set up has it off"


def test_it_is_told_again_only_of_another(tmp_path: Path) -> None:
    opened = Opened(tmp_path)
    opened(OWN)
    loads = f"connection load {opened.profile}"
    assert loads not in opened(OWN)
    assert loads in opened(Hotspot(OWN.name, "ANOTHER234"))
    assert "ANOTHER234" in opened.profile.read_text()


def test_without_one_nothing_is_written(tmp_path: Path) -> None:
    opened = Opened(tmp_path)
    opened(None)
    assert not opened.profile.exists()


def test_the_unit_knows_where_the_companions_data_are() -> None:
    unit = (Path(__file__).parents[2] / "systemd/table-companion-wifi.service").read_text()
    assert "Environment=COMPANION_DATA=/var/lib/table-companion\n" in unit


def test_the_password_is_nobodys_guess() -> None:
    many = {hotspot.fresh("TABLE").password for _ in range(200)}
    assert len(many) == 200
    assert all(len(each) == 10 for each in many)
