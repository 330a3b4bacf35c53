"""A club night on which everything is killed: hub, broker and network, while tables play.

    python tests/campaigns/club_hub.py [--short] [--hub N] [--broker N] [--cuts N] [--tables N] [--seed N]
    python tests/campaigns/club_hub.py --namespace [...]
    python tests/campaigns/club_hub.py --growth

The hub is `companion hub` in a process of its own, with a real Mosquitto; the tables are the product's own publishers,
with bots that play. After each blow the hub must come to show every table as that table shows itself, and have each
result once. Two controls must be found to lose results: a hub that says it has kept what it has not, and a table that
says a result only once.
With `--namespace` the hub is on a machine of its own, as the kernel pretends it, and a cut pulls the cable between:
for a moment, or until both sides have given each other up.
`--growth` measures memory, wall and page for 10, 100 and 500 tables.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import io
import os
import random
import re
import resource
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
from msgspec.structs import replace

from companion.app.service import rest_the_collector
from companion.library import play_id
from companion.table.outside import Moment, Seen
from tests.campaigns._namespace import FAR, Namespace, why_not
from tests.campaigns.phones_canary import Played
from tests.web.club.evening import GAMES, play, played, public
from tests.web.club.mosquitto import free_port
from tests.web.hub.club import Club, full_house
from web.club import GameOver, Kept, Paired
from web.club.broker import KEEPALIVE
from web.club.membership import Membership
from web.club.outbox import Outbox
from web.club.publisher import Publisher

PATIENCE = 90.0
PAUSE = threading.Event()


def until(what: Callable[[], bool], why: Callable[[], str], patience: float = PATIENCE) -> None:
    end = time.monotonic() + patience
    while not what():
        if time.monotonic() > end:
            raise SystemExit(f"FAILED: {why()}")
        PAUSE.wait(0.2)


class HubProcess:
    """`companion hub`, restarted again and again on the same folder and ports."""

    def __init__(
        self, folder: Path, *, forgets: bool = False, host: str = "127.0.0.1", within: tuple[str, ...] = ()
    ) -> None:
        self.folder, self.forgets, self.host, self._within = folder, forgets, host, within
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "hub.toml").write_text(f'hosts = ["{host}"]\n')
        self.port, self.broker_port = free_port(), free_port()
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        asked = ["hub", "--data", str(self.folder), "--port", str(self.port), "--broker-port", str(self.broker_port)]
        how = [__file__, "--as-hub-that-forgets"] if self.forgets else ["-m", "companion.app.cli"]
        log = self.folder.parent / "hub.log"
        with log.open("wb") as out:
            self.process = subprocess.Popen([*self._within, sys.executable, *how, *asked], stdout=out, stderr=out)
        until(lambda: self.get("/alive") is not None, lambda: f"the hub does not start:\n{log.read_text()[-4000:]}")

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait(30)

    def kill_broker(self) -> None:
        os.kill(int((self.folder / "broker" / "mosquitto.pid").read_text()), signal.SIGKILL)

    def get(self, path: str, cookie: str = "") -> str | None:
        asked = urllib.request.Request(f"http://{self.host}:{self.port}{path}", headers={"Cookie": cookie})
        try:
            with urllib.request.urlopen(asked, timeout=10) as response:
                return str(response.read().decode())
        except (OSError, urllib.error.URLError):
            return None

    def pair(self, name: str) -> Paired:
        """As a box does it, with the code from the host's page."""
        key = (self.folder / "broker" / "host.key").read_text()
        page = self.get("/host", f"companion-host={key}") or ""
        code = "".join(re.findall(r'pair-code">(\w{4})-(\w{4})<', page)[0])
        origin = f"http://{self.host}:{self.port}"
        headers = {"X-Companion": "1", "Origin": origin, "Content-Type": "application/json"}
        body = msgspec.json.encode({"code": code, "name": name})
        asked = urllib.request.Request(f"{origin}/pair", body, headers)
        with urllib.request.urlopen(asked, timeout=30) as response:
            return msgspec.json.decode(response.read(), type=Paired)


class Wire:
    """The network between tables and broker: it carries bytes until it is cut, and then nothing arrives."""

    def __init__(self, to: int) -> None:
        self._to, self._cut = to, threading.Event()
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        self._cut.set()

    def mend(self) -> None:
        """Old connections are dead, like those of a box that was out of reach."""
        pairs, self._pairs = self._pairs, []
        self._cut.clear()
        for end in (end for pair in pairs for end in pair):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _accept(self) -> None:
        while True:
            near, _ = self._listening.accept()
            try:
                far = socket.create_connection(("127.0.0.1", self._to), 5)
            except OSError:
                near.close()
                continue
            self._pairs.append((near, far))
            threading.Thread(target=self._carry, args=(near, far), daemon=True).start()

    def _carry(self, near: socket.socket, far: socket.socket) -> None:
        ends = {near: far, far: near}
        with contextlib.suppress(OSError, ValueError):
            while True:
                for end in select.select(list(ends), [], [], 0.2)[0]:
                    some = b"" if self._cut.is_set() and PAUSE.wait(0.2) else end.recv(65536)
                    if self._cut.is_set():
                        continue
                    if not some:
                        raise OSError
                    ends[end].sendall(some)
        for end in ends:
            end.close()


class Cable:
    """A kernel network: the hub is a separate machine, and connections may survive a cut."""

    def __init__(self, to: int, namespace: Namespace, dice: random.Random) -> None:
        self.port, self._namespace, self._dice = to, namespace, dice

    def cut(self) -> None:
        self._namespace.cut()

    def mend(self) -> None:
        """At once, or when broker and tables have each given up on the other."""
        PAUSE.wait(self._dice.choice((0.5, 5.0, 2.0 * KEEPALIVE)))
        self._namespace.mend()


class SaysOnce(Outbox):
    """Sends each result once and never again, like a table without an outbox."""

    def waiting(self) -> tuple[GameOver, ...]:
        waiting = super().waiting()
        for over in waiting:
            self.kept(Kept(over.id, over.seq))
        return waiting


class Table:
    """One table: bots that play, and the product's publisher."""

    def __init__(self, folder: Path, number: int, paired: Paired, seed: int, outbox: type[Outbox]) -> None:
        self.id, self.place, self.name = paired.table, number, f"Oak {number}"
        self._folder, self._dice, self._number = folder, random.Random(seed + number), 0
        self._follow: list[Callable[[Moment], None]] = []
        self.finished: set[str] = set()
        self._games = contextlib.ExitStack()
        self._sit()
        self._outbox = outbox(folder / f"outbox-{number}")
        self.publisher = Publisher(Membership(paired, self.name), "1.0", self._outbox)
        self.publisher.start(self, self.seen)

    def _sit(self) -> None:
        game = "actionworks" if self.place == 1 else GAMES[self.place % len(GAMES)]
        self._number += 1
        self._games.close()
        folder = self._folder / self.name / str(self._number)
        self.evening: Played = self._games.enter_context(played(folder, game, 5, seed=self._number))

    def follow(self, fn: Callable[[Moment], None]) -> Callable[[], None]:
        self._follow.append(fn)
        return self._follow.clear

    def acts(self, most: int) -> None:
        play(self.evening, self._dice, most)
        seen = self.seen
        if seen.result is not None:
            self.finished.add(play_id(seen.table, seen.past.told()[0].at))
        for fn in self._follow:
            fn(Moment(seen, lambda _seat: seen))

    def next_game(self) -> None:
        """At once, sooner than people can: the publisher may not have looked since the last one ended."""
        self._sit()
        self.acts(0)

    def close(self) -> None:
        self.publisher.close()
        self._games.close()

    @property
    def seen(self) -> Seen:
        """Each game has its own id, as in a journal."""
        return replace(public(self.evening), table=f"{self.id}-{self._number}")


def shows(club: Club, seen: Seen) -> str:
    """How a hub that has heard everything draws it: the same code, without a broker in between."""
    club.comes("t-0000", "Oak")
    club.shows("t-0000", seen)
    return club.html("/mini/t-0000")


class Night:
    def __init__(
        self,
        folder: Path,
        tables: int,
        seed: int,
        outbox: type[Outbox] = Outbox,
        *,
        forgets: bool = False,
        namespace: Namespace | None = None,
    ) -> None:
        host, within = ("127.0.0.1", ()) if namespace is None else (FAR, namespace.within())
        self.hub = HubProcess(folder / "hub", forgets=forgets, host=host, within=within)
        self.hub.start()
        port = self.hub.broker_port
        self.wire = Wire(port) if namespace is None else Cable(port, namespace, random.Random(seed))
        self.own = Club(folder)
        self.tables = [
            Table(folder, n, replace(self.hub.pair(f"Oak {n}"), host=host, port=self.wire.port), seed, outbox)
            for n in range(1, tables + 1)
        ]

    def everybody_acts(self, most: int = 3) -> None:
        for table in self.tables:
            if table.seen.result is not None:
                table.next_game()
            table.acts(5000 if table.place == 1 else most)  # one of them ends a game between any two blows

    def agree(self) -> None:
        """Until the hub shows every table as it is; a table shown wrongly after that is a failure."""
        for table in self.tables:
            self._agrees(table)

    def _agrees(self, table: Table) -> None:
        wanted = shows(self.own, table.seen)
        until(
            lambda: self.hub.get(f"/mini/{table.id}") == wanted,
            lambda: f"{table.name} is shown wrong; between it and its broker: {table.publisher.status}",
        )

    def results(self, patience: float = PATIENCE) -> tuple[int, int]:
        """Lost and doubled."""
        wanted = {each for table in self.tables for each in table.finished}
        with contextlib.suppress(SystemExit):
            until(lambda: wanted <= {play for play, _ in self._kept()}, str, patience)
        kept = self._kept()
        return len(wanted - {play for play, _ in kept}), len(kept) - len(set(kept))

    def _kept(self) -> list[tuple[str, str]]:
        """Every play with each of its players; several may have won."""
        rows = csv.DictReader(io.StringIO(self.hub.get("/plays.csv") or ""))
        return [(row["play"], row["player"]) for row in rows]

    def end(self) -> None:
        for table in self.tables:
            table.close()
        self.own.close()
        self.hub.stop()


def blows(options: argparse.Namespace, dice: random.Random) -> Iterator[str]:
    all_of_them = ["hub"] * options.hub + ["broker"] * options.broker + ["cut"] * options.cuts
    dice.shuffle(all_of_them)
    yield from all_of_them


def strike(night: Night, blow: str) -> None:
    """The blow falls while everybody plays on."""
    if blow == "cut":
        night.wire.cut()
        night.everybody_acts()
        night.wire.mend()
    elif blow == "broker":
        night.hub.kill_broker()
        night.everybody_acts()
    else:
        night.hub.kill()
        night.everybody_acts()
        night.hub.start()


@contextlib.contextmanager
def machines(options: argparse.Namespace) -> Iterator[Namespace | None]:
    """The hub's own machine, if one was requested."""
    if not options.namespace:
        yield None
        return
    if why := why_not():
        raise SystemExit(f"SKIPPED: no network namespace can be made here: {why}")
    namespace = Namespace()
    namespace.open()
    try:
        yield namespace
    finally:
        namespace.close()


def run(options: argparse.Namespace) -> None:
    dice = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder, machines(options) as namespace:
        night = Night(Path(folder), options.tables, options.seed, namespace=namespace)
        try:
            night.agree()
            for number, blow in enumerate(blows(options, dice), 1):
                night.everybody_acts()
                strike(night, blow)
                night.agree()
                if not options.short:
                    print(f"{number}: {blow}, all tables shown as they are", flush=True)
            lost, doubled = night.results()
        finally:
            night.end()
        ended = sum(len(table.finished) for table in night.tables)
    told = f"{options.hub} hubs and {options.broker} brokers killed, {options.cuts} cuts: 0 wrong views"
    print(f"{told}; of {ended} results {lost} lost, {doubled} doubled")
    if lost or doubled or not ended:
        raise SystemExit("FAILED: every result has to be kept once")


def control(options: argparse.Namespace) -> None:
    """A hub that keeps nothing, and a table that sends its results once while the hub is dead."""
    for what, outbox, forgets in (
        ("a hub that says kept and keeps nothing", Outbox, True),
        ("a table that says its results only once", SaysOnce, False),
    ):
        with tempfile.TemporaryDirectory() as folder:
            night = Night(Path(folder), 1, options.seed, outbox, forgets=forgets)
            try:
                night.agree()
                strike(night, "hub")
                night.agree()
                lost, _ = night.results(patience=3.0)
            finally:
                night.end()
        if not lost:
            raise SystemExit(f"FAILED: {what} was not caught")
        print(f"control: {what} is caught")


def growth(sizes: tuple[int, ...]) -> None:
    """Memory of the hub's values, CPU seconds of the first wall, of the next one, and of one that changed."""
    for size in sizes:
        pid = os.fork()
        if pid == 0:
            _measure(size)
            os._exit(0)
        os.waitpid(pid, 0)


def _measure(size: int) -> None:
    with tempfile.TemporaryDirectory() as folder, contextlib.closing(Club(Path(folder))) as club:
        full_house(club, min(size, 4))
        club.html("/")
        rest_the_collector()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        full_house(club, size)
        started = time.process_time()
        page = club.html("/")
        first = time.process_time()
        club.html("/")
        again = time.process_time()
        club.comes("t-00001", "Oak 2")
        club.html("/")
        one = time.process_time()
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        print(
            f"{size} tables: {grown:.0f} MB more, {len(page) / 1000:.0f} kB; wall first {first - started:.3f} s of "
            f"CPU, again {again - first:.3f} s, after one change {one - again:.3f} s",
            flush=True,
        )


def as_hub_that_forgets(words: list[str]) -> None:
    from companion.app.cli import main
    from web.hub import Store

    setattr(Store, "keep", lambda *_asked: None)  # noqa: B010 - mypy is right that nobody should
    main(words)


def main() -> None:
    if sys.argv[1:2] == ["--as-hub-that-forgets"]:
        as_hub_that_forgets(sys.argv[2:])
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--growth", action="store_true")
    parser.add_argument("--namespace", action="store_true")
    for name, usual in (("hub", 50), ("broker", 50), ("cuts", 20), ("tables", 6), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    options = parser.parse_args()
    if options.short:
        options.hub = options.broker = options.cuts = 1
        options.tables = 2
    if options.growth:
        growth((10, 100, 500))
        return
    run(options)
    control(options)


if __name__ == "__main__":
    main()
