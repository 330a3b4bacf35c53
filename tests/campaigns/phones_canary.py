"""Non-interference over every byte: what a phone is sent does not depend on what it may not know.

    python tests/campaigns/phones_canary.py [--games N] [--short] [--seed N]

Bots play every game on the shelf. For each audience two pieces are chosen that it never saw; they are swapped in every
intent, and the game is played again. If all views of that audience are equal (the pieces are alike for the rules), then
every page, sheet, stream, report and API answer must be equal too, byte for byte. Then leaks are planted in each
outlet; every one must be caught.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
from flask import Flask

from companion import offers, shelf
from companion.bots import bot_of, chosen
from companion.core import telling
from companion.core.game import Game
from companion.core.ids import PUBLIC, REFEREE, TABLE, PieceId, SeatId
from companion.core.judge import legal
from companion.core.rules import Intent
from companion.core.secrets import mask
from companion.core.telling import known_pieces
from companion.journal import Journal, WasRefused
from companion.opening import load_texts, make_setup
from companion.position import Chair
from companion.referee import Referee
from companion.snapshot import Snapshot
from web import create_app, dashboard_of, rendering, screens
from web.asking import key_of
from web.limits import Limits, Pace
from web.live import LIVE
from web.session import phone_of

HOST = "box.test"
EXTRA = 20
"""Games more where a planted leak had no chance yet: nobody held anything that could have leaked there."""
MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
NO_LIMITS = Limits({"join": Pace(10**9, 1), "post": Pace(10**9, 1), "get": Pace(10**9, 1), "seated": Pace(10**9, 1)})
NAMES = ("Ada", "Ben", "Chloé", "Dan", "Eve", "Flo")
PAGES = (
    "/",
    "/watch",
    "/seat",
    "/table",
    "/table?form=list",
    "/history",
    "/corrections",
    "/check",
    "/rules?q=A1",
    "/more",
    "/shelf",
    "/report",
    "/report.html",
    "/enrol",
    "/api/v1/view",
    "/api/v1/history",
    "/api/v1/rules",
)


class Still:
    """A table at which nothing happens any more."""

    snapshot: Snapshot

    def ask(self, *_: Any) -> Any:
        raise AssertionError("pages ask nothing")

    def subscribe(self, _fn: Any) -> Callable[[], None]:
        return lambda: None

    def away(self, _seats: Any) -> None:
        pass


class Played:
    """One game in a journal of its own."""

    def __init__(self, journal: Journal, game: Game[Any, Any], seats: int) -> None:
        self.game = game
        self.referee = Referee.begin(game, make_setup(game, seats), NAMES[:seats], "strict", journal, lambda: 0.0)
        for seat in (*range(seats), REFEREE):
            chair = Chair("Rosa" if seat == REFEREE else NAMES[seat], key_of(f"phone-{seat}"))
            self.referee.seat(SeatId(seat), chair, None)
        self.intents: list[Intent] = []

    def act(self, intent: Intent) -> bool:
        entry = self.referee.act(intent, None, on_box=False)
        self.intents.append(intent)
        return not isinstance(entry.body, WasRefused)

    def play(self, dice: random.Random, acts: int) -> None:
        bot = bot_of(self.game, dice.choice(("sensible", "random")))
        while len(self.intents) < acts and self.referee.at.result is None:
            at = self.referee.at
            seat = dice.choice(at.decisions[-1].seats)
            if seat == TABLE:
                intent: Intent | None = dice.choice(legal(self.game, at.state, TABLE))
            else:
                intent = chosen(self.game, bot, mask(at.state, seat), seat, dice.randrange(1 << 30))
            assert intent is not None
            assert self.act(intent)


def unseen(played: Played, audience: SeatId) -> list[PieceId]:
    """The pieces that this audience never saw by name."""
    seen: set[PieceId] = set()
    for state in played.referee.states.values():
        seen |= known_pieces(played.game, mask(state, audience))
    return [piece for piece in played.game.pieces(played.referee.setup.pack) if piece not in seen]


def swapped(played: Played, journal: Journal, a: PieceId, b: PieceId, audience: SeatId) -> Played | None:
    """The same game with two pieces swapped; None where the rules or the audience can tell them apart."""
    other = Played(journal, played.game, played.referee.setup.seats)
    exchange: dict[str, str] = {a: b, b: a}
    for intent in played.intents:
        raw = msgspec.to_builtins(intent)
        mapped = {k: exchange.get(v, v) if isinstance(v, str) else v for k, v in raw.items()}
        if not other.act(msgspec.convert(mapped, type(intent))):
            return None
    states = zip(played.referee.states.values(), other.referee.states.values(), strict=True)
    return other if all(mask(x, audience) == mask(y, audience) for x, y in states) else None


@cache
def dashboard_for(_game_id: str) -> tuple[Flask, Still]:
    """One dashboard for each game, as people have it: its templates are read once."""
    still = Still()
    return create_app(still, load_texts, None, (HOST,), limits=NO_LIMITS), still


def outlets(played: Played, audience: SeatId, paths: tuple[str, ...] = PAGES) -> Iterator[tuple[str, bytes]]:
    """Everything this audience can be sent: pages, sheets, streams, answers."""
    snapshot = msgspec.structs.replace(played.referee.snapshot(1), table="game")
    app, still = dashboard_for(played.game.id)
    still.snapshot = snapshot
    client = app.test_client()
    if audience != PUBLIC:
        client.set_cookie("companion-seat", f"phone-{audience}", domain=HOST)
    places = sorted({lies.place for lies in played.game.layout(snapshot.view(PUBLIC))})
    more = [f"/thing?kind=place&id={quote(place)}" for place in places]
    if audience >= 0:
        more += [f"/why?intent={quote(row.json)}" for row in offers.not_now(snapshot, audience)]
    for path in (*paths, *(more if paths is PAGES else ())):
        response = client.get(path, base_url=f"http://{HOST}")
        yield path, response.data
    dash = dashboard_of(app)
    phone = phone_of({"companion-seat": f"phone-{audience}"}, "", "", snapshot, "en")
    for screen, builder in LIVE.items() if paths is PAGES else ():
        html = rendering.fragments(dash, snapshot, phone, builder(dash, snapshot, phone, {}))
        yield f"stream {screen}", html.encode()


def refusals(played: Played, audience: SeatId) -> list[bytes]:
    """What a seat is answered when it tries what it can name; only what was refused is told."""
    view = mask(played.referee.at.state, audience)
    told: list[bytes] = []
    for verb in played.game.verbs:
        for intent in list(verb.arguments(view, audience))[:2]:
            entry = played.referee.act(intent, None, on_box=False)
            if not isinstance(entry.body, WasRefused):
                return told
            told.append(msgspec.json.encode(entry.body.refusal))
    return told


@contextlib.contextmanager
def patched(thing: Any, name: str, value: Any) -> Iterator[None]:
    real = getattr(thing, name)
    setattr(thing, name, value)
    try:
        yield
    finally:
        setattr(thing, name, real)


@contextlib.contextmanager
def views_leak() -> Iterator[None]:
    """A build that draws from the state."""
    with patched(Snapshot, "view", lambda self, _audience: self.state):
        yield


@contextlib.contextmanager
def events_leak() -> Iterator[None]:
    """A build that tells events as they are."""
    with patched(telling, "mask", lambda value, _audience: value):
        yield


@contextlib.contextmanager
def seats_leak() -> Iterator[None]:
    """A build that shows everybody the things of every seat."""
    real = screens._seat_or_public

    def leaky(snapshot: Snapshot, *rest: Any) -> Any:
        screen = real(snapshot, *rest)
        own = tuple(line for n in range(len(snapshot.chairs)) for line in snapshot.game.own(snapshot.state, SeatId(n)))
        return msgspec.structs.replace(screen, model=msgspec.structs.replace(screen.model, own=own))

    with patched(screens, "_seat_or_public", leaky):
        yield


PLANTED: tuple[tuple[str, Callable[[], Any], str], ...] = (
    ("the drawn table", views_leak, "/table"),
    ("the listed table", views_leak, "/table?form=list"),
    ("the API's view", views_leak, "/api/v1/view"),
    ("the history", events_leak, "/history"),
    ("the API's history", events_leak, "/api/v1/history"),
    ("the report", events_leak, "/report"),
    ("the saved report", events_leak, "/report.html"),
    ("what everybody watches", seats_leak, "/watch"),
)


class Campaign:
    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.games = self.pairs = self.bytes = 0
        self.pairs_of: Counter[str] = Counter()
        self.leaks: list[str] = []
        self.caught: set[str] = set()

    def game(self, game_id: str) -> None:
        game = shelf.open(game_id)
        with tempfile.TemporaryDirectory(dir=MEMORY) as folder, Journal.open(Path(folder) / "games.journal") as journal:
            seats = self.dice.randint(game.seats[0], min(game.seats[1], 4))
            played = Played(journal, game, seats)
            played.play(self.dice, self.dice.randint(5, 120))
            # Two of those who look on: over many games everybody's turn comes, and games are worth more than phones.
            for audience in (self.dice.randrange(seats), PUBLIC):
                self._compare(journal, played, SeatId(audience))
        self.games += 1

    def _compare(self, journal: Journal, played: Played, audience: SeatId) -> None:
        hidden = unseen(played, audience)
        moved = {str(v) for i in played.intents for v in msgspec.to_builtins(i).values()}
        acted = [piece for piece in hidden if piece in moved]
        for _ in range(6):
            if len(hidden) < 2 or not acted:
                return
            a = self.dice.choice(acted)
            b = self.dice.choice([piece for piece in hidden if piece != a])
            other = swapped(played, journal, a, b, audience)
            if other is not None:
                break
        else:
            return
        self.pairs += 1
        self.pairs_of[played.game.id] += 1
        ones, twos = list(outlets(played, audience)), list(outlets(other, audience))
        for (path, one), (_, two) in zip(ones, twos, strict=True):
            self.bytes += len(one)
            if one != two:
                self.leaks.append(f"{played.game.id}: {path} tells {audience} about {a} or {b}")
        self._plant(played, other, audience)
        same = swapped(played, journal, a, a, audience)
        assert same is not None
        if audience >= 0 and refusals(same, audience) != refusals(other, audience):
            self.leaks.append(f"{played.game.id}: a refusal tells {audience} about {a} or {b}")

    def _plant(self, played: Played, other: Played, audience: SeatId) -> None:
        for name, leak, path in PLANTED:
            if name in self.caught:
                continue
            with leak():
                one, two = (next(outlets(game, audience, (path,)))[1] for game in (played, other))
            if one != two:
                self.caught.add(name)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--short", action="store_true", help="few games")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60.0, help="end after so long, whatever was reached")
    options = parser.parse_args()
    campaign = Campaign(options.seed)
    ids = shelf.games()
    games = max(6, len(ids)) if options.short else options.games
    until = time.monotonic() + 60 * options.minutes
    while campaign.games < games + (0 if len(campaign.caught) == len(PLANTED) else EXTRA) and time.monotonic() < until:
        campaign.game(ids[campaign.games % len(ids)])
        print(f"\r{campaign.games} games, {campaign.pairs} pairs", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    missed = [name for name, _, _ in PLANTED if name not in campaign.caught]
    print(
        f"{campaign.games} games, {campaign.pairs} swapped pairs, {campaign.bytes / 1e6:.0f} MB compared: "
        f"{len(campaign.leaks)} leaks. Pairs of each game: {dict(campaign.pairs_of)}. "
        f"Planted leaks caught: {len(campaign.caught)} of {len(PLANTED)}."
    )
    for line in (*campaign.leaks[:10], *(f"NOT CAUGHT: {name}" for name in missed)):
        print(line)
    return 1 if campaign.leaks or missed or not campaign.pairs else 0


if __name__ == "__main__":
    sys.exit(main())
