"""One connection to the broker, over TLS. Whatever happens on it goes into a mailbox; nothing here waits for
anybody.

A lost connection is thrown away with everything in flight: paho would resend that by itself, and an old view would
arrive after a newer one.
"""

from __future__ import annotations

import contextlib
import ssl
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias

import paho.mqtt.client as mqtt
from msgspec import Struct
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from .membership import Why
from .pairing import Paired
from .teller import Message

KEEPALIVE: Final = 15
PATIENCE: Final = 10.0
"""Seconds to wait for the broker to be reached."""
QOS: Final = 1


class Reached(Struct, frozen=True):
    """The broker has let us in."""


class Unreached(Struct, frozen=True):
    """It couldn't be reached, or is gone; `detail` is for the log and for the doctor."""

    why: Why
    detail: str = ""


class Has(Struct, frozen=True):
    """The broker has the message with this number."""

    number: int
    refused: bool = False


class Heard(Struct, frozen=True):
    """`retained`: the broker already had it when we connected, so it may be out of date."""

    topic: str
    payload: bytes
    retained: bool = False


News: TypeAlias = Reached | Unreached | Has | Heard


class Connection:
    """Starts connecting at once, in its own thread; paho's threads call `tell`. Without `will` it only looks."""

    def __init__(
        self, to: Paired, listens_to: tuple[str, ...], will: Message | None, tell: Callable[[News], None]
    ) -> None:
        self._to, self._listens_to, self._tell = to, listens_to, tell
        self._closed, self._looping = False, threading.Lock()
        client = _Client(
            CallbackAPIVersion.VERSION2,
            client_id="" if will is None else f"{to.table}-table",  # who only looks must not end the table's own
            protocol=MQTTProtocolVersion.MQTTv5,
            reconnect_on_failure=False,
        )
        client.username_pw_set(to.table, to.password)
        if will is not None:
            client.will_set(will.topic, will.payload, QOS, will.retain)
        client.connect_timeout = PATIENCE
        client.on_connect, client.on_disconnect = self._on_connect, self._on_disconnect
        client.on_publish, client.on_message = self._on_publish, self._on_message
        client.on_end = self._on_end
        self._client = client
        threading.Thread(target=self._reach, name="club-connect", daemon=True).start()

    def say(self, message: Message) -> int:
        """Returns the number by which the broker will acknowledge it."""
        return self._client.publish(message.topic, message.payload, QOS, message.retain).mid

    def say_last(self, messages: Iterable[Message]) -> None:
        """Before we leave: returns when the broker has all of them, or won't have them soon."""
        ends = time.monotonic() + PATIENCE
        with contextlib.suppress(RuntimeError, ValueError):  # the connection is lost
            for said in [self._client.publish(each.topic, each.payload, QOS, each.retain) for each in messages]:
                said.wait_for_publish(max(0.0, ends - time.monotonic()))

    def close(self, *, says_will: bool = True) -> None:
        """Leave at once; the broker delivers our last will if it should."""
        self._closed = True
        how = "Disconnect with will message" if says_will else "Normal disconnection"
        gone = ReasonCode(PacketTypes.DISCONNECT, how)
        with self._looping:  # a thread that is just starting can't be joined
            self._client.disconnect(reasoncode=gone)
            self._client.loop_stop()
        self._let_go()

    def _let_go(self) -> None:
        """Client and connection refer to each other; until that is broken, sockets stay open until the garbage
        collector runs.
        """
        client, self._tell = self._client, _nobody
        client.on_connect = client.on_disconnect = client.on_publish = client.on_message = None
        client.on_end = _nothing

    def _reach(self) -> None:
        try:
            trusted = trusts(self._to.ca)
            self._client.tls_set_context(trusted)
            with trusted:
                self._client.connect(self._to.host, self._to.port, KEEPALIVE, clean_start=True)
        except (OSError, ValueError) as error:
            self._tell(Unreached(why(error), str(error)))
            return
        with self._looping:
            self._client.loop_start()
        if self._closed:
            self._client.disconnect()

    def _on_connect(self, client: mqtt.Client, _data: Any, _flags: Any, code: ReasonCode, _more: Any) -> None:
        if code.is_failure:
            self._tell(Unreached("refused", str(code)))
            return
        client.subscribe([(name, SubscribeOptions(qos=QOS)) for name in self._listens_to])
        self._tell(Reached())

    def _on_disconnect(self, _client: mqtt.Client, _data: Any, _flags: Any, code: ReasonCode, _more: Any) -> None:
        self._tell(Unreached("silent" if code == "Keep alive timeout" else "unreachable", str(code)))

    def _on_end(self) -> None:
        self._tell(Unreached("unreachable", "the connection has ended"))

    def _on_publish(self, _client: mqtt.Client, _data: Any, number: int, code: ReasonCode, _more: Any) -> None:
        self._tell(Has(number, code.is_failure))

    def _on_message(self, _client: mqtt.Client, _data: Any, message: mqtt.MQTTMessage) -> None:
        self._tell(Heard(message.topic, bytes(message.payload), bool(message.retain)))


class _Client(mqtt.Client):
    """Reports when its loop has ended: paho gives some connections up silently."""

    on_end: Callable[[], None]

    def loop_forever(self, timeout: float = 1.0, retry_first_connection: bool = False) -> MQTTErrorCode:
        try:
            return super().loop_forever(timeout, retry_first_connection)
        finally:
            self.on_end()


def _nobody(_news: News) -> None:
    pass


def _nothing() -> None:
    pass


class Trusted(ssl.SSLContext):
    """Closes the socket if the handshake on it fails: paho leaves it open."""

    _socket: ssl.SSLSocket | None = None

    def wrap_socket(self, *args: Any, **more: Any) -> ssl.SSLSocket:
        self._socket = super().wrap_socket(*args, **more)
        return self._socket

    def __enter__(self) -> None:
        self._socket = None

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        if failed is not None and self._socket is not None:
            self._socket.close()
        self._socket = None


def trusts(ca: str) -> Trusted:
    """A context that trusts only this certificate; raises ValueError if it isn't one."""
    context = Trusted(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_verify_locations(cadata=ca)
    return context


def why(error: Exception) -> Why:
    if isinstance(error, ssl.SSLError) and not isinstance(error, TimeoutError):
        return "untrusted"
    return "silent" if isinstance(error, TimeoutError) else "unreachable"
