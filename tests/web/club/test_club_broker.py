"""A table on a real Mosquitto: what it says arrives, survives the broker, and nobody else can speak for it."""

from __future__ import annotations

import gc
import random
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from paho.mqtt.client import Client as PahoClient

from companion.core import SeatId
from companion.table.outside import Moment, Seen
from tests.campaigns.phones_canary import Played
from tests.web.club.evening import play, played, public
from tests.web.club.mosquitto import Client, Mosquitto, mosquitto
from web.club import GameOver, Guests, Here, HubHere, Kept, Telling, View, decode, encode, view_of
from web.club.broker import Connection
from web.club.membership import Membership
from web.club.outbox import Outbox
from web.club.publisher import Publisher

HERE, SETUP, VIEW, TOLD, RESULT, KEPT = (
    f"companion/v1/t-oak4/{part}" for part in ("here", "setup", "view", "told", "result", "kept")
)
HUB = "companion/v1/hub"

pytestmark = pytest.mark.slow


class Following:
    """A table that notifies when something happens, as the real one does."""

    def __init__(self, evening: Played) -> None:
        self.evening = evening
        self._told: list[Callable[[Moment], None]] = []

    def follow(self, fn: Callable[[Moment], None]) -> Callable[[], None]:
        self._told.append(fn)
        return lambda: self._told.remove(fn)

    @property
    def seen(self) -> Seen:
        return public(self.evening)

    def play(self, acts: int, seed: int = 1) -> None:
        dice = random.Random(seed)
        while acts and self.evening.referee.at.result is None:
            play(self.evening, dice, 1)
            self._tell()
            acts -= 1

    def take_back(self) -> None:
        referee = self.evening.referee
        referee.take_back(referee.at.line[-2], SeatId(0), None)
        self._tell()

    def _tell(self) -> None:
        for fn in self._told:
            fn(self.evening.snapshot().moment())


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path / "broker", "t-oak4", "t-elm5") as running:
        yield running


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Following]:
    with played(tmp_path / "game", "timeline", 3) as evening:
        yield Following(evening)


@pytest.fixture
def next_game(tmp_path: Path) -> Iterator[Following]:
    with played(tmp_path / "next", "actionworks", 0) as evening:
        yield Following(evening)


@pytest.fixture
def hub(broker: Mosquitto) -> Iterator[Client]:
    client = Client(broker, "hub", "companion/v1/#")
    client.wait(lambda: client.is_up)
    yield client
    client.close()


@pytest.fixture
def publisher(broker: Mosquitto, table: Following, tmp_path: Path) -> Iterator[Publisher]:
    running = Publisher(member(broker), "1.0", Outbox(tmp_path / "outbox"))
    running.start(table, table.seen)
    yield running
    running.close()


def member(broker: Mosquitto, **more: object) -> Membership:
    return Membership(broker.paired("t-oak4"), "Oak 4", **more)  # type: ignore[arg-type]


def own_view(table: Following) -> bytes:
    return encode(view_of(table.seen, Guests()))


def told_to(client: Client) -> set[int]:
    return {decode(Telling, payload).told.seq for topic, payload in client.heard if topic == TOLD}


def told_at(table: Following) -> set[int]:
    return {told.seq for told in table.seen.past.told() if told.kind != "seated"}


def results(client: Client) -> list[GameOver]:
    return [decode(GameOver, payload) for topic, payload in client.heard if topic == RESULT]


def test_what_is_shown_at_the_table_arrives(hub: Client, publisher: Publisher, table: Following) -> None:
    table.play(10)
    hub.wait(lambda: hub.newest.get(VIEW) == own_view(table))
    assert decode(Here, hub.newest[HERE]) == Here(True, "Oak 4", "1.0", True)
    hub.wait(
        lambda: sum(topic == TOLD for topic, _ in hub.heard) == sum(e.kind != "seated" for e in table.seen.past.told())
    )
    publisher.close()
    hub.wait(lambda: not decode(Here, hub.newest[HERE]).here)


def test_who_comes_later_sees_the_newest_at_once(
    broker: Mosquitto, hub: Client, publisher: Publisher, table: Following
) -> None:
    table.play(4)
    hub.wait(lambda: hub.newest.get(VIEW) == own_view(table))
    late = Client(broker, "hub", "companion/v1/#")
    late.wait(lambda: {HERE, SETUP, VIEW} <= set(late.newest))
    assert late.newest[VIEW] == own_view(table)
    late.close()


def test_a_result_is_sent_until_the_hub_has_kept_it(hub: Client, publisher: Publisher, table: Following) -> None:
    table.play(5000)
    hub.wait(lambda: len(results(hub)) >= 1)
    hub.say(HUB, encode(HubHere(True, "Club", since=1.0)), retain=True)
    hub.wait(lambda: len(results(hub)) >= 2)
    first, second = results(hub)[:2]
    assert first == second
    hub.say(KEPT, encode(Kept(first.id, first.seq)))
    sent = len(results(hub))
    hub.say(HUB, encode(HubHere(True, "Club", since=2.0)), retain=True)
    table.take_back()
    hub.wait(lambda: not results(hub)[-1].stands)
    assert len(results(hub)) <= sent + 1, "the one that was kept was not sent again before it"


def test_a_broker_that_is_killed_costs_nothing(
    broker: Mosquitto, hub: Client, publisher: Publisher, table: Following
) -> None:
    hub.wait(lambda: VIEW in hub.newest)
    broker.down()
    table.play(5000)
    broker.up()
    hub.wait(lambda: hub.newest[VIEW] == own_view(table))
    story = decode(View, hub.newest[VIEW]).story
    assert story is not None
    assert {told.seq for told in story.told} == told_at(table), "what was told while nobody heard it"
    hub.say(HUB, encode(HubHere(True, "Club", since=1.0)), retain=True)
    hub.wait(lambda: bool(results(hub)))
    assert len({over.id for over in results(hub)}) == 1


def test_a_result_outlives_the_program(
    broker: Mosquitto, table: Following, next_game: Following, tmp_path: Path
) -> None:
    broker.down()
    first = Publisher(member(broker), "1.0", Outbox(tmp_path / "outbox"))
    first.start(table, table.seen)
    table.play(5000)
    first.close()
    assert len(Outbox(tmp_path / "outbox").waiting()) == 1
    broker.up()
    hub = Client(broker, "hub", "companion/v1/#")
    hub.wait(lambda: hub.is_up)
    again = Publisher(member(broker), "1.0", Outbox(tmp_path / "outbox"))
    again.start(next_game, next_game.seen)
    hub.wait(lambda: len(results(hub)) == 1)
    again.close()
    hub.close()


def test_an_end_counts_although_the_next_game_has_begun(
    broker: Mosquitto, table: Following, next_game: Following, tmp_path: Path
) -> None:
    table.play(5000)
    publisher = Publisher(member(broker), "1.0", Outbox(tmp_path / "outbox"))
    publisher.offer(table.evening.snapshot().moment())
    publisher.start(next_game, replace(next_game.seen, table="next"))  # its thread had no turn in between
    publisher.close()
    assert [each.game for each in Outbox(tmp_path / "outbox").waiting()] == ["timeline"]


def test_a_line_may_be_closed_while_it_is_being_opened(broker: Mosquitto, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that hasn't started yet can't be joined: the two would wait for each other."""
    about_to_start, stopped = threading.Event(), threading.Event()
    start, stop = PahoClient.loop_start, PahoClient.loop_stop

    def slow_start(client: PahoClient) -> object:
        begin = threading.Thread.start

        def late(thread: threading.Thread) -> None:
            monkeypatch.setattr(threading.Thread, "start", begin)
            about_to_start.set()
            stopped.wait(0.2)
            begin(thread)

        monkeypatch.setattr(threading.Thread, "start", late)
        return start(client)

    def noted_stop(client: PahoClient) -> object:
        try:
            return stop(client)
        finally:
            stopped.set()

    monkeypatch.setattr(PahoClient, "loop_start", slow_start)
    monkeypatch.setattr(PahoClient, "loop_stop", noted_stop)
    line = Connection(broker.paired("t-oak4"), (HUB,), None, lambda _: None)
    assert about_to_start.wait(60)
    line.close()


def test_a_table_that_is_not_shown_says_no_more_than_that_it_is_here(
    broker: Mosquitto, hub: Client, table: Following, tmp_path: Path
) -> None:
    quiet = Publisher(member(broker, shown=False), "1.0", Outbox(tmp_path / "outbox"))
    quiet.start(table, table.seen)
    hub.wait(lambda: HERE in hub.newest)
    table.play(5000)
    quiet.close()
    hub.wait(lambda: not decode(Here, hub.newest[HERE]).here)
    assert {topic for topic, _ in hub.heard} == {HERE}


def test_a_table_that_leaves_takes_everything_with_it(
    broker: Mosquitto, hub: Client, publisher: Publisher, table: Following
) -> None:
    hub.wait(lambda: VIEW in hub.newest)
    publisher.close(leaves=True)
    hub.wait(lambda: hub.newest[VIEW] == b"" and hub.newest[SETUP] == b"")
    hub.wait(lambda: hub.newest[HERE] == b"")
    hub.say(HUB, encode(HubHere(True)), retain=True)
    late = Client(broker, "hub", "companion/v1/#")
    late.wait(lambda: HUB in late.newest)
    assert set(late.newest) == {HUB}, "not even its name stays, as a last will would leave it"
    late.close()


def test_a_hub_that_comes_is_told_by_each_table_itself_that_it_is_here(
    broker: Mosquitto, hub: Client, publisher: Publisher
) -> None:
    hub.wait(lambda: VIEW in hub.newest)
    said = [topic for topic, _ in hub.heard].count(HERE)
    hub.say(HUB, encode(HubHere(True)), retain=True)
    hub.wait(lambda: [topic for topic, _ in hub.heard].count(HERE) == said + 1)


def test_a_stranger_reads_and_writes_nothing(broker: Mosquitto, hub: Client, publisher: Publisher) -> None:
    hub.wait(lambda: VIEW in hub.newest)
    for user, password in ((None, None), ("hub", "guessed"), ("t-oak4", "guessed"), ("nobody", "guessed")):
        stranger = Client(broker, user, "companion/v1/#", password=password)
        stranger.wait(lambda stranger=stranger: bool(stranger.refused))
        stranger.close()
        assert not stranger.heard


def test_a_table_has_no_say_in_anothers(broker: Mosquitto, hub: Client, publisher: Publisher) -> None:
    """The control is its own topic, to which it may write."""
    hub.wait(lambda: VIEW in hub.newest)
    before = dict(hub.newest)
    other = Client(broker, "t-elm5", "companion/v1/#", "#")
    other.wait(lambda: other.is_up)
    for topic in (VIEW, RESULT, HUB, KEPT, "homeassistant/device/t-oak4/config", "companion/v1/t-elm55/view"):
        assert not other.say(topic, b"{}", retain=True)
    assert other.say("companion/v1/t-elm5/view", b"{}", retain=True)
    hub.wait(lambda: "companion/v1/t-elm5/view" in hub.newest)
    assert {topic: hub.newest[topic] for topic in before} == before
    assert all(topic.startswith("companion/v1/t-elm5/") or topic == HUB for topic, _ in other.heard)
    other.close()


def test_a_broker_that_says_nothing_keeps_nobody_waiting(table: Following, tmp_path: Path, broker: Mosquitto) -> None:
    """It accepts the connection and never answers: the end of the game is on disk, and the table goes on and stops."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        to = broker.paired("t-oak4")
        port = silent.getsockname()[1]
        hanging = Publisher(Membership(replace(to, port=port), "Oak 4"), "1.0", Outbox(tmp_path / "outbox"))
        hanging.start(table, table.seen)
        table.play(5000)
        hanging.close()
    gc.collect()
    assert len(Outbox(tmp_path / "outbox").waiting()) == 1
