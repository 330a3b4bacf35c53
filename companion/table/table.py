"""The one writer: every input goes through its inbox, every change through its journal, and every change is published.

The thread never waits for a device, a socket or a sleep. What a letter does is in `letters`, how everybody is told in
`publishing`.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final, TypeAlias

from companion.core import Asked, Hubs, Input, Lifted, LinkOutcome, ReaderId, Said, SeatId, Stick, Tapped, Uid

from .desk import Desk
from .letters import Away, ClubNews, HubNews, Linked, News, Question, Quiet, Settled, StickNews, Trouble, Wished, handle
from .overtime import Late
from .ports import Clubs
from .publishing import Herald, Latest, Subscribers
from .record import own_rule
from .seen import Moment, Seen
from .snapshot import Snapshot
from .wishes import Answer, No, Wish

QUIET: Final = 10.0
"""Seconds without any tag after which it may be a dead one."""

PAUSE: Final = 2.0
"""Seconds without a letter after which the journal is tidied up."""

ROOM: Final = 8
"""Letters that may queue before devices are no longer heard; people with a phone or a finger always are."""

_Letter: TypeAlias = tuple[Input | News | None, Future[Answer] | None]


class Table:
    """The table thread and its inbox, around one desk."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._shown = desk.snapshot, desk.snapshot.moment()
        self._busy_since: float | None = None
        self._rests_at: float | None = None
        """When the time that hands were given to go on will be over."""
        self._inbox: queue.SimpleQueue[_Letter] = queue.SimpleQueue()
        self._shorter = threading.Condition()
        self._waiters = 0
        self._subscribers, self._drafts = Subscribers(), Subscribers()
        self._herald = Herald(self.latest())
        desk.referee.drafted = self._foresee
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)

    # From any thread

    @property
    def snapshot(self) -> Snapshot:
        """The newest one."""
        return self._desk.snapshot

    def start(self) -> None:
        """Start handling inputs. The first snapshot already shows what chance has done by itself."""
        self._desk.let_chance_play()
        self._desk.draw()
        self._thread.start()
        self._herald.start()

    def stop(self) -> None:
        """Finish what is in the inbox, then end the threads."""
        self._inbox.put((None, None))
        self._thread.join()
        self._herald.stop()

    def is_alive(self, patience: float) -> bool:
        """Whether the thread is running and not stuck on the same letter for longer than this many seconds."""
        since = self._busy_since
        return self._thread.is_alive() and (since is None or time.monotonic() - since < patience)

    def put(self, given: Input) -> None:
        """Hand an input over; never waits."""
        self._inbox.put((given, None))

    def has_room(self, seconds: float) -> bool:
        """Wait up to this long until few letters are left; endless senders must ask before they send more."""
        if self._inbox.qsize() < ROOM or not seconds:
            return self._inbox.qsize() < ROOM
        with self._shorter:
            self._waiters += 1
            is_short = self._shorter.wait_for(lambda: self._inbox.qsize() < ROOM, seconds)
            self._waiters -= 1
        return is_short

    def is_zone(self, reader: ReaderId) -> bool:
        """Whether a reader is bound to a place now, so that it matters what lies on it."""
        return reader in self._desk.hands.sight.zones

    @property
    def has_mat(self) -> bool:
        """Whether readers are bound to places, in this game or in another that may be played next."""
        return self._desk.hands.has_mat

    def rest(self) -> None:
        """Hands have rested for as long as they were given; for callers without a clock. Never waits."""
        self._inbox.put((Settled(), None))

    def trouble(self, source: str, said: Said | None) -> None:
        """Name what is wrong with a device or, with None, that it works again; never waits."""
        self._inbox.put((Trouble(source, said), None))

    def question(self, said: Said | None) -> None:
        """Stop the game until people have settled something or, with None, let it go on; never waits."""
        self._inbox.put((Question(said), None))

    def linked(self, uid: Uid, outcome: LinkOutcome) -> None:
        """Tell what came of writing a link on a tag; never waits."""
        self._inbox.put((Linked(uid, outcome), None))

    def stick(self, stick: Stick | None, said: Said | None = None) -> None:
        """A USB stick was put in or, with None, taken out; `said` is what came of using it. Never waits."""
        self._inbox.put((StickNews(stick, said), None))

    def shown_at(self, club: str) -> None:
        """Name the club where everybody can see this table, or "" for none; never waits."""
        self._inbox.put((ClubNews(club), None))

    def joins_by(self, clubs: Clubs) -> None:
        """From now on clubs can be joined at the box; never waits."""
        self._inbox.put((HubNews(Hubs(), by=clubs), None))

    def hubs(self, hubs: Hubs) -> None:
        """Report which hubs are nearby; never waits."""
        self._inbox.put((HubNews(hubs), None))

    def joined(self, said: Said, joined: bool) -> None:
        """Report what came of joining a club; never waits."""
        self._inbox.put((HubNews(said=said, joined=joined), None))

    def away(self, seats: tuple[SeatId, ...]) -> None:
        """Name the seats whose phones no longer listen; never waits."""
        self._inbox.put((Away(seats), None))

    def out_of_time(self, seat: SeatId, asked: int) -> None:
        """A seat's time is up for this question; never waits."""
        self._inbox.put((Late(seat, asked), None))

    def ask(self, asked: Asked, timeout: float = 5.0) -> Answer:
        """Hand over a phone's wish and wait for the answer; TimeoutError if the table does not get to it."""
        answer: Future[Answer] = Future()
        self._inbox.put((asked, answer))
        return answer.result(timeout)

    def wish(self, wish: Wish) -> Future[Answer]:
        """Hand over a wish of whoever sets up the table; never waits. The answer comes once it is granted or not."""
        answer: Future[Answer] = Future()
        self._inbox.put((Wished(wish), answer))
        return answer

    def subscribe(self, fn: Callable[[Snapshot], None]) -> Callable[[], None]:
        """Call `fn` with every new snapshot, on the table thread; call the result to end that."""
        return self._subscribers.add(fn)

    def latest(self) -> Latest[Snapshot]:
        """For a thread of our own; starts with the present snapshot."""
        latest = Latest(self.snapshot)
        latest.on_close = self.subscribe(latest.offer)
        return latest

    # For web and hw, which see no state

    @property
    def moment(self) -> Moment:
        """The newest one."""
        return self._moment_of(self.snapshot)

    def follow(self, fn: Callable[[Moment], None]) -> Callable[[], None]:
        """Call `fn` with every new moment, on the table thread; call the result to end that."""
        return self.subscribe(lambda snapshot: fn(self._moment_of(snapshot)))

    def foresee(self, fn: Callable[[Callable[[], Moment]], None]) -> Callable[[], None]:
        """Call `fn`, on the table thread, before the next moment's entry is synced, with a function that makes that
        moment: to get ready for it, never to show it, because the disk may fail. Call the result to end that."""

        def drafted(snapshot: Snapshot) -> None:
            def made() -> Moment:  # a bound method would lead back to the state
                return snapshot.moment()

            fn(made)

        return self._drafts.add(drafted)

    def shown(self) -> Latest[Seen]:
        """What everybody in the room may see, for the thread of a device; starts with the present moment."""
        latest = Latest(self.moment.public)
        devices = self._herald.subscribers
        latest.on_close = devices.add(lambda snapshot: latest.offer(self._moment_of(snapshot).public))
        return latest

    def _moment_of(self, snapshot: Snapshot) -> Moment:
        """The same one for all who ask while it is the newest."""
        of, moment = self._shown
        if of is not snapshot:
            moment = snapshot.moment()
            self._shown = snapshot, moment
        return moment

    # On the table thread

    def _foresee(self, to: Snapshot) -> None:
        foreseen = self._desk.foreseen(to)
        if foreseen is not None:
            self._drafts.tell(foreseen)

    def _run(self) -> None:
        self._subscribers.tell(self._desk.snapshot)
        while True:
            given, answer = self._next()
            if self._waiters:
                with self._shorter:
                    self._shorter.notify_all()
            if given is None:
                return
            self._take(given, answer)

    def _next(self) -> _Letter:
        """The next letter; silence is one, too, while hands may be moving or a tag is expected. In a pause the journal
        is tidied up."""
        if self._rests_at is not None:
            try:
                return self._inbox.get(timeout=max(self._rests_at - time.monotonic(), 0.0))
            except queue.Empty:
                return Settled(), None
        if not self._desk.referee.is_tidy:
            try:
                return self._inbox.get(timeout=PAUSE)
            except queue.Empty:
                self._tidy()
        try:
            return self._inbox.get(timeout=QUIET if self._desk.wants_tag else None)
        except queue.Empty:
            return Quiet(), None

    def _tidy(self) -> None:
        self._busy_since = time.monotonic()
        self._desk.referee.tidy()
        self._busy_since = None

    def _take(self, given: Input | News, answer: Future[Answer] | None) -> None:
        if isinstance(given, Lifted) and given.reader not in self._desk.hands.sight.zones:
            if self._desk.hands.has_mat:
                self._desk.hands.sight = self._desk.hands.sight.after(given)
            return  # a wand only reports what arrives, so there is nothing to tell
        self._busy_since = time.monotonic()
        reply = handle(self._desk, given)
        self._subscribers.tell(self._desk.draw())
        self._busy_since = None
        if isinstance(given, Tapped | Lifted | Settled) or self._desk.hands.settles is None:
            settles = self._desk.hands.settles
            self._rests_at = None if settles is None else time.monotonic() + settles
        if answer is not None:
            answer.set_result(reply or No(own_rule(4, "nothing-to-do")))
