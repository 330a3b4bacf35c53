"""Which phone this is. Only its cookie says so; nothing in an address or a body can."""

from __future__ import annotations

import hmac
import re
from collections.abc import Mapping
from typing import Final, Literal

from msgspec import Struct
from werkzeug.wrappers import Response

from companion.core import PUBLIC, REFEREE, SeatId
from companion.library import LANGS, Lang
from companion.table.outside import Chair, Seen

from .asking import key_of

Theme = Literal["auto", "light", "dark"]
THEMES: Final[tuple[Theme, ...]] = ("auto", "light", "dark")

YEAR: Final = 365 * 24 * 3600
_PREFIX: Final = re.compile(r"/phone/[0-9](?=/|$)")


class Phone(Struct, frozen=True):
    """One browser: its seat if it has one, what it asked for, and how it likes to read.

    `prefix` is "" except for the pretend table's phones, which share one browser and so live under `/phone/0` and
    so on.
    """

    seat: SeatId | None
    asking: str
    lang: Lang
    theme: Theme
    prefix: str
    referee: bool = False
    confirm: bool = False
    """Whether it asks for confirmation before it acts."""
    sound: bool = False
    """Whether it makes sounds."""

    @property
    def asker(self) -> SeatId | None:
        """Who it acts as; None for a spectator."""
        return REFEREE if self.referee else self.seat

    @property
    def home(self) -> str:
        """Where it belongs: its own seat, or where seats are chosen."""
        return self.prefix + ("/watch" if self.referee else "/" if self.seat is None else "/seat")

    @property
    def audience(self) -> SeatId:
        return PUBLIC if self.seat is None else self.seat


def split_prefix(path: str) -> tuple[str, str]:
    """`/phone/2/seat` → (`/phone/2`, `/seat`); any other path has no prefix."""
    found = _PREFIX.match(path)
    return ("", path) if found is None else (found.group(), path[found.end() :] or "/")


Cookie = Literal["seat", "asking", "lang", "theme", "confirm", "sound"]


def cookies_of(header: str) -> dict[str, str]:
    """Parses the Cookie header, for pages and streams alike.

    It splits at every semicolon, as browsers join: however other programs on this host quote their cookies, they
    neither hide ours nor make this fail. Of two with one name the first counts.
    """
    found: dict[str, str] = {}
    for name, _, value in (pair.partition("=") for pair in header.split(";")):
        found.setdefault(name.strip(), value.strip())
    return found


def cookie_name(prefix: str, what: Cookie) -> str:
    return f"companion-{what}{prefix.replace('/', '-')}"


def remember(response: Response, phone: Phone, what: Cookie, value: str, age: int | None = YEAR) -> None:
    """Give a phone something to keep for `age` seconds, or until its browser is closed.

    Lax: it is sent when somebody follows a link in another app, such as the camera that reads our code, but with
    nothing else that another site makes the phone send.
    """
    name, path = cookie_name(phone.prefix, what), phone.prefix or "/"
    response.set_cookie(name, value, max_age=age, path=path, httponly=True, samesite="Lax")


def seat_of(seen: Seen, secret: str) -> SeatId | None:
    """The seat, or REFEREE, whose phone holds this secret."""
    key = key_of(secret)
    if not key:
        return None
    chairs: list[tuple[SeatId, Chair]] = [(SeatId(n), chair) for n, chair in enumerate(seen.chairs)]
    if seen.referee is not None:
        chairs.append((REFEREE, seen.referee))
    for seat, chair in chairs:
        if chair.key and hmac.compare_digest(chair.key.encode(), key.encode()):
            return seat
    return None


def phone_of(cookies: Mapping[str, str], prefix: str, accepts: str, public: Seen, default: Lang) -> Phone:
    lang, theme = liking(cookies, prefix, accepts, default)
    seat = seat_of(public, cookies.get(cookie_name(prefix, "seat"), ""))
    return Phone(
        seat=None if seat == REFEREE else seat,
        asking=key_of(cookies.get(cookie_name(prefix, "asking"), "")),
        lang=lang,
        theme=theme,
        prefix=prefix,
        referee=seat == REFEREE,
        confirm=cookies.get(cookie_name(prefix, "confirm"), "") == "yes",
        sound=cookies.get(cookie_name(prefix, "sound"), "") == "yes",
    )


def liking(cookies: Mapping[str, str], prefix: str, accepts: str, default: Lang) -> tuple[Lang, Theme]:
    """A browser's reading preferences."""
    lang, theme = cookies.get(cookie_name(prefix, "lang"), ""), cookies.get(cookie_name(prefix, "theme"), "")
    return (
        next((known for known in LANGS if known == lang), _accepted(accepts, default)),
        next((known for known in THEMES if known == theme), "auto"),
    )


def _accepted(accepts: str, default: Lang) -> Lang:
    """The first language of an Accept-Language header that we speak."""
    for part in accepts[:200].split(","):
        code = part.split(";")[0].strip().lower()[:2]
        for known in LANGS:
            if code == known:
                return known
    return default
