"""The doctor on the phone: what `companion doctor` found when somebody last asked, and a button to run it again."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, abort, g, jsonify
from msgspec import Struct

from companion.core import Said, say
from companion.table.outside import Found
from web.screen import CommandId, Dashboard, Page, Screen, Visit, body_as


class Look(Struct, frozen=True, forbid_unknown_fields=True):
    """Run all checks again."""

    command: CommandId


class DoctorScreen(Struct, frozen=True):
    """`result` sums it up; None until somebody has asked. Only people who sit at the table see it and may ask."""

    may: bool
    result: Said | None
    wrong: tuple[Said, ...]
    absent: tuple[Said, ...]
    fine: tuple[Said, ...]


def doctor_screen(visit: Visit) -> Screen:
    dash, phone = visit.dash, visit.phone
    may = phone.asker is not None and dash.doctor is not None
    found = dash.doctor.last if may and dash.doctor is not None else None
    said = {state: tuple(each.said for each in found or () if each.state == state) for state in ("wrong", "absent")}
    model = DoctorScreen(
        may=may,
        result=None if found is None else _result(found),
        wrong=said["wrong"],
        absent=said["absent"],
        fine=tuple(each.said for each in found or () if each.state == "fine"),
    )
    return Screen("doctor", say("web.title.doctor"), "more", model, spoken=model.result)


def _result(found: tuple[Found, ...]) -> Said:
    if stops := sum(each.stops for each in found):
        return say("doctor.cannot-play", n=stops)
    return say("doctor.can-play" if any(each.state == "wrong" for each in found) else "doctor.all-fine")


PAGES: Final = (Page("doctor", doctor_screen),)


def blueprint(dash: Dashboard) -> Blueprint:
    ways = Blueprint("doctor", __name__)

    @ways.post("/doctor")
    def look() -> Response:
        body_as(Look)
        if g.visit.phone.asker is None or dash.doctor is None:
            abort(403)
        dash.doctor.examine()
        return jsonify(go=g.visit.phone.prefix + "/doctor")

    return ways
