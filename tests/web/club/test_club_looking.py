"""The doctor's check of the way from a table to its club, on a real Mosquitto."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.app.cli.club_checks import club
from companion.table import Found
from tests.patience import PATIENCE
from tests.web.club.mosquitto import Client, Mosquitto, free_port, mosquitto
from web.club import HUB, HubHere, Paired, encode
from web.club.club import FILE, _write
from web.club.looking import look
from web.club.membership import Membership

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path_factory.mktemp("broker"), "t-oak4") as running:
        yield running
    gc.collect()


@pytest.fixture
def paired(broker: Mosquitto) -> Paired:
    return broker.paired("t-oak4")


def test_a_hub_that_is_there_is_seen_and_one_that_is_not_is_not(broker: Mosquitto, paired: Paired) -> None:
    assert look(paired, PATIENCE) == "no-hub"
    hub = Client(broker, "hub")
    hub.wait(lambda: hub.is_up)
    hub.say(HUB, encode(HubHere(True, "Club")), retain=True)
    assert look(paired, PATIENCE) == "fine"
    hub.say(HUB, encode(HubHere(False)), retain=True)
    hub.close()


def test_what_is_wrong_is_named(paired: Paired, tmp_path: Path, broker: Mosquitto) -> None:
    assert look(replace(paired, password="guessed-by-somebody"), PATIENCE) == "refused"
    assert look(replace(paired, port=free_port()), PATIENCE) == "unreachable"
    other = Mosquitto(tmp_path, ())
    assert look(replace(paired, ca=other.ca), PATIENCE) == "untrusted"


def test_looking_does_not_end_what_the_table_says(broker: Mosquitto, paired: Paired) -> None:
    """The control would be the table's own name on the broker, which only one client can have."""
    said = Client(broker, "hub", "companion/v1/#")
    said.wait(lambda: said.is_up)
    look(paired, PATIENCE)
    assert not [topic for topic, _ in said.heard if topic.endswith("/here")]
    said.close()


def keys(found: Iterator[Found]) -> list[str]:
    return [each.said.key for each in found]


def test_the_doctor_tells_it(
    broker: Mosquitto, paired: Paired, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert keys(club(tmp_path)) == []
    _write(tmp_path / FILE, Membership(paired, "Oak 4"))
    assert keys(club(tmp_path)) == ["doctor.club.no-hub"]
    hub = Client(broker, "hub")
    hub.wait(lambda: hub.is_up)
    hub.say(HUB, encode(HubHere(True, "Club")), retain=True)
    assert keys(club(tmp_path)) == ["doctor.club.fine"]
    _write(tmp_path / FILE, Membership(paired, "Oak 4", shown=False))
    assert keys(club(tmp_path)) == ["doctor.club.hidden"]
    hub.close()
    _write(tmp_path / FILE, Membership(replace(paired, ca="nonsense"), "Oak 4"))
    assert keys(club(tmp_path)) == ["doctor.club.untrusted"]
    monkeypatch.setattr(time, "time", lambda: 3600.0)
    assert keys(club(tmp_path)) == ["doctor.club.clock"]
    (tmp_path / FILE).write_text("{")
    assert keys(club(tmp_path)) == ["doctor.club.file"]
