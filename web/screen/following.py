"""The box changes its Wi-Fi, and so its address, where a phone has no cookie yet. Before it goes, every page gets a
link by which the phone follows with its seat.
"""

from __future__ import annotations

from msgspec import Struct

from companion.core import REFEREE, Name, Said, say
from companion.table.outside import Leaving
from web.door import Likes, Phone

from .visit import Visit


class Following(Struct, frozen=True):
    """Where the box is going, and what this phone opens once it is there, too: the place and its address."""

    said: Said
    links: tuple[tuple[str, str], ...]
    sits: bool
    """Whether this phone's seat comes along."""


def following(visit: Visit) -> Following | None:
    network = visit.dash.network
    leaving = None if network is None else network.leaving()
    return None if leaving is None else _following(visit, leaving)


def _following(visit: Visit, leaving: Leaving) -> Following:
    token = _token(visit)
    path = f"/move?token={token}" if token else "/"
    links = tuple((at, f"http://{at}{path}") for at in leaving.at)
    return Following(say(f"web.leaving.{leaving.to}", wifi=Name(leaving.name)), links, bool(token))


def _token(visit: Visit) -> str:
    phone, public = visit.phone, visit.public
    asker = phone.asker
    chair = None if asker is None else public.referee if asker == REFEREE else public.chairs[asker]
    return "" if asker is None or chair is None else visit.dash.moves.follow(asker, chair.key, _likes(phone))


def _likes(phone: Phone) -> Likes:
    yes = {True: "yes", False: "no"}
    return (
        ("lang", phone.lang),
        ("theme", phone.theme),
        ("confirm", yes[phone.confirm]),
        ("sound", yes[phone.sound]),
    )
