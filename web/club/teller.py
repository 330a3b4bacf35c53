"""What a table still has to say, one connection after the other. Knows no socket and no thread.

For retained topics only the newest value counts, so the next one waits until the last is acknowledged: while a
broker is slow or away, there are fewer views, but never old ones. Lines are told again from where the broker
acknowledged them. Results stay in the outbox until the hub has kept them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from companion.core import Seq
from companion.table.outside import Seen

from .membership import Membership
from .outbox import Outbox
from .payloads import GameOver, Here, HubHere, Kept, encode
from .reading import decode
from .telling import game_over, setup_of, tellings, view_of
from .topics import HERE, HUB, KEPT, RESULT, SETUP, TOLD, VIEW, topic

AT_ONCE: Final = 16
"""This many lines may be in flight."""
MOST_BEHIND: Final = 8
"""How many games that ended while the broker was away are still told."""


class Message(NamedTuple):
    topic: str
    payload: bytes
    retain: bool


Makes = Callable[[Seen], bytes | None]
"""What a topic retains now; None if there is nothing to say."""


class Retained:
    """A topic of which only the newest value counts."""

    def __init__(self, name: str, makes: Makes) -> None:
        self.name, self._makes = name, makes
        self._said: bytes | None = None
        self._of: Seen | None = None
        self.busy = False

    def news(self, seen: Seen) -> Message | None:
        """Its current value, unless it was the last one sent or another is in flight."""
        if self.busy or self._of is seen:
            return None
        payload = self._makes(seen)
        self._of = seen
        if payload is None or payload == self._said:
            return None
        self._said, self.busy = payload, True
        return Message(self.name, payload, retain=True)

    def forget(self) -> None:
        self._said, self._of, self.busy = None, None, False


class Lines:
    """What was told of one game, as far as the broker has acknowledged it."""

    def __init__(self, seen: Seen) -> None:
        self.seen = seen
        self._acknowledged = Seq(0)
        self._under_way: dict[bytes, Seq] = {}

    def news(self, name: str) -> Iterator[Message]:
        if self._under_way or self._acknowledged >= self.seen.seq:
            return
        found = tellings(self.seen, self._acknowledged)
        if not found:
            self._acknowledged = self.seen.seq
        for each in found[:AT_ONCE]:
            payload = encode(each)
            self._under_way[payload] = each.told.seq
            yield Message(name, payload, retain=False)

    def acknowledge(self, payload: bytes) -> None:
        seq = self._under_way.pop(payload, None)
        if seq is not None:
            self._acknowledged = max(self._acknowledged, seq)

    def forget(self) -> None:
        """Whatever was in flight may be lost."""
        lost = min(self._under_way.values(), default=None)
        if lost is not None:
            self._acknowledged = min(self._acknowledged, Seq(lost - 1))
        self._under_way.clear()

    @property
    def is_told(self) -> bool:
        return not self._under_way and self._acknowledged >= self.seen.seq


class Teller:
    """For one table; used by one thread. `more` are further retained topics, such as Home Assistant's."""

    def __init__(self, member: Membership, version: str, outbox: Outbox, more: tuple[Retained, ...] = ()) -> None:
        self._member, self._outbox, self._version = member, outbox, version
        self._table, self._guests = member.paired.table, member.guests
        self._seen: Seen | None = None
        self._lines: list[Lines] = []
        self._sent: set[tuple[str, Seq]] = set()
        self.hub: HubHere | None = None
        here, setup = Retained(self._named(HERE), lambda _seen: self._here(True)), self._setup()
        self._here_said, self._setup_said = here, setup
        view = Retained(self._named(VIEW), lambda seen: encode(view_of(seen, self._guests)))
        self._retained = (here, setup, view, *more) if member.shown else (here,)

    @property
    def listens_to(self) -> tuple[str, ...]:
        return HUB, self._named(KEPT)

    @property
    def will(self) -> Message:
        """What the broker says when this table is gone."""
        return Message(self._named(HERE), self._here(False), retain=True)

    def take(self, seen: Seen) -> None:
        """Take the newest moment. A result is in the outbox before this returns."""
        if not self._member.shown:
            self._seen = seen
            return
        before, self._seen = self._seen, seen
        if not self._lines or self._lines[-1].seen.table != seen.table:
            self._lines = [*self._behind(), Lines(seen)]
        self._lines[-1].seen = seen
        if before is None or (before.table, before.seq) != (seen.table, seen.seq):
            over = self._over(seen)
            if over is not None:
                self._outbox.put(over)

    def connected(self) -> None:
        """A new connection: whatever was sent on the last one may be lost."""
        for each in self._retained:
            each.forget()
        for lines in self._lines:
            lines.forget()
        self._sent.clear()
        self.hub = None

    def due(self) -> Iterator[Message]:
        """What can be sent now; all of it counts as in flight."""
        seen = self._seen
        if seen is None:
            return
        for each in self._retained:
            message = each.news(seen)
            if message is not None:
                yield message
            if each is self._setup_said and each.busy:
                break  # a view is no use without its set-up
        for lines in self._behind():
            yield from lines.news(self._named(TOLD))
        for over in self._outbox.waiting():
            if (over.id, over.seq) not in self._sent:
                self._sent.add((over.id, over.seq))
                yield Message(self._named(RESULT), encode(over), retain=False)

    def acknowledge(self, message: Message) -> None:
        """The broker has this message."""
        for each in self._retained:
            if each.name == message.topic:
                each.busy = False
        for lines in self._lines:
            lines.acknowledge(message.payload)

    def hear(self, name: str, payload: bytes, retained: bool = False) -> None:
        """What the hub says; raises Unreadable if it isn't a payload of ours.

        When a hub has just come, the table announces itself again: what the broker retains may come from a table
        that was switched off together with it.
        """
        if not payload:
            return
        if name == self._named(KEPT):
            self._outbox.kept(decode(Kept, payload))
        elif name == HUB:
            self.hub = decode(HubHere, payload)
            if self.hub.here:
                self.ask_again()
                if not retained:
                    self._here_said.forget()

    def ask_again(self) -> None:
        """Send again what the hub has not kept."""
        self._sent.clear()

    @property
    def waits(self) -> bool:
        """Whether a result was sent that the hub has not kept."""
        return bool(self._sent) and bool(self._outbox.waiting())

    def farewell(self) -> tuple[Message, ...]:
        """For a table that leaves its club: removes everything of it from the broker."""
        return tuple(Message(each.name, b"", retain=True) for each in reversed(self._retained))

    def _behind(self) -> list[Lines]:
        found = [lines for lines in self._lines if not lines.is_told]
        return found[-MOST_BEHIND:]

    def _over(self, seen: Seen) -> GameOver | None:
        return game_over(self._table, seen, self._guests, self._outbox.last(f"{self._table}/{seen.table}"))

    def _setup(self) -> Retained:
        said: dict[str, bytes] = {}

        def make(seen: Seen) -> bytes:
            if seen.table not in said:
                said.clear()
                said[seen.table] = encode(setup_of(seen))
            return said[seen.table]

        return Retained(self._named(SETUP), make)

    def _here(self, here: bool) -> bytes:
        return encode(Here(here, self._member.name, self._version, self._member.shown))

    def _named(self, part: str) -> str:
        return topic(self._table, part)
