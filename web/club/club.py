"""The club of one table, as its phones and its box see it: join, leave, be shown or not, and who is not named."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core import CompanionError
from companion.library import write_whole
from companion.table.outside import Moment

from .joining import NoWay, ask
from .membership import Membership, Status
from .outbox import Outbox
from .recalling import Records, recall
from .teller import Retained

if TYPE_CHECKING:
    from .publisher import Publisher

FILE: Final = "club.json"
OUTBOX: Final = "club-results"


class ClubUnreadable(CompanionError, ValueError):
    """The file in which a table keeps its club can't be used."""


class ClubStatus(Struct, frozen=True):
    """How things stand between this table and its club."""

    member: Membership
    status: Status
    address: str = ""
    """Where people open the hub."""


class AnyTable(Protocol):
    """As much of the table as a club needs."""

    @property
    def moment(self) -> Moment: ...

    def follow(self, fn: Callable[[Moment], None]) -> Callable[[], None]: ...

    def shown_at(self, club: str) -> None: ...


Extra = Callable[[Membership], tuple[Retained, ...]]
"""Further topics about this table, such as Home Assistant's."""


def can_join() -> bool:
    """Whether the library that talks to brokers is installed."""
    return find_spec("paho") is not None


def load(data: Path) -> Membership | None:
    """None if this table is in no club; raises ClubUnreadable."""
    try:
        return msgspec.json.decode((data / FILE).read_bytes(), type=Membership)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ClubUnreadable(f"{data / FILE} cannot be used: {error}. Throw it away and join the club again") from error


class Club:
    """May be used from any thread. Without a membership it does nothing. `records` are the games of this table."""

    def __init__(
        self, data: Path, table: AnyTable, version: str, records: Records, extra: Extra = lambda _member: ()
    ) -> None:
        self._data, self._table, self._version, self._extra = data, table, version, extra
        self._records = records
        self._lock = threading.Lock()
        self._member: Membership | None = None
        self._publisher: Publisher | None = None

    def start(self) -> None:
        """Connect to the club that this table has joined; raises ClubUnreadable."""
        with self._lock:
            self._member = load(self._data)
            self._publish()

    def close(self) -> None:
        with self._lock:
            self._stop()

    @property
    def shown_at(self) -> str:
        """The club that shows this table to everybody; "" if none does."""
        member = self._member
        return member.paired.club if member is not None and member.shown else ""

    def now(self) -> ClubStatus | None:
        member, publisher = self._member, self._publisher
        if member is None or publisher is None:
            return None
        return ClubStatus(member, publisher.status, publisher.address)

    def join(self, address: str, code: str, name: str) -> NoWay | None:
        """None once this table is in, else why not; it may take some seconds."""
        before = self._member
        answer = ask(address, code, name, None if before is None else before.paired)
        if isinstance(answer, str):
            return answer
        with self._lock:
            self._change(Membership(answer, name, first=self._record))
        return None

    def leave(self) -> None:
        with self._lock:
            self._stop(leaves=True)
            (self._data / FILE).unlink(missing_ok=True)
            self._member = None
            self._publish()

    def show(self, shown: bool, *, nobody: bool) -> None:
        """Whether the table is shown, and whether it names nobody."""
        with self._lock:
            if self._member is not None:
                first = self._member.first if self._member.shown else self._record
                self._change(replace(self._member, shown=shown, nobody=nobody, first=first))

    def leave_out(self, name: str, out: bool) -> None:
        """Name this person no more, or again."""
        with self._lock:
            if self._member is not None:
                others = tuple(each for each in self._member.left_out if each.casefold() != name.casefold())
                self._change(replace(self._member, left_out=(*others, name) if out else others))

    @property
    def _record(self) -> str:
        """The game on the table."""
        return self._table.moment.public.table

    def _change(self, member: Membership) -> None:
        _write(self._data / FILE, member)
        self._stop(leaves=True)  # names that must disappear are removed from the broker, too
        self._member = member
        self._publish()

    def _publish(self) -> None:
        self._table.shown_at(self.shown_at)
        if self._member is not None:
            from .publisher import Publisher  # paho is slow to import, and most tables are in no club

            more, outbox = self._extra(self._member), Outbox(self._data / OUTBOX)
            outbox.only(self._member.paired.table)
            outbox.name(self._member.guests)
            before = partial(recall, self._records, self._member, outbox)
            self._publisher = Publisher(self._member, self._version, outbox, more, before)
            self._publisher.start(self._table, self._table.moment.public)

    def _stop(self, *, leaves: bool = False) -> None:
        publisher, self._publisher = self._publisher, None
        if publisher is not None:
            publisher.close(leaves=leaves)


def _write(path: Path, member: Membership) -> None:
    """Readable only by its owner: it holds a password."""
    write_whole(path, msgspec.json.encode(member).decode())
    with contextlib.suppress(OSError):
        path.chmod(0o600)
