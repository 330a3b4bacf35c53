"""What keeps strangers out: checked on every request before any screen sees it.

Another site's page can make a phone send requests, but it can't set our header, send JSON, or hide its origin; and
a name that somebody else's DNS points at this box is not on the list of hosts. Following a link there does bring
the phone's cookie along (see `session.remember`), so no GET changes anything.
"""

from __future__ import annotations

import ipaddress
import logging
import re
import traceback
from collections.abc import Callable
from typing import Annotated, Final, TypeVar
from urllib.parse import urlsplit

import msgspec
from flask import Flask, Response, abort, request
from msgspec import Meta
from werkzeug.exceptions import HTTPException

from .limits import Kind
from .session import Phone

LARGEST_BODY: Final = 16 * 1024
LARGEST_PICTURE: Final = 2 * 1024 * 1024
"""For a photo as shrunk by our page: 1600 pixels wide, a few hundred kilobytes."""
PICTURES: Final = ("image/jpeg", "image/png", "image/webp")
TAKES_PICTURES: Final = frozenset({"/photo", "/pack/photo"})
"""Where a picture may be sent. No form of another site can send one: its kind is asked for before."""
TAKES_FILES: Final = frozenset({"/update/file"})
"""Where a file of any kind may be sent, in parts."""
HEADER: Final = "X-Companion"

HEADERS: Final = (
    (
        "Content-Security-Policy",
        "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
    ("X-Frame-Options", "DENY"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
)
_KNOWN: Final = (400, 403, 404, 405, 413, 415, 421, 429, 500, 503)

CommandId = Annotated[str, Meta(min_length=8, max_length=64, pattern="^[0-9A-Za-z_-]+$")]
"""Identifies something sent: sent again, it is answered again and done once."""

_COMMAND: Final = re.compile(r"[0-9A-Za-z_-]{8,64}")

log = logging.getLogger(__name__)
T = TypeVar("T")


def is_our_host(host: str, hosts: frozenset[str], arrived_at: str) -> bool:
    """Whether a Host header names this box: by a listed name, or by the address the request arrived at."""
    name = host_name(host)
    return name in hosts or (name == arrived_at.strip("[]") and _is_address(name))


def host_name(host: str) -> str:
    """The name in a Host header, without port and brackets."""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def is_from_elsewhere(origin: str | None, host: str) -> bool:
    """Whether another site's script is asking to read: only such reads name their origin."""
    return origin is not None and not is_our_origin(origin, host)


def is_our_origin(origin: str, host: str) -> bool:
    """Whether an Origin header is the page's own; a missing or opaque one is not."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def install(
    app: Flask,
    hosts: frozenset[str],
    allows: Callable[[Kind, str], bool],
    comes: Callable[[], Phone],
    said_no: Callable[[int], Response],
) -> None:
    """Check every request: `comes` says who it comes from, `said_no` is what they get instead of a page."""
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY

    @app.before_request
    def guard() -> None:
        phone = comes()
        if not is_our_host(request.headers.get("Host", ""), hosts, request.environ.get("SERVER_NAME", "")):
            abort(421)
        if not _is_in_time(phone, allows):
            abort(429)
        (_guard_reading if request.method in ("GET", "HEAD") else _guard_change)()

    @app.after_request
    def seal(response: Response) -> Response:
        for name, value in HEADERS:
            response.headers[name] = value
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    @app.errorhandler(HTTPException)
    def refused(error: HTTPException) -> Response:
        return said_no(error.code if error.code in _KNOWN else 400)

    @app.errorhandler(TimeoutError)
    def busy(_error: TimeoutError) -> Response:
        return said_no(503)

    @app.errorhandler(Exception)
    def broke(error: Exception) -> Response:
        # The error's own text stays out of the log: it may name a card that nobody else should see.
        where = "".join(traceback.format_tb(error.__traceback__))
        log.error("a page could not be made: %s at %s\n%s", type(error).__name__, request.path, where)
        return said_no(500)


def _is_in_time(phone: Phone, allows: Callable[[Kind, str], bool]) -> bool:
    """Whether this phone, or for strangers its address, may ask once more now."""
    if phone.asker is not None:
        return allows("seated", str(phone.asker))
    return allows("get" if request.method in ("GET", "HEAD") else "post", request.remote_addr or "")


def _guard_reading() -> None:
    """Don't let another site's script read, whatever cookies its browser adds."""
    if is_from_elsewhere(request.headers.get("Origin"), request.headers.get("Host", "")):
        abort(403)


def _guard_change() -> None:
    """Let through only what our own page can send."""
    if request.method != "POST":
        abort(405)
    if request.headers.get(HEADER) != "1":
        abort(403)
    if not is_our_origin(request.headers.get("Origin", ""), request.headers.get("Host", "")):
        abort(403)
    if request.mimetype not in _kinds(request.path):
        abort(415)


def _kinds(path: str) -> tuple[str, ...]:
    """What may be sent there."""
    if path in TAKES_PICTURES:
        return PICTURES
    return ("application/octet-stream",) if path in TAKES_FILES else ("application/json",)


def is_command(text: str) -> bool:
    """Whether this can be the id of a command that isn't JSON."""
    return _COMMAND.fullmatch(text) is not None


def body_as(cls: type[T]) -> T:
    """The request's JSON as `cls`, or a 400."""
    try:
        return msgspec.json.decode(request.get_data(), type=cls)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        abort(400)
