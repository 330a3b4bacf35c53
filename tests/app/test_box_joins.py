"""From the buttons to the club: what a box sends, what it hears, and hubs that announce themselves."""

from __future__ import annotations

import os
import queue
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.avahi import announced, hubs
from companion.app.box_club import BoxClub
from companion.app.hub import HubOptions, HubSettings, RunningHub, running_hub
from companion.app.plays import Records
from companion.core import HubFound, Hubs, Said
from companion.table import JoinClub
from companion.table.outside import Moment
from tests.patience import PATIENCE
from tests.web.club.evening import seen_after
from web.club import Club

HEARD = rb"""+;eth0;IPv4;Club\032night;_companion-hub._tcp;local
=;lo;IPv4;Club\032night;_companion-hub._tcp;local;den.local;127.0.0.1;8090;
=;eth0;IPv6;Club\032night;_companion-hub._tcp;local;den.local;fe80::1;8090;
=;eth0;IPv4;Club\032night;_companion-hub._tcp;local;den.local;192.168.1.20;8090;
=;eth0;IPv4;Caf\195\169\032\(bar\);_companion-hub._tcp;local;bar.local;192.168.1.9;8091;"a=b"
=;eth0;IPv4;torn
"""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder at the front of the path, for our own programs."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return folder


def program(folder: Path, name: str, does: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{does}\n")
    (folder / name).chmod(0o755)


def test_hubs_are_heard_with_their_names_and_addresses(path: Path) -> None:
    (path / "heard").write_bytes(HEARD)
    program(path, "avahi-browse", f'case "$*" in *_companion-hub._tcp*) cat {path}/heard;; esac')
    assert hubs() == (HubFound("Café (bar)", "192.168.1.9:8091"), HubFound("Club night", "192.168.1.20:8090"))


def test_without_avahi_nobody_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert hubs() == ()
    with announced("Club", 8090):
        pass


def test_a_hub_says_where_it_is_for_as_long_as_it_runs(path: Path) -> None:
    program(path, "avahi-publish-service", f'echo "$@" > {path}/said; exec sleep 600')
    pipe = path / "said"
    os.mkfifo(pipe)
    with announced("Club night", 8090):
        assert pipe.read_text() == "Club night _companion-hub._tcp 8090\n"


class Told:
    """A table that keeps what it is told."""

    def __init__(self, folder: Path) -> None:
        self.heard: queue.SimpleQueue[Hubs | tuple[Said, bool]] = queue.SimpleQueue()
        seen = seen_after(folder, "actionworks", 3)
        self.moment = Moment(seen, lambda _seat: seen)
        self.club = ""

    def follow(self, _fn: object) -> object:
        return lambda: None

    def shown_at(self, club: str) -> None:
        self.club = club

    def hubs(self, hubs: Hubs) -> None:
        self.heard.put(hubs)

    def joined(self, said: Said, joined: bool) -> None:
        self.heard.put((said, joined))

    def next(self) -> Hubs | tuple[Said, bool]:
        return self.heard.get(timeout=PATIENCE)


@pytest.fixture
def table(tmp_path: Path) -> Told:
    return Told(tmp_path / "table")


@pytest.fixture
def club(tmp_path: Path, table: Told) -> Iterator[Club]:
    club = Club(tmp_path, table, "1.0", Records(tmp_path))  # type: ignore[arg-type]
    club.start()
    yield club
    club.close()


def by_box(club: Club, table: Told, address: str = "192.168.1.7") -> BoxClub:
    near = (HubFound("Club night", "192.168.1.20:8090"),)
    return BoxClub(club, table, lambda: address, lambda n: f"Table {n}", lambda: near)


def test_it_tells_how_addresses_begin_here(club: Club, table: Told) -> None:
    by_box(club, table).look()
    assert table.next() == Hubs(True, (HubFound("Club night", "192.168.1.20:8090"),), "192.168.1.")
    by_box(club, table, "127.0.0.1").look()
    found = table.next()
    assert isinstance(found, Hubs)
    assert found.network == "", "a box on no network knows no beginning"


@pytest.mark.parametrize(("address", "why"), [("127.0.0.1:1", "nobody"), ("127.0.0.1:99999", "address")])
def test_why_it_has_not_joined_is_said(club: Club, table: Told, address: str, why: str) -> None:
    by_box(club, table).join(JoinClub(address, "K7MPQ2XW", 7))
    said = table.next()
    assert isinstance(said, tuple)
    assert (said[0].key, said[1]) == (f"club.no.{why}", False)


def test_whoever_presses_twice_has_asked_once(club: Club, table: Told) -> None:
    held, begun = threading.Event(), threading.Event()

    def near() -> tuple[HubFound, ...]:
        begun.set()
        held.wait(PATIENCE)
        return ()

    box = BoxClub(club, table, lambda: "10.0.0.2", str, near)
    box.look()
    assert begun.wait(PATIENCE)
    box.look()
    held.set()
    assert isinstance(table.next(), Hubs)
    assert table.heard.empty()


def test_whoever_has_heard_may_ask_again_at_once(club: Club, table: Told) -> None:
    heard = list[Hubs]()

    def asks_again(hubs: Hubs) -> None:
        heard.append(hubs)
        if len(heard) == 1:
            box.look()
        else:
            table.heard.put(hubs)

    table.hubs = asks_again  # type: ignore[method-assign]
    box = by_box(club, table)
    box.look()
    assert table.next() == heard[0]


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHub]:
    with running_hub(HubOptions(tmp_path_factory.mktemp("hub"), HubSettings(), 0, 0)) as running:
        yield running


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("mosquitto_passwd") is None, reason="no Mosquitto here")
def test_the_box_joins_by_code_and_keeps_its_name(hub: RunningHub, club: Club, table: Told) -> None:
    box, address = by_box(club, table), f"127.0.0.1:{hub.port}"
    code, _ = hub.keeper.code()
    box.join(JoinClub(address, code[::-1] if code != code[::-1] else code[1:] + "A", 7))
    said = table.next()
    assert isinstance(said, tuple)
    assert said[0].key == "club.no.wrong"
    assert club.now() is None
    box.join(JoinClub(address, code, 7))
    said = table.next()
    assert isinstance(said, tuple)
    assert (said[0].key, said[1], table.club) == ("club.joined", True, "Club night")
    assert [each.name for each in hub.keeper.tables()] == ["Table 7"]
    box.join(JoinClub(address, code, 7))
    said = table.next()
    assert isinstance(said, tuple)
    assert said[0].key == "club.no.used"
    box.join(JoinClub(address, hub.keeper.code()[0]))
    assert isinstance(table.next(), tuple)
    assert [each.name for each in hub.keeper.tables()] == ["Table 7"], "the same table, by the same name"
