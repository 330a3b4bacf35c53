"""From one Wi-Fi to another: what phones ask for, what the unit does about it, and that the box never ends up
without one.
"""

from __future__ import annotations

import json
import os
import queue
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.app.cli import main
from companion.app.hotspot import ADDRESS, Hotspot
from companion.app.house_wifi import HouseWifi
from companion.app.network import JOIN, LEAVE, SEEN, Doing, Network
from companion.app.service import OPEN_WIFI, WIFI_SAID, first_line, folder
from companion.app.wifi_why import reason
from companion.core import Phrase, Said, say
from companion.library import Lang, Speaker, Texts
from companion.table import Leaving
from hw.starting import LOCALE
from tests.patience import PATIENCE

SYSTEMD = Path(__file__).parents[2] / "systemd"
HOME = HouseWifi("Chez Ada", "correct horse")
WRONG = "Error: Connection activation failed: Secrets were required, but not provided."

nmcli = pytest.mark.skipif(shutil.which("nmcli") is None, reason="needs NetworkManager's nmcli")


class Radio:
    """An nmcli that knows which Wi-Fi exists with which key, and what is on; it can refuse."""

    def __init__(self, connections: Path, house: HouseWifi = HOME) -> None:
        self.connections, self.house = connections, house
        self.on = "table-companion"
        self.own_works = True
        self.asked: list[str] = []

    def __call__(self, *words: str) -> subprocess.CompletedProcess[str]:
        line = " ".join(words)
        self.asked.append(line)
        match words:
            case [*_, "connection", "up", "uuid", which]:
                return self._joins(which)
            case [*_, "connection", "up", "table-companion"] if self.own_works:
                self.on = "table-companion"
            case [*_, "connection", "up", "table-companion"]:
                return said(line, 4, "Error: No suitable device found.")
            case [*_, "connection", "down", "table-companion"]:
                self.on = ""
            case [*_, "device", "connect", "wlan1"]:
                known = sorted(self.connections.glob("*-house-*.nmconnection"))
                self.on = known[0].stem if known else "table-companion"
            case [*_, "connection", "show", "--active"]:
                return said(line, 0, self.on)
            case [*_, "DEVICE,TYPE", "device"]:
                return said(line, 0, "lo:loopback\nwlan1:wifi")
            case [*_, "wifi", "list", "--rescan", "auto"]:
                return said(line, 0, "Chez Ada\n\nCafé: au lait\nChez Ada")
        return said(line, 0)

    def _joins(self, which: str) -> subprocess.CompletedProcess[str]:
        path = self.connections / self.house.file
        self.on = ""
        if which != self.house.id or path.read_text() != self.house.profile():
            return said(which, 4, WRONG)
        self.on = path.stem
        return said(which, 0)


def said(line: str, code: int, words: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.CompletedProcess(line, code, "" if code else words, words if code else "")


class Room:
    """A folder in place of /run, the phones' side, the unit's side, and the radio."""

    def __init__(self, path: Path) -> None:
        self.folder, self.connections = path / "run", path / "system-connections"
        self.folder.mkdir()
        self.connections.mkdir()
        self.heard: queue.SimpleQueue[Said | None] = queue.SimpleQueue()
        self.network = Network(self.folder, "companion-AB12", self.heard.put, later=lambda _seconds, go: go())
        self.radio = Radio(self.connections)

    def unit(self) -> str:
        return Doing(self.folder, self.connections, self.radio).answer()

    def told(self) -> str:
        """What the box then says is wrong; "" if nothing is."""
        said = self.heard.get(timeout=PATIENCE)
        if said is None:
            return ""
        (why,) = (fact for _, fact in said.facts)
        assert isinstance(why, Phrase), "no words of NetworkManager's"
        return f"{said.key}: {why.key}"


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def test_to_the_wifi_of_the_house(room: Room) -> None:
    assert room.network.join(HOME.name, HOME.password)
    assert room.unit() == ""
    assert room.told() == ""
    assert room.radio.on.startswith("table-companion-house-")
    (kept,) = room.connections.iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    assert HOME.password not in kept.read_text()
    assert not (room.folder / JOIN).exists(), "the password does not stay there"


def test_a_wrong_password_leads_back_to_its_own_wifi(room: Room) -> None:
    assert room.network.join(HOME.name, "wrong horse")
    assert room.unit() == WRONG
    assert room.told() == "trouble.house-wifi: wifi.why.password"
    assert room.radio.on == "table-companion"
    assert list(room.connections.iterdir()) == [], "and is not kept"


FAILED = "Error: Connection activation failed: "


@pytest.mark.parametrize(
    ("words", "means"),
    [
        (f"{FAILED}No suitable device found for this connection (device lo not available", "no-device"),
        (f"{FAILED}The Wi-Fi network could not be found", "out-of-reach"),
        (f"{FAILED}IP configuration could not be reserved (no available address, timeout, etc.)", "no-address"),
        ("Error: Timeout expired (40 seconds)", "late"),
        ("Error: NetworkManager is not running.", "other"),
    ],
)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_what_people_read_has_no_words_of_networkmanager(words: str, means: str, lang: Lang) -> None:
    why = reason(words)
    assert why.key == f"wifi.why.{means}"
    read = Speaker(Texts.load(LOCALE), lang).say(say("trouble.house-wifi", why=why))
    assert "wifi.why" not in read
    assert not {"Error", "device", "NetworkManager"} & set(read.replace("Wi-Fi device", "").split())


def test_a_wrong_password_for_a_known_one_forgets_nothing(room: Room) -> None:
    (room.connections / HOME.file).write_text(HOME.profile())
    room.network.join(HOME.name, "wrong horse")
    room.unit()
    assert (room.connections / HOME.file).read_text() == HOME.profile()


def test_leaving_for_one_that_is_known(room: Room) -> None:
    (room.connections / HOME.file).write_text(HOME.profile())
    room.network.leave()
    assert room.unit() == ""
    assert room.radio.on.startswith("table-companion-house-")


def test_leaving_where_none_is_known_stays(room: Room) -> None:
    room.network.leave()
    assert room.unit() == "no other Wi-Fi is known here"
    assert room.told() == "trouble.house-wifi: wifi.why.none-known"
    assert room.radio.on == "table-companion"


def test_opening_its_own_notes_what_else_is_there(room: Room) -> None:
    assert room.network.names() == ()
    room.network.open_own()
    assert room.unit() == ""
    assert room.network.names() == ("Chez Ada", "Café: au lait")
    room.radio.own_works = False
    room.network.open_own()
    assert room.unit() == "Error: No suitable device found."
    (room.heard.get(timeout=PATIENCE), room.heard.get(timeout=PATIENCE))


@pytest.mark.parametrize(
    ("name", "password"), [("", ""), ("x" * 33, ""), ("é" * 17, ""), ("Ada", "short"), ("Ada", "é" * 9), ("A\nB", "")]
)
def test_what_can_be_no_wifi_is_not_asked_for(room: Room, name: str, password: str) -> None:
    assert not room.network.join(name, password)
    assert list(room.folder.iterdir()) == []


@pytest.mark.parametrize("words", ["", "{}", '{"name":"A\\n[vpn]","password":""}', '{"name":3}', "\xff"])
def test_the_unit_believes_nothing_that_it_reads(room: Room, words: str) -> None:
    (room.folder / JOIN).write_text(words, encoding="latin-1")
    assert room.unit() != ""
    assert list(room.connections.iterdir()) == []
    assert not any("up" in line for line in room.radio.asked)


def test_the_companion_may_read_what_the_unit_says(room: Room, tmp_path: Path) -> None:
    """They are two users, and the unit's umask lets nobody else read its files."""
    assert "UMask=0077\n" in (SYSTEMD / "table-companion-wifi.service").read_text()
    room.network.open_own()
    before = os.umask(0o077)
    try:
        room.unit()
    finally:
        os.umask(before)
    assert room.told() == ""
    assert [(room.folder / name).stat().st_mode & 0o777 for name in (WIFI_SAID, SEEN)] == [0o644, 0o644]


def test_the_unit_follows_no_link_that_the_companion_laid(room: Room, tmp_path: Path) -> None:
    secret, target = tmp_path / "secret", tmp_path / "target"
    secret.write_text(json.dumps({"name": "Chez Ada", "password": "correct horse"}))
    target.write_text("as it was")
    (room.folder / JOIN).symlink_to(secret)
    (room.folder / WIFI_SAID).symlink_to(target)
    room.unit()
    assert list(room.connections.iterdir()) == []
    assert target.read_text() == "as it was"
    assert (room.folder / WIFI_SAID).read_text() == "\n"


def test_nobody_who_answers_is_told_too(tmp_path: Path) -> None:
    assert first_line(tmp_path / WIFI_SAID, 0.3) == "NetworkManager"


def test_without_a_service_nothing_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    assert folder() is None


def test_the_unit_waits_for_what_is_asked_and_runs_this(tmp_path: Path) -> None:
    waits = (SYSTEMD / "table-companion-wifi.path").read_text()
    assert [f"PathExists=/run/table-companion/{name}" in waits for name in (OPEN_WIFI, JOIN, LEAVE)] == [True] * 3
    runs = (SYSTEMD / "table-companion-wifi.service").read_text()
    assert "companion wifi answer /run/table-companion\n" in runs
    (tmp_path / JOIN).write_text("{}")
    told = CliRunner().invoke(main, ["wifi", "answer", str(tmp_path)])
    assert told.exit_code == 1
    assert "no name and password" in told.output
    assert (tmp_path / WIFI_SAID).read_text() == "no name and password in what was asked\n"
    assert not (tmp_path / SEEN).exists()


def test_a_machine_without_network_manager_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for asked in (OPEN_WIFI, LEAVE):
        (tmp_path / asked).touch()
        assert CliRunner().invoke(main, ["wifi", "answer", str(tmp_path)]).exit_code == 1
        assert (tmp_path / WIFI_SAID).read_text() == "nmcli: No such file or directory\n"


def offline(profile: str) -> subprocess.CompletedProcess[str]:
    """How NetworkManager itself reads a profile."""
    command = ["nmcli", "--offline", "connection", "modify", "connection.autoconnect", "yes"]
    return subprocess.run(command, input=profile, capture_output=True, text=True, timeout=PATIENCE, check=False)


@nmcli
@pytest.mark.parametrize(
    "profile",
    [
        Hotspot("TABLE", "K7QX2M9PAB").profile(),
        HOME.profile(),
        HouseWifi("Café; [ipv4]\\", "").profile(),
    ],
)
def test_network_manager_understands_the_profiles(profile: str) -> None:
    assert offline(profile).returncode == 0, offline(profile).stderr


@nmcli
def test_network_manager_keeps_what_phones_need() -> None:
    """WPA2 alone and no protected management frames: with anything else several Pi chips let no phone in."""
    kept = offline(Hotspot("TABLE", "K7QX2M9PAB").profile()).stdout
    for line in ("pmf=1", "key-mgmt=wpa-psk", "proto=rsn;", "pairwise=ccmp;", "group=ccmp;", f"address1={ADDRESS}/24"):
        assert f"\n{line}\n" in kept
    bad = Hotspot("TABLE", "K7QX2M9PAB").profile().replace("pmf=1", "pmf=9")
    assert offline(bad).returncode != 0, "the control"
    assert "ssid=67;97;102;195;169;" in offline(HouseWifi("Café", "").profile()).stdout


def test_phones_hear_first_where_the_box_goes(room: Room) -> None:
    waiting: list[Callable[[], None]] = []
    network = Network(room.folder, "companion-AB12", room.heard.put, later=lambda _seconds, go: waiting.append(go))
    network.name = "companion.local:8080"
    heard: list[Leaving | None] = []
    end = network.watch(lambda: heard.append(network.leaving()))
    network.join(HOME.name, HOME.password)
    assert heard == [Leaving("house", "Chez Ada", ("companion.local:8080",))]
    assert not (room.folder / JOIN).exists(), "the box stays until they have"
    network.open_own()
    assert heard[1:] == [Leaving("own", "companion-AB12", (ADDRESS, "companion.local:8080"))]
    for go in waiting:
        go()
    assert [path.name for path in room.folder.iterdir()] == [OPEN_WIFI], "the later wish counts, and no password stays"
    room.unit()
    assert room.told() == ""
    assert heard[2:] == [None]
    end()
    network.leave()
    assert len(heard) == 3
