"""Looks after the hub: lets tables in by their code, and sends them away."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import string
from collections.abc import Callable
from typing import Final

from companion.library import write_whole
from web.club import ID, NotPaired, Pair, Paired, TableId
from web.hub import Codes, Kept, Store

from .broker import Broker

_SIGNS: Final = string.ascii_lowercase + string.digits


class Keeper:
    """Has a secret of its own in the broker's folder: whoever opens the link that contains it is the host."""

    def __init__(self, store: Store, broker: Broker, club: str, forget: Callable[[TableId], None]) -> None:
        self._store, self._broker, self._club, self._forget = store, broker, club, forget
        self._codes = Codes()
        path = broker.folder / "host.key"
        if not path.exists():
            write_whole(path, secrets.token_urlsafe(18), 0o600)
        self.key = path.read_text()

    def is_host(self, key: str) -> bool:
        return hmac.compare_digest(key.encode(), self.key.encode())

    def code(self) -> tuple[str, int]:
        return self._codes.now()

    def pair(self, asked: Pair, arrived_at: str) -> Paired | NotPaired:
        """Let a table in, once per code. One that was here before stays the same table."""
        why = self._codes.spend(asked.code)
        if why:
            return NotPaired(why)
        table = TableId(asked.again) if self._is_known(asked) else _new_id()
        password = secrets.token_urlsafe(24)
        self._broker.add(table, password)
        self._store.pair(table, _hashed(password))
        self._store.note(table, asked.name, False)
        return Paired(table, password, arrived_at, self._broker.port, self._broker.ca, self._club)

    def _is_known(self, asked: Pair) -> bool:
        kept = self._store.paired(TableId(asked.again)) if ID.fullmatch(asked.again) else ""
        return bool(kept) and hmac.compare_digest(kept, _hashed(asked.password))

    def tables(self) -> tuple[Kept, ...]:
        return self._store.tables()

    def revoke(self, table: TableId) -> None:
        if ID.fullmatch(table):
            self._broker.remove(table)
            self._forget(table)
            self._store.forget(table)

    def left_out(self) -> tuple[str, ...]:
        return tuple(sorted(self._store.left_out()))

    def leave_out(self, name: str, on: bool) -> None:
        self._store.leave_out(name, on)


def _new_id() -> TableId:
    return TableId("t-" + "".join(secrets.choice(_SIGNS) for _ in range(8)))


def _hashed(password: str) -> str:
    return hashlib.sha256(password.encode()).hexdigest()
