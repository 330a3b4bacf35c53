"""A tap while one phone sends photos, fifty at once and again half a second later, against the same tap without
them.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path

import pytest

from companion.app.opening import load_texts, make_setup
from companion.box.stack import Box
from companion.core import Asked, SeatId, SitElsewhere
from companion.journal import Journal
from companion.library import Tagbook, shelf
from companion.phones.photo.darkroom import Darkroom
from companion.table import Chair, Desk, Referee, Table
from companion.table.wishes import Done
from tests.bench.quiet import within
from tests.printed import Card, Eye, photograph
from web import create_app
from web.door import key_of
from web.live.server import WebServer

SLICES, TAPS, BETWEEN = 3, 25, 0.02
LIMIT = 1.3
AT_ONCE = 50

FLOOD = """
import http.client, sys, threading, time
port, photo, seconds = int(sys.argv[1]), open(sys.argv[2], "rb").read(), float(sys.argv[3])
until, counts, lock = time.monotonic() + seconds, {}, threading.Lock()
def send(n):
    at = 0
    while time.monotonic() < until:
        at += 1
        link = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        try:
            link.request("POST", f"/photo?command=flood-{n}-{at:04}", photo, {
                "Host": f"127.0.0.1:{port}", "Origin": f"http://127.0.0.1:{port}", "X-Companion": "1",
                "Content-Type": "image/jpeg", "Cookie": "companion-seat=phone-1"})
            status = link.getresponse().status
        except OSError:
            status = 0
        with lock:
            counts[status] = counts.get(status, 0) + 1
        link.close()
        time.sleep(0.5)
threads = [threading.Thread(target=send, args=(n,)) for n in range(int(sys.argv[4]))]
print("begun", flush=True)
[t.start() for t in threads]
[t.join() for t in threads]
print(counts)
"""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    game = shelf.open("actionworks")
    with Journal.open(tmp_path / "games.journal") as journal:
        referee = Referee.begin(game, make_setup(game, 2), ("Ada", "Ben"), "strict", journal, time.time)
        for seat, name in enumerate(("Ada", "Ben")):
            referee.seat(SeatId(seat), Chair(name, key_of(f"phone-{seat}")), None)
        table = Table(Desk(referee, Tagbook(), Box()))
        table.start()
        yield table
        table.stop()


_COMMANDS = count()


def taps(table: Table) -> list[float]:
    """How long some wishes took from the inbox to the synced entry."""
    took = []
    for n in range(TAPS):
        threading.Event().wait(BETWEEN)
        began = time.perf_counter()
        answer = table.ask(Asked(f"command-{next(_COMMANDS)}", SeatId(0), 0, SitElsewhere(n % 2 == 0)))
        took.append(time.perf_counter() - began)
        assert isinstance(answer, Done)
    return took


def measured(table: Table, port: int, photo: Path, capsys: pytest.CaptureFixture[str]) -> float:
    """How many times longer a tap takes while photos come."""
    quiet: list[float] = []
    loud: list[float] = []
    command = (sys.executable, "-c", FLOOD, str(port), str(photo), str(TAPS * BETWEEN + 1.0), str(AT_ONCE))
    answers = ""
    for _ in range(SLICES):
        quiet += taps(table)
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as flood:
            assert flood.stdout is not None
            assert flood.stdout.readline() == "begun\n"
            loud += taps(table)
            answers = flood.stdout.read().strip()
    alone, beside = (1000 * statistics.median(each) for each in (quiet, loud))
    with capsys.disabled():
        print(
            f"\na tap {alone:.2f} ms, while photos come {beside:.2f} ms: {beside / alone:.2f} times; answers {answers}"
        )
    return beside / alone


@pytest.mark.slow  # in `./test bench` alone
def test_fifty_photos_at_once_do_not_slow_the_table(
    table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(photograph([Card("794722", 0, 0)], Eye(px=120)).jpeg)
    with ExitStack() as stack:
        photos = stack.enter_context(closing(Darkroom()))
        app = create_app(table, load_texts, None, ("127.0.0.1",), photos=photos)
        server = stack.enter_context(WebServer(app, "127.0.0.1"))
        within(LIMIT, lambda: measured(table, server.port, photo, capsys))
