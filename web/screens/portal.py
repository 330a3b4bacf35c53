"""A phone that has just joined the box's own Wi-Fi, in the small window that phones open for that: shown on the
page where it arrives, above the seats or the first-run questions.
"""

from __future__ import annotations

import re
from typing import Final

from flask import Blueprint, Response, abort, g, jsonify, request
from msgspec import Struct

from web.door.portal import ARRIVED
from web.screen import CommandId, Dashboard, Visit, body_as

PORTAL: Final = {ARRIVED: re.compile("[12]")}
"""In a page's address: 1 for a phone that has just come, 2 for one that stays."""


class Newcomer(Struct, frozen=True):
    """A phone that came through the box's own Wi-Fi; whether it stays, and where it will find the box from then on."""

    stays: bool
    address: str


def newcomer(visit: Visit) -> Newcomer | None:
    """None for a phone that found its own way here."""
    how = visit.query.get(ARRIVED, "")
    return Newcomer(how == "2", visit.dash.address()) if how else None


class Stays(Struct, frozen=True, forbid_unknown_fields=True):
    """This phone would like to stay on a Wi-Fi without internet."""

    command: CommandId


def blueprint(dash: Dashboard) -> Blueprint:
    ways = Blueprint("portal", __name__)

    @ways.post("/stay")
    def stay() -> Response:
        body_as(Stays)
        if dash.portal is None:
            abort(404)
        dash.portal.welcome(request.remote_addr or "")
        return jsonify(go=f"{g.visit.phone.prefix}/?{ARRIVED}=2")

    return ways
