"""The phones of an evening: real requests and real streams; everything that is sent to them is kept."""

from __future__ import annotations

import http.client
import json
import re
import socket
from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

PATIENCE: Final = 120.0
_EVENT: Final = re.compile(rb"^id: (\d+)\.", re.MULTILINE)


def ours(port: int) -> dict[str, str]:
    """What our own page sends with every command."""
    return {"X-Companion": "1", "Origin": f"http://127.0.0.1:{port}", "Content-Type": "application/json"}


class Got(Struct, frozen=True):
    """Bytes that reached a phone: by which way, and the newest entry that may be known in them."""

    way: str
    seq: int
    data: bytes


class Answer(Struct, frozen=True):
    status: int
    data: bytes

    @property
    def seq(self) -> int:
        """The entry that a command led to; 0 where it led to none."""
        return int(json.loads(self.data)["seq"]) if self.status == 200 else 0


class Phone:
    """One phone with an address, cookies and perhaps a stream of its own; it outlives the box.

    Loopback has addresses enough for each to be another machine to the box.
    """

    def __init__(self, number: int) -> None:
        self._address = f"127.0.{1 + number // 200}.{1 + number % 200}"
        self.cookies: dict[str, str] = {}
        self._line: http.client.HTTPConnection | None = None
        self._stream: socket.socket | None = None
        self._kept = b""
        self.got: list[Got] = []

    def get(self, port: int, path: str, newest: Callable[[], int]) -> Answer:
        """A page; `newest`, asked afterwards, is the newest entry that may be on it."""
        answer = self.ask(port, "GET", path, None, {})
        self.got.append(Got(path, newest(), answer.data))
        return answer

    def post(self, port: int, path: str, body: Any, newest: Callable[[], int]) -> Answer:
        answer = self.ask(port, "POST", path, json.dumps(body).encode(), ours(port))
        self.got.append(Got(path, newest(), answer.data))
        return answer

    def show(self, port: int, path: str, picture: bytes, newest: Callable[[], int]) -> Answer:
        """A photo."""
        answer = self.ask(port, "POST", path, picture, ours(port) | {"Content-Type": "image/jpeg"})
        self.got.append(Got("/photo", newest(), answer.data))
        return answer

    def ask(self, port: int, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Answer:
        """Anything at all; asked again on a new connection, as browsers do, where an old one has ended meanwhile.

        Raises OSError where nobody answers.
        """
        is_old = self._line is not None and self._line.port == port
        try:
            return self._asked(port, method, path, body, headers)
        except OSError:
            if not is_old:
                raise
            return self._asked(port, method, path, body, headers)

    def _asked(self, port: int, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Answer:
        line = self._connected(port)
        try:
            line.request(method, path, body, {"Cookie": self._jar()} | headers)
            response = line.getresponse()
            data = response.read()
        except http.client.HTTPException as error:
            self.hang_up()
            raise ConnectionError(f"no answer: {error!r}") from error
        except OSError:
            self.hang_up()
            raise
        for name, value in response.getheaders():
            if name.lower() == "set-cookie":
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.split(";")[0]
        return Answer(response.status, data)

    def _jar(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def fire(self, port: int, path: str, body: Any) -> None:
        """Send a command and wait for no answer."""
        self.hang_up()
        line = self._connected(port)
        line.request("POST", path, json.dumps(body).encode(), {"Cookie": self._jar()} | ours(port))

    def answer(self) -> Answer:
        """The answer to what was fired."""
        assert self._line is not None
        response = self._line.getresponse()
        return Answer(response.status, response.read())

    def _connected(self, port: int) -> http.client.HTTPConnection:
        if self._line is not None and self._line.port != port:
            self.hang_up()
        if self._line is None:
            self._line = http.client.HTTPConnection("127.0.0.1", port, PATIENCE, (self._address, 0))
        return self._line

    def hang_up(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None

    # The stream

    def listen(self, port: int, screen: str) -> None:
        """Open the stream of a screen, in place of the one that was open."""
        self.sleep()
        stream = socket.create_connection(("127.0.0.1", port), PATIENCE, (self._address, 0))
        head = f"GET /stream?screen={screen} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {self._jar()}\r\n\r\n"
        stream.sendall(head.encode())
        stream.setblocking(False)
        self._stream = stream

    def sleep(self) -> None:
        """Nothing is heard any more."""
        self.hear()
        self._end_stream()
        self._kept = b""

    def _end_stream(self) -> None:
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    @property
    def ear(self) -> socket.socket | None:
        """What to wait on for news; None while it sleeps."""
        return self._stream

    def hear(self) -> None:
        """Take in what has come; each event is kept with its own number."""
        while (chunk := self._heard()) is not None:
            self._kept += chunk
        *events, self._kept = self._kept.split(b"\n\n")
        for event in events:
            if found := _EVENT.search(event):
                self.got.append(Got("stream", int(found[1]), event))

    def _heard(self) -> bytes | None:
        """The next bytes; None where there are none now, or none any more."""
        if self._stream is None:
            return None
        try:
            chunk = self._stream.recv(1 << 20)
        except BlockingIOError:
            return None
        except OSError:
            chunk = b""
        if not chunk:
            self._end_stream()
        return chunk or None

    def close(self) -> None:
        self.sleep()
        self.hang_up()
