"""Boxes broken on purpose, each in one way that a proof must notice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from msgspec.structs import replace

from companion.core import PUBLIC, Accepted, Asked, SeatId, judge
from companion.journal import Did, Entry, Journal
from companion.table import Referee
from companion.table import referee as referees
from companion.table.seen import Moment
from tests.campaigns._leaks import patched, views_leak
from web.club import View, teller, view_of
from web.club.outbox import Outbox
from web.club.publisher import Publisher


@contextmanager
def tells_first() -> Iterator[None]:
    """Writes what a phone asked for only when the next entry comes: if it is killed, what it reported last is lost."""
    real, kept = Journal.append, list[tuple[int, Any]]()

    def append(self: Journal, table: str, body: Any, cause: Any, at: float, state: str, *_: Any) -> Entry:
        last = kept[-1][0] if kept else max(int(entry.seq) for entry in self.entries(table))
        if kept:
            real(self, table, *kept.pop()[1])
        if not isinstance(cause, Asked):
            return real(self, table, body, cause, at, state)
        kept.append((last + 1, (body, cause, at, state)))
        return Entry(last + 1, at, body, cause, state, "")  # type: ignore[arg-type]

    with patched(Journal, "append", append):
        yield


@contextmanager
def acts_twice() -> Iterator[None]:
    """Repeats what a phone asks for, if the rules allow it."""
    real = Referee.act

    def act(self: Referee, intent: Any, cause: Any, **more: Any) -> Entry:
        entry = real(self, intent, cause, **more)
        again = isinstance(cause, Asked) and isinstance(entry.body, Did)
        if again and isinstance(judge(self.game, self.at.state, intent), Accepted):
            real(self, intent, cause, **more)
        return entry

    with patched(Referee, "act", act):
        yield


@contextmanager
def forgets_rules() -> Iterator[None]:
    """Knows no rules about the arguments of a verb."""

    def forgetful(game: Any, state: Any, intent: Any, **more: Any) -> Any:
        return judge(replace(game, verbs=tuple(replace(verb, rules=()) for verb in game.verbs)), state, intent, **more)

    with patched(referees, "judge", forgetful):
        yield


@contextmanager
def club_sees_hands() -> Iterator[None]:
    """Tells the club what one seat sees."""
    real = Publisher.offer

    def offer(self: Publisher, moment: Moment) -> None:
        real(self, Moment(replace(moment.seen_by(SeatId(0)), audience=PUBLIC), moment.seen_by))

    with patched(Publisher, "offer", offer):
        yield


@contextmanager
def club_hears_no_end() -> Iterator[None]:
    """Counts results as kept that it has never sent."""
    with patched(Outbox, "waiting", lambda _self: ()):
        yield


@contextmanager
def club_lags() -> Iterator[None]:
    """Shows the club an entry only when the next one comes: the last one never."""
    real, kept = Publisher.offer, list[Moment]()

    def offer(self: Publisher, moment: Moment) -> None:
        if kept and kept[0].public.seq < moment.public.seq:
            real(self, kept[0])
        kept[:] = [moment]

    with patched(Publisher, "offer", offer):
        yield


@contextmanager
def club_hears_of_other_rules() -> Iterator[None]:
    """Shows the club the right table, and says that its rules only advise."""

    def advises(*args: Any) -> View:
        return replace(view_of(*args), mode="advise")

    with patched(teller, "view_of", advises):
        yield


BROKEN: dict[str, Callable[[], AbstractContextManager[None]]] = {
    "lost": tells_first,
    "doubled": acts_twice,
    "wrong": forgets_rules,
    "leaked": views_leak,
}
"""Each kind of failure with a build that has it."""
IN_CLUB: dict[str, Callable[[], AbstractContextManager[None]]] = {
    "leaked": club_sees_hands,
    "lost": club_hears_no_end,
    "stuck": club_lags,
    "wrong": club_hears_of_other_rules,
}
"""The same for tables that are shown at a club: only what they tell it is wrong."""
