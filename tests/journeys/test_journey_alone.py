"""One person and bots: the switch on the page is all it takes, and a whole game is played over the network."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import msgspec
import pytest

import companion.app.main
from companion.app.bots import chosen
from companion.app.main import Options, Running
from companion.core import Asked, Claim, Join, SeatId
from companion.journal import Did
from companion.library import shelf
from companion.table import Latest, Snapshot
from tests.patience import PATIENCE
from web.door import key_of

ADA = SeatId(0)
NAMES = ("Ada", "Ben", "Chloé")


class Person:
    """Somebody alone with a pretend table and a phone; everything they do goes over the network."""

    def __init__(self, running: Running, latest: Latest[Snapshot]) -> None:
        self.running, self._latest = running, latest
        self._commands = map(str, itertools.count(10_000_000))

    @property
    def now(self) -> Snapshot:
        return self.running.table.snapshot

    def until(self, is_so: Callable[[Snapshot], bool]) -> Snapshot:
        while not is_so(now := self.now):
            assert self._latest.wait(PATIENCE) is not None, f"nobody does anything at {now.decisions[-1:]}"
        return now

    def send(self, path: str, **body: Any) -> tuple[int, Any]:
        """A command from the page, or from the phone under /phone/0."""
        origin = f"http://127.0.0.1:{self.running.port}"
        headers = {"X-Companion": "1", "Content-Type": "application/json", "Origin": origin}
        headers["Cookie"] = "companion-seat-phone-0=a phone"
        with closing(HTTPConnection("127.0.0.1", self.running.port, timeout=PATIENCE)) as web:
            web.request("POST", path, json.dumps({"command": next(self._commands), **body}), headers)
            answer = web.getresponse()
            return answer.status, answer.read().decode()

    def get(self, path: str) -> str:
        with closing(HTTPConnection("127.0.0.1", self.running.port, timeout=PATIENCE)) as web:
            web.request("GET", path, headers={"Cookie": "companion-seat-phone-0=a phone"})
            return web.getresponse().read().decode()

    def takes_a_phone(self) -> None:
        assert self.running.pretend is not None
        self.running.table.ask(Asked("join", ADA, 0, Join(ADA, "Ada", "KQX")))
        self.running.pretend.press("ok", True)
        self.until(lambda now: any(each.admitted for each in now.joining))
        self.running.table.ask(Asked("claim", ADA, 0, Claim("KQX", key_of("a phone"))))

    def acts(self, now: Snapshot) -> None:
        """What a sensible person would do here, if the phone offers it."""
        intent = chosen(now.game, now.game.bot, now.view(ADA), ADA, now.seq)
        assert intent is not None
        wish = {"type": "act", "intent": msgspec.to_builtins(intent)}
        status, said = self.send("/phone/0/command", asked=now.asked[ADA], table=now.table, wish=wish)
        assert status == 200 or "C1" in said, said  # another may have been faster: look again

    def plays(self) -> Snapshot:
        """Until it is over, whenever the table waits for Ada."""
        while (now := self.until(lambda now: now.result is not None or ADA in now.awaited)).result is None:
            self.acts(now)
        return now


@pytest.fixture
def person(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Person]:
    options = Options(tmp_path, request.param, NAMES, port=0, pretend=True, thinking=0.0)
    with (
        companion.app.main.companion(options, tell=lambda _: None) as running,
        closing(running.table.latest()) as latest,
    ):
        yield Person(running, latest)


@pytest.mark.parametrize("person", sorted(shelf.games()), indirect=True)
def test_one_person_plays_a_whole_game_against_bots(person: Person) -> None:
    person.takes_a_phone()
    assert person.send("/pretend/bots", on=True)[0] == 200
    person.until(lambda now: [chair.bot for chair in now.chairs] == [False, True, True])
    over = person.plays()
    did = {over.deeds[entry.seq].intent.actor for entry in over.history if isinstance(entry.body, Did)}
    assert {0, 1, 2} <= did


@pytest.mark.parametrize("person", ["us-patent"], indirect=True)
def test_bots_play_for_all_but_the_chosen_seat_and_what_they_did_is_told(person: Person) -> None:
    first = person.now.awaited[0]
    last = SeatId((first + 2) % 3)
    person.send("/pretend/bots", on=True, hands=last)
    person.until(lambda now: [chair.bot for chair in now.chairs] == [seat != last for seat in range(3)])
    person.until(lambda now: now.awaited == (last,))
    told = person.get("/pretend").split('id="bots-told"')[1].split("</div>")[0]
    assert f"{NAMES[last]} " not in told
    assert f"{NAMES[(first + 1) % 3]} " in told
    person.send("/pretend/bots", on=False)
    person.until(lambda now: not any(chair.bot for chair in now.chairs))


@pytest.mark.parametrize("person", ["us-patent"], indirect=True)
def test_the_bar_changes_the_game_and_comes_back_to_the_one_that_was_left(person: Person) -> None:
    left = person.now
    assert person.send("/pretend/game", game="timeline")[0] == 200
    person.until(lambda now: now.game.id == "timeline")
    assert person.send("/pretend/game", game="chess")[0] == 400
    person.send("/pretend/game", game="us-patent")
    again = person.until(lambda now: now.game.id == "us-patent")
    assert (again.table, again.seq) == (left.table, left.seq)
    person.send("/pretend/game", game="us-patent")
    person.send("/pretend/speak", lang="fr")
    person.until(lambda now: now.beat > again.beat + 1)
    assert person.now.table == left.table, "the game that is played is not begun anew"
    assert "Jeu" in person.get("/pretend")
