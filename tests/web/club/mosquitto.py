"""A real Mosquitto with TLS, passwords and the access list from the documentation, on its own port."""

from __future__ import annotations

import contextlib
import os
import random
import re
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.reasoncodes import ReasonCode

from tests.conftest import ROOT
from tests.patience import PATIENCE
from web.club import Paired, TableId
from web.club.broker import trusts

PAGE = ROOT / "docs" / "club.md"
ACCESS = re.search(r"```\n(user hub\n.*?)```", PAGE.read_text(), re.DOTALL)
WAIT = 0.02


def free_port() -> int:
    """A port outside the kernel's range for outgoing connections, which might take it while the broker is down."""
    for port in random.sample(range(20_000, 32_000), 100):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("", port))
            return port
    raise OSError("no port is free")


def _ran(*command: str, cwd: Path) -> None:
    subprocess.run(command, cwd=cwd, check=True, capture_output=True, timeout=PATIENCE)


def certificates(folder: Path) -> str:
    """A certificate for 127.0.0.1, signed by our own; returns the latter."""
    made = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "3650")
    for name, options in (
        ("ca", ("-x509", "-subj", "/CN=club", "-addext", "keyUsage=critical,keyCertSign")),
        ("broker", ("-x509", "-CA", "ca.crt", "-CAkey", "ca.key", "-subj", "/CN=b", *_BROKER)),
    ):
        _ran("openssl", "req", *made, "-keyout", f"{name}.key", "-out", f"{name}.crt", *options, cwd=folder)
    return (folder / "ca.crt").read_text()


_BROKER = ("-addext", "subjectAltName=IP:127.0.0.1", "-addext", "basicConstraints=critical,CA:FALSE")


class Mosquitto:
    """`down` kills it as a power cut would; what it had not written is lost."""

    def __init__(self, folder: Path, users: tuple[str, ...]) -> None:
        assert ACCESS is not None
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self.port = folder, free_port()
        self.ca = certificates(folder)
        (folder / "access").write_text(ACCESS[1])
        (folder / "passwords").touch(mode=0o600)
        for user in users:
            _ran("mosquitto_passwd", "-b", "passwords", user, self.password(user), cwd=folder)
        (folder / "mosquitto.conf").write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous false\npassword_file passwords\nacl_file access\n"
            f"cafile ca.crt\ncertfile broker.crt\nkeyfile broker.key\nmax_queued_messages 0\n"
            + (f"user {os.environ.get('USER', 'root')}\n" if os.geteuid() == 0 else "")
        )
        self._process: subprocess.Popen[bytes] | None = None

    @staticmethod
    def password(user: str) -> str:
        return f"the-password-of-{user}"

    def paired(self, table: str) -> Paired:
        return Paired(TableId(table), self.password(table), "127.0.0.1", self.port, self.ca, "Club")

    def up(self) -> None:
        log = (self._folder / "log").open("ab")
        command = ("mosquitto", "-c", "mosquitto.conf")
        self._process = subprocess.Popen(command, cwd=self._folder, stdout=log, stderr=log)
        log.close()
        pause = threading.Event()
        for _ in range(int(PATIENCE / WAIT)):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            assert self._process.poll() is None, (self._folder / "log").read_text()
            pause.wait(WAIT)
        raise TimeoutError("mosquitto does not listen")

    def down(self, how: signal.Signals = signal.SIGKILL) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(PATIENCE)
            self._process = None


@contextmanager
def mosquitto(folder: Path, *users: str) -> Iterator[Mosquitto]:
    broker = Mosquitto(folder, ("hub", *users))
    broker.up()
    try:
        yield broker
    finally:
        broker.down()


class Client:
    """A client on the broker that hears what comes, and may say something."""

    def __init__(self, broker: Mosquitto, user: str | None, *topics: str, password: str | None = None) -> None:
        self.heard: list[tuple[str, bytes]] = []
        self.newest: dict[str, bytes] = {}
        self.refused: str = ""
        self._changed = threading.Condition()
        self._topics = topics
        self.is_up = False
        self._acknowledged: dict[int, bool] = {}
        client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
        if user is not None:
            client.username_pw_set(user, password or broker.password(user))
        client.tls_set_context(trusts(broker.ca))
        client.reconnect_delay_set(1, 1)
        client.on_connect, client.on_message, client.on_publish = self._on_connect, self._on_message, self._on_publish
        client.on_subscribe = self._on_subscribe
        self._client = client
        client.connect("127.0.0.1", broker.port, clean_start=True)
        client.loop_start()

    def _on_connect(self, client: mqtt.Client, _data: Any, _flags: Any, code: ReasonCode, _more: Any) -> None:
        if code.is_failure:
            self._tell(lambda: setattr(self, "refused", str(code)))
        elif self._topics:
            client.subscribe([(topic, 1) for topic in self._topics])
        else:
            self._tell(lambda: setattr(self, "is_up", True))

    def _on_subscribe(self, *_: Any) -> None:
        self._tell(lambda: setattr(self, "is_up", True))

    def _on_message(self, _client: mqtt.Client, _data: Any, message: mqtt.MQTTMessage) -> None:
        self.hears(message.topic, bytes(message.payload))

    def hears(self, topic: str, payload: bytes) -> None:
        with self._changed:
            self.heard.append((topic, payload))
            self.newest[topic] = payload
            self._changed.notify_all()

    def _on_publish(self, _client: mqtt.Client, _data: Any, number: int, code: ReasonCode, _more: Any) -> None:
        with self._changed:
            self._acknowledged[number] = not code.is_failure
            self._changed.notify_all()

    def _tell(self, does: Any) -> None:
        with self._changed:
            does()
            self._changed.notify_all()

    def wait(self, until: Any) -> None:
        with self._changed:
            assert self._changed.wait_for(until, PATIENCE), "it never came"

    def say(self, topic: str, payload: bytes, retain: bool = False) -> bool:
        """Whether the broker took it."""
        number = self._client.publish(topic, payload, 1, retain).mid
        self.wait(lambda: number in self._acknowledged)
        return self._acknowledged[number]

    def tell(self, topic: str, payload: bytes, retain: bool = False) -> None:
        """Publish without waiting for the broker."""
        self._client.publish(topic, payload, 1, retain)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()
