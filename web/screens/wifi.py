"""The box's Wi-Fi: from its own to the house's, typed here, and back."""

from __future__ import annotations

from typing import Annotated, Final, Literal, get_args

from flask import Blueprint, Response, abort, g, jsonify
from msgspec import Meta, Struct

from companion.core import say
from companion.table.outside import Network, WifiKind
from web.screen import CommandId, Dashboard, Page, Screen, Visit, body_as

Went = Literal[WifiKind, "wrong"]
"""Or nowhere, because there is no such Wi-Fi."""


class WifiWish(Struct, frozen=True, forbid_unknown_fields=True):
    """Join the house's Wi-Fi by name and password, one that the box knows, or its own."""

    command: CommandId
    to: WifiKind
    name: Annotated[str, Meta(max_length=64)] = ""
    password: Annotated[str, Meta(max_length=64)] = ""


class WifiScreen(Struct, frozen=True):
    """`going` is where the box was just sent: then this page is the last that a phone sees on the old Wi-Fi, and
    its frame has the link by which the phone follows (`web.screen.following`).
    """

    may: bool
    """Whether this phone may change it; not if the machine manages its own Wi-Fi."""
    has_own: bool = False
    is_own: bool = False
    names: tuple[str, ...] = ()
    going: Went | None = None


def wifi_screen(visit: Visit) -> Screen:
    network, title = visit.dash.network, say("web.title.wifi")
    if network is None or visit.phone.asker is None:
        return Screen("wifi", title, "more", WifiScreen(may=False))
    model = WifiScreen(
        may=True,
        has_own=network.has_own,
        is_own=network.is_own(),
        names=network.names(),
        going=next((way for way in get_args(Went) if way == visit.query.get("going")), None),
    )
    return Screen("wifi", title, "more", model)


PAGES: Final = (Page("wifi", wifi_screen),)


def _changed(network: Network, wanted: WifiWish) -> str:
    """Where the box is going now; "wrong" if there can't be such a Wi-Fi, and it stays."""
    match wanted.to:
        case "house":
            return "house" if network.join(wanted.name, wanted.password) else "wrong"
        case "known":
            network.leave()
        case "own":
            network.open_own()
    return wanted.to


def blueprint(dash: Dashboard) -> Blueprint:
    ways = Blueprint("wifi", __name__)

    @ways.post("/wifi")
    def change() -> Response:
        wanted, network = body_as(WifiWish), dash.network
        if g.visit.phone.asker is None or network is None:
            abort(403)
        return jsonify(go=f"{g.visit.phone.prefix}/wifi?going={_changed(network, wanted)}")

    return ways
