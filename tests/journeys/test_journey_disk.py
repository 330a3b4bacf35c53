"""The box's card fills up while people play: everybody is told why, and nothing is lost."""

from __future__ import annotations

import http.client
import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import msgspec
import pytest

import companion.app.main
from companion.app.main import Options, Running
from companion.app.opening import load_texts
from companion.core import Act, Asked, SeatId, legal
from companion.journal import JOURNAL, Journal
from companion.library import LANGS, Speaker
from companion.table import No
from companion.table.wishes import Done
from tests.patience import PATIENCE


@pytest.fixture
def card(tmp_path: Path) -> Iterator[Path]:
    """A small card of its own."""
    at = tmp_path / "card"
    at.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(at)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("mounting a small card needs root")
    yield at
    subprocess.run(["umount", "-l", at], check=True)


def fill(card: Path) -> None:
    with (card / "photos").open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"x" * 4096)


class Evening:
    """Somebody who acts by phone, and somebody who only looks at a page."""

    def __init__(self, running: Running) -> None:
        self.running, self.table = running, running.table
        self.acts = 0

    def act(self) -> Done | No:
        scene = self.table.snapshot
        seat = scene.awaited[0]
        intent = legal(scene.game, scene.state, SeatId(seat))[0]
        self.acts += 1
        raw = msgspec.Raw(msgspec.json.encode(intent))
        return self.table.ask(Asked(f"act-{self.acts}", SeatId(seat), scene.asked[seat], Act(raw)))

    def page(self) -> str:
        connection = http.client.HTTPConnection("127.0.0.1", self.running.port, timeout=PATIENCE)
        try:
            connection.request("GET", "/")
            return connection.getresponse().read().decode()
        finally:
            connection.close()

    def screen(self) -> bytes:
        assert self.running.pretend is not None
        return self.running.pretend.screen()

    def wait_until(self, is_so: Callable[[], bool]) -> None:
        """The display is drawn by its own thread, after the answer was sent."""
        assert self.running.pretend is not None
        shown = threading.Event()
        with ExitStack() as stack:
            stack.callback(self.running.pretend.watch(shown.set))
            while not is_so():
                assert shown.wait(PATIENCE)
                shown.clear()

    def told(self, key: str) -> bool:
        """Whether phones show the reason and its cure; the display shows the same for a while."""
        said = next((said for said in self.table.snapshot.troubles if said.key == key), None)
        if said is None:
            return False
        speaker = Speaker(load_texts(self.table.snapshot.game), LANGS[0])
        page = self.page()
        return speaker.say(said) in page and speaker.say(said, "hands") in page


def test_a_full_card_pauses_the_game_with_a_reason_and_it_goes_on_when_there_is_room(card: Path) -> None:
    key = "trouble.journal-full"
    with companion.app.main.companion(
        Options(card, "actionworks", port=0, pretend=True), tell=lambda _: None
    ) as running:
        evening = Evening(running)
        assert isinstance(evening.act(), Done)
        before, shown = evening.screen(), evening.table.snapshot.seq
        fill(card)
        answer = evening.act()
        while isinstance(answer, Done):  # the journal's own space still has a little room
            shown = answer.seq
            answer = evening.act()
        assert answer.refusal.rule == "C2"
        assert evening.told(key)
        evening.wait_until(lambda: evening.screen() != before)
        assert evening.table.snapshot.seq == shown
        (card / "photos").unlink()
        assert isinstance(evening.act(), Done)
        assert not evening.told(key)
        last = evening.table.snapshot.seq
    with Journal.open(card / JOURNAL) as journal:
        (row,) = journal.games()
        assert [entry.seq for entry in journal.entries(row.table)] == list(range(1, last + 1))
        assert journal.verify(row.table) == ()
