"""Hosting a hub: the code by which a table joins, the tables that did, and who is left out."""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections.abc import Callable
from typing import Annotated, Any, Final

import msgspec
from flask import Blueprint, Response, abort, jsonify, redirect, request
from msgspec import Meta, Struct
from werkzeug.wrappers import Response as AnyResponse

from companion.core import CODE_LENGTH, CODE_SIGNS
from web.club import PAIR, NotPaired, Pair, TableId, typed
from web.door import CommandId, body_as
from web.draw import code_of

from .hub import HOST_COOKIE, Host, Hub, look_of

GOOD_FOR: Final = 600.0
"""Seconds for which a code is valid."""
_STATUS: Final = {"many": 429, "unreadable": 400}


class Codes:
    """The code that a table must send to join: for one table, and for ten minutes. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._code, self._until = "", 0.0
        self._used: set[str] = set()

    def now(self) -> tuple[str, int]:
        """The current code, and for how many seconds it is valid; each use makes a new one."""
        with self._lock:
            if self._clock() >= self._until:
                self._code = "".join(secrets.choice(CODE_SIGNS) for _ in range(CODE_LENGTH))
                self._until = self._clock() + GOOD_FOR
            return self._code, round(self._until - self._clock())

    def spend(self, code: str) -> str:
        """Use the code up: "" if it was valid, else why not."""
        with self._lock:
            if code in self._used:
                return "used"
            if not self._code or not hmac.compare_digest(code.encode(), self._code.encode()):
                return "wrong"
            if self._clock() >= self._until:
                return "old"
            self._used.add(code)
            self._until = 0.0
            return ""


class Revoke(Struct, frozen=True, forbid_unknown_fields=True):
    command: CommandId
    table: Annotated[str, Meta(max_length=40)]


class Unlisted(Struct, frozen=True, forbid_unknown_fields=True):
    command: CommandId
    name: Annotated[str, Meta(min_length=1, max_length=40)]
    on: str = "yes"


def blueprint(hub: Hub, host: Host) -> Blueprint:
    ways = Blueprint("host", __name__)
    _pairing(ways, hub, host)

    @ways.get("/host")
    def page() -> str:
        look = look_of(hub)
        code, left = host.code() if look.is_host else ("", 0)
        qr = code_of(hub.address() and f"{hub.address()}/join?code={code}") if code else None
        more: dict[str, Any] = {"code": code, "left": left // 60, "qr": qr}
        told: dict[str, Any] = {"tables": host.tables(), "left_out": host.left_out()} if look.is_host else {}
        return look.page("host", look.words.key("web.hub.title.host"), address=hub.address(), **more, **told)

    @ways.get("/host/<key>")
    def comes(key: str) -> AnyResponse:
        response = redirect("/host")
        if host.is_host(key):
            response.set_cookie(HOST_COOKIE, key, max_age=30 * 86_400, httponly=True, samesite="Lax")
        return response

    @ways.post("/host/revoke")
    def revoke() -> Response:
        asked = body_as(Revoke)
        _only_host(hub)
        host.revoke(TableId(asked.table))
        return jsonify(go="/host")

    @ways.post("/host/leave-out")
    def leave_out() -> Response:
        asked = body_as(Unlisted)
        _only_host(hub)
        host.leave_out(asked.name, asked.on == "yes")
        return jsonify(go="/host")

    return ways


def _only_host(hub: Hub) -> None:
    if not look_of(hub).is_host:
        abort(403)


def _pairing(ways: Blueprint, hub: Hub, host: Host) -> None:
    @ways.get("/join")
    def join() -> str:
        look = look_of(hub)
        code = typed(request.args.get("code", ""))[:CODE_LENGTH]
        return look.page("join", look.words.key("web.hub.title.join"), address=hub.address(), code=code)

    @ways.post(PAIR)
    def pair() -> Response:
        if not hub.limits.allows("join", request.remote_addr or ""):
            return _answer(NotPaired("many"))
        try:
            asked = msgspec.json.decode(request.get_data(), type=Pair)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return _answer(NotPaired("unreadable"))
        return _answer(host.pair(asked, request.host.rsplit(":", 1)[0]))


def _answer(told: Struct) -> Response:
    status = _STATUS.get(told.why, 403) if isinstance(told, NotPaired) else 200
    return Response(msgspec.json.encode(told), status, mimetype="application/json")
