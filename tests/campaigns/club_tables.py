"""Many tables on one real broker: each public view that a hub gets is the table's own, and it gets it soon.

    python tests/campaigns/club_tables.py [--tables N] [--minutes M] [--pace ACTS] [--kills N] [--processes N] [--short]

Bots play at every table, `--pace` acts a second; each table has its own publisher, user name and connection, several
tables in a process. The hub's own listener hears all of them: a view with the number of an entry must be, byte for
byte, what that table shows after it; a view counts as arrived with the first that is as new. Every game that ended must
be kept once. With `--kills` the broker is killed that often and started again; then only what arrives in the end is
compared, not how soon. At last two games end while the broker is away: a build that says everything at most once (QoS 0
without catching up) must be found to show an old view and to have lost the result.
"""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

from companion.journal import JOURNAL, Journal
from companion.library import shelf
from companion.table.outside import Moment, Seen
from tests.campaigns.phones_canary import MEMORY, Played
from tests.web.club.evening import GAMES, play
from tests.web.club.mosquitto import Mosquitto, mosquitto
from web.club import VIEW, GameOver, Guests, HubHere, Kept, Paired, TableId, View, decode, encode, view_of
from web.club.broker import News, Reached
from web.club.membership import Membership, Status
from web.club.outbox import Outbox
from web.club.publisher import Publisher
from web.hub import Floor, Store
from web.hub.listener import Listener

SOON = 1.0
GRACE = 60.0


class Own(NamedTuple):
    """What a table showed after an entry, and when."""

    table: str
    record: str
    seq: int
    hashed: bytes
    at: float


def hashed(payload: bytes) -> bytes:
    return hashlib.blake2b(payload, digest_size=16).digest()


class AtMostOnce(Publisher):
    """The control: once connected, anything sent while nobody listens counts as sent, as with QoS 0."""

    def _turn(self) -> None:
        super()._turn()
        if self._status not in ("connecting", "here"):
            for message in self._teller.due():
                self._teller.acknowledge(message)

    def _hear(self, news: News) -> None:
        if isinstance(news, Reached) and self._status != "connecting":
            self._is_up = True
            self._becomes("here")
        else:
            super()._hear(news)


class SaysOnce(Outbox):
    """The control: what was sent counts as kept."""

    def waiting(self) -> tuple[GameOver, ...]:
        now = super().waiting()
        for over in now:
            self.kept(Kept(over.id, over.seq))
        return now


class SimTable:
    """A table with one game after the other."""

    def __init__(self, paired: Paired, folder: Path, seed: int, *, careless: bool = False) -> None:
        folder.mkdir(parents=True)
        self._journal, self._dice = Journal.open(folder / JOURNAL), random.Random(seed)
        self._game = shelf.open(GAMES[seed % len(GAMES)])
        self.id, self._told = paired.table, list[Callable[[Moment], None]]()
        self.ended: list[str] = []
        self._sit()
        publisher, outbox = (AtMostOnce, SaysOnce) if careless else (Publisher, Outbox)
        self._publisher = publisher(Membership(paired, str(paired.table)), "1.0", outbox(folder / "results"))
        self._publisher.start(self, self._moment().public)

    def follow(self, fn: Callable[[Moment], None]) -> Callable[[], None]:
        self._told.append(fn)
        return self._told.clear

    def act(self) -> Own:
        if self._played.referee.at.result is not None:
            self._sit()
        play(self._played, self._dice, 1)
        return self.tell()

    def tell(self) -> Own:
        moment = self._moment()
        seen: Seen = moment.public
        own = Own(self.id, seen.table, seen.seq, hashed(encode(view_of(seen, Guests()))), time.monotonic())
        if seen.result is not None:
            self.ended.append(f"{self.id}/{seen.table}")
        for fn in self._told:
            fn(moment)
        return own

    def play_to_the_end(self) -> Own:
        while self._played.referee.at.result is None:
            play(self._played, self._dice, 1)
        return self.tell()

    @property
    def status(self) -> Status:
        return self._publisher.status

    @property
    def is_up(self) -> bool:
        return self.status in ("here", "no-hub")

    def close(self) -> None:
        self._publisher.close()

    def _sit(self) -> None:
        self._played = Played(self._journal, self._game, 3)

    def _moment(self) -> Moment:
        return self._played.referee.snapshot(1).moment()


def work(tables: list[tuple[Paired, int]], seconds: float, pace: float, told: Any, leave: Any) -> None:
    """Some tables in a separate process: reports what they showed, and stays until everything has arrived."""
    with tempfile.TemporaryDirectory(prefix="club-", dir=MEMORY) as room:
        playing = [SimTable(paired, Path(room) / paired.table, seed) for paired, seed in tables]
        shown = [table.tell() for table in playing]
        pause, begins = threading.Event(), time.monotonic()
        for turn in range(round(seconds * pace)):
            for at, table in enumerate(playing):
                pause.wait(max(0.0, begins + (turn + at / len(playing)) / pace - time.monotonic()))
                shown.append(table.act())
        told.put((shown, [each for table in playing for each in table.ended]))
        leave.wait()
        away = [(table.id, table.status) for table in playing if table.status != "here"]
        if away:
            print("not there in the end:", away, file=sys.stderr, flush=True)
        for table in playing:
            table.close()


class Hub:
    """The ears and the memory of a hub: what it would show of each table is hashed whenever that has changed."""

    def __init__(self, broker: Mosquitto, folder: Path) -> None:
        self.views: dict[str, list[tuple[str, int, bytes, float]]] = {}
        self._store = Store(folder / "hub.db")
        self._floor = Floor(self._store.keep, self._store.note)
        heard = (self._floor.heard, self._shown)
        here = HubHere(True, "Club", since=time.time())
        self._listener = Listener(broker.paired("hub"), lambda: here, heard, lambda: None)
        self._listener.start()

    @property
    def is_up(self) -> bool:
        return self._listener.is_connected

    def kept(self) -> list[str]:
        """The ids of all results on its disk."""
        return [each.finished.id for each in self._store.results()]

    def shows(self, table: str, own: Own) -> bool:
        """Whether it shows that now."""
        heard = self.views.get(table)
        return heard is not None and heard[-1][2] == own.hashed

    def close(self) -> None:
        self._listener.close()
        self._store.close()

    def _shown(self, table: TableId, part: str, _payload: bytes, _retained: bool) -> None:
        at = self._floor.find(table) if part == VIEW else None
        if at is not None and at.view:
            view = decode(View, at.view)
            self.views.setdefault(table, []).append((view.record, view.seq, hashed(at.view), time.monotonic()))


class Tally(NamedTuple):
    views: int
    wrong: int
    missing: int
    delays: list[float]


def compared(shown: list[Own], hub: Hub, since: float = 0.0) -> Tally:
    """What each table showed against what the hub heard; reports delays only for what was shown after `since`."""
    own = {(each.table, each.record, each.seq): each for each in shown}
    order = {(each.table, each.record): at for at, each in reversed(list(enumerate(shown)))}
    wrong = sum(
        (table, record, seq) in own and own[table, record, seq].hashed != what
        for table, heard in hub.views.items()
        for record, seq, what, _at in heard
    )
    delays, missing = list[float](), 0
    for each in shown:
        rank = (order[each.table, each.record], each.seq)
        heard = hub.views.get(each.table, [])
        arrived = [at for record, seq, _, at in heard if (order.get((each.table, record), -1), seq) >= rank]
        if not arrived:
            missing += 1
        elif each.at >= since:
            delays.append(max(0.0, min(arrived) - each.at))
    return Tally(sum(map(len, hub.views.values())), wrong, missing, sorted(delays))


def is_there(shown: list[Own], ended: list[str], hub: Hub) -> bool:
    last = {each.table: each for each in shown}
    return all(hub.shows(table, own) for table, own in last.items()) and set(ended) <= set(hub.kept())


def waited(until: Callable[[], bool], patience: float = GRACE) -> bool:
    pause, ends = threading.Event(), time.monotonic() + patience
    while not until():
        if time.monotonic() > ends:
            return False
        pause.wait(0.05)
    return True


def killed(broker: Mosquitto, times: int, seconds: float) -> Iterator[None]:
    """Kill the broker and restart it, spread over this many seconds."""
    dice, pause = random.Random(times), threading.Event()
    for _ in range(times):
        pause.wait(seconds / times * dice.uniform(0.3, 0.9))
        broker.down()
        pause.wait(seconds / times * 0.1)
        broker.up()
        yield


def control(broker: Mosquitto, hub: Hub, room: Path) -> tuple[bool, bool]:
    """Whether a careful table's end arrives, and anything from a careless one, if games end without a broker."""
    careful = SimTable(broker.paired("t-careful"), room / "careful", 1)
    careless = SimTable(broker.paired("t-careless"), room / "careless", 1, careless=True)
    both = {table.id: table for table in (careful, careless)}
    assert waited(lambda: set(both) <= set(hub.views))
    broker.down()
    assert waited(lambda: not any(table.is_up for table in both.values()))
    last = {id_: table.play_to_the_end() for id_, table in both.items()}
    broker.up()
    there = waited(lambda: hub.shows(careful.id, last[careful.id]) and set(careful.ended) <= set(hub.kept()))
    assert waited(lambda: careless.is_up)
    some = waited(lambda: hub.shows(careless.id, last[careless.id]) or set(careless.ended) <= set(hub.kept()), 2.0)
    for table in both.values():
        table.close()
    return there, some


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--pace", type=float, default=1.0)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--short", action="store_true", help="four tables for some seconds, the broker killed once")
    asked = parser.parse_args()
    if asked.short:
        asked.tables, asked.minutes, asked.pace, asked.kills, asked.processes = 4, 0.1, 4.0, 1, 1
    users = [f"t-{number:04}" for number in range(asked.tables)]
    with (
        tempfile.TemporaryDirectory(prefix="club-") as room,
        mosquitto(Path(room) / "broker", "t-careful", "t-careless", *users) as broker,
    ):
        return campaign(broker, users, asked, Path(room))


def campaign(broker: Mosquitto, users: list[str], asked: Any, room: Path) -> int:
    seconds, context = asked.minutes * 60, multiprocessing.get_context("spawn")
    hub = Hub(broker, room)
    waited(lambda: hub.is_up)
    told, leave = context.Queue(), context.Event()
    tables = [(broker.paired(user), seed) for seed, user in enumerate(users)]
    shares = [tables[n :: asked.processes] for n in range(asked.processes)]
    processes = [context.Process(target=work, args=(each, seconds, asked.pace, told, leave)) for each in shares if each]
    for process in processes:
        process.start()
    waited(lambda: set(users) <= set(hub.views), 180)
    settled = time.monotonic()
    kills = sum(1 for _ in killed(broker, asked.kills, seconds))
    stories = [told.get(timeout=seconds * 4 + 180) for _ in processes]
    shown, ended = [own for each, _ in stories for own in each], [over for _, each in stories for over in each]
    complete = waited(lambda: is_there(shown, ended, hub))
    leave.set()
    for process in processes:
        process.join()
    tally = compared(shown, hub, settled)
    kept = hub.kept()
    careful, careless = control(broker, hub, room)
    hub.close()
    return verdict(tally, shown, ended, kept, kills, complete, careful and not careless)


def verdict(
    tally: Tally, shown: list[Own], ended: list[str], kept: list[str], kills: int, complete: bool, caught: bool
) -> int:
    late = tally.delays[int(len(tally.delays) * 0.99)] if tally.delays else 0.0
    lost, doubled = len(set(ended) - set(kept)), len(kept) - len(set(kept))
    print(f"{len({each.table for each in shown})} tables showed {len(shown)} views; the hub heard {tally.views}")
    print(f"wrong {tally.wrong}, missing {tally.missing}; p50 and p99 of the delay", end=" ")
    print(f"{tally.delays[len(tally.delays) // 2] * 1000 if tally.delays else 0:.0f} and {late * 1000:.0f} ms")
    print(f"of {len(set(ended))} results {lost} lost, {doubled} doubled; the broker was killed {kills} times")
    print("the careless build was caught" if caught else "NOT CAUGHT: a build that says everything at most once")
    soon = kills > 0 or late <= SOON
    return 0 if complete and caught and soon and not (tally.wrong or tally.missing or lost or doubled) else 1


if __name__ == "__main__":
    sys.exit(main())
