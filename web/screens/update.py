"""A newer version, from a file on the referee's phone or a USB stick: what runs, how far the update is, its result."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, abort, g, jsonify, request
from msgspec import Struct

from companion import __version__
from companion.core import Said, say
from companion.table.outside import Updates
from web.door.guard import LARGEST_PICTURE
from web.screen import CommandId, Dashboard, Page, Screen, Visit, body_as


class FromStick(Struct, frozen=True, forbid_unknown_fields=True):
    """Look for a newer version on a USB stick, and install it."""

    command: CommandId
    in_mid_game: bool = False
    """Even while a game is being played; it goes on afterwards."""


class UpdateScreen(Struct, frozen=True):
    """`may` is whether this phone is the referee's; `said` is the progress of an update, or the result of the last
    one.
    """

    may: bool
    can: bool
    version: str
    said: Said | None
    failed: bool
    under_way: bool
    waits_for_game: bool = False
    """Refused because a game is being played; the referee may insist."""


def update_screen(visit: Visit) -> Screen:
    updates = visit.dash.updates
    now = None if updates is None else updates.now
    model = UpdateScreen(
        may=visit.phone.referee,
        can=updates is not None,
        version=__version__,
        said=None if now is None else now.said,
        failed=now is not None and now.step == "failed",
        under_way=updates is not None and updates.is_under_way,
        waits_for_game=updates is not None and updates.waits_for_game,
    )
    return Screen("update", say("web.title.update"), "more", model, spoken=model.said)


PAGES: Final = (Page("update", update_screen, live=True),)


def blueprint(dash: Dashboard) -> Blueprint:
    ways = Blueprint("update", __name__)

    @ways.post("/update")
    def from_stick() -> Response:
        wanted, updates = body_as(FromStick), _asked_by_referee(dash)
        if not updates.is_under_way:
            updates.ask(wanted.in_mid_game)
        return _here()

    @ways.post("/update/file")
    def from_phone() -> Response:
        updates = _asked_by_referee(dash)
        request.max_content_length = LARGEST_PICTURE
        if not updates.is_under_way:
            _take(updates, request.args.get("at", ""), request.args.get("of", ""))
        return _here()

    return ways


def _asked_by_referee(dash: Dashboard) -> Updates:
    if not g.visit.phone.referee or dash.updates is None:
        abort(403)
    return dash.updates


def _take(updates: Updates, at: str, of: str) -> None:
    """One part of the file that this phone sends; it is asked for with the last one."""
    part = request.get_data()
    if not (at.isdecimal() and of.isdecimal() and len(at + of) < 30):
        abort(400)
    try:
        if not updates.take(part, int(at), int(of)):
            abort(400)
    except OSError:
        abort(413)


def _here() -> Response:
    return jsonify(go=g.visit.phone.prefix + "/update")
