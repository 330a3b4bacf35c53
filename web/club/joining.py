"""How a table asks a hub to let it in, with the address and the code that somebody read off the hub's screen."""

from __future__ import annotations

import http.client
import re
from typing import Final, Literal

import msgspec

from companion.core import CODE_LENGTH, CODE_SIGNS

from .pairing import PAIR, NotPaired, Pair, Paired, typed

PORT: Final = 8090
"""The hub's port if no other is given."""
PATIENCE: Final = 8.0
_MOST: Final = 64 << 10
_ADDRESS: Final = re.compile(r"(?:http://)?([A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?)(?::([0-9]{1,5}))?(?:/.*)?")

NoWay = Literal["address", "code", "nobody", "no-hub", "wrong", "old", "used", "many"]
"""Why not: bad address, bad code; nobody there, somebody who isn't a hub; a code that the hub rejects."""
_HUB_SAYS: Final[dict[str, NoWay]] = {"wrong": "wrong", "old": "old", "used": "used", "many": "many"}


def ask(address: str, code: str, name: str, before: Paired | None = None) -> Paired | NoWay:
    """Ask once; takes at most a few seconds. `before` is what the table was given last time."""
    found = _ADDRESS.fullmatch(address.strip())
    if found is None or not 0 < int(found[2] or PORT) < 1 << 16:
        return "address"
    meant = typed(code)
    if len(meant) != CODE_LENGTH or not set(meant) <= set(CODE_SIGNS):
        return "code"
    again = ("", "") if before is None else (before.table, before.password)
    try:
        return _answer(*_sent(found[1], int(found[2] or PORT), Pair(meant, name, *again)))
    except (OSError, http.client.HTTPException):
        return "nobody"


def _sent(host: str, port: int, pair: Pair) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(host, port, timeout=PATIENCE)
    try:
        # The hub keeps foreign pages out as a dashboard does: by a header that no other site's page can send.
        headers = {"Content-Type": "application/json", "X-Companion": "1", "Origin": f"http://{host}:{port}"}
        connection.request("POST", PAIR, msgspec.json.encode(pair), headers)
        answer = connection.getresponse()
        return answer.status, answer.read(_MOST)
    finally:
        connection.close()


def _answer(status: int, body: bytes) -> Paired | NoWay:
    try:
        if status == http.client.OK:
            return msgspec.json.decode(body, type=Paired)
        return _HUB_SAYS.get(msgspec.json.decode(body, type=NotPaired).why, "no-hub")
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return "no-hub"
