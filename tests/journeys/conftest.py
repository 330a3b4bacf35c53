"""The whole program on the pretend table: real frames over a real pty, real journal, real web server."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest

import companion.app.main
from companion.app.main import Options, Running
from companion.core import Asked, Button, Claim, Intent, Join, PieceId, ReaderId, SeatId
from companion.journal import Entry
from companion.library import PieceTag, pretend_uid
from companion.table import Snapshot
from tests.patience import PATIENCE, hear_out_slow_devices, laid, until
from web.door import key_of

LEFT = ReaderId("left")


class Room:
    """A table with people: each act waits until the table has shown something newer."""

    def __init__(self, running: Running) -> None:
        assert running.pretend is not None
        self.running, self.table, self.box = running, running.table, running.pretend
        self._latest = self.table.latest()
        self._commands = iter(range(10_000_000, 20_000_000))

    @property
    def now(self) -> Snapshot:
        return self.table.snapshot

    def _after(self, act: Callable[[], None]) -> Snapshot:
        self._latest.wait(0)
        act()
        newer = self._latest.wait(PATIENCE)
        assert newer is not None, "the table showed nothing new"
        return newer

    def until(self, is_so: Callable[[Snapshot], bool]) -> Snapshot:
        """What the table shows as soon as this is so, whatever it shows before."""
        return until(self.table, is_so)

    def tap(self, piece: str) -> Snapshot:
        """Leave it until the box answers: lifting it on other news could be faster than the reader."""
        uid, before = pretend_uid(PieceTag(self.now.game.id, PieceId(piece))), self.now
        shown = laid(self.table, self.box, uid, LEFT, lambda now: (now.seq, now.page) != (before.seq, before.page))
        self.box.lift(uid)
        return shown

    def press(self, button: Button, held: bool = False) -> Snapshot:
        return self._after(lambda: self.box.press(button, held))

    def seat_phone(self, seat: int) -> None:
        """Give a seat to a phone that holds the secret `phone-<seat>`."""
        self.table.ask(Asked(f"join-{seat}", SeatId(seat), 0, Join(SeatId(seat), self.now.chairs[seat].name, "KQX")))
        self.press("ok", held=True)
        self.table.ask(Asked(f"claim-{seat}", SeatId(seat), 0, Claim("KQX", key_of(f"phone-{seat}"))))
        self._latest.wait(0)

    def phone(self, seat: int, intent: Intent, lang: str = "en") -> tuple[int, str]:
        """Send an act from a seat's phone through the web server; returns status and answer."""
        wish = {"type": "act", "intent": msgspec.to_builtins(intent)}
        body = {"command": str(next(self._commands)), "asked": self.now.asked[seat], "wish": wish}
        return self.get(f"/phone/{seat}/command", seat, lang, body)

    def get(self, path: str, seat: int, lang: str = "en", body: Any = None) -> tuple[int, str]:
        port = self.running.port
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        cookies = f"companion-seat-phone-{seat}=phone-{seat}; companion-lang-phone-{seat}={lang}"
        headers = {"Cookie": cookies}
        if body is not None:
            origin = f"http://127.0.0.1:{port}"
            headers |= {"X-Companion": "1", "Content-Type": "application/json", "Origin": origin}
        connection.request("POST" if body is not None else "GET", path, json.dumps(body) if body else None, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(self.now.history)


@pytest.fixture
def open_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Room]]:
    """Opens a room with its own table, whose virtual deck always turns up the first possible card."""
    monkeypatch.setattr(companion.app.main, "pick_by_weight", lambda candidates, _weights: candidates[0])
    hear_out_slow_devices(monkeypatch)
    with ExitStack() as stack:

        def open_one(name: str = "room", settings: str = "", seats: tuple[str, ...] = ("Ada", "Ben")) -> Room:
            data = tmp_path / name
            data.mkdir(exist_ok=True)
            (data / "settings.toml").write_text(f'hardware = "pretend"\n{settings}')
            options = Options(data, "actionworks", seats, port=0)
            return Room(stack.enter_context(companion.app.main.companion(options, tell=lambda _line: None)))

        yield open_one


@pytest.fixture
def room(open_room: Callable[..., Room]) -> Room:
    return open_room()
