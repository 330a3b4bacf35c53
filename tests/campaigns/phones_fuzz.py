"""Requests nobody should send, by the ten thousand: nothing breaks, and strangers change nothing.

    python tests/campaigns/phones_fuzz.py [--requests N] [--short] [--seed N]

At every game on the shelf: every route, with methods, headers, cookies, queries and bodies bent at random. No answer
may be a 500; what comes without a seat, with a wrong Host, Origin, header or type, or by another method than POST
changes nothing at all (a stranger may ask for a seat, and that shows on the display). Another site's script reads
nothing, and no cookie that something else on the machine has set makes a seat a spectator. The controls are a build
whose guard lets everything through, and one that reads cookies as the usual libraries do.
"""

from __future__ import annotations

import argparse
import json
import logging
import random
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookies import SimpleCookie
from pathlib import Path
from types import ModuleType
from typing import Any

from flask import Flask

from companion.app.opening import load_texts, make_setup
from companion.box import Box
from companion.core import GameId, SeatId
from companion.journal import Journal
from companion.library import Tagbook
from companion.library.shelf import games
from companion.library.shelf import open as open_game
from companion.phones import offers
from companion.table import Chair, Desk, Referee, Table, pick_by_weight
from tests.patience import PATIENCE
from web import create_app
from web.door import Limits, guard, key_of
from web.door.limits import Pace
from web.screen import visit

HOST = "box.test"
MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
NO_LIMITS = Limits({"join": Pace(10**9, 1), "post": Pace(10**9, 1), "get": Pace(10**9, 1), "seated": Pace(10**9, 1)})
ODD = (
    "",
    "\x00",
    "é",
    "\u202e",
    "../..",
    "%00",
    "9" * 40,
    "-1",
    "1e400",
    "null",
    "{}",
    "[]",
    "'",
    '"><script>',
    "a" * 99,
)
QUERIES = ("intent", "entry", "form", "seat", "q", "token", "kind", "id", "game", "after", "screen", "verb", "about")
FIELDS = ("asked", "wish", "seat", "name", "uid", "piece", "token", "game", "names", "lang", "theme", "mode", "options")
VALUES: tuple[Any, ...] = (*ODD, 0, 1, -1, [], {}, ["Ada", "Ben"], "en", "auto")
HEADERS = {"X-Companion": "1", "Origin": f"http://{HOST}", "Content-Type": "application/json"}
WRONG = (
    {"Host": "evil.test"},
    {"Host": ""},
    {"Origin": "http://evil.test"},
    {"Origin": "null"},
    {"X-Companion": "2"},
    {"Content-Type": "text/plain"},
    {"Content-Type": "application/x-www-form-urlencoded"},
)


FOREIGN = (
    "",
    'theme={"a":1}',
    'a="',
    'b="x; y"',
    "=",
    ";;",
    "x",
    "caf\xe9=\xff",
    "[1,2]=(3)",
    "n=" + "9" * 3000,
    "companion-lang=xx",
    "companion-theme=\x00",
)
"""What else a browser may send to this machine."""


class Campaign:
    def __init__(self, app: Flask, table: Table, seed: int) -> None:
        self.app, self.table, self.dice = app, table, random.Random(seed)
        routes = sorted({rule.rule for rule in app.url_map.iter_rules()})
        self.paths = [*routes, "/stream", "/no/such", "//", "/static/x"]
        self.problems: list[str] = []
        self.counts: Counter[int] = Counter()
        self.client = app.test_client(use_cookies=False)

    def run(self, requests: int, until_problem: bool = False) -> None:
        for n in range(requests):
            if until_problem and self.problems:
                break
            seated, changing = self.dice.random() < 0.5, self.dice.random() < 0.3
            self._send(seated, self.dice.choice(("/command", "/api/v1/commands") if changing else self.paths))
            if n % 10 == 0:
                self._look()
            if n % 500 == 0:
                print(f"\r{self.table.snapshot.game.id}: {n} requests", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)

    def _cookies(self, seated: bool) -> str:
        """Ada's own among those of others, in any order; or none of hers."""
        found = [self.dice.choice(FOREIGN) for _ in range(self.dice.randrange(4))]
        found += ["companion-seat=phone-0"] if seated else []
        self.dice.shuffle(found)
        return "; ".join(found)

    def _look(self) -> None:
        """Ada's seat is hers whatever else her browser keeps, and nobody else's script sees it."""
        cookies = self._cookies(seated=True)
        for origin, status in (({}, 200), ({"Origin": f"http://{HOST}:81"}, 403)):
            headers = {"Cookie": cookies, **origin}
            response = self.client.get("/corrections", base_url=f"http://{HOST}", headers=headers)
            knows = b"Ada \xc2\xb7 #" in response.data or self.table.snapshot.chairs[0].key == ""
            if response.status_code != status or (status == 200) > knows:
                self.problems.append(f"not her seat: {response.status_code} {headers}")

    def _send(self, seated: bool, path: str) -> None:
        method = self.dice.choice(("GET", "POST", "POST", "POST", "HEAD", "PUT", "DELETE", "OPTIONS"))
        wrong = self.dice.choice(WRONG) if self.dice.random() < 0.4 else {}
        headers = {**HEADERS, **wrong, "Accept-Language": self.dice.choice(("fr", "en", *ODD[2:3]))}
        may_change = seated and method == "POST" and not wrong
        before = self._state()
        query = {self._key(): self._word() for _ in range(self.dice.randrange(3))}
        body = self._body()
        headers["Cookie"] = self._cookies(seated)
        response = self.client.open(
            path, method=method, base_url=f"http://{HOST}", headers=headers, query_string=query, data=body
        )
        self.counts[response.status_code] += 1
        said = f"{method} {path} {query} {wrong} {body[:200]!r}"
        if response.status_code >= 500:
            self.problems.append(f"{response.status_code}: {said}")
        if not may_change and self._state() != before:
            self.problems.append(f"changed something: {said}")

    def _state(self) -> tuple[Any, ...]:
        snapshot = self.table.snapshot
        return snapshot.table, snapshot.seq, snapshot.chairs, snapshot.referee

    def _key(self) -> str:
        return self.dice.choice(QUERIES)

    def _word(self) -> str:
        return self.dice.choice((*ODD, "1", "place", "piece", "actionworks", "list", json.dumps(self._intent())))

    def _intent(self) -> Any:
        game = self.table.snapshot.game
        verb = self.dice.choice([verb.name for verb in (*game.verbs, *game.corrections)])
        card = self.dice.choice(self.table.snapshot.game.pieces(self.table.snapshot.state.setup.pack))
        return {"verb": verb, "actor": self.dice.choice((0, 1, -1, -2, 99)), "card": card, "seat": 1, "number": 3}

    def _legal(self) -> Any:
        groups = offers.may(self.table.snapshot.seen_by(SeatId(0)))
        return json.loads(self.dice.choice(groups).offers[0].json) if groups else self._intent()

    def _body(self) -> bytes:
        wish: Any = self.dice.choice(
            (
                {"type": "act", "intent": self._intent()},
                {"type": "take-back", "to": self.dice.randrange(-3, 40)},
                {"type": "skip", "seat": self.dice.randrange(-3, 9)},
                {"type": "let-bot", "on": False, "seat": self.dice.randrange(-3, 9)},
                {"type": "let-bot", "on": False},
                {"type": "act", "intent": self._legal()},
                {"type": "leave", "seat": self.dice.choice((1, 7, -2, 10**30))},
                {"type": "join", "seat": 0, "name": "x", "code": "BCD"},
                {"type": "hand-over", "name": "x", "key": "y"},
            )
        )
        body: dict[str, Any] = {"command": f"fuzz{self.dice.getrandbits(64):016x}"}
        for key in self.dice.sample(FIELDS, 4):
            body[key] = wish if key == "wish" else self.dice.choice(VALUES)
        if self.dice.random() < 0.3:
            body = {"command": body["command"], "asked": self.table.snapshot.asked[0], "wish": wish}
        text = json.dumps(body).encode()
        if self.dice.random() < 0.2:
            at = self.dice.randrange(len(text))
            text = text[:at] + self.dice.randbytes(self.dice.randrange(4)) + text[at + 1 :]
        return text * (300 if self.dice.random() < 0.005 else 1)


def opened(folder: str, game_id: GameId) -> tuple[Journal, Table, Flask]:
    journal = Journal.open(Path(folder) / "games.journal")
    game = open_game(game_id)
    referee = Referee.begin(game, make_setup(game, 3), ("Ada", "Ben", "Chloé"), "strict", journal, lambda: 0.0)
    referee.seat(SeatId(0), Chair("Ada", key_of("phone-0")), None)
    table = Table(Desk(referee, Tagbook(), Box(), pick_by_weight))
    published = threading.Event()
    table.subscribe(lambda _: published.set())
    table.start()
    published.wait(PATIENCE)
    return journal, table, create_app(table, load_texts, None, (HOST,), tagbook=Tagbook(), limits=NO_LIMITS)


def fuzzed(game_id: GameId, seed: int, requests: int, until_problem: bool = False) -> Campaign:
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        journal, table, app = opened(folder, game_id)
        campaign = Campaign(app, table, seed)
        campaign.run(requests, until_problem)
        table.stop()
        journal.close()
    return campaign


@contextmanager
def with_other(module: ModuleType, name: str, part: Any) -> Iterator[None]:
    """A build with one part replaced; campaigns must notice."""
    real = getattr(module, name)
    setattr(module, name, part)
    yield
    setattr(module, name, real)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--short", action="store_true", help="1,500 requests")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    each = -(-(1500 if options.short else options.requests) // len(games()))
    campaigns = [fuzzed(game, options.seed, each) for game in games()]
    with with_other(guard, "_guard_change", lambda: None):
        unguarded = fuzzed(games()[0], options.seed, 10_000, until_problem=True)
    with with_other(visit, "cookies_of", lambda header: {name: c.value for name, c in SimpleCookie(header).items()}):
        misread = fuzzed(games()[0], options.seed, 10_000, until_problem=True)
    codes = sum((campaign.counts for campaign in campaigns), Counter[int]())
    problems = [problem for campaign in campaigns for problem in campaign.problems]
    caught = any("changed" in problem for problem in unguarded.problems) and bool(misread.problems)
    print(
        f"{codes.total()} requests at {len(campaigns)} games, answers {dict(sorted(codes.items()))}: "
        f"{len(problems)} problems. Controls (no guard, other cookies): {'caught' if caught else 'NOT CAUGHT'}."
    )
    for line in problems[:10]:
        print(line)
    return 1 if problems or not caught else 0


if __name__ == "__main__":
    sys.exit(main())
