"""The hub with a real Mosquitto: who gets in, who may say what, and what a killed hub leaves behind."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.app.hub import HubOptions, HubSettings, RunningHub, running_hub
from companion.app.hub.broker import Broker, NoBroker, _free_port, found
from tests.patience import PATIENCE
from tests.web.hub.club import NOW, over
from web.club import HERE, HUB, KEPT, RESULT, Here, HubHere, NotPaired, Pair, Paired, TableId, decode, encode, topic
from web.club.broker import Connection, Has, Heard, News, Reached, Unreached
from web.club.teller import Message

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("mosquitto_passwd") is None, reason="no Mosquitto here"),
]


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHub]:
    options = HubOptions(tmp_path_factory.mktemp("hub"), HubSettings(), 0, 0)
    with running_hub(options) as running:
        yield running


class Line:
    """A table's connection, and everything that it hears."""

    def __init__(self, to: Paired, *listens_to: str, only_looks: bool = False) -> None:
        self.news: list[News] = []
        self._changed = threading.Condition()
        will = Message(topic(to.table, HERE), encode(Here(False)), retain=True)
        self.connection = Connection(
            replace(to, host="127.0.0.1"), listens_to, None if only_looks else will, self._tell
        )

    def _tell(self, news: News) -> None:
        with self._changed:
            self.news.append(news)
            self._changed.notify_all()

    def until(self, what: Callable[[News], bool]) -> News:
        with self._changed:
            assert self._changed.wait_for(lambda: any(map(what, self.news)), PATIENCE), self.news
            return next(filter(what, self.news))


def until(hub: RunningHub, what: Callable[[], bool]) -> None:
    """Until the floor has heard of it."""
    changed = threading.Event()
    end = hub.floor.follow(changed.set)
    while not what():
        assert changed.wait(PATIENCE)
        changed.clear()
    end()


def joins(hub: RunningHub, name: str) -> Paired:
    paired = hub.keeper.pair(Pair(hub.keeper.code()[0], name), "127.0.0.1")
    assert isinstance(paired, Paired)
    return paired


def met(to: Paired, wanted: Callable[[News], bool], *listens_to: str, only_looks: bool = False) -> Line:
    """Reconnect until the answer is this one: a broker takes a moment to read who may come in."""
    ends = time.monotonic() + PATIENCE
    while True:
        line = Line(to, *(listens_to or (HUB,)), only_looks=only_looks)
        if wanted(line.until(lambda news: isinstance(news, Reached | Unreached))):
            return line
        line.connection.close()
        assert time.monotonic() < ends, line.news


def let_in(to: Paired, *listens_to: str, only_looks: bool = False) -> Line:
    """Once the hub is listening, too: it announces itself when it has subscribed."""
    line = met(to, lambda news: isinstance(news, Reached), *listens_to, HUB, only_looks=only_looks)
    line.until(lambda news: isinstance(news, Heard) and news.topic == HUB and decode(HubHere, news.payload).here)
    return line


def is_refused(news: News) -> bool:
    return isinstance(news, Unreached) and news.why == "refused"


def test_a_table_joins_and_its_result_is_kept_and_acknowledged(hub: RunningHub) -> None:
    paired = joins(hub, "Oak 4")
    line = let_in(paired, topic(paired.table, KEPT))
    line.connection.say(Message(topic(paired.table, HERE), encode(Here(True, "Oak 4", "1", True)), retain=True))
    told = over(paired.table, "a", ("Ada", "Ben"), NOW)
    line.connection.say(Message(topic(paired.table, RESULT), encode(told), retain=False))
    kept = line.until(lambda news: isinstance(news, Heard) and news.topic == topic(paired.table, KEPT))
    assert isinstance(kept, Heard)
    assert told.id.encode() in kept.payload
    until(hub, lambda: hub.floor.find(paired.table) is not None)
    assert [each.finished for each in hub.store.results()] == [told]
    hub.keeper.revoke(paired.table)
    assert hub.floor.find(paired.table) is None
    assert hub.store.results() == ()
    met(paired, is_refused).connection.close()
    line.connection.close()


def test_a_code_lets_one_table_in_and_one_that_comes_again_stays_the_same(hub: RunningHub) -> None:
    code, _ = hub.keeper.code()
    first = hub.keeper.pair(Pair(code, "Oak 1"), "127.0.0.1")
    assert isinstance(first, Paired)
    assert hub.keeper.pair(Pair(code, "Oak 2"), "127.0.0.1") == NotPaired("used")
    again = hub.keeper.pair(Pair(hub.keeper.code()[0], "Oak 1", first.table, first.password), "127.0.0.1")
    assert isinstance(again, Paired)
    assert (again.table, again.password == first.password) == (first.table, False)
    other = hub.keeper.pair(Pair(hub.keeper.code()[0], "Oak 1", first.table, "a wrong password"), "127.0.0.1")
    assert isinstance(other, Paired)
    assert other.table != first.table, "nobody takes the place of a table without its password"


def test_a_broker_that_a_killed_hub_has_left_is_ended_first(tmp_path: Path) -> None:
    left = Broker(tmp_path / "broker", 0, ())
    left.start()
    pid = int((tmp_path / "broker" / "mosquitto.pid").read_text())
    left._closing.set()  # its hub no longer looks after it
    again = Broker(tmp_path / "broker", left.port, ())
    again.start()
    try:
        assert left._process is not None
        assert left._process.wait(PATIENCE) == 0, "it wrote what it had, and nobody touched its keys before"
        os.kill(again.pid, signal.SIGKILL)
        Line(replace(again.own("Club"), table=TableId("hub"))).until(lambda news: isinstance(news, Reached | Unreached))
        assert again.pid != pid
    finally:
        again.close()


def test_the_files_of_a_broker_that_was_left_are_its_own_until_it_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = Broker(tmp_path / "broker", 0, ())
    left.start()
    left._closing.set()
    certify, ended = Broker._certify, list[bool]()

    def noting(broker: Broker) -> None:
        assert left._process is not None
        ended.append(left._process.poll() is not None)
        certify(broker)

    monkeypatch.setattr(Broker, "_certify", noting)
    again = Broker(tmp_path / "broker", left.port, ())
    again.start()
    again.close()
    assert ended == [True]


SLOW = """#!{python}
import os, socket, sys
listening = socket.create_server(("127.0.0.1", {port}))
listening.accept()[0].close()
listening.close()
os.execv({program!r}, [{program!r}, *sys.argv[1:]])
"""


def test_a_broker_that_listens_is_not_yet_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is slow to read its keys; stopped right after starting, it still ends in order."""
    slow = tmp_path / "mosquitto"
    broker = Broker(tmp_path / "broker", _free_port(), ())
    slow.write_text(SLOW.format(python=sys.executable, port=broker.port, program=found("mosquitto")))
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    broker.start()
    broker.close()
    assert broker._process is not None
    assert broker._process.returncode == 0


def home(hub: RunningHub) -> Paired:
    """As Home Assistant gets in."""
    own, folder = hub.broker.own("Club"), hub.broker.folder
    return replace(own, table=TableId("home"), password=(folder / "home.key").read_text())


def test_home_assistant_finds_a_table_and_has_no_say(hub: RunningHub) -> None:
    paired = joins(hub, "Ash 6")
    line, watch = let_in(paired), let_in(home(hub), "homeassistant/#", only_looks=True)
    config = f"homeassistant/device/{paired.table}/config"
    line.connection.say(Message(config, b"{}", retain=True))
    watch.until(lambda news: isinstance(news, Heard) and news.topic == config)
    number = watch.connection.say(Message(topic(paired.table, "view"), b"{}", retain=True))
    watch.until(lambda news: news == Has(number, refused=True))
    for each in (line, watch):
        each.connection.close()
    hub.keeper.revoke(paired.table)


def test_a_port_that_another_broker_has_is_said_at_once(hub: RunningHub, tmp_path: Path) -> None:
    """Its own Mosquitto would exit, and the other one would answer instead."""
    with pytest.raises(NoBroker, match="--broker-port"):
        Broker(tmp_path / "broker", hub.broker.port, ()).start()


def test_a_table_that_is_sent_away_leaves_nothing_on_the_broker(hub: RunningHub) -> None:
    paired = joins(hub, "Elm 5")
    line = let_in(paired)
    said = [topic(paired.table, part) for part in ("setup", "view", "device")]
    said.append(f"homeassistant/device/{paired.table}/config")
    for name in said:
        number = line.connection.say(Message(name, b"{}", retain=True))
        line.until(lambda news, number=number: news == Has(number))  # type: ignore[misc]
    hub.keeper.revoke(paired.table)
    last = Message(HUB, encode(HubHere(True, "last")), retain=True)
    hub.listener.say(last)
    late = let_in(home(hub), "companion/v1/#", "homeassistant/#", only_looks=True)
    is_last = Heard(last.topic, last.payload, retained=True)
    late.until(lambda _: late.news.count(is_last) == 2)  # once for all of them, and once for what it asked for last
    assert not {news.topic for news in late.news if isinstance(news, Heard)} & set(said)
    late.connection.close()


def test_without_the_program_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_asked, **_more: None)
    with pytest.raises(NoBroker, match="apt install mosquitto"):
        found("mosquitto")
