"""The hub of an evening in a club: the ears and the memory of a real one, without its threads and pages."""

from __future__ import annotations

import contextlib
import json
import socket
import ssl
import time
from typing import TYPE_CHECKING, Any, Final

import msgspec

from web.club import HUB, KEPT, RESULT, GameOver, HubHere, Kept, TableId, decode, encode, parted, topic
from web.hub import STORE, Floor, Store

from .broker import TABLE, Broker
from .club_told import shows
from .phones import PATIENCE, Got, Phone

if TYPE_CHECKING:
    from .evening import Evening

CODE: Final = "ABCDEFGH"
SOON: Final = 40.0
"""Seconds in which all has come in the end, also a result that is sent once more."""
EVERYTHING: Final = (("companion/v1/#", 1),)


class Hub:
    """Hears all that its table says on the broker, keeps results and says so. `got` is all that it was ever sent."""

    def __init__(self, broker: Broker, evening: Evening) -> None:
        self.broker, self._evening = broker, evening
        self._client: Any = None
        self._store = Store(evening.folder / STORE)
        self._floor = Floor(self._store.keep, self._store.note)
        self.got: list[tuple[str, Got]] = []
        """What was published: where, and what with the newest entry that may be known in it."""
        self.results: list[GameOver] = []
        """What it has kept in the end."""
        self.is_told = False
        """Whether it was waited for in the end."""

    def begin(self) -> None:
        """The table joins the club, and is shown there."""
        evening = self._evening
        self.broker.start()
        self.listen()
        pair(evening.phones[evening.plan.people[0]], evening.box.port, evening.new_id(), self.broker)
        self.knows()

    def knows(self) -> None:
        """Wait until it shows what is so."""
        self._evening.until(lambda: self.seq() >= self._evening.newest(), "the club shows what is so")

    def end(self) -> None:
        """End the box once all that is in its record is shown; whether it is, is found out from what was heard by then.

        Bots act for as long as it runs. So it is compared while it stands still, and what it shows then is the last.
        """
        self.knows()
        late = time.monotonic() + SOON
        while not self._shows_all() and time.monotonic() < late:
            self._evening.box.go_on()
            self._evening.hear(0.05)
        self._evening.box.kill()
        self._evening.until(self._is_left, "the broker says that the table is gone, after all that it was told before")
        self.is_told = True

    def _shows_all(self) -> bool:
        """Whether nothing of the record is still to come. The box stands still now."""
        self._evening.box.hold()
        now = self._evening.record.now()
        return shows(self.view, now) and (now.result is None or bool(self._store.results()))

    def _is_left(self) -> bool:
        at = self._floor.find(TABLE)
        return at is None or not at.here

    def listen(self) -> None:
        """Come to the broker, and say so: tables then send what was not kept."""
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

        own = self.broker.paired(TableId("hub"))
        client = Client(CallbackAPIVersion.VERSION2, "proof-hub", protocol=MQTTProtocolVersion.MQTTv5)
        client.username_pw_set(own.table, own.password)
        client.tls_set_context(ssl.create_default_context(cadata=own.ca))
        client.on_message = self._heard
        client.connect(own.host, own.port, 600, clean_start=True)
        late = time.monotonic() + PATIENCE
        while not client.is_connected() and time.monotonic() < late:
            client.loop(0.05)
        client.subscribe([*EVERYTHING])
        client.publish(HUB, encode(HubHere(True, own.club)), 1, True)
        self._client = client

    def leave(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.disconnect()
            client.loop(0.0)

    @property
    def ear(self) -> socket.socket | None:
        """What to wait on for news."""
        found: socket.socket | None = None if self._client is None else self._client.socket()
        return found

    def hear(self) -> None:
        """Take in what has come, and send what is to be sent. Who was cut off stays so until it listens again."""
        if self._client is not None:
            heard = -1
            while heard < len(self.got):
                heard = len(self.got)
                self._client.loop(0.0)

    def _heard(self, client: Any, _data: Any, message: Any) -> None:
        found, payload = parted(message.topic), bytes(message.payload)
        if found is None or found[1] == KEPT:
            return
        table, part = found
        self.got.append((part, Got(f"the club's {part}", self._evening.newest(), payload)))
        self._floor.heard(table, part, payload)
        if part == RESULT:
            told = decode(GameOver, payload)
            client.publish(topic(table, KEPT), encode(Kept(told.id, told.seq)), 1)

    @property
    def view(self) -> bytes:
        """What it would show of its table now."""
        at = self._floor.find(TABLE)
        return b"" if at is None else at.view

    def seq(self) -> int:
        """The newest entry that it shows."""
        return int(msgspec.json.decode(self.view)["seq"]) if self.view else 0

    def close(self) -> None:
        self.leave()
        self.results = [each.finished for each in self._store.results()]
        self._store.close()
        self.broker.kill()


def pair(phone: Phone, port: int, command: str, broker: Broker) -> None:
    """Somebody types address and code of the hub on a phone, and the hub lets the table in."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        door.settimeout(PATIENCE)
        wish = {"command": command, "do": "join", "code": CODE, "name": "Oak"}
        phone.fire(port, "/club", wish | {"address": f"127.0.0.1:{door.getsockname()[1]}"})
        line, _ = door.accept()
        with line:
            line.settimeout(PATIENCE)
            _asked(line)
            body = msgspec.json.encode(broker.paired(TABLE))
            head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            line.sendall(head.encode() + body)
    answer = phone.answer()
    if answer.status != 200 or "?no=" in json.loads(answer.data)["go"]:
        raise ConnectionError(f"the table does not join its club: {answer}")


def _asked(line: socket.socket) -> None:
    """Take in a whole request: one that is answered before its end may be cut off."""
    said = b""
    while b"\r\n\r\n" not in said:
        said += line.recv(1 << 16)
    head, _, body = said.partition(b"\r\n\r\n")
    length = next(int(each[15:]) for each in head.split(b"\r\n") if each.lower().startswith(b"content-length:"))
    with contextlib.suppress(TimeoutError):
        while len(body) < length:
            body += line.recv(1 << 16)
